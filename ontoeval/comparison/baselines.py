"""Baselines: predictions made without looking at the sample; and oracles, made of its truth and yet poor."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.comparison.perturbations import Seed, generator_of, invert_cells, mark_independently
from ontoeval.core.batch import Batch, ScoredBatch
from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.inputs import Labels, sides_of
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.resampling import in_order
from ontoeval.core.rows import LabelSyntax
from ontoeval.core.sample_weights import SampleWeight, weights_of
from ontoeval.core.table import DIGITS, cell_text
from ontoeval.core.verified import VerifiedLabels
from ontoeval.errors import InputError, ParameterError, one_of
from ontoeval.plumbing.checks import as_list
from ontoeval.plumbing.sparse import choose_entries, pattern, whole_columns, without_entries


@dataclass(frozen=True, eq=False)
class _Truth:
    """Input of a baseline: the sets, and where given the weights of samples and the known labels."""

    sets: LabelSets
    weights: NDArray[np.float64] | None
    known: sparse.csr_array | None
    hierarchy: AnyHierarchy | None

    @property
    def label_hierarchy(self) -> Hierarchy:
        """The hierarchy, with the concepts of the sets as its labels."""
        if self.hierarchy is None:
            raise ParameterError("hierarchy", None, "a hierarchy, of which oracles are made")
        return self.hierarchy.with_labels(self.sets.vocabulary)

    @property
    def priors(self) -> NDArray[np.float64]:
        """Share of the samples with each concept, of those where it is known."""
        weights = np.ones(len(self.sets)) if self.weights is None else self.weights
        shares = np.zeros(len(self.sets.vocabulary))
        whole = np.full(shares.size, weights.sum()) if self.known is None else weights @ self.known
        np.divide(weights @ self.sets.matrix, whole, out=shares, where=whole > 0)
        return shares

    def predict(self, kind: str, rng: np.random.Generator) -> LabelSets:
        """Predict a baseline."""
        return LabelSets(_KINDS[kind][1](self, rng), self.sets.vocabulary, self.sets.samples)


def _prior(truth: _Truth, _: np.random.Generator) -> sparse.csr_array:
    return whole_columns(len(truth.sets), usual_labels(truth.priors, truth.sets.vocabulary.concepts))


def usual_labels(shares: NDArray[np.float64], names: Sequence[str]) -> NDArray[np.bool_]:
    """Which labels at least half of the samples have; if there are none, the most frequent."""
    chosen: NDArray[np.bool_] = shares >= 0.5  # noqa: PLR2004 - more often true than not
    if not chosen.any() and shares.any():
        most = np.flatnonzero(shares == shares.max()).tolist()
        chosen[min(most, key=names.__getitem__)] = True
    return chosen


def _permuted(truth: _Truth, rng: np.random.Generator) -> sparse.csr_array:
    count = len(truth.sets)
    if count < 2:  # noqa: PLR2004 - there is no other
        return sparse.csr_array(truth.sets.matrix.shape, dtype=bool)
    circle = rng.permutation(count)
    other = np.empty(count, dtype=np.intp)
    other[circle] = np.roll(circle, 1)
    return truth.sets.matrix[other]


def _ancestors_of_used_labels(over: Hierarchy, sets: sparse.csr_array) -> sparse.csr_array:
    """Boolean, labels × labels: the ancestors of the labels in use, themselves among these."""
    used = over.labels[np.unique(sets.indices)]
    return over.ancestors_of(used)[over.labels][:, over.labels]


def _siblings(truth: _Truth, _: np.random.Generator) -> sparse.csr_array:
    # Siblings of the most specific labels alone: closed sets have those of ancestors as kin of kin.
    over, sets = truth.label_hierarchy, truth.sets.matrix
    own = sparse.csr_array(sparse.eye_array(sets.shape[1], dtype=bool))
    above = without_entries(_ancestors_of_used_labels(over, sets), own)
    groups = over.parents[over.labels]
    groups = choose_entries(groups, np.bincount(groups.indices)[groups.indices] <= MOST_SIBLINGS)
    lowest = without_entries(sets, pattern(sets @ above))
    return pattern(sets + pattern(lowest @ groups) @ pattern(groups.T.tocsr()))


def _top(truth: _Truth, _: np.random.Generator) -> sparse.csr_array:
    every = pattern(truth.sets.matrix @ _ancestors_of_used_labels(truth.label_hierarchy, truth.sets.matrix))
    highest = np.diff(truth.label_hierarchy.labels_directly_above.indptr) == 0
    return choose_entries(every, highest[every.indices])


_KINDS: Mapping[str, tuple[str, Callable[[_Truth, np.random.Generator], sparse.csr_array]]] = {
    "empty": ("no label", lambda truth, _: sparse.csr_array(truth.sets.matrix.shape, dtype=bool)),
    "all": (
        "every concept that may be a label",
        lambda truth, _: whole_columns(len(truth.sets), np.ones(len(truth.sets.vocabulary), dtype=bool)),
    ),
    "prior": (
        "the labels that at least half of the samples have; if there are none, the most frequent",
        _prior,
    ),
    "random": (
        "each label at random, as often as it is true",
        lambda truth, rng: mark_independently(rng, len(truth.sets), truth.priors),
    ),
    "permuted": ("the truth, permuted: each sample has the true labels of another one", _permuted),
    "siblings": ("the truth, and all siblings of its most specific labels", _siblings),
    "top": ("of each true label the highest one at or above it", _top),
}

BASELINES: Mapping[str, str] = MappingProxyType({name: text for name, (text, _) in _KINDS.items()})
"""Baselines, each in words."""

USUAL_BASELINES = ("prior", "permuted")
"""The baselines that runs are compared with by default."""

CONSTANT = ("empty", "all", "prior")
"""Baselines that predict the same labels for every sample, and are tested with the runs."""

ORACLES = ("siblings", "top")
"""Baselines made of the truth of each sample; with a hierarchy, runs are compared with these, too."""

MOST_SIBLINGS = 100
"""Most children of a parent whose labels count as siblings, so that an oracle stays within the memory."""


def chosen_baselines(
    chosen: Sequence[str] | str | None,
    runs: Collection[str],
    *,
    verified: bool = False,
    oracles: bool = False,
) -> tuple[str, ...]:
    """Take each baseline once; by default the usual ones that are defined and are not the name of a run.

    Of verified labels there is "prior" alone: other samples, and siblings, have others verified.
    """
    if chosen is None:
        usual = USUAL_BASELINES[:1] if verified else USUAL_BASELINES + ORACLES * oracles
        return tuple(one for one in usual if one not in runs)
    kinds = as_list(chosen)
    for kind in kinds:
        one_of("baselines", kind, tuple(BASELINES))
        if kind in runs:
            raise InputError(f"a run is called {kind!r} like a baseline", "Give the run another name.")
    return tuple(dict.fromkeys(kinds))


def why_left_out(oracle: Batch, own: float, best: float) -> str:
    """Why an oracle with F `own` is left out as a test of measures; empty if it is a test."""
    truth, made = oracle.truth, oracle.prediction
    changed = int(np.count_nonzero(np.diff(invert_cells(truth.matrix, made.matrix).indptr)))
    emptied = int(((truth.sizes > 0) & (made.sizes == 0)).sum())
    if 2 * changed < len(truth):
        return f"it changes {changed:,} of {len(truth):,} true sets, fewer than half"
    if 10 * emptied > len(truth):
        return f"it empties {emptied:,} of {len(truth):,} sets, more than a tenth"
    better = f"no run is better by F of closed sets (its own is {cell_text(own, DIGITS)})"
    return "" if own < best else better


@front_door
def baseline(
    truth: Labels,
    kind: str,
    *,
    hierarchy: AnyHierarchy | None = None,
    seed: Seed = 0,
    sample_weight: SampleWeight | None = None,
    classes: Sequence[str] | None = None,
    separator: str | None = None,
) -> LabelSets:
    """Predict without looking at the samples: a score is read beside that of a baseline, not beside 0.

    Parameters
    ----------
    truth
        The true labels, or verified ones, whose shares are those of the samples where they are known.
    kind
        A key of `ontoeval.comparison.BASELINES`. "empty" predicts nothing, "all" every concept that the truth
        is over. "prior" predicts for every sample the labels that at least half of the samples have; where
        there are none, the most frequent one, of several the first by name. "random" predicts each label
        independently, with the share of samples that have it as probability. "permuted" predicts the truth
        of another sample, each one's once; where there is no other sample, nothing. Two oracles are made of
        the truth of each sample and a hierarchy: "siblings" predicts the truth, and all labels that have a
        parent of at most 100 children in common with one of its most specific labels; "top" predicts in place
        of each true label the highest label at or above it.
    hierarchy
        The hierarchy of the concepts, where names or columns get their meaning from it.
    seed
        For "random" and "permuted": random seed, or a generator, which is advanced.
    sample_weight
        What each sample counts for in the shares of "prior" and "random", see `evaluate`.
    classes, separator
        See `evaluate`.

    Returns
    -------
    LabelSets
        Predictions for the samples of the truth, over its concepts.

    Raises
    ------
    ParameterError
        If there is no such baseline, an oracle lacks a hierarchy, or the seed is none.
    InputError
        If the truth cannot be understood.

    Examples
    --------
    >>> truth = {"p1": ["sky"], "p2": ["sky", "sun"], "p3": ["sea"]}
    >>> [baseline(truth, kind).labels_of("p3") for kind in ("all", "prior", "permuted")]
    [('sea', 'sky', 'sun'), ('sky',), ('sky', 'sun')]
    """
    one_of("kind", kind, tuple(BASELINES))
    rng = generator_of(seed)
    given = sides_of(truth, {}, hierarchy, LabelSyntax(classes, separator)).truth
    weights = None if sample_weight is None else weights_of(sample_weight, given.samples)
    order = in_order(given.samples)
    if weights is not None:
        weights = weights[[given.row[sample] for sample in order]]
    true, verified = given.take(order), isinstance(given, VerifiedLabels)
    source = _Truth(true.positive if verified else true, weights, true.known if verified else None, hierarchy)
    return source.predict(kind, rng).take(given.samples)


def baseline_of(batch: Batch | ScoredBatch, kind: str, seed: Seed) -> LabelSets:
    """Predict a baseline of the truth of a batch; see `baseline`."""
    given = batch.in_order
    known = given.known if isinstance(given, Batch) else None
    source = _Truth(given.truth, given.sample_weight, known, batch.hierarchy)
    return source.predict(kind, generator_of(seed)).take(batch.truth.samples)
