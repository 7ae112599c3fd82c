"""Label files audited in chunks: the first pass counts, the second applies the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.audit.findings import Finding
from ontoeval.audit.raw_labels import RawLabels, Repeats, matrix_of, sides_of
from ontoeval.audit.resolved_labels import SHARED, Meaning, ResolvedLabels
from ontoeval.audit.tally import ChunkTally, repeated_hashes, repeated_names
from ontoeval.audit.usage import possible_companions
from ontoeval.core.scans import Step, hashes, hashes_among
from ontoeval.errors import InputError, enumerate_some, pluralise
from ontoeval.labels.chunks import statement_chunks
from ontoeval.labels.reading import LabelFileReader
from ontoeval.labels.statements import DecoderOptions
from ontoeval.plumbing.arrays import Places
from ontoeval.plumbing.checks import whole_number
from ontoeval.plumbing.files import checked_path, each_at_most

_FIRST = 8
"""First samples of each label, which rule out most of the labels that it might always be used with."""

NOT_CHECKED = (
    "whether repeated labels and rows differ in columns that are not read",
    "which samples show most errors",
)
"""What an audit in chunks leaves out."""


@dataclass(eq=False)
class ChunkedFile:
    """A label file that is read a chunk at a time; spellings have the same number in every chunk."""

    path: str
    reading: LabelFileReader
    wanted: DecoderOptions
    chunk: int
    max_bytes: int | None = None
    step: Step = lambda _: None
    codes: dict[str, int] = field(default_factory=dict)
    places: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Check what can be read twice."""
        self.chunk = whole_number("chunk", self.chunk, 1)
        if Path(self.path).is_dir():
            return
        self.path = checked_path(self.path)
        if not Path(self.path).is_file():
            problem = "an audit in chunks reads its file twice, and this is no regular file"
            raise InputError(problem, "Write the labels to a file.", where=self.path)

    def __iter__(self) -> Iterator[RawLabels]:
        """Read the chunks."""
        chunks = statement_chunks(self.path, self.reading.layout, self.wanted, self.chunk, self.step)
        for form, given in each_at_most(self.max_bytes, chunks):
            for spelling, place in zip(given.spellings, given.places, strict=True):
                if self.codes.setdefault(spelling, len(self.codes)) == len(self.places):
                    self.places.append(place)
            code = np.array([self.codes[spelling] for spelling in given.spellings], dtype=np.int32)
            entries = replace(given, spellings=tuple(self.codes), concept=code[given.concept])
            chosen, _ = sides_of(entries, self.reading.threshold, None, self.path)
            matrix = matrix_of(entries, chosen)
            yield RawLabels(
                entries.samples,
                entries.spellings,
                matrix,
                places=self.places,  # grows with the spellings
                repeats=Repeats.from_entries(entries, chosen, matrix, None, form),
                source=self.path,
                form=replace(form, **entries.seen),
                scored=entries.value is not None,
                nulls=entries.nulls,
                negated=entries.negated,
            )


def resolve_chunks(
    chunks: ChunkedFile,
    labels_of: Callable[..., ResolvedLabels],
    rules: Callable[[ResolvedLabels], Iterable[Finding]],
) -> ResolvedLabels:
    """Apply the rules to each chunk; what is returned has the samples that findings show, and all counts."""
    tally, counted = ChunkTally(), _Counts()
    for raw in chunks:
        counted.add(labels_of(raw))
    whole = counted.with_total_counts(labels_of, tally, chunks.chunk)
    whole.share_over_chunks(possible_companions)

    def with_counts(raw: RawLabels) -> ResolvedLabels:
        vars(raw)["counts"] = whole.raw.counts
        labels = labels_of(raw, tally=tally, derived=whole.derived)
        vars(labels).update({name: getattr(whole, name) for name in SHARED})
        return labels

    examples = []
    for raw in chunks:
        labels = with_counts(raw)
        for _ in rules(labels):  # only counted
            pass
        examples.append(_select_samples(raw, tally.take_examples()))
    tally.complete = True
    return with_counts(_join_chunks(examples))


