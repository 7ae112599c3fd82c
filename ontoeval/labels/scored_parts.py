"""Parts of label files, cut by sample here or by another engine: read and scored one by one, and added up."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import chain, repeat, zip_longest
from operator import itemgetter
from os import PathLike
from pathlib import Path
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.graphs import AnyHierarchy, AnyOntology, front_door
from ontoeval.core.label_sets import LabelSets, labels_of_all
from ontoeval.core.resampling import Bootstrap
from ontoeval.core.vocabulary import Vocabulary, common_vocabulary
from ontoeval.errors import InputError, OntoevalError, pluralise
from ontoeval.evaluation.alignment import SideOptions
from ontoeval.evaluation.parts import PartScoring, PartTotals, differences_of, no_samples
from ontoeval.evaluation.scoring import Evaluation
from ontoeval.labels.formats import Recognised
from ontoeval.labels.ledger import Ledger
from ontoeval.labels.parquet import read_footer
from ontoeval.labels.reading import LabelFileReader, decoded_file
from ontoeval.labels.reading_options import AS_RECOGNISED, LabelReading
from ontoeval.labels.resolved import LabelFile, refuse_all_uncut, refuse_titles_beyond
from ontoeval.labels.sources import LabelSource
from ontoeval.labels.statements import Statements
from ontoeval.measures.base import Measures
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.files import FilePath, checked_path, dataset_files
from ontoeval.plumbing.processes import Workers, in_processes
from ontoeval.plumbing.values import PickledByFields

Decoded = tuple[Statements, Recognised, LabelSource]
"""Contents of a file, or of a part, as `LabelFileReader.label_file` takes them."""


FileInParts = Any
"""What has a path, `where`, and decodes each part: `SplitFile.decoded`, `PartFiles.decoded`."""


def digests_of(names: Iterable[str]) -> NDArray[np.uint64]:
    """Digest names to eight bytes each, in every process alike."""
    whole = b"".join(blake2b(name.encode(), digest_size=8).digest() for name in names)
    return np.frombuffer(whole, dtype=np.uint64)


@dataclass(frozen=True)
class CountedSets:
    """What is reported of the label sets of a file that was read in parts, in place of these."""

    samples: int
    used: frozenset[int]
    """Columns of the labels that occur."""
    alike: frozenset[int] | None
    """Columns of the labels of each sample; None where samples differ."""
    digests: NDArray[np.uint64]
    """Of the names of the samples, or none."""

    @classmethod
    def from_sets(cls, sets: LabelSets, *, digests: bool) -> CountedSets:
        """Count what is reported."""
        used = np.unique(sets.matrix.indices).tolist()
        hashed = digests_of(sets.samples if digests else ())
        return cls(len(sets), frozenset(used), labels_of_all(sets), hashed)

    @classmethod
    def joined(cls, parts: Sequence[CountedSets]) -> CountedSets:
        """Add up the counts of parts."""
        used, alike = frozenset[int](), {part.alike for part in parts}
        return cls(
            sum(part.samples for part in parts),
            used.union(*(part.used for part in parts)),
            alike.pop() if len(alike) == 1 else None,
            np.concatenate([part.digests for part in parts]),
        )

    def __len__(self) -> int:
        """Count the samples."""
        return self.samples


@dataclass(frozen=True, eq=False)
class PartReading(PickledByFields):
    """How the parts of files are read, the truth first, then the runs."""

    files: Sequence[FileInParts]
    readers: Sequence[LabelFileReader]
    parts: int
    vocabularies: Sequence[Vocabulary | None] = ()
    """Of the labels in all parts of each file, where no list says what is a concept."""

    def label_files(self, number: int) -> Iterator[LabelFile | None]:
        """Read a part of every file; None where it has no row."""
        every = zip_longest(self.files, self.readers, self.vocabularies)
        for file, reader, vocabulary in every:
            names = reader.names if vocabulary is None else replace(reader.names, vocabulary=vocabulary)
            entries = file.decoded(number, reader)
            yield None if entries is None else replace(reader, names=names).label_file(*entries)

    def spellings(self, number: int) -> list[Decoded | None]:
        """Decode a part of every file without its samples, but with the first numbers that are no scores."""
        both = zip(self.files, self.readers, strict=True)
        decoded = [file.decoded(number, reader) for file, reader in both]
        return [entries and (_spellings(entries[0]), *entries[1:]) for entries in decoded]

    def resolved(self, workers: Workers | None) -> tuple[PartReading, Vocabulary]:
        """Find the concepts: those of a list or an ontology, or the labels of all parts."""
        known = self.readers[0].names.vocabulary
        if known is not None:
            return self, known
        own = self.resolve(workers)
        return replace(self, vocabularies=own), common_vocabulary(own)

    def resolve(self, workers: Workers | None) -> list[Vocabulary]:
        """Resolve the labels of each file, of all parts at once, so that errors name all."""
        with in_processes(self.spellings, workers) as each:
            found = [*zip(*each(range(self.parts)), strict=True)]
        every = zip(self.files, self.readers, found, strict=True)
        whole = [reader.contents(*_united(file.where, parts)) for file, reader, parts in every]
        refuse_titles_beyond(whole)
        return [file.vocabulary for file in whole]


def _spellings(entries: Statements) -> Statements:
    """Keep the spellings, two lists of each size, and the first number of each column outside [0, 1]."""
    if entries.header:
        values = np.empty(0) if entries.value is None else entries.value
        outside = np.flatnonzero(((values < 0) | (values > 1)) & (values != -1))
        kept = outside[np.unique(entries.concept[outside], return_index=True)[1]]
        sizes = np.ones_like(kept)
    else:
        few = np.minimum(np.bincount(np.bincount(entries.sample)), 2)
        sizes = np.repeat(np.arange(few.size), few)
        kept = np.arange(sizes.sum())
    return replace(entries.select(kept), samples=(), sample=_owners(sizes), place=None, starts=None)


def _owners(sizes: NDArray[np.integer]) -> NDArray[np.int32]:
    """Sample of each label in lists of these sizes."""
    return np.repeat(np.arange(sizes.size, dtype=np.int32), sizes)


def _united(where: str, parts: Iterable[Decoded | None]) -> Decoded:
    """Unite the spellings of the parts of a file, in the order of their first rows."""
    found, met = [part for part in parts if part is not None], list[tuple[int, str, str]]()
    for entries, _, source in found:
        beside = "" if source.where == where else f" of {Path(source.where).name}"
        for spelling, place in zip(entries.spellings, entries.places, strict=True):
            met.append((int(re.sub(r"\D", "", place) or 0), spelling, place + beside))
    first: dict[str, str] = {}
    for _, spelling, place in sorted(met, key=itemgetter(0)):
        first.setdefault(spelling, place)
    entries, form, _ = found[0]
    arrays: dict[str, Any] = {"concept": np.concatenate([one.concept for one, *_ in found])}
    arrays["alone"] = {*chain.from_iterable(one.alone for one, *_ in found)}
    if entries.value is not None:
        arrays["value"] = np.concatenate([np.asarray(one.value) for one, *_ in found])
    united = replace(entries, spellings=tuple(first), places=tuple(first.values()), **arrays)
    sizes = np.concatenate([np.bincount(one.sample) for one, *_ in found])
    return replace(united, sample=_owners(sizes)), form, LabelSource(where, b"", "")


@dataclass(frozen=True, eq=False)
class PartJob(PickledByFields):
    """What a worker does with a part."""

    reading: PartReading
    scoring: PartScoring
    digests: bool = False
    """Whether to digest the names of samples, which several parts may have if others cut them."""

    def __call__(self, number: int) -> tuple[list[LabelFile | None], PartTotals]:
        """Read and score a part; what is reported of the files has no label sets."""
        vocabulary = self.scoring.vocabulary
        files = [one and one.within(vocabulary) for one in self.reading.label_files(number)]
        truth, *runs = (no_samples(vocabulary) if one is None else one.sets for one in files)
        return [one and self._reported(one) for one in files], self.scoring(truth, runs)

    def label_counts(self, number: int) -> tuple[int, Numbers]:
        """Count the true samples of a part, and those with each label."""
        file, names = next(self.reading.label_files(number)), self.scoring.vocabulary
        return self.scoring.label_counts(no_samples(names) if file is None else file.within(names).sets)

    def _reported(self, file: LabelFile) -> LabelFile:
        sets: Any = CountedSets.from_sets(file.sets, digests=self.digests)
        return replace(file, sets=sets, dropped={**file.dropped}, translated={**file.translated})

    def done(
        self,
        workers: Workers | None,
        step: Callable[[], None] = lambda: None,
        check: Callable[[int, PartTotals], None] = lambda *_: None,
    ) -> tuple[list[LabelFile], PartTotals]:
        """Score all parts, check each, and add up what they give."""
        reported: list[list[LabelFile | None]] = []

        def totals() -> Iterator[PartTotals]:
            with in_processes(self, workers) as each:
                for number, (files, found) in enumerate(each(range(self.reading.parts))):
                    check(number, found)
                    reported.append(files)
                    step()
                    yield found

        try:
            whole = self.scoring.merged(totals())
        except OntoevalError:
            self.reading.resolve(workers)  # whose error, if there is one, is of all parts
            raise
        every = zip(*reported, strict=True)
        files = [_joined([one for one in parts if one is not None]) for parts in every]
        refuse_all_uncut(files[1:])
        return files, whole

    def evaluations(self, files: Sequence[LabelFile], found: PartTotals) -> list[Evaluation]:
        """Scores of the runs, and of constant ones behind them."""
        only = self.scoring.none.only
        line = f"read in {pluralise(self.reading.parts, 'part')}, cut by sample"
        reading = (line, *(only.notes(found.counts) if only is not None else ()))
        true, *runs = (sorted(cast("CountedSets", file.sets).used) for file in files)
        used = chain(((true, some) for some in runs), repeat(()))
        every = zip(found.totals, used, chain(found.unclosed, repeat(())), strict=False)
        same: Any = {"reading": reading, "left_out": found.counts[3:]}
        return [Evaluation(one, used=some, unclosed=both, **same) for one, some, both in every]

    def shares(self, workers: Workers | None) -> Numbers:
        """Share of the true samples that have each label."""
        with in_processes(self.label_counts, workers) as each:
            samples, counts = zip(*each(range(self.reading.parts)), strict=True)
        return np.asarray(np.sum(counts, axis=0) / max(sum(samples), 1))


_COUNTED = ("repeated_scores", "repeated", "added", "closed")


def _joined(parts: Sequence[LabelFile]) -> LabelFile:
    """Add up what is reported of the parts of a file."""
    dropped, translated = Counter[str](), dict[str, tuple[str, int]]()
    for part in parts:
        dropped.update(part.dropped)
        for text, (name, count) in part.translated.items():
            translated[text] = name, count + translated.get(text, ("", 0))[1]
    separators = (part.format.separator for part in parts if part.format.separator)
    form = replace(
        parts[0].format,
        separator=next(separators, None),
        json_cells=any(part.format.json_cells for part in parts),
    )
    counts: dict[str, Any] = {name: sum(getattr(part, name) for part in parts) for name in _COUNTED}
    counts["doubts"] = max(part.doubts for part in parts)
    counts["ledger"] = sum((part.ledger for part in parts), Ledger())
    counts["sets"] = CountedSets.joined([cast("CountedSets", part.sets) for part in parts])
    return replace(parts[0], format=form, dropped=dropped, translated=translated, **counts)


@dataclass(frozen=True)
class PartFiles:
    """Files that another engine has written, one for each part."""

    where: str
    files: tuple[str, ...]

    @classmethod
    def from_source(cls, source: FilePath | Sequence[FilePath]) -> Self:
        """Find the files of a folder in their order, part.2 before part.10; or take those that are listed."""
        if not isinstance(source, str | PathLike):
            files = tuple(map(checked_path, source))
            return cls(f"{files[0]} to {Path(files[-1]).name}" if files else "no files", files)
        folder = Path(source)
        if not folder.is_dir():
            return cls(str(source), (checked_path(source),))
        return cls(str(source), dataset_files(folder) or dataset_files(folder, "*"))

    def decoded(self, number: int, reading: LabelFileReader) -> Decoded | None:
        """Decode a file; None for one of Parquet without rows, as Spark writes them."""
        file = self.files[number]
        if file.endswith(".parquet") and not read_footer(file).num_rows:
            return None
        return decoded_file(file, reading)


@front_door
def score_parts(
    truth: FilePath | Sequence[FilePath],
    runs: Mapping[str, FilePath | Sequence[FilePath]],
    ontology: AnyOntology | None = None,
    *,
    hierarchy: AnyHierarchy | None = None,
    agreement: Mapping[str, float] | None = None,
    measures: Measures | None = None,
    bootstrap: Bootstrap | None = None,
    workers: Workers | None = None,
    reading: LabelReading = AS_RECOGNISED,
) -> dict[str, Evaluation]:
    r"""Score runs whose files another engine has cut by sample: Spark, Dask, DuckDB or another.

    Parts are read and scored one by one, and their sums are added, so memory follows the largest part. The
    scores have the same bits as those of the whole files.

    Parameters
    ----------
    truth
        A folder of files, such as ``part-00000.parquet`` and ``part-00001.parquet``, or a list of files: the
        parts, in this order. Each is a file that `read_labels` reads.
    runs
        The same for each run, by its name. Part i of every run holds the samples of part i of the truth, with
        all their rows.
    ontology
        Has the concepts that may be labels, and their hierarchy; see `read_labels`.
    hierarchy
        The hierarchy of the concepts; by default that of the ontology.
    agreement, measures
        See `evaluate`; of the measures those whose parts can be added.
    bootstrap
        Resamples for `Evaluation.interval`, with ``weights="poisson"``.
    workers
        Number of processes, by default 1; or a client of a Dask cluster, whose workers can read the files.
        The scores are the same to the last bit.
    reading
        How the files are read; a threshold applies to the runs alone.

    Returns
    -------
    dict of str to Evaluation
        The scores of each run.

    Raises
    ------
    InputError
        If a file cannot be read, folders have different numbers of parts, a part of a run has other samples
        than that of the truth, or a sample is in several parts.
    MeasureError
        If a measure needs all samples at once.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> truth, run = (pathlib.Path(tempfile.mkdtemp()) for _ in range(2))
    >>> for folder, label in (truth, "sea"), (run, "sky"):
    ...     for number, row in enumerate(["p1,sky", f"p2,{label}"]):
    ...         _ = (folder / f"{number}.csv").write_text(f"id,labels\n{row}\n")
    >>> score_parts(truth, {"run": run}, measures="F")["run"].scores
    {'F': 0.5}
    """
    named = {"the truth": truth, **{f"the run {run!r}": files for run, files in runs.items()}}
    files = {name: PartFiles.from_source(source) for name, source in named.items()}
    first, *others = files.values()
    for name, other in files.items():
        if not other.files or len(other.files) != len(first.files):
            raise InputError(
                f"{pluralise(len(other.files), 'file')} of {name}, but {len(first.files):,} of the truth",
                "Write one file for each part of the truth and of every run.",
                where=other.where,
            )
    readings = [reading.of_truth, *[replace(reading, mixed=True)] * len(others)]
    readers = [LabelFileReader.from_options(ontology, one) for one in readings]
    if ontology is not None and hierarchy is None:
        hierarchy = ontology.hierarchy()
    parts, vocabulary = PartReading([*files.values()], readers, len(first.files)).resolved(workers)
    scoring = PartScoring.from_options(SideOptions(hierarchy, agreement=agreement), measures, vocabulary)
    job = PartJob(parts, replace(scoring, bootstrap=bootstrap), digests=True)

    def check(number: int, found: PartTotals) -> None:
        for run, both in zip(others, found.unmatched, strict=True):
            if any(side.number for side in both):
                remedy = "Let part i of every folder hold the same samples: cut all by the same checksum."
                where = f"{first.files[number]} and {run.files[number]}"
                raise InputError(differences_of(*both), remedy, where=where)

    reported, found = job.done(workers, check=check)
    _refuse_repeated(first, readers[0], cast("CountedSets", reported[0].sets).digests)
    return dict(zip(runs, job.evaluations(reported, found), strict=True))


def _refuse_repeated(truth: PartFiles, reading: LabelFileReader, digests: NDArray[np.uint64]) -> None:
    """Refuse samples that several parts have, and name one."""
    every, count = np.unique(digests, return_counts=True)
    if not (again := every[count > 1]).size:
        return
    decoded = ((file, truth.decoded(number, reading)) for number, file in enumerate(truth.files))
    found = [
        (name, file)
        for file, entries in decoded
        for name in (entries[0].samples if entries is not None else ())
        if digests_of([name])[0] == again[0]
    ]
    raise InputError(
        f"sample {found[0][0]!r} is in both parts; {pluralise(again.size, 'sample')} in all are in several",
        "Let all rows of a sample lie in one part: cut all files by a checksum of the sample.",
        where=" and ".join(file for _, file in found[:2]),
    )
