"""Perturbations: label sets changed at random, by a known amount."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.weighting import AGREEMENT, agreement_of
from ontoeval.core.frames import by_names
from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.inputs import Labels, sets_of
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.resampling import in_order
from ontoeval.core.rows import LabelSyntax
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import ParameterError, one_of
from ontoeval.plumbing.arrays import Marks, Numbers, Places
from ontoeval.plumbing.checks import refuse_non_mapping, unit_interval, whole_number
from ontoeval.plumbing.sparse import (
    cells_of,
    pattern,
    pattern_at,
    ranges,
    row_of_entries,
    whole_columns,
    with_data,
    without_entries,
)

Seed = int | np.random.Generator
"""A random seed, or a generator."""


def generator_of(seed: Seed) -> np.random.Generator:
    """Make a generator from a seed; a generator is returned as it is."""
    if isinstance(seed, np.random.Generator):
        return seed
    expected = "a whole number of at least 0, or a numpy.random.Generator"
    return np.random.default_rng(whole_number("seed", seed, expected=expected))


def random_marks(
    rng: np.random.Generator, rows: int, probabilities: Numbers, *, share: float = 1.0
) -> sparse.csr_array:
    """Mark each cell of a table independently, with its column's probability times a share.

    From the same state of the generator, a larger share marks all cells of a smaller one, and more. Points
    fall on each column as a Poisson process, so that only as many numbers are drawn as cells are marked: a
    cell is hit at least once with probability 1 - exp(-λ). Each point has a random threshold, and counts
    where the share is larger.
    """
    density = -np.log1p(-probabilities)
    points = rng.poisson(density * rows)
    column = np.repeat(np.arange(len(probabilities)), points)
    row = rng.integers(max(rows, 1), size=column.size)
    until = np.log1p(-share * probabilities[column]) / np.log1p(-probabilities[column])
    kept = rng.random(column.size) < until
    return pattern_at(row[kept], column[kept], (rows, len(probabilities)))


def mark_independently(
    rng: np.random.Generator, rows: int, probabilities: NDArray[np.float64]
) -> sparse.csr_array:
    """Mark each cell of a table independently, with its column's probability."""
    often = probabilities > 0.5  # noqa: PLR2004 - there the absent ones are drawn, which are fewer
    marks = random_marks(rng, rows, np.where(often, 1 - probabilities, probabilities))
    return invert_cells(marks, whole_columns(rows, often))


def invert_cells(table: sparse.csr_array, switches: sparse.csr_array) -> sparse.csr_array:
    """Invert some cells of a table."""
    return pattern(sparse.csr_array(table.astype(np.int8) - switches.astype(np.int8)))


Reading = Literal["majority", "pairwise"]
"""An agreement is the share of annotators in the majority, or of pairs of annotators who agree."""


def error_rates(
    vocabulary: Vocabulary,
    agreement: Mapping[str, float] | None,
    hierarchy: Hierarchy | None,
    reading: Reading,
) -> Numbers:
    """Error rates of annotators by concept, from their agreement; see `perturb` for the formula."""
    one_of("reading", reading, get_args(Reading))
    if agreement is None:
        if hierarchy is None or AGREEMENT not in hierarchy.weights:
            raise ParameterError("agreement", None, "one for each concept, or a hierarchy with it")
        agreement = dict(zip(hierarchy.vocabulary, hierarchy.weights[AGREEMENT].tolist(), strict=True))
    agreement = by_names("agreement", agreement)
    refuse_non_mapping("agreement", agreement)
    wanted = {concept: agreement[concept] for concept in vocabulary if concept in agreement}
    shares = np.maximum(agreement_of(vocabulary, wanted), 0.5)
    return np.asarray(1 - shares if reading == "majority" else (1 - np.sqrt(2 * shares - 1)) / 2)


_TRIES = 8
"""Draws of a concept for a label before all of its candidates are listed."""

_AT_ONCE = 2_000_000
"""Candidates that are listed together."""


