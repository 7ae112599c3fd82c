"""Truth and runs in chunks: samples are matched by name as they come, and scored once all sides have them."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import filterfalse, zip_longest
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.label_sets import LabelSets, names_not_in
from ontoeval.core.scans import BareSets, Scan, SeenSamples, Step
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, MisalignedError, ParameterError, pluralise
from ontoeval.evaluation.alignment import SideOptions
from ontoeval.evaluation.dask_collections import is_dask, named_by_partitions, totals_of_places
from ontoeval.evaluation.portions import PortionScoring, no_samples, refuse_in_parts
from ontoeval.evaluation.totals import AT_ONCE, Totals, merge
from ontoeval.measures.base import Measures
from ontoeval.plumbing.arrays import Marks, Numbers
from ontoeval.plumbing.processes import Workers, in_processes, is_client
from ontoeval.plumbing.sparse import whole_columns
from ontoeval.plumbing.values import PickledByFields

WAITING = 10
"""Most samples that wait for the other sides, in chunks."""

ONCE = (
    "Let every sample occur once, with all its rows one after the other: sort the rows by sample, or read "
    "the files whole (read_labels, without --chunk)."
)
LACKING = "samples of the truth that it lacks, counted as unlabelled"
BEYOND = "samples that the truth lacks, left out"
MISSING = "Add what is missing, or pass missing='empty' (--missing empty) to count it as empty."


class ScoredChunk(NamedTuple):
    """A scored chunk: its samples, totals of each run, and the samples that a side still lacks."""

    samples: tuple[str, ...]
    totals: tuple[Totals, ...]
    """Light, see `PortionScoring.without_shared`."""
    left: tuple[BareSets, ...] = ()
    counts: tuple[Mapping[str, int], ...] = ()
    """Of each side, counts of deviations, such as labels left out."""


@dataclass(frozen=True, eq=False)
class PartScoring(PickledByFields):
    """What a worker needs: the scans, the truth first, and how samples are scored."""

    scoring: PortionScoring
    scans: tuple[Scan, ...]
    constant: tuple[Marks, ...] = ()
    """Further runs that predict the same labels for every sample, such as a baseline: their marks."""

    def __call__(self, contents: Sequence[Any]) -> ScoredChunk:
        """Read one chunk of each side, None where it has no more, and score the samples that all have."""
        read = (self._read(scan, content) for scan, content in zip(self.scans, contents, strict=True))
        sides, counts = zip(*read, strict=True)
        names = sides[0].samples
        if all(side.samples == names for side in sides):
            return ScoredChunk(names, self._totals(sides) if names else (), (), counts)
        common = set(names).intersection(*(side.samples for side in sides[1:]))
        names = tuple(filter(common.__contains__, names))
        both = [side.take(names) for side in sides]
        left = [side.take(tuple(filterfalse(common.__contains__, side.samples))) for side in sides]
        bare = tuple(map(BareSets.from_sets, left))
        return ScoredChunk(names, self._totals(both) if names else (), bare, counts)

    def counts(self, content: Any) -> tuple[int, NDArray[np.intp]]:  # noqa: ANN401 - of any scan
        """Count the samples of a chunk of the truth, and those with each label."""
        sets, _ = self._read(self.scans[0], content)
        return len(sets), np.bincount(sets.matrix.indices, minlength=len(sets.vocabulary))

    def _read(self, scan: Scan, content: Any) -> tuple[LabelSets, Mapping[str, int]]:  # noqa: ANN401 - see `counts`
        vocabulary = self.scoring.vocabulary
        if isinstance(content, BareSets):
            return content.with_vocabulary(vocabulary), {}
        if content is None:
            return no_samples(vocabulary), {}
        sets, counts = scan.read(content)
        if self.scoring.hierarchy is not None:
            sets = sets.named_by(self.scoring.hierarchy.vocabulary)
        return sets.within(vocabulary), counts

    def _totals(self, sides: Sequence[LabelSets]) -> tuple[Totals, ...]:
        """Score the same samples of all sides, a few at a time: resamples then draw once for all runs."""
        totals = self.empty
        for begin in range(0, len(sides[0]), AT_ONCE):
            truth, *runs = (side.rows(begin, begin + AT_ONCE) for side in sides)
            runs += [truth.remade(whole_columns(len(truth), marks)) for marks in self.constant]
            found = [self.scoring.without_shared(self.scoring.totals(truth, run)) for run in runs]
            totals = each_merged(totals, found)
        return tuple(totals)

    @property
    def empty(self) -> list[Totals]:
        """Totals of no samples for each run, as workers send them."""
        return [self.scoring.without_shared(self.scoring.empty)] * (len(self.scans) - 1 + len(self.constant))


class SampleJoin:
    """Samples that wait until all sides have them; finds those that occur twice."""

    def __init__(self, scans: Sequence[Scan], concepts: int) -> None:
        self._scans, self._chunk, self._concepts = scans, scans[0].chunk, concepts
        self._seen = SeenSamples()
        self._blocks: list[list[BareSets]] = [[] for _ in scans]
        self._names: list[set[str]] = [set() for _ in scans]
        self._tried = 0
        self.counts = [Counter[str]() for _ in scans]

    def portions(self, found: ScoredChunk) -> list[list[BareSets]]:
        """Note the scored samples, hold the others back, and yield held samples that are complete."""
        self._scored(found.samples)
        for so_far, counts in zip(self.counts, found.counts, strict=True):
            so_far.update(counts)
        return self._hold_samples(found.left) if found.left else []

    def _scored(self, names: Sequence[str]) -> None:
        """Note samples that all sides had in a chunk."""
        if (again := self._seen.find_repeated(names)) is not None:
            self._refuse(again, 0)
        for side, waiting in enumerate(self._names):
            if not waiting.isdisjoint(names):
                self._refuse(next(filter(waiting.__contains__, names)), side)
        self._seen.add(names)

    def _hold_samples(self, left: Sequence[BareSets]) -> list[list[BareSets]]:
        """Hold samples back; return those that all sides have by now, if they are many."""
        for side, sets in enumerate(left):
            again = self._seen.find_repeated(sets.samples)
            if again is None and not self._names[side].isdisjoint(sets.samples):
                again = next(filter(self._names[side].__contains__, sets.samples))
            if again is not None:
                self._refuse(again, side)
            self._names[side].update(sets.samples)
            self._blocks[side].append(sets)
        fewest, most = (pick(map(len, self._names)) for pick in (min, max))
        portions = []
        if fewest >= self._tried + self._chunk or most > WAITING * self._chunk:
            portions = self._complete_samples()
            self._tried = min(map(len, self._names))
        self._refuse_too_many()
        return portions

    def _complete_samples(self) -> list[list[BareSets]]:
        common = set.intersection(*self._names)
        if not common:
            return []
        sides = [self._join_blocks(side) for side in range(len(self._scans))]
        names = tuple(filter(common.__contains__, sides[0].samples))
        self._seen.add(names)
        for side, sets in enumerate(sides):
            rest = tuple(filterfalse(common.__contains__, sets.samples))
            self._names[side], self._blocks[side] = set(rest), [_take_samples(sets, rest)]
        return [[_take_samples(sets, names) for sets in sides]]

    def _join_blocks(self, side: int) -> BareSets:
        blocks = self._blocks[side]
        if not blocks:
            return BareSets(sparse.csr_array((0, self._concepts), dtype=bool), ())
        samples = tuple(name for block in blocks for name in block.samples)
        return BareSets(sparse.csr_array(sparse.vstack([block.matrix for block in blocks])), samples)

    def remaining(self, missing: str) -> Iterator[list[BareSets]]:
        """Yield the samples held at the end of all files; one that a file lacks is refused, or empty."""
        truth, *runs = (self._join_blocks(side) for side in range(len(self._scans)))
        for number, run in enumerate(runs, 1):
            lacking = names_not_in(truth.samples, self._names[number])
            beyond = names_not_in(run.samples, self._names[0])
            if missing == "refuse" and (lacking or beyond):
                where = self._scans[number].where
                raise MisalignedError("samples", lacking, beyond, remedy=MISSING, where=where)
            self.counts[number][LACKING] += len(lacking)
            self.counts[number][BEYOND] += len(beyond)
        for begin in range(0, len(truth.samples), self._chunk):
            names = truth.samples[begin : begin + self._chunk]
            yield [_take_samples(side, names) for side in (truth, *runs)]

    def _refuse(self, sample: str, side: int) -> None:
        raise InputError(f"sample {sample!r} is there already", ONCE, where=self._scans[side].where)

    def _refuse_too_many(self) -> None:
        most = max(range(len(self._names)), key=lambda side: len(self._names[side]))
        count = len(self._names[most])
        if count <= WAITING * self._chunk:
            return
        others = "the runs" if most == 0 else "the truth"
        raise InputError(
            f"{pluralise(count, 'sample')} were read that {others} did not have so far: the files are in "
            "different orders, or lack many samples",
            "Sort all files by sample and give every sample a row, with an empty set where nothing is "
            "predicted; read more samples at a time (chunk=, --chunk); or read the files whole "
            "(read_labels, without --chunk).",
            where=self._scans[most].where,
        )


def _take_samples(sets: BareSets, names: Sequence[str]) -> BareSets:
    """Pick samples; those that are missing have no label."""
    count = len(sets.samples)
    row = dict(zip(sets.samples, range(count), strict=True))
    empty = sparse.csr_array((1, sets.matrix.shape[1]), dtype=bool)
    rows = np.fromiter((row.get(name, count) for name in names), dtype=np.intp, count=len(names))
    return BareSets(sparse.csr_array(sparse.vstack([sets.matrix, empty], format="csr")[rows]), tuple(names))


def is_in_parts(truth: object, runs: Mapping[str, object]) -> bool:
    """Whether any labels are scans or Dask collections, which are scored part by part."""
    return any(isinstance(side, Scan) or is_dask(side) for side in (truth, *runs.values()))


def scoring_of_parts(
    truth: object,
    runs: Mapping[str, object],
    how: SideOptions,
    measures: Measures | None = None,
    workers: object = None,
) -> PortionScoring:
    """Check the options of scoring scans or Dask collections."""
    sides = [truth, *runs.values()]
    refuse_in_parts(sample_weight=how.sample_weight, group=how.group, known=how.known)
    if any(map(is_dask, sides)):
        if workers is not None:
            shown = workers if isinstance(workers, str | int) else "given"
            raise ParameterError("workers", shown, "None for Dask collections: Dask has the workers")
        return PortionScoring.from_options(named_by_partitions(truth, runs, how), measures)
    refuse_in_parts(threshold=how.threshold, classes=how.classes, separator=how.separator)
    labels: Any = _vocabulary(sides)
    if (hierarchy := how.hierarchy) is None:
        return PortionScoring.from_options(replace(how, classes=labels), measures)
    labels = no_samples(labels).named_by(hierarchy.vocabulary).vocabulary
    return PortionScoring.from_options(replace(how, hierarchy=hierarchy.with_labels(labels)), measures)


def _vocabulary(sides: Sequence[object]) -> Vocabulary:
    """Vocabulary of scans, which is that of all."""
    if other := next((side for side in sides if not isinstance(side, Scan)), None):
        raise InputError(
            f"a scan of a file beside labels in memory ({type(other).__name__})",
            "Scan all files (ontoeval.scan_labels), or read all whole (ontoeval.read_labels).",
        )
    vocabulary, *others = {side.vocabulary for side in sides if isinstance(side, Scan)}
    if others:
        raise InputError("scans over different concepts", "Give all scans the same ontology or concepts.")
    return vocabulary


@dataclass(frozen=True, eq=False)
class ScanTotals:
    """Totals of each run; of each file, the truth first, counts of deviations, such as labels left out."""

    totals: list[Totals]
    counts: list[Counter[str]]


def totals_of_scans(
    scoring: PortionScoring,
    scans: Sequence[Scan],
    workers: Workers | None = None,
    step: Step = lambda _: None,
    constant: Sequence[Marks] = (),
) -> ScanTotals:
    """Score runs against the truth, the first scan, chunk by chunk; after them runs of constant labels."""
    score = PartScoring(scoring, tuple(scans), tuple(constant))
    if is_client(workers):
        found = ScanTotals(*totals_of_places(score, workers))
        step(scans[0].size)
        return found
    return _match_samples(score, workers, step)


def _match_samples(score: PartScoring, workers: Workers | None, step: Step) -> ScanTotals:
    """Score each sample once all sides have it, whatever the order of the files."""
    scoring, scans = score.scoring, score.scans
    join = SampleJoin(scans, len(scoring.vocabulary))
    waited: deque[list[BareSets]] = deque()
    sizes: deque[int | None] = deque()  # of what is under way; None for samples that had waited
    # What waited is merged apart: when it is scored depends on the number of workers.
    at_once = later = score.empty

    def contents() -> Iterator[Sequence[Any]]:
        for parts in zip_longest(*(scan.parts(scans[0].chunk) for scan in scans)):
            sizes.append(0 if parts[0] is None else parts[0].size)
            yield [None if part is None else part.content for part in parts]
            while waited:
                sizes.append(None)
                yield waited.popleft()

    with in_processes(score, workers) as each:
        for found in each(contents()):
            size = sizes.popleft()
            if size is None:
                later = each_merged(later, found.totals)
                continue
            at_once = each_merged(at_once, found.totals)
            step(size)
            waited += join.portions(found)
        for found in each((*waited, *join.remaining(scoring.missing))):
            later = each_merged(later, found.totals)
    totals = map(scoring.with_shared, each_merged(at_once, later))
    return ScanTotals(list(totals), [+counts for counts in join.counts])


def shares_of(
    scoring: PortionScoring, truth: Scan, workers: Workers | None = None, step: Step = lambda _: None
) -> Numbers:
    """Share of the samples that have each label, by reading all chunks once."""
    sizes: deque[int] = deque()

    def contents() -> Iterator[Any]:
        for part in (truth.portable_chunks if is_client(workers) else truth.parts)(truth.chunk):
            sizes.append(part.size)
            yield part.content

    samples, counts = 0, np.zeros(len(scoring.vocabulary))
    with in_processes(PartScoring(scoring, (truth,)).counts, workers) as each:
        for count, of_part in each(contents()):
            samples, counts = samples + count, counts + of_part
            step(sizes.popleft())
    return counts / max(samples, 1)


def each_merged(first: list[Totals], second: Sequence[Totals]) -> list[Totals]:
    """Merge the totals of each run; a part without samples has none."""
    return [merge(*both) for both in zip(first, second, strict=True)] if second else first
