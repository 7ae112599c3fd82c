"""Pitfalls: small cases in which a measure scores a plainly better prediction lower."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from string import ascii_lowercase
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from ontoeval.comparison.axioms import ALIKE, AXIOMS, Axiom, BatchPair, RandomCases, row_blocks, why_unfit
from ontoeval.comparison.perturbations import Seed, generator_of
from ontoeval.core.batch import Batch
from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.showing import Brief, axes_of
from ontoeval.core.table import Tabled
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import MeasureError, OntoevalError, ParameterError, one_of, pluralise, pluralise_all
from ontoeval.evaluation.scoring import Evaluation
from ontoeval.evaluation.totals import totals_of
from ontoeval.measures.base import AnyMeasure, compute, info, shortfall
from ontoeval.measures.catalogue import measures_of
from ontoeval.measures.sums import BLOCK
from ontoeval.plumbing.arrays import Numbers, Places
from ontoeval.plumbing.checks import as_list, real_number, whole_number
from ontoeval.plumbing.sparse import common_entries, pattern, without_entries

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def _wrong_exchanged(material: RandomCases) -> BatchPair:
    truth = material.random_sets()
    missed, wrong = material.draw_labels(truth), material.draw_labels(~truth)
    added, gone = map(material.single_label_sets, (missed, wrong))
    worse = material.random_predictions(truth, gone) & ~added
    better = (worse & ~gone) | added
    # Nothing is lost: an ancestor that the wrong label shares with a true one is one of those predicted then.
    lines = material.hierarchy.label_ancestors
    of_truth, of_better = (pattern(sparse.csr_array(marks) @ lines) for marks in (truth, better))
    lost = without_entries(common_entries(lines[np.maximum(wrong, 0)], of_truth), of_better)
    return material.batch_pair(truth, better, worse, (wrong >= 0) & (np.diff(lost.indptr) == 0))


PLAINLY_BETTER = (
    "adding a right label does not hurt",
    "exchanging a wrong label for a true one does not hurt",
)
"""Axioms by which one prediction is plainly better than another."""

PITFALLS: Mapping[str, Axiom] = MappingProxyType(
    {
        **{name: axiom for name, axiom in AXIOMS.items() if axiom.relation in {"better", "no worse"}},
        PLAINLY_BETTER[1]: Axiom(
            "a missed label in the place of a wrong one, with all that this shares with the truth; or not",
            "no worse",
            _wrong_exchanged,
        ),
    }
)
"""Axioms that compare two predictions for one truth, by name: those of `AXIOMS`, and one more."""

SAMPLES, CONCEPTS = (1, 2, 3, 5, 8), (3, 4, 5, 6, 8, 8, 11, 11, 15)
"""Numbers of samples of the cases, and of concepts of the random trees; the smallest are tried first."""

STEPS, CLIMBERS, FEW = 40, 200, 100
"""Steps of a climb, cases that climb at a time, and most concepts that are left out one by one."""


@dataclass(frozen=True, eq=False, repr=False)
class Pitfall(Tabled):
    """A case in which the better prediction scores lower, or no higher where it should.

    Parameters
    ----------
    measure
        Notation of the measure.
    axiom
        Key of `ontoeval.comparison.PITFALLS` that the case breaks.
    hierarchy
        The links of few concepts; or the whole hierarchy, where the case depends on its rules or weights.
    truth, worse, better
        Label sets; the predictions differ in the first sample.
    worse_score, better_score
        Their scores.
    """

    measure: str
    axiom: str
    hierarchy: Hierarchy
    truth: LabelSets
    worse: LabelSets
    better: LabelSets
    worse_score: float
    better_score: float

    @property
    def _brief(self) -> str:
        size = pluralise_all(sample=len(self.truth), concept=len(self.hierarchy.vocabulary))
        return f"{self.measure}: {self.worse_score:.4g}, better {self.better_score:.4g}; {size}"

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw the case, by matplotlib; see `ontoeval.figures.pitfall`.

        Parameters
        ----------
        ax
            Axes to draw on; by default those of a new figure.

        Returns
        -------
        Axes
            A notebook shows them as a picture.
        """
        return axes_of("pitfall", self, ax=ax)


