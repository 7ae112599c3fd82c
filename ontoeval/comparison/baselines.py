"""Baselines: predictions that know nothing of the sample, beside which scores are read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.comparison.perturbations import Seed, generator_of, independent, sides, whole_columns
from ontoeval.core.checks import several
from ontoeval.core.coercion import Labels
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.resampling import in_order
from ontoeval.core.verified import VerifiedLabels
from ontoeval.errors import InputError, one_of


@dataclass(frozen=True, eq=False)
class _Told:
    """What a baseline may know: how often each concept is true, and the sets without their samples."""

    sets: LabelSets
    known: NDArray[np.int64]

    @property
    def priors(self) -> NDArray[np.float64]:
        """The share of samples that bear each concept, of those where that is known."""
        return np.asarray(self.sets.matrix.sum(axis=0) / np.maximum(self.known, 1), dtype=np.float64)


def _empty(told: _Told, rng: np.random.Generator) -> sparse.csr_array:
    del rng
    return sparse.csr_array(told.sets.matrix.shape, dtype=bool)


def _all(told: _Told, rng: np.random.Generator) -> sparse.csr_array:
    del rng
    return whole_columns(len(told.sets), np.ones(len(told.sets.vocabulary), dtype=bool))


def _prior(told: _Told, rng: np.random.Generator) -> sparse.csr_array:
    del rng
    chosen = told.priors >= 0.5  # noqa: PLR2004 - more often true than not
    if not chosen.any() and told.sets.matrix.nnz:
        names = told.sets.vocabulary.concepts
        most = np.flatnonzero(told.priors == told.priors.max()).tolist()
        chosen[min(most, key=names.__getitem__)] = True
    return whole_columns(len(told.sets), chosen)


def _random(told: _Told, rng: np.random.Generator) -> sparse.csr_array:
    return independent(rng, len(told.sets), told.priors)


def _permuted(told: _Told, rng: np.random.Generator) -> sparse.csr_array:
    count = len(told.sets)
    if count < 2:  # noqa: PLR2004 - there is no other
        return sparse.csr_array(told.sets.matrix.shape, dtype=bool)
    circle = rng.permutation(count)
    other = np.empty(count, dtype=np.intp)
    other[circle] = np.roll(circle, 1)
    return told.sets.matrix[other]


_KINDS: Mapping[str, tuple[str, Callable[[_Told, np.random.Generator], sparse.csr_array]]] = {
    "empty": ("no label", _empty),
    "all": ("every concept that may be a label", _all),
    "prior": (
        "the labels that at least half of the samples have; if there are none, the most frequent",
        _prior,
    ),
    "random": ("each label at random, as often as it is true", _random),
    "permuted": ("the truth, permuted: each sample has the true labels of another one", _permuted),
}

BASELINES: Mapping[str, str] = MappingProxyType({name: text for name, (text, _) in _KINDS.items()})
"""Baselines, each in words."""

USUAL_BASELINES = ("prior", "permuted")
"""The baselines beside which runs are compared by default."""


def chosen_baselines(
    chosen: Sequence[str] | str | None, runs: Collection[str], *, verified: bool = False
) -> tuple[str, ...]:
    """Take each baseline once; by default the usual ones that no run is called like, and that are defined.

    Of verified labels the truth of another sample is unknown for most of what is verified in this one.
    """
    if chosen is None:
        return tuple(one for one in USUAL_BASELINES if one not in runs and (one == "prior" or not verified))
    kinds = tuple(dict.fromkeys(several(chosen)))
    for kind in kinds:
        one_of("baselines", kind, tuple(BASELINES))
        if kind in runs:
            raise InputError(f"a run is called {kind!r} like a baseline", "Give the run another name.")
    return kinds


def baseline(kind: str, truth: Labels, *, hierarchy: Hierarchy | None = None, seed: Seed = 0) -> LabelSets:
    """Predict without looking at the samples: what a score is to be compared with, rather than with 0.

    Parameters
    ----------
    kind
        A key of `BASELINES`. "empty" predicts nothing, "all" every concept that the truth is over. "prior"
        predicts for every sample the labels that at least half of the samples have; where there are none,
        the most frequent one, of several the first by name. "random" predicts each label with
        probability equal to the share of samples that bear it, independently of all others. "permuted"
        predicts the truth of another sample, each one's once; where there is no other sample, nothing.
    truth
        The true labels, or verified ones, of which shares are those of the samples where they are known.
    hierarchy
        The hierarchy of the concepts, where names or columns get their meaning from it.
    seed
        For "random" and "permuted": a whole number, or a generator, which goes on from where it is.

    Returns
    -------
    LabelSets
        Predictions for the samples of the truth, over its concepts.

    Raises
    ------
    ParameterError
        If there is no such baseline, or the seed is none.
    InputError
        If the truth cannot be understood.

    Examples
    --------
    >>> truth = {"p1": ["sky"], "p2": ["sky", "sun"], "p3": ["sea"]}
    >>> [baseline(kind, truth).labels_of("p3") for kind in ("all", "prior", "permuted")]
    [('sea', 'sky', 'sun'), ('sky',), ('sky', 'sun')]
    """
    one_of("kind", kind, tuple(BASELINES))
    rng = generator_of(seed)
    given = truth if isinstance(truth, VerifiedLabels | LabelSets) else sides(truth, hierarchy)[0]
    true = given.take(in_order(given.samples))
    told = (
        _Told(true.positive, np.asarray(true.known.sum(axis=0)))
        if isinstance(true, VerifiedLabels)
        else _Told(true, np.full(len(true.vocabulary), len(true)))
    )
    found = LabelSets(_KINDS[kind][1](told, rng), told.sets.vocabulary, told.sets.samples)
    return found.take(given.samples)