class _Counts:
    """Sums of the first pass, hashes by which repeats are found, and the first samples of each label."""

    def __init__(self) -> None:
        self.sums: dict[str, Any] = {"sizes": 0, "implied": 0, "side_sizes": 0, "total": 0}
        self.counts: Places = np.zeros(0, dtype=np.intp)
        self.meanings: list[Meaning] = []
        self.kept: dict[str, Any] = {}
        self.hashed: dict[str, list[NDArray[np.int64]]] = {"samples": [], "names": [], "sets": []}
        self.examples: list[RawLabels] = []

    def add(self, labels: ResolvedLabels) -> None:
        """Count the samples of a chunk."""
        raw = labels.raw
        self.meanings += map(labels.meaning, raw.spellings[len(self.meanings) :])
        vars(labels).update(self.kept, meanings=tuple(self.meanings))
        self.kept = {"rules": labels.rules}
        self.examples.append(_select_samples(raw, self._first_samples(labels)))
        for name in self.sums:
            self.sums[name] = self.sums[name] + getattr(labels, name)
        self.counts = raw.counts + np.pad(self.counts, (0, raw.counts.size - self.counts.size))
        self.hashed["samples"].append(hashes(raw.samples, len(raw.samples)))
        self.hashed["names"].append(labels.hashed_names)
        self.hashed["sets"].append(labels.hashed_sets[labels.comparable])

    def _first_samples(self, labels: ResolvedLabels) -> Places:
        """Find the first samples of each label that so far has few."""
        room = _FIRST - self.sums["sizes"] * np.ones(len(labels.vocabulary), dtype=np.intp)
        few = np.flatnonzero((room > 0) & (labels.sizes > 0)).tolist()
        rows = [labels.samples_with_label(label)[: room[label]] for label in few]
        return np.unique(np.concatenate([np.empty(0, dtype=np.intp), *rows]))

    def with_total_counts(
        self, labels_of: Callable[..., ResolvedLabels], tally: ChunkTally, chunk: int
    ) -> ResolvedLabels:
        """Give the first samples of each label the counts of all."""
        again = np.unique(repeated_hashes(np.concatenate(self.hashed["samples"])))
        if again.size:
            raise self._several_chunks(again, chunk)
        raw = _join_chunks(self.examples)
        vars(raw)["counts"] = self.counts
        labels = labels_of(raw, tally=tally)
        vars(labels).update(**self.kept, **self.sums, meanings=tuple(self.meanings))
        sets = repeated_hashes(np.concatenate(self.hashed["sets"]))
        vars(labels).update(repeated_names=repeated_names(self.hashed["names"]), repeated_set_hashes=sets)
        return labels

    def _several_chunks(self, again: NDArray[np.int64], chunk: int) -> InputError:
        shown = dict.fromkeys(
            name
            for part in self.examples
            for name in np.array(part.samples)[
                hashes_among(hashes(part.samples, len(part.samples)), again)
            ].tolist()
        )
        named = f" ({enumerate_some(shown)})" if shown else ""
        return InputError(
            f"{pluralise(again.size, 'sample')}{named} with rows in several chunks of {chunk:,} samples",
            "Sort the rows by sample, or audit the file whole: that lists repeated rows.",
            where=self.examples[0].source,
        )


def _select_samples(raw: RawLabels, samples: Places) -> RawLabels:
    """Keep some samples, with all their rows."""
    rows = np.flatnonzero(np.isin(raw.sample_of_row, samples))
    assert raw.repeats is not None  # noqa: S101 - of a chunk
    names = tuple(raw.rows[row] for row in rows.tolist())
    return replace(raw, rows=names, matrix=raw.matrix[rows], repeats=raw.repeats.select_rows(rows, samples))


def _join_chunks(parts: list[RawLabels]) -> RawLabels:
    """Join samples of all chunks; the last has all spellings."""
    repeats = [part.repeats for part in parts if part.repeats is not None]
    width = len(parts[-1].spellings)
    labels, kept = (_stack([getattr(one, name) for one in repeats], width) for name in ("labels", "kept"))
    return replace(
        parts[-1],
        rows=tuple(name for part in parts for name in part.rows),
        matrix=_stack([part.matrix for part in parts], width),
        repeats=Repeats(labels, kept, np.concatenate([one.differing for one in repeats])),
        places=tuple(parts[-1].places),
        form=parts[0].form,
        nulls=sum(part.nulls for part in parts),
        negated=sum(part.negated for part in parts),
    )


def _stack(parts: list[sparse.csr_array], width: int) -> sparse.csr_array:
    wide = [
        sparse.csr_array((one.data, one.indices, one.indptr), shape=(one.shape[0], width)) for one in parts
    ]
    return sparse.csr_array(sparse.vstack(wide, format="csr"))