@dataclass(frozen=True, eq=False, repr=False)
class PitfallSearch(Brief):
    """What a search for pitfalls has found, and how far it went.

    Parameters
    ----------
    measure
        Notation of the measure.
    pitfalls
        The smallest case that was found for each axiom that the measure breaks.
    tried
        Number of cases that were scored for each axiom.
    undefined
        Number of cases, of all axioms, that have no score.
    alike
        Number of cases, of all axioms, whose two predictions score alike.
    least
        The score of the better prediction falls by more than this.
    """

    measure: str
    pitfalls: tuple[Pitfall, ...]
    tried: Counter[str]
    undefined: int
    alike: int
    least: float

    @property
    def _brief(self) -> str:
        return self.verdict

    @property
    def verdict(self) -> str:
        """What was found, in words; a search that finds nothing proves nothing."""
        lines = [
            f"{self.measure} breaks '{one.axiom}': {one.worse_score:.4g}, and for the better prediction "
            f"{one.better_score:.4g}, in {pluralise(len(one.truth), 'sample')}."
            for one in self.pitfalls
        ]
        broken = {one.axiom for one in self.pitfalls}
        rest = [
            f"'{axiom}' ({number:,} cases)" for axiom, number in self.tried.items() if axiom not in broken
        ]
        if rest:
            lines.append(f"No case was found against {', '.join(rest)}; a search is no proof.")
            lines.append(f"Falls of up to {self.least:g} do not count.")
        if self.undefined:
            lines.append(f"{self.undefined:,} of {sum(self.tried.values()):,} cases have no score.")
        if self.alike and self.alike == sum(self.tried.values()) - self.undefined:
            lines.append(f"{self.measure} scored both predictions alike in every case.")
        return " ".join(lines)


