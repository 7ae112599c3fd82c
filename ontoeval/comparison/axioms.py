"""Axioms that any measure should satisfy, tried on small random cases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.comparison.changed_hierarchies import insert_nodes
from ontoeval.comparison.perturbations import ReplacementPool, Seed, generator_of, parents, siblings
from ontoeval.core.batch import Batch
from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.table import Table, Tabled
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import OntoevalError, ParameterError, one_of, pluralise_all
from ontoeval.measures.base import Measure, Measures, compute, info, shortfall
from ontoeval.measures.catalogue import measures_of
from ontoeval.measures.sums import BLOCK
from ontoeval.plumbing.arrays import Marks, Numbers
from ontoeval.plumbing.checks import as_list, whole_number
from ontoeval.plumbing.sparse import pattern

TOGETHER = 10
"""Cases that are scored together by a measure that compares samples."""

MOST_TRUE = 4
"""Most labels of a truth."""


class BatchPair(NamedTuple):
    """Two batches whose scores are compared, sample by sample."""

    first: Batch
    second: Batch


@dataclass(frozen=True, eq=False)
class RandomCases:
    """Random cases over a hierarchy."""

    hierarchy: Hierarchy
    rng: np.random.Generator
    count: int

    @property
    def label_count(self) -> int:
        """Number of labels."""
        return len(self.hierarchy.labels)

    @cached_property
    def inner_ancestors(self) -> sparse.csr_array:
        """Boolean, labels × concepts: ancestors that are no roots; in several trees of one level all."""
        depth = self.hierarchy.depth
        trees = depth.max() == 1 and np.count_nonzero(depth == 0) > 1  # siblings share a root there
        inner = (depth >= (0 if trees else 1)).nonzero()[0]
        return pattern(self.hierarchy.label_ancestors[:, inner])

    def ancestors_and_descendants(self, marks: Marks) -> Marks:
        """Mark what is above or below one of the marked labels, or one of them."""
        rows, upwards = sparse.csr_array(marks), self.hierarchy.labels_upward
        return np.asarray((rows @ upwards + rows @ upwards.T).toarray(), dtype=bool)

    def draw_labels(self, allowed: Marks) -> NDArray[np.intp]:
        """Draw one of the allowed labels of each row; -1 where there is none."""
        drawn = np.full(len(allowed), -1, dtype=np.intp)
        step = max(1, BLOCK // max(1, self.label_count))
        for begin in range(0, len(allowed), step):
            part = allowed[begin : begin + step]
            chance = np.where(part, self.rng.random(part.shape), -1.0)
            drawn[begin : begin + step] = np.where(part.any(axis=1), chance.argmax(axis=1), -1)
        return drawn

    def random_sets(self, least: int = 1, count: int | None = None) -> Marks:
        """Make sets of some labels, at least so many and at most `MOST_TRUE`, where there are as many."""
        count = self.count if count is None else count
        sizes = self.rng.integers(least, MOST_TRUE + 1, size=count)
        marks = np.zeros((count, self.label_count), dtype=bool)
        for size in range(MOST_TRUE):
            marks |= self.single_label_sets(np.where(size < sizes, self.draw_labels(~marks), -1))
        return marks

    def single_label_sets(self, columns: NDArray[np.intp]) -> Marks:
        """Mark one label of each row; none where the column is -1."""
        marks = np.zeros((columns.size, self.label_count), dtype=bool)
        rows = np.flatnonzero(columns >= 0)
        marks[rows, columns[rows]] = True
        return marks

    def random_predictions(self, truth: Marks, kept: Marks) -> Marks:
        """Predict the kept true labels, others at random, and sometimes a false one."""
        more = truth & (self.rng.random(truth.shape) < 0.5)  # noqa: PLR2004 - as often as not
        false = np.where(self.rng.random(len(truth)) < 0.5, self.draw_labels(~truth), -1)  # noqa: PLR2004
        return kept | more | self.single_label_sets(false)

    def batch(self, truth: Marks, prediction: Marks, hierarchy: Hierarchy | None = None) -> Batch:
        """Make a batch of marks."""
        hierarchy = self.hierarchy if hierarchy is None else hierarchy
        names = tuple(map(str, range(len(truth))))
        sides = (sparse.csr_array(marks) for marks in (truth, prediction))
        truths, predictions = (LabelSets(side, hierarchy.label_vocabulary, names) for side in sides)
        return Batch(truths, predictions, hierarchy)

    def batch_pair(self, truth: Marks, first: Marks, second: Marks, usable: Marks | None = None) -> BatchPair:
        """Compare two predictions for one truth, where cases could be made."""
        rows = slice(None) if usable is None else usable
        return BatchPair(self.batch(truth[rows], first[rows]), self.batch(truth[rows], second[rows]))

    def near_and_far(
        self, pool: Callable[[Hierarchy], ReplacementPool], *, deep: bool = False, cousins: bool = False
    ) -> BatchPair:
        """Exchange one label for a near one, and for one of another branch or a cousin."""
        each = pattern(sparse.eye_array(self.label_count, dtype=bool, format="csr"))
        drawn = pool(self.hierarchy).draw(self.rng, each)
        able = drawn >= 0
        if deep:
            able[able] = (
                self.inner_ancestors[able].multiply(self.inner_ancestors[drawn[able]]).sum(axis=1) > 0
            )
        chosen = np.flatnonzero(able)
        if chosen.size:
            chosen = self.rng.choice(chosen, size=self.count)
        truth, near = self.single_label_sets(chosen), drawn[chosen]
        apart = self._cousins(chosen) if cousins else ~_sharing_ancestor(self.inner_ancestors, chosen)
        far = self.draw_labels(apart & ~self.ancestors_and_descendants(truth))
        return self.batch_pair(truth, self.single_label_sets(near), self.single_label_sets(far), far >= 0)

    def _cousins(self, labels: NDArray[np.intp]) -> Marks:
        parents = self.hierarchy.parents[self.hierarchy.labels]
        grandparents = pattern(parents @ self.hierarchy.parents)
        return _sharing_ancestor(grandparents, labels) & ~_sharing_ancestor(parents, labels)


def _sharing_ancestor(above: sparse.csr_array, labels: NDArray[np.intp]) -> Marks:
    """Mark the labels that share a concept above with each of some labels."""
    return np.asarray((above[labels] @ above.T).toarray(), dtype=bool)


ExpectedOrder = Literal["better", "no worse", "alike", "near"]
"""How the first side is to score beside the second: "better" is strictly so."""


@dataclass(frozen=True, eq=False)
class Axiom:
    """What is expected, and how cases of it are made."""

    text: str
    relation: ExpectedOrder
    make: Callable[[RandomCases], BatchPair]
    single: bool = False


def _wrong_added(material: RandomCases) -> BatchPair:
    truth = material.random_sets()
    prediction = material.random_predictions(truth, material.single_label_sets(material.draw_labels(truth)))
    above = np.asarray((sparse.csr_array(truth) @ material.hierarchy.labels_upward).toarray(), dtype=bool)
    wrong = material.draw_labels(~(above | prediction))
    return material.batch_pair(truth, prediction, prediction | material.single_label_sets(wrong), wrong >= 0)


def _right_added(material: RandomCases) -> BatchPair:
    truth = material.random_sets()
    missed = material.draw_labels(truth)
    added = material.single_label_sets(missed)
    prediction = material.random_predictions(truth, np.zeros_like(truth)) & ~added
    return material.batch_pair(truth, prediction | added, prediction)


def _missed_or_false(material: RandomCases) -> BatchPair:
    larger = material.random_sets(least=2)
    smaller = larger & ~material.single_label_sets(material.draw_labels(larger))
    larger, smaller = larger[smaller.any(axis=1)], smaller[smaller.any(axis=1)]
    return BatchPair(material.batch(larger, smaller), material.batch(smaller, larger))


def _exchanged(material: RandomCases) -> BatchPair:
    truth = material.random_sets(least=2)
    once = _exchange(material, truth, truth)
    twice = _exchange(material, truth, once)
    usable = (once & ~truth).any(axis=1) & ((twice & ~truth).sum(axis=1) > 1)
    return material.batch_pair(truth, once, twice, usable)


def _exchange(material: RandomCases, truth: Marks, prediction: Marks) -> Marks:
    """Put a wrong label in the place of a right one, where there are both."""
    right, wrong = (
        material.draw_labels(truth & prediction),
        material.draw_labels(~(material.ancestors_and_descendants(truth) | prediction)),
    )
    both = (right >= 0) & (wrong >= 0)
    gone, comes = (material.single_label_sets(np.where(both, column, -1)) for column in (right, wrong))
    return (prediction & ~gone) | comes


def _empty(material: RandomCases) -> BatchPair:
    truth = material.random_sets()
    return material.batch_pair(truth, truth, np.zeros_like(truth))


def _everything(material: RandomCases) -> BatchPair:
    truth = material.random_sets(
        count=min(material.count, max(1, BLOCK // 2 // max(1, material.label_count)))
    )
    return material.batch_pair(truth, truth, np.ones_like(truth), np.logical_not(truth.all(axis=1)))


def _truth(material: RandomCases) -> BatchPair:
    truth = material.random_sets()
    return material.batch_pair(truth, truth, material.random_predictions(truth, np.zeros_like(truth)))


def _nodes_inserted(material: RandomCases) -> BatchPair:
    truth = material.random_sets()
    prediction = material.random_predictions(truth, np.zeros_like(truth))
    larger = insert_nodes(material.hierarchy, 0.2, seed=material.rng).hierarchy
    return BatchPair(material.batch(truth, prediction), material.batch(truth, prediction, larger))


def _unused_added(material: RandomCases) -> BatchPair:
    hierarchy, names, truth = material.hierarchy, material.hierarchy.vocabulary, material.random_sets()
    prediction = material.random_predictions(truth, np.zeros_like(truth))
    beside = np.flatnonzero((hierarchy.depth > 0) & ~hierarchy.abstract)  # siblings deepen nothing
    total, more = len(names) + beside.size, " (unused)"
    while any(f"{name}{more}" in names for name in names):
        more += "'"
    parents = sparse.vstack([hierarchy.parents, hierarchy.parents[beside]], format="csr")
    parents.resize(total, total)
    larger = replace(
        hierarchy,
        vocabulary=Vocabulary((*names, *(f"{names[at]}{more}" for at in beside.tolist())), names.names),
        parents=pattern(parents),
        abstract=np.append(hierarchy.abstract, np.zeros(beside.size, dtype=bool)),
        weights={name: np.append(values, values[beside]) for name, values in hierarchy.weights.items()},
        costs={},
    )
    usable = np.full(len(truth), beside.size > 0 and not hierarchy.costs)  # a table lacks new labels
    truth, prediction = truth[usable], prediction[usable]
    first, second = (np.pad(side, ((0, 0), (0, beside.size))) for side in (truth, prediction))
    return BatchPair(material.batch(truth, prediction), material.batch(first, second, larger))


def _no_nearer_added(material: RandomCases) -> BatchPair:
    hierarchy, upwards = material.hierarchy, material.hierarchy.labels_upward
    columns = material.rng.integers(material.label_count, size=material.count)
    truth = material.single_label_sets(columns)
    above = np.asarray((sparse.csr_array(truth) @ upwards).toarray(), dtype=bool)
    near = material.draw_labels(_sharing_ancestor(material.inner_ancestors, columns) & ~truth)
    near = np.where(material.rng.random(near.size) < 1 / 3, columns, near)
    prediction = material.random_predictions(truth, material.single_label_sets(near))
    # No nearer: every ancestor that the added label shares with the true one, the predicted one shares too.
    lines = hierarchy.label_ancestors.astype(np.int64)
    shared_by_near = lines[columns].multiply(lines[near]).tocsr()
    beside = (lines[columns] - shared_by_near) @ lines.T
    wrong = material.draw_labels((beside.toarray() == 0) & ~above & ~truth & ~prediction)
    return material.batch_pair(
        truth, prediction, prediction | material.single_label_sets(wrong), (near >= 0) & (wrong >= 0)
    )


def _as_many_right(material: RandomCases) -> BatchPair:
    leaves = np.flatnonzero(material.hierarchy.labels_upward.sum(axis=0) == 1)
    allowed = np.isin(np.arange(material.label_count), leaves)
    truth, right, other = (np.zeros((material.count, material.label_count), dtype=bool) for _ in range(3))
    sizes = material.rng.integers(2, MOST_TRUE + 1, size=material.count)
    fewer = material.rng.integers(1, sizes + 1)
    for step in range(MOST_TRUE):
        truth |= material.single_label_sets(
            np.where(step < sizes, material.draw_labels(allowed & ~truth), -1)
        )
    near = np.asarray((sparse.csr_array(truth) @ _siblings(material.hierarchy)).toarray(), dtype=bool)
    for step in range(MOST_TRUE):
        right |= material.single_label_sets(np.where(step < fewer, material.draw_labels(truth & ~right), -1))
        kin, some = (material.draw_labels(those & allowed & ~other) for those in (near, np.ones_like(near)))
        other |= material.single_label_sets(np.where(step < fewer, np.where(kin >= 0, kin, some), -1))
    usable = (truth.sum(axis=1) == sizes) & (other.sum(axis=1) == fewer)
    return material.batch_pair(truth, right, other, usable)


def _siblings(hierarchy: Hierarchy) -> sparse.csr_array:
    """Labels × labels with a parent in common."""
    parents = hierarchy.parents[hierarchy.labels]
    return pattern(parents @ parents.T)


AXIOMS: Mapping[str, Axiom] = MappingProxyType(
    {
        "a sibling costs less than a stranger": Axiom(
            "one label, taken for a sibling; or for one that shares nothing but a root with it",
            "better",
            lambda material: material.near_and_far(siblings, deep=True),
            single=True,
        ),
        "a sibling costs less than a cousin": Axiom(
            "one label, taken for a sibling; or for one that shares a grandparent, but no parent with it",
            "better",
            lambda material: material.near_and_far(siblings, cousins=True),
            single=True,
        ),
        "a parent costs less than a stranger": Axiom(
            "one label, taken for one directly above; or for one that shares nothing but a root with it",
            "better",
            lambda material: material.near_and_far(parents),
            single=True,
        ),
        "adding a wrong label does not help": Axiom(
            "a prediction with a right label; or the same and a label that is not true nor above a true one",
            "no worse",
            _wrong_added,
        ),
        "adding a right label does not hurt": Axiom(
            "a prediction and a true label that it lacks; or the prediction without it",
            "no worse",
            _right_added,
        ),
        "one more confusion does not help": Axiom(
            "the truth with one label exchanged for a wrong one; or with one more", "no worse", _exchanged
        ),
        "a missed and a false label cost alike": Axiom(
            "one label of several missed; or truth and prediction exchanged", "alike", _missed_or_false
        ),
        "nothing is better than the truth": Axiom(
            "the truth as prediction; or some of it, and at times a false label", "no worse", _truth
        ),
        "the empty prediction is not best": Axiom("the truth as prediction; or no label", "better", _empty),
        "predicting everything is not best": Axiom(
            "the truth as prediction; or every label", "better", _everything
        ),
        "inserting nodes changes little": Axiom(
            "some prediction; or the same, with abstract concepts put on a fifth of the links",
            "near",
            _nodes_inserted,
        ),
        "one excuse is not used twice": Axiom(
            "a prediction for one true label; or the same and a wrong label, no nearer than a predicted one",
            "no worse",
            _no_nearer_added,
        ),
        "as many right labels are at least as good": Axiom(
            "some of the true labels, all leaves; or as many leaves, true labels and their siblings first",
            "no worse",
            _as_many_right,
        ),
        "a concept that nobody uses changes nothing": Axiom(
            "some prediction; or the same, with a label beside each that has parents, which no set holds",
            "alike",
            _unused_added,
        ),
    }
)
"""Axioms of measures, by name."""


ALIKE = 1e-9
"""Scores that differ by no more are equal."""

LITTLE = 0.05
"""Largest change that counts as small, as a number or as a share of a score above 1."""


class ScoredSample(NamedTuple):
    """One side of a case."""

    truth: tuple[str, ...]
    prediction: tuple[str, ...]
    score: float


class Counterexample(NamedTuple):
    """A case in which an axiom does not hold."""

    first: ScoredSample
    second: ScoredSample


class Trial(NamedTuple):
    """An axiom, tried with a measure."""

    measure: str
    axiom: str
    cases: int
    held: int
    equal: int
    undefined: int
    example: Counterexample | None

    @property
    def holds(self) -> bool:
        """Whether the axiom holds in all cases, and not because most of them score alike."""
        blind = AXIOMS[self.axiom].relation == "no worse" and 2 * self.equal > self.cases
        return self.held == self.cases > 0 and not blind


@dataclass(frozen=True, repr=False)
class Behaviour(Tabled):
    """Which axioms hold for which measures, in how many of the cases that were tried.

    Parameters
    ----------
    trials
        One for each measure and axiom that could be tried.
    skipped
        Measures that were not tried at all, each with the reason.
    without_cases
        Axioms for which the hierarchy gives no case.
    together
        Measures that compare samples: each case was scored with about nine others, and differs alone.
    """

    trials: tuple[Trial, ...]
    skipped: Mapping[str, str]
    without_cases: tuple[str, ...]
    together: tuple[str, ...] = ()

    @property
    def _brief(self) -> str:
        axioms, measures = ({getattr(trial, side) for trial in self.trials} for side in ("axiom", "measure"))
        return pluralise_all(axiom=len(axioms), measure=len(measures))

    def __getitem__(self, key: tuple[str, str]) -> Trial:
        """Look up the trial of a measure, by its notation, and an axiom."""
        found = {(trial.measure, trial.axiom): trial for trial in self.trials}
        if key not in found:
            raise ParameterError("trial", key, "a measure and an axiom that were tried together")
        return found[key]

    @property
    def cases(self) -> int:
        """Most cases of an axiom that were tried."""
        return max((trial.cases + trial.undefined for trial in self.trials), default=0)

    def rows(self) -> list[dict[str, str | float | None]]:
        """Share of the cases in which each axiom holds, measure by measure.

        Returns
        -------
        list of dict
            One row per measure: its notation as "measure", and one share per axiom; None where not tried.
        """
        measures = dict.fromkeys(trial.measure for trial in self.trials)
        axioms = dict.fromkeys(trial.axiom for trial in self.trials)
        shares = {
            (trial.measure, trial.axiom): trial.held / trial.cases for trial in self.trials if trial.cases
        }
        return [
            {"measure": measure} | {axiom: shares.get((measure, axiom)) for axiom in axioms}
            for measure in measures
        ]

    def table(self) -> Table:
        """Make a table of these shares."""
        return self.tables()["behaviour"]


@front_door
def behaviour(
    measures: Measures,
    hierarchy: AnyHierarchy,
    *,
    axioms: Iterable[str] | str = tuple(AXIOMS),
    cases: int = 200,
    seed: Seed = 0,
) -> Behaviour:
    """Try axioms on small random cases over a hierarchy, and count how often each holds.

    All measures see the same cases, each scored as one sample, of which a mean over concepts has the concepts
    of its labels. Measures that compare samples, such as tKappa, score about ten cases together: all as in
    the first half of the axiom, and with one of them as in the second. Measures of scores and those without a
    best value are skipped, and named with the reason. Measures of single labels are tried on the axioms
    that need one label alone. The rules of the hierarchy count; random sets may break them.

    Parameters
    ----------
    measures
        Notations or measures, or a single one.
    hierarchy
        The hierarchy to try them on, with the weights that they need.
    axioms
        Keys of `ontoeval.comparison.AXIOMS`; by default all.
    cases
        Number of cases of each axiom.
    seed
        Random seed, or a generator, which is advanced.

    Returns
    -------
    Behaviour
        How often each axiom holds, with a counterexample.

    Raises
    ------
    ParameterError
        If an option has a value that it cannot have.
    MeasureError
        If a measure cannot be read.

    Examples
    --------
    >>> links = [("thing", "plants"), ("thing", "sky")]
    >>> links += [("plants", "trees"), ("plants", "flowers")]
    >>> found = behaviour(["F", "OS"], Hierarchy.from_edges(links))
    >>> axiom = "a sibling costs less than a stranger"
    >>> [found[name, axiom].held for name in ("F", "OS")]
    [0, 200]
    """
    cases = whole_number("cases", cases, 1)
    wanted = list(dict.fromkeys(as_list(axioms)))
    for axiom in wanted:
        one_of("axioms", axiom, tuple(AXIOMS))
    rng, chosen = generator_of(seed), measures_of(measures)
    # Each axiom has a stream of its own: what is tried beside it changes nothing.
    streams = dict(zip(AXIOMS, rng.integers(2**63, size=len(AXIOMS)).tolist(), strict=True))
    made = {
        axiom: AXIOMS[axiom].make(RandomCases(hierarchy, np.random.default_rng(streams[axiom]), cases))
        for axiom in wanted
    }
    usable = {axiom: sides for axiom, sides in made.items() if len(sides.first)}
    trials, skipped = [], {}
    for notation, measure in chosen.items():
        reason, single = why_unfit(measure), info(measure, "single")
        fitting = [] if reason else [axiom for axiom in usable if AXIOMS[axiom].single or not single]
        try:
            trials += [_trial(notation, measure, axiom, usable[axiom]) for axiom in fitting]
        except OntoevalError as error:
            reason = str(error)
        if reason:
            skipped[notation] = reason
    without = tuple(axiom for axiom in wanted if axiom not in usable)
    together = tuple(name for name, one in chosen.items() if info(one, "joint") and name not in skipped)
    return Behaviour(tuple(trials), skipped, without, together)


def why_unfit(measure: object) -> str:
    """Reason why a measure cannot be tried; empty if it can be."""
    if info(measure, "takes") == "scores":
        return "it takes scores, and cases are label sets"
    if info(measure, "best") is None:
        return "it has no best value, so that neither of two scores is better"
    return ""


def _trial(notation: str, measure: Measure, name: str, sides: BatchPair) -> Trial:
    first, second = (_scores_among_others if info(measure, "joint") else _scores_alone)(sides, measure)
    defined = ~(np.isnan(first) | np.isnan(second))
    holds = _holds(AXIOMS[name], measure, first, second) & defined
    broken = np.flatnonzero(defined & ~holds).tolist()
    example = None
    if broken:
        pairs = zip(sides, (first, second), strict=True)
        example = Counterexample(*(_scored(batch, scores, broken[0]) for batch, scores in pairs))
    equal, undefined = int((np.abs(first - second)[defined] <= ALIKE).sum()), int((~defined).sum())
    return Trial(notation, name, int(defined.sum()), int(holds.sum()), equal, undefined, example)


def _scored(batch: Batch, scores: NDArray[np.float64], row: int) -> ScoredSample:
    truth, prediction = (side.labels_of(str(row)) for side in (batch.truth, batch.prediction))
    return ScoredSample(truth, prediction, float(scores[row]))


def _holds(axiom: Axiom, measure: Measure, first: Numbers, second: Numbers) -> Marks:
    """Compare the scores of both sides as the axiom demands."""
    change, gain = np.abs(first - second), shortfall(measure, second) - shortfall(measure, first)
    if axiom.relation == "better":
        return gain > ALIKE
    if axiom.relation == "no worse":
        return gain >= -ALIKE
    return change <= (ALIKE if axiom.relation == "alike" else LITTLE * np.maximum(1, np.abs(first)))


def _scores_alone(sides: BatchPair, measure: Measure) -> list[NDArray[np.float64]]:
    """Score every case by itself; measures with the same statistic share the work."""
    return [np.concatenate([compute(measure, block) for block in row_blocks(one, measure)]) for one in sides]


def _scores_among_others(sides: BatchPair, measure: Measure) -> list[NDArray[np.float64]]:
    """Score a few cases together: all as on the first side, and with one of them as on the second.

    Over another hierarchy all of them are as on the second.
    """
    size = len(sides.first)
    group = np.arange(size) * max(1, size // TOGETHER) // size
    first, second = (_sums_of_groups(one, measure, group) for one in sides)
    before, after = (compute(measure, sums)[group] for sums in (first, second))
    if sides.first.hierarchy is sides.second.hierarchy:
        rows, begin = zip(*(row_blocks(one, measure) for one in sides), strict=True), 0
        for gone, come in rows:
            own = slice(begin, begin := begin + len(gone))
            after[own] = compute(measure, first[group[own]] - gone + come)
    return [before, after]


def _sums_of_groups(batch: Batch, measure: Measure, group: NDArray[np.intp]) -> Numbers:
    """Sum the rows of each group, a block at a time: rows of a large hierarchy hold millions of numbers."""
    sums, begin = np.zeros(0), 0
    for rows in row_blocks(batch, measure):
        own, start = np.unique(group[begin : (begin := begin + len(rows))], return_index=True)
        sums = sums if sums.size else np.zeros((group[-1] + 1, rows.shape[1]))
        sums[own] += np.add.reduceat(rows, start)
    return sums


def row_blocks(batch: Batch, measure: Measure) -> Iterator[NDArray[np.float64]]:
    """Rows of the statistic of a measure, some samples at a time."""
    rows: Any = batch.derive(measure.statistic)
    return iter(rows.blocks())
