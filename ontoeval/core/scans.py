"""Scans: label sets that are read in chunks, of more samples than fit into memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.label_sets import LabelSets
from ontoeval.core.showing import Brief
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError

Step = Callable[[int], None]
"""Called with the size of each chunk that is done."""


Content = Any
"""What a worker is given of a chunk; each kind of scan has its own."""


class ScanChunk(NamedTuple):
    """One chunk of a scan as a worker gets it, and its size for progress."""

    content: Content
    size: int


class Scan(Brief, ABC):
    """Labels of samples in chunks: one process names the chunks in order, others may read them."""

    where: str
    vocabulary: Vocabulary
    chunk: int
    size: Any
    """Sum of the sizes of all chunks; None where it is unknown."""
    unit: Any
    """What the sizes count: samples, rows or bytes."""

    @abstractmethod
    def parts(self, chunk: int) -> Iterator[ScanChunk]:
        """Name chunks of so many samples each; the last may have fewer."""

    def portable_chunks(self, chunk: int) -> Iterator[ScanChunk]:
        """Name chunks by files and rows alone, so that any machine that has the files can read them."""
        del chunk
        raise InputError(
            "a cluster reads Parquet alone: one process would have to cut text into chunks",
            "Convert the file to Parquet, or score it on this machine (workers=, --workers).",
            where=self.where,
        )

    @abstractmethod
    def read(self, content: Content) -> tuple[LabelSets, Mapping[str, int]]:
        """Read a chunk; also count deviations, such as labels left out, by kind."""


class BareSets(NamedTuple):
    """Label sets without their vocabulary, which all chunks share: small enough to be sent often."""

    matrix: sparse.csr_array
    samples: tuple[str, ...]

    @classmethod
    def from_sets(cls, sets: LabelSets) -> BareSets:
        """Take label sets without their vocabulary."""
        return cls(sets.matrix, sets.samples)

    def with_vocabulary(self, vocabulary: Vocabulary) -> LabelSets:
        """Add the vocabulary again."""
        return LabelSets(self.matrix, vocabulary, self.samples)


class SeenSamples:
    """Hashes of the samples of complete chunks, eight bytes each."""

    def __init__(self) -> None:
        self._runs: list[NDArray[np.int64]] = []  # sorted; each longer than the next one

    def add(self, names: Sequence[str]) -> None:
        """Add samples."""
        run = np.sort(hashes(names, len(names)))
        while self._runs and len(self._runs[-1]) <= 2 * len(run):
            run = np.sort(np.concatenate([self._runs.pop(), run]), kind="stable")  # two runs, one pass
        self._runs.append(run)

    def find_repeated(self, names: Sequence[str]) -> str | None:
        """Find a repeated name; the probability of a false alarm among a million is 1 in ten million."""
        hashed = hashes(names, len(names))
        for run in self._runs:
            if found := np.flatnonzero(hashes_among(hashed, run)).tolist():
                return names[found[0]]
        return None


def hashes(texts: Iterable[str], count: int) -> NDArray[np.int64]:
    """Hash texts, eight bytes each; the hashes hold for this process."""
    return np.fromiter(map(hash, texts), dtype=np.int64, count=count)


def hashes_among(hashed: NDArray[np.int64], some: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether each hash occurs among some sorted ones."""
    if not some.size:
        return np.zeros(hashed.shape, dtype=bool)
    at = np.minimum(np.searchsorted(some, hashed), some.size - 1)
    return np.asarray(some[at] == hashed)


def percent_steps(done: Callable[[], None], size: int | None, passes: int = 1) -> Step:
    """Call a function for every percent of a size."""
    read = 0

    def step(more: int) -> None:
        nonlocal read
        before, read = read, read + more
        if size:
            for _ in range(min(100 * read // (passes * size), 100) - 100 * before // (passes * size)):
                done()

    return step