@dataclass(eq=False)
class _Search:
    """Cases of an axiom over one hierarchy: groups of samples of a pool, of which the first is changed."""

    notation: str
    measure: Any
    axiom: str
    sides: BatchPair
    rng: np.random.Generator
    least: float
    counts: Places = field(default_factory=lambda: np.zeros(3, dtype=np.intp))
    """Cases that were scored, those without a score, and those whose predictions score alike."""

    @cached_property
    def rows(self) -> list[Numbers]:
        """Rows of the statistic: of the better predictions of the pool, and of the worse ones."""
        return [np.concatenate([*row_blocks(side, self.measure)]) for side in self.sides]

    def falls(self, members: Places) -> Numbers:
        """Score cases × samples of the pool: how far the better prediction falls below the worse one."""
        others = self.rows[1][members[:, 1:]].sum(axis=1)
        return self.fall(*(compute(self.measure, rows[members[:, 0]] + others) for rows in self.rows))

    def fall(self, better: Numbers, worse: Numbers) -> Numbers:
        """How far scores fall, by how much more than they may: above 0 the axiom is broken."""
        fall = shortfall(self.measure, better) - shortfall(self.measure, worse)
        self.counts += fall.size, np.isnan(fall).sum(), (np.abs(fall) <= ALIKE).sum()
        allowed = self.least if PITFALLS[self.axiom].relation == "no worse" else -ALIKE
        return np.where(np.isnan(fall), -np.inf, fall - allowed)

    def climb(self, samples: int) -> Places | None:
        """Exchange samples as long as the better prediction falls, until the axiom is broken."""
        pool, width = self.rows[0].shape
        number = max(1, min(CLIMBERS, BLOCK // (samples * width)))
        alone = np.arange(pool)[:, None]
        members = alone if samples == 1 else self.rng.integers(pool, size=(number, samples))
        falls = self.falls(members)
        for _ in range(STEPS * (samples > 1)):
            if falls.max() > 0:
                break
            other, at = members.copy(), np.arange(number)
            other[at, self.rng.integers(samples, size=number)] = self.rng.integers(pool, size=number)
            new = self.falls(other)
            members[new > falls] = other[new > falls]
            falls = np.maximum(falls, new)
        return members[falls.argmax()] if falls.max() > 0 else None

    def smaller(self, members: Places) -> Iterator[Places]:
        """Cases with a sample fewer, then with another sample of fewer labels, the smallest first."""
        first, second = self.sides
        sizes = first.truth.sizes + first.prediction.sizes + second.prediction.sizes
        order = np.argsort(sizes, kind="stable")
        if members.size > 1 + info(self.measure, "joint"):
            yield from (np.delete(members, at)[None] for at in range(1, members.size))
        for at in range(members.size):
            fewer = order[sizes[order] < sizes[members[at]]]
            candidates = np.tile(members, (fewer.size, 1))
            candidates[:, at] = fewer
            yield candidates

    def shrink(self, members: Places) -> Places:
        """Make a case smaller as long as the axiom is broken."""
        while True:
            broken = ((some, self.falls(some) > 0) for some in self.smaller(members) if some.size)
            smaller = next((some[marks.argmax()] for some, marks in broken if marks.any()), None)
            if smaller is None:
                return members
            members = smaller

    def pitfall(self, members: Places) -> Pitfall | None:
        """Make the case, with no more concepts than it needs; None where rounding alone made it."""
        better, worse = self.sides
        names, hierarchy = [str(member) for member in members.tolist()], better.any_hierarchy
        truth, before = (
            [set(side.labels_of(one)) for one in names] for side in (better.truth, worse.prediction)
        )
        sets = truth, before, [set(better.prediction.labels_of(names[0])), *before[1:]]
        return self.pruned(hierarchy, sets) or self.case(hierarchy, sets)

    def case(self, hierarchy: Hierarchy, sets: Sequence[list[set[str]]]) -> Pitfall | None:
        """Score a case as any others are; None where it does not break the axiom, or has no score."""
        samples, concepts = [f"p{at}" for at in range(1, len(sets[0]) + 1)], hierarchy.label_vocabulary
        truth, before, after = (
            LabelSets.from_sets(dict(zip(samples, some, strict=True)), vocabulary=concepts) for some in sets
        )
        batches = (Batch(truth, side, hierarchy) for side in (before, after))
        try:
            worse, better = (Evaluation(totals_of(one, {"": self.measure})).scores[""] for one in batches)
        except OntoevalError:
            return None
        broken = self.fall(np.array([better]), np.array([worse]))[0] > 0
        found = Pitfall(self.notation, self.axiom, hierarchy, truth, before, after, worse, better)
        return found if broken else None

    def pruned(self, hierarchy: Hierarchy, sets: Sequence[list[set[str]]]) -> Pitfall | None:
        """Keep the links alone, and leave out unused concepts one by one as long as the axiom is broken."""
        names, parents = hierarchy.vocabulary, hierarchy.parents.tocoo()
        used = set().union(*(labels for some in sets for labels in some))
        needed = hierarchy.ancestors[names.positions(sorted(used))].sum(axis=0) > 0
        concepts = [name for name, need in zip(names, needed, strict=True) if need or len(names) <= FEW]
        child, parent = parents.coords
        links = {(names[top], names[low]) for top, low in zip(parent.tolist(), child.tolist(), strict=True)}
        links = {link for link in links if {*link} <= {*concepts}}
        found = self.case(
            Hierarchy.from_edges(links, concepts=Vocabulary(tuple(concepts), names.names)), sets
        )
        by_parents = PITFALLS[self.axiom].single  # whose cases need the concepts above them
        for name in [name for name in concepts if name not in used][:FEW]:
            above, below = ({link[side] for link in links if link[1 - side] == name} for side in (0, 1))
            fewer = {link for link in links if name not in link} | set(product(above, below))
            left = Vocabulary(tuple(one for one in concepts if one != name), names.names)
            if found is None or (by_parents and needed[names.index[name]]):
                continue
            case = self.case(Hierarchy.from_edges(fewer, concepts=left), sets)
            if case is not None:
                found, links, concepts = case, fewer, [*left]
        return found


def _random_trees(rng: np.random.Generator) -> Iterator[Hierarchy]:
    """Random trees, each concept below an earlier one."""
    for size in CONCEPTS:
        names = ascii_lowercase[:size]
        links = [(names[int(rng.integers(at))], names[at]) for at in range(1, size)]
        yield Hierarchy.from_edges(links, concepts=names)


@front_door
def find_pitfalls(
    measure: AnyMeasure,
    *,
    hierarchy: AnyHierarchy | None = None,
    axioms: Iterable[str] | str = PLAINLY_BETTER,
    least: float = 0.01,
    cases: int = 1000,
    seed: Seed = 0,
) -> PitfallSearch:
    """Search for small cases in which a plainly better prediction scores lower.

    Cases are groups of random samples, of which one is changed as the axiom says. Hill climbing exchanges
    samples until the axiom is broken; then samples, labels and concepts are left out as long as it is. A
    search that finds nothing is no proof.

    Parameters
    ----------
    measure
        A notation, a measure or a function, of label sets.
    hierarchy
        The hierarchy to search on, with the weights that the measure needs; by default small random trees.
    axioms
        Keys of `ontoeval.comparison.PITFALLS`. By default the two by which a prediction is plainly better: a
        right label is added, or stands in the place of a wrong one.
    least
        The score of the better prediction falls by more than this.
    cases
        Number of random samples that cases are made of, for each hierarchy; fewer where it has many labels.
    seed
        Random seed, or a generator, which is advanced.

    Returns
    -------
    PitfallSearch
        The smallest case that was found for each axiom, and how many were tried.

    Raises
    ------
    MeasureError
        If the measure takes scores or has no best value, or no axiom has a case for it.
    ParameterError
        If an option has a value that it cannot have.

    Examples
    --------
    >>> found = find_pitfalls("tKappa")
    >>> found.pitfalls[0].better_score < found.pitfalls[0].worse_score
    True
    """
    least, cases = real_number("least", least), whole_number("cases", cases, 1)
    given, rng = measures_of(measure), generator_of(seed)
    if len(given) > 1:
        raise ParameterError("measure", list(given), "a single measure")
    ((notation, chosen),) = given.items()
    if reason := why_unfit(chosen):
        raise MeasureError(f"No pitfall of {notation} can be searched: {reason}.")
    wanted = list(dict.fromkeys(as_list(axioms)))
    for axiom in wanted:
        one_of("axioms", axiom, tuple(PITFALLS))
    wanted = [axiom for axiom in wanted if PITFALLS[axiom].single or not info(chosen, "single")]
    sizes = SAMPLES[info(chosen, "joint") :] if info(chosen, "mergeable") else SAMPLES[:1]
    tried, counts, found = Counter[str](), np.zeros(3, dtype=np.intp), dict[str, Pitfall]()
    for tree, axiom in product(_random_trees(rng) if hierarchy is None else [hierarchy], wanted):
        number = max(1, min(cases, BLOCK // len(tree.labels)))
        sides = PITFALLS[axiom].make(RandomCases(tree, rng, number))
        if axiom in found or not len(sides.first):
            continue
        search = _Search(notation, chosen, axiom, sides, rng, least)
        for samples in sizes:
            members = search.climb(samples)
            case = None if members is None else search.pitfall(search.shrink(members))
            if case is not None:
                found[axiom] = case
                break
        tried[axiom] += int(search.counts[0])
        counts += search.counts
    if not tried:
        others = f"Name another by axioms= (--axiom), such as {next(iter(PITFALLS))!r}."
        raise MeasureError(f"No case of these axioms can be made for {notation} and this hierarchy. {others}")
    _, undefined, alike = counts.tolist()
    return PitfallSearch(notation, tuple(found.values()), tried, undefined, alike, least)