@dataclass(frozen=True, eq=False)
class ReplacementPool:
    """Concepts that may replace each label: labels × groups, groups × members, less labels × never."""

    groups: sparse.csr_array
    members: sparse.csr_array
    never: sparse.csr_array

    @cached_property
    def _cumulative_sizes(self) -> NDArray[np.intp]:
        """Cumulative numbers of members over the groups of all labels."""
        sizes = np.diff(self.members.indptr).astype(np.intp)
        return np.concatenate([[0], np.cumsum(sizes[self.groups.indices], dtype=np.intp)])

    def _member(self, place: NDArray[np.intp]) -> NDArray[np.intp]:
        """Find concepts by their positions in the members of all groups, one group after another."""
        group = np.searchsorted(self._cumulative_sizes, place, side="right") - 1
        first = self.members.indptr[self.groups.indices[group]]
        return np.asarray(self.members.indices[first + place - self._cumulative_sizes[group]].astype(np.intp))

    def draw(
        self, rng: np.random.Generator, sets: sparse.csr_array, taken: sparse.csr_array | None = None
    ) -> Places:
        """Draw a replacement of each label that its row lacks, or -1; members of two groups count twice."""
        sample, label = row_of_entries(sets), sets.indices.astype(np.intp)
        held, apart = membership_test(sets if taken is None else taken), membership_test(self.never)
        first = self._cumulative_sizes[self.groups.indptr[label]]
        room = self._cumulative_sizes[self.groups.indptr[label + 1]] - first

        def fits(entry: NDArray[np.intp], found: NDArray[np.intp]) -> NDArray[np.bool_]:
            return ~(held(sample[entry], found) | apart(label[entry], found))

        drawn = np.full(label.size, -1, dtype=np.intp)
        left = np.flatnonzero(room)
        for _ in range(_TRIES):
            found = self._member(first[left] + (rng.random(left.size) * room[left]).astype(np.intp))
            right = fits(left, found)
            drawn[left[right]] = found[right]
            left = left[~right]
        # Labels that are left have few candidates that fit, if any: list these, and draw one.
        for part in np.split(left, np.flatnonzero(np.diff(np.cumsum(room[left]) // _AT_ONCE)) + 1):
            entry = np.repeat(part, room[part])
            found = self._member(ranges(first[part], room[part]))
            right = fits(entry, found)
            entry, found = entry[right], found[right]
            shuffled = np.lexsort((rng.random(entry.size), entry))
            served, begin = np.unique(entry[shuffled], return_index=True)
            drawn[served] = found[shuffled[begin]]
        return drawn


def membership_test(
    table: sparse.csr_array,
) -> Callable[[NDArray[np.intp], NDArray[np.intp]], NDArray[np.bool_]]:
    """Make a membership test for cells of a frozen pattern, whose rows are sorted."""
    width = table.shape[1]
    keys = np.append(cells_of(table), -1)

    def held(row: NDArray[np.intp], column: NDArray[np.intp]) -> NDArray[np.bool_]:
        wanted = row * width + column
        return np.asarray(keys[np.searchsorted(keys[:-1], wanted)] == wanted)

    return held


def any_concept(hierarchy: Hierarchy) -> ReplacementPool:
    """Every concept may replace every other."""
    count = len(hierarchy.labels)
    ones = np.ones((count, 1), dtype=bool)
    nothing = sparse.csr_array((count, count), dtype=bool)
    return ReplacementPool(pattern(sparse.csr_array(ones)), pattern(sparse.csr_array(ones.T)), nothing)


def siblings(hierarchy: Hierarchy) -> ReplacementPool:
    """Siblings replace each other: concepts with a parent in common, neither above the other."""
    labels = hierarchy.labels
    groups = pattern(hierarchy.parents[labels])
    above = hierarchy.labels_upward
    return ReplacementPool(groups, pattern(groups.T.tocsr()), pattern(above + above.T.tocsr()))


def parents(hierarchy: Hierarchy) -> ReplacementPool:
    """Labels directly above a label replace it."""
    each = sparse.eye_array(len(hierarchy.labels), dtype=bool, format="csr")
    nothing = sparse.csr_array(each.shape, dtype=bool)
    return ReplacementPool(hierarchy.labels_directly_above, pattern(each), nothing)


@dataclass(frozen=True)
class Perturbation:
    """A kind of change of a label: whether the label stays, and the pool of its replacement."""

    text: str
    stays: bool = False
    pool: Callable[[Hierarchy], ReplacementPool] | None = None
    near: bool = False
    """Whether a hierarchy is needed."""
    above: bool = False
    """Whether the replacement lies above the label, where closed sets have it already."""

    def changeable(self, targets: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Mark the labels that can be changed so."""
        return targets >= 0 if self.pool is not None else np.ones(targets.size, dtype=bool)


CHANGES: Mapping[str, Perturbation] = MappingProxyType(
    {
        "drop": Perturbation("the label is missed"),
        "add": Perturbation("a label that is not true comes beside it", stays=True, pool=any_concept),
        "sibling": Perturbation("one of its siblings takes its place", pool=siblings, near=True),
        "parent": Perturbation("a label directly above takes its place", pool=parents, near=True, above=True),
        "random": Perturbation("any other concept takes its place", pool=any_concept),
    }
)
"""Changes of a label, by name."""

ANNOTATOR = "annotator"

PERTURBATIONS: Mapping[str, str] = MappingProxyType(
    {name: change.text for name, change in CHANGES.items()}
    | {ANNOTATOR: "each decision is turned round as often as annotators who agree so far err"}
)
"""Kinds of perturbation, each in words."""


@front_door
def perturb(
    labels: Labels,
    kind: str,
    rate: float,
    *,
    hierarchy: AnyHierarchy | None = None,
    agreement: Mapping[str, float] | None = None,
    reading: Reading = "majority",
    seed: Seed,
    classes: Sequence[str] | None = None,
    separator: str | None = None,
) -> LabelSets:
    r"""Change some labels at random, by the same amount and in the same places for the same seed.

    Each label is hit with probability `rate`, whatever the kind; labels that are hit at a lower rate are hit
    at a higher one too. A label that cannot be changed, such as one without siblings, stays: see
    `perturbable`. Two labels of a sample that become the same concept are one.

    Closed sets stay closed: where all samples hold, of every label, all ancestors that may be labels, and at
    least one label has such an ancestor, the most specific labels are hit, and every set is closed again. A
    label that goes takes with it the ancestors that no other label of the set has; a new one brings its own.

    "annotator" hits decisions, of every sample about every concept: each is inverted with probability `rate`
    times :math:`e`, the error rate of annotators who err independently and alike. If the agreement :math:`a`
    is that with the majority, :math:`e = 1 - a`; if it is that of pairs, :math:`a = (1-e)^2 + e^2`, so
    :math:`e = (1 - \sqrt{2a - 1}) / 2`. Agreements below ½, which such annotators cannot have, count as ½.

    Parameters
    ----------
    labels
        Label sets, or whatever `evaluate` takes for some: a truth, or a prediction.
    kind
        A key of `ontoeval.comparison.PERTURBATIONS`.
    rate
        From 0 to 1.
    hierarchy
        The hierarchy of the concepts, for siblings, parents and the ancestors of closed sets. Abstract
        concepts take no label's place.
    agreement
        For "annotator": agreement of annotators on each concept; by default the hierarchy's.
    reading
        What the agreement is: "majority" or "pairwise".
    seed
        Random seed, or a generator, which is advanced: two calls with one generator hit different labels.
    classes, separator
        See `evaluate`.

    Returns
    -------
    LabelSets
        Other sets of the same samples over the same concepts.

    Raises
    ------
    ParameterError
        If an option has a value that it cannot have, or what the kind needs is not given.
    InputError
        If the labels cannot be understood, or a concept lacks an agreement.
    UnknownConceptError
        If the hierarchy lacks a concept.

    Examples
    --------
    >>> hierarchy = Hierarchy.from_edges([("plants", "trees"), ("plants", "flowers")])
    >>> names = hierarchy.label_vocabulary
    >>> sets = LabelSets.from_sets([["trees"], ["flowers"]], vocabulary=names)
    >>> changed = perturb(sets, "sibling", 1, hierarchy=hierarchy, seed=0)
    >>> changed.labels_of("0"), changed.labels_of("1")
    (('flowers',), ('trees',))
    """
    one_of("kind", kind, tuple(PERTURBATIONS))
    rate, rng = unit_interval("rate", rate), generator_of(seed)
    sets = sets_of(labels, hierarchy, LabelSyntax(classes, separator))
    given = sets.samples
    sets = sets.take(in_order(given))
    if kind == ANNOTATOR:
        errors = error_rates(sets.vocabulary, agreement, hierarchy, reading)
        flips = random_marks(rng, len(sets), errors, share=rate)
        made = _closed_as(sets, invert_cells(sets.matrix, flips), hierarchy)
    else:
        hit = rng.random(hittable(sets, hierarchy).matrix.nnz) < rate
        made = perturb_labels(sets, {kind: hit}, rng, hierarchy)
    return made.take(given)


@front_door
def perturbable(
    labels: Labels,
    kind: str,
    *,
    hierarchy: AnyHierarchy | None = None,
    classes: Sequence[str] | None = None,
    separator: str | None = None,
) -> LabelSets:
    """Keep the labels that a kind of perturbation can change, if it hits them.

    Parameters
    ----------
    labels
        Label sets, or whatever `evaluate` takes for some.
    kind
        A key of `ontoeval.comparison.PERTURBATIONS` other than "annotator", which hits decisions.
    hierarchy
        The hierarchy of the concepts, for siblings and parents.
    classes, separator
        See `evaluate`.

    Returns
    -------
    LabelSets
        Subsets, without the labels for which no replacement is left; of closed sets, see `perturb`, the most
        specific labels alone.

    Raises
    ------
    ParameterError
        If there is no such kind, or it needs a hierarchy.
    """
    one_of("kind", kind, tuple(CHANGES))
    sets = sets_of(labels, hierarchy, LabelSyntax(classes, separator))
    hit = hittable(sets, hierarchy)
    able = CHANGES[kind].changeable(_draw_replacements(kind, np.random.default_rng(0), hit, sets, hierarchy))
    return LabelSets(with_data(hit.matrix, able), sets.vocabulary, sets.samples)


def hittable(sets: LabelSets, hierarchy: AnyHierarchy | None) -> LabelSets:
    """Keep the labels that can be hit: of closed sets the most specific ones; otherwise the same object."""
    if hierarchy is None:
        return sets
    inner = hierarchy.with_labels(sets.vocabulary)
    implied = pattern(sets.matrix @ inner.labels_above)
    if not implied.nnz or without_entries(implied, sets.matrix).nnz:
        return sets
    return LabelSets(without_entries(sets.matrix, implied), sets.vocabulary, sets.samples)


def perturb_labels(
    sets: LabelSets, hits: Mapping[str, Marks], rng: np.random.Generator, hierarchy: AnyHierarchy | None
) -> LabelSets:
    """Change the `hittable` labels that each kind hits, each kind others; closed sets stay closed.

    Replacements are drawn for all labels, so that they do not depend on which ones are hit.
    """
    able = hittable(sets, hierarchy)
    stays = np.ones(able.matrix.nnz, dtype=bool)
    target = np.full(able.matrix.nnz, -1, dtype=np.intp)
    for kind, hit in hits.items():
        drawn = _draw_replacements(kind, rng, able, sets, hierarchy)
        target = np.where(hit, drawn, target)
        stays &= ~hit | ~CHANGES[kind].changeable(drawn) | CHANGES[kind].stays
    sample, comes = row_of_entries(able.matrix), target >= 0
    rows = np.concatenate([sample[stays], sample[comes]])
    columns = np.concatenate([able.matrix.indices[stays], target[comes]])
    return _closed_as(sets, pattern_at(rows, columns, sets.matrix.shape), hierarchy)


def _closed_as(sets: LabelSets, matrix: sparse.csr_array, hierarchy: Hierarchy | None) -> LabelSets:
    """Make label sets that are closed if these sets are."""
    found = LabelSets(matrix, sets.vocabulary, sets.samples)
    if hierarchy is None or hittable(sets, hierarchy) is sets:
        return found
    return found.closed(hierarchy.with_labels(found.vocabulary))


def _draw_replacements(
    kind: str, rng: np.random.Generator, hit: LabelSets, sets: LabelSets, hierarchy: Hierarchy | None
) -> Places:
    """Draw a replacement for each label that can be hit: a column, or -1 where there is none."""
    change = CHANGES[kind]
    if change.near and hierarchy is None:
        raise ParameterError("hierarchy", None, f"a hierarchy, which the kind {kind!r} needs")
    if change.pool is None:
        return np.full(hit.matrix.nnz, -1, dtype=np.intp)
    inner = None if hierarchy is None else hierarchy.with_labels(sets.vocabulary)
    pool = change.pool(inner or Hierarchy.flat(sets.vocabulary))
    if hit is not sets and inner is not None and not change.stays:
        # A label below it would bring the label back.
        pool = replace(pool, never=pattern(pool.never + inner.labels_upward.T.tocsr()))
    return pool.draw(rng, hit.matrix, hit.matrix if change.above else sets.matrix)
