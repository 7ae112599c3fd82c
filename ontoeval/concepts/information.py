"""Information content of concepts, intrinsic or estimated from a corpus of annotations.

Intrinsic information content comes from the hierarchy alone and goes by name. That of annotations is a weight
of the hierarchy. Its corpus is always given: estimated from the truth that is scored, the numbers would
change with it, and scores of parts could not be added.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.inputs import Labels, sets_of
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.rows import LabelSyntax
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, ParameterError, enumerate_some, one_of, pluralise
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.sparse import pattern, row_of_entries

INTRINSIC = ("uniform", "seco", "resnik", "sanchez", "sanchez(own-leaf)", "zhou")
"""Weights that every hierarchy has; also "zhou(K)" with any K from 0 to 1."""

ESTIMATED = {"ic": "an information content", "ia": "an information accretion"}
"""Names of weights that are estimated from annotations, and so have to be given."""

FROM_A_CORPUS = "hierarchy = ontoeval.concepts.with_information(hierarchy, sets, corpus='...')"


def with_option(name: str) -> tuple[str, str]:
    """Split a name into its base and the option in brackets."""
    base, _, option = name.partition("(")
    return (base, option[:-1]) if option.endswith(")") and option != ")" else (name, "")


@dataclass(frozen=True)
class Intrinsic:
    """An intrinsic weight as a view of a hierarchy, see `weight_by_name`."""

    name: str

    def __call__(self, hierarchy: Hierarchy) -> NDArray[np.float64] | None:
        """Compute one number per concept; None where no intrinsic weight has this name."""
        base, option = with_option(self.name)
        match base, option:
            case "uniform", "":
                values = np.ones(len(hierarchy.vocabulary))
            case "resnik", "":
                values = np.log(len(hierarchy.vocabulary)) - np.log(_count_below(hierarchy))
            case "seco", "":
                values = _seco(hierarchy)
            case "sanchez", "" | "own-leaf":
                values = _sanchez(hierarchy, own_leaf=option == "own-leaf")
            case "zhou", _:
                share = _share(option or "0.5")
                if share is None:
                    return None
                values = share * _seco(hierarchy) + (1 - share) * _depth_on_log_scale(hierarchy)
            case _:
                return None
        values = np.maximum(values, 0.0) + 0.0  # no -0.0
        values.flags.writeable = False
        return values


def weight_by_name(
    hierarchy: Hierarchy, name: str, *, option: str = "weight", others: Sequence[str] = ()
) -> Numbers:
    r"""Look up the weights of the concepts by name.

    With n concepts, Desc(c) those below c and Anc(c) those above it, both with c and abstract concepts, and
    natural logarithms:

    .. math:: \text{resnik} = -\ln\frac{|Desc(c)|}{n} \qquad
              \text{seco} = 1 - \frac{\ln|Desc(c)|}{\ln n} \qquad
              \text{zhou} = k\,\text{seco} + (1 - k) \frac{\ln(depth(c) + 1)}{\ln(depth_{max} + 1)}

    .. math:: \text{sanchez} = -\ln\frac{|leaves(c)| / |Anc(c)| + 1}{|leaves| + 1}
    """
    built_in = hierarchy.derive(Intrinsic(name))
    if name in hierarchy.weights:
        if built_in is not None:
            raise ParameterError(option, name, "another name for the weight, since this one is built in")
        return hierarchy.weights[name]
    if built_in is not None:
        return built_in
    if name in ESTIMATED:
        raise ParameterError(
            option,
            name,
            f"a weight of the hierarchy by that name, since {ESTIMATED[name]} is estimated from annotations, "
            f"and never from those that are scored: {FROM_A_CORPUS}, or "
            f"hierarchy.with_weight({name!r}, ...); on the command line --information-from LABELS, "
            f"or --weights {name}=FILE",
        )
    known = ", ".join(map(repr, (*others, *INTRINSIC, *hierarchy.weights)))
    added = "a weight added by `Hierarchy.with_weight` (--weights NAME=FILE)"
    raise ParameterError(option, name, f"one of {known}, or {added}")


def information_by_name(hierarchy: Hierarchy, name: str) -> NDArray[np.float64]:
    """Look up an information content by name, one number per concept."""
    values = weight_by_name(hierarchy, name, option="information")
    child, parent = row_of_entries(hierarchy.parents), hierarchy.parents.indices
    wrong = np.flatnonzero(values[child] < values[parent] - 1e-9)
    if wrong.size:
        names = hierarchy.vocabulary
        raise InputError(
            f"the weight {name!r} is no information content, which grows from parent to child: "
            + enumerate_some(
                f"{names[child[at]]} {values[child[at]]:g} below {names[parent[at]]} {values[parent[at]]:g}"
                for at in wrong.tolist()
            ),
            "Name another: 'seco', or the 'ic' that ontoeval.concepts.with_information makes of annotations.",
        )
    return values


def leaves_below(hierarchy: Hierarchy) -> NDArray[np.intp]:
    """Count the leaves at or below each concept."""
    marks = np.zeros(len(hierarchy.vocabulary), dtype=bool)
    marks[hierarchy.leaves] = True
    return hierarchy.below(marks)


def _count_below(hierarchy: Hierarchy) -> NDArray[np.float64]:
    """Count the concepts at or below each."""
    return hierarchy.below(np.ones(len(hierarchy.vocabulary), dtype=bool)).astype(np.float64)


def _seco(hierarchy: Hierarchy) -> NDArray[np.float64]:
    concepts = len(hierarchy.vocabulary)
    if concepts <= 1:  # 0/0; concepts without links have the same information everywhere
        return np.ones(concepts)
    return np.asarray(1 - np.log(_count_below(hierarchy)) / np.log(concepts))


def _sanchez(hierarchy: Hierarchy, *, own_leaf: bool) -> NDArray[np.float64]:
    below = hierarchy.derive(leaves_below).astype(np.float64)
    if not own_leaf:
        below[hierarchy.leaves] = 0
    above = np.diff(hierarchy.ancestors.indptr)
    return np.asarray(np.log(hierarchy.leaves.size + 1) - np.log(below / above + 1))


def _depth_on_log_scale(hierarchy: Hierarchy) -> NDArray[np.float64]:
    if hierarchy.levels <= 1:  # 0/0 without links
        return np.ones(len(hierarchy.vocabulary))
    return np.asarray(np.log(hierarchy.depth + 1) / np.log(hierarchy.levels))


def _share(text: str) -> float | None:
    try:
        share = float(text)
    except ValueError:
        return None
    return share if 0 <= share <= 1 else None


Unseen = Literal["once", "smoothed", "refuse"]
UNSEEN = ("once", "smoothed", "refuse")
BLOCK = 20_000
"""Samples in a block: sets with all their ancestors take much memory."""


@front_door
def information_content(
    sets: Labels,
    hierarchy: AnyHierarchy,
    *,
    unseen: Unseen = "once",
    classes: Sequence[str] | None = None,
    separator: str | None = None,
) -> NDArray[np.float64]:
    r"""Estimate the information content of each concept from annotations, in bits [resnik1999]_.

    .. math:: IC(c) = -\log_2 \frac{|\{i : c \in Y_i\uparrow\}|}{N}

    Parameters
    ----------
    sets
        The annotations of a corpus, as `evaluate` takes labels; any concept of the hierarchy may be a label.
    hierarchy
        The hierarchy; every label counts for its ancestors.
    unseen
        Concepts without a sample: "once" counts them once, as PyEvALL does [amigo2022]_; "smoothed" counts
        every concept one more time, in one more sample; "refuse" makes them an error.
    classes, separator
        See `evaluate`.

    Returns
    -------
    ndarray of float
        One number of at least 0 per concept of the hierarchy, none smaller than that of a parent.

    Raises
    ------
    InputError
        If there are no samples, or some concept has none and that is refused.
    UnknownConceptError
        If the hierarchy lacks a label.

    Examples
    --------
    >>> hierarchy = Hierarchy.from_edges([("a", "b"), ("a", "c")])
    >>> corpus = LabelSets.from_sets([["b"], ["c"], ["c"], ["c"]])
    >>> information_content(corpus, hierarchy).round(4)
    array([0.   , 2.   , 0.415])
    """
    one_of("unseen", unseen, UNSEEN)
    sets = sets_of(sets, reading=LabelSyntax(classes, separator)).named_by(hierarchy.vocabulary)
    counts, _ = _counts(sets, hierarchy)
    none = np.flatnonzero(counts == 0)
    if unseen == "refuse" and none.size:
        raise InputError(
            f"{none.size:,} of {counts.size:,} concepts occur in no sample: "
            + enumerate_some(hierarchy.vocabulary[at] for at in none.tolist()),
            "Take a larger corpus, or say what unseen concepts count as: unseen='once' or 'smoothed'.",
        )
    more = float(unseen == "smoothed")
    seen = np.maximum(counts + more, 1.0)
    return np.asarray(np.abs(np.log2(seen / (len(sets) + more))))


@front_door
def information_accretion(
    sets: Labels,
    hierarchy: AnyHierarchy,
    *,
    classes: Sequence[str] | None = None,
    separator: str | None = None,
) -> NDArray[np.float64]:
    r"""Estimate the information of each concept beyond its parents from annotations, in bits [clark2013]_.

    .. math:: IA(c) = -\log_2 \frac{|\{i : c \in Y_i\uparrow\}|}
                                   {|\{i : parents(c) \subseteq Y_i\uparrow\}|}

    It is 0 for roots, and for concepts without a sample.

    Parameters
    ----------
    sets
        The annotations of a corpus, as `evaluate` takes labels; any concept of the hierarchy may be a label.
    hierarchy
        The hierarchy; every label counts for its ancestors.
    classes, separator
        See `evaluate`.

    Returns
    -------
    ndarray of float
        One number of at least 0 per concept of the hierarchy.

    Raises
    ------
    InputError
        If there are no samples.
    UnknownConceptError
        If the hierarchy lacks a label.

    Examples
    --------
    >>> hierarchy = Hierarchy.from_edges([("a", "b"), ("a", "c"), ("b", "d")])
    >>> corpus = LabelSets.from_sets([["d"], ["d"], ["b"], ["c"]])
    >>> information_accretion(corpus, hierarchy).round(4)
    array([0.   , 0.415, 2.   , 0.585])
    """
    counts, together = _counts(sets_of(sets, reading=LabelSyntax(classes, separator)), hierarchy)
    defined = (counts > 0) & (np.diff(hierarchy.parents.indptr) > 0)
    shares = np.divide(counts, together, out=np.ones(counts.size), where=defined)
    return np.asarray(np.abs(np.log2(shares)))


@front_door
def with_information(
    hierarchy: AnyHierarchy,
    sets: Labels,
    *,
    corpus: str,
    unseen: Unseen = "once",
    withheld: bool = False,
    classes: Sequence[str] | None = None,
    separator: str | None = None,
) -> Hierarchy:
    """Add the information content and accretion of a corpus to a hierarchy, as weights "ic" and "ia".

    Parameters
    ----------
    hierarchy
        The hierarchy.
    sets
        The annotations of the corpus: not the truth that is to be scored.
    corpus
        Description of the corpus, for signatures.
    unseen
        How concepts without a sample count, see `information_content`.
    withheld
        Whether the corpus is secret: then its digest is not shown.
    classes, separator
        See `evaluate`.

    Raises
    ------
    InputError
        If there are no samples.
    UnknownConceptError
        If the hierarchy lacks a label.

    Examples
    --------
    >>> hierarchy = Hierarchy.from_edges([("a", "b"), ("a", "c")])
    >>> labels = LabelSets.from_sets([["b"], ["c"]])
    >>> known = with_information(hierarchy, labels, corpus="train 2024")
    >>> known.weights["ia"]
    array([0., 1., 1.])
    >>> known.sources["weight 'ia'"]
    'information accretion in train 2024, 2 samples (sha256 92f8898fb53f)'
    """
    if not isinstance(corpus, str) or not corpus.strip():
        raise ParameterError("corpus", corpus, "a description of the source of the annotations")
    sets = sets_of(sets, reading=LabelSyntax(classes, separator)).named_by(hierarchy.vocabulary)
    digest = "digest withheld" if withheld else f"sha256 {_digest(sets)[:12]}"
    described = f"{corpus.strip()}, {pluralise(len(sets), 'sample')} ({digest})"
    content = f"information content in {described}, {_COUNTED.get(unseen)}"
    known = hierarchy.with_weight("ic", information_content(sets, hierarchy, unseen=unseen), source=content)
    accretion = f"information accretion in {described}"
    known = known.with_weight("ia", information_accretion(sets, hierarchy), source=accretion)
    return replace(known, withheld=known.withheld | {"ic", "ia"}) if withheld else known


_COUNTED = {
    "once": "unseen concepts counted once",
    "smoothed": "every concept counted once more",
    "refuse": "no concept unseen",
}


def _counts(sets: LabelSets, hierarchy: Hierarchy) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Count the samples with each concept, and those with all of its parents."""
    if not len(sets):
        raise InputError("a corpus without samples", "Give annotations.")
    concepts = len(hierarchy.vocabulary)
    above = hierarchy.ancestors[hierarchy.vocabulary.positions(sets.vocabulary)]
    parents = hierarchy.parents
    number = np.diff(parents.indptr)
    several = np.flatnonzero(number > 1)
    to_children = sparse.csr_array(parents[several].T.astype(np.int32))
    counts, all_parents = np.zeros(concepts), np.zeros(concepts)
    for begin in range(0, len(sets), BLOCK):
        present = pattern(sets.matrix[begin : begin + BLOCK] @ above)
        counts += np.bincount(present.indices, minlength=concepts)
        met = present.astype(np.int32) @ to_children
        whole = met.indices[met.data == number[several][met.indices]]
        all_parents[several] += np.bincount(whole, minlength=several.size)
    single = np.flatnonzero(number == 1)
    all_parents[single] = counts[parents.indices[parents.indptr[single]]]
    return counts, all_parents


def _digest(sets: LabelSets) -> str:
    """SHA-256 of the labels of each sample, whatever the order of concepts and samples."""
    order = np.argsort(np.array(sets.vocabulary.concepts, dtype=object))
    names = [sets.vocabulary[int(at)] for at in order]
    columns = pattern(sets.matrix[:, order])
    rows = np.argsort(np.array(sets.samples, dtype=object))
    matrix = columns[rows]
    present, place = np.unique(matrix.indices, return_inverse=True)
    used = [names[at] for at in present.tolist()]
    digest = sha256("\0".join([*used, "", *(sets.samples[int(at)] for at in rows)]).encode())
    digest.update(np.asarray(matrix.indptr, dtype="<i8").tobytes())
    digest.update(np.asarray(place, dtype="<i8").tobytes())
    return digest.hexdigest()


@dataclass(frozen=True, repr=False)
class LabelFrequencies:
    """How many samples of a corpus have each label, for measures with propensities, such as `PSPAt`.

    Parameters
    ----------
    counts
        Samples with each label, by its name.
    samples
        Samples of the corpus, at least 3.
    name
        Name of the corpus in notations and titles.

    Raises
    ------
    InputError
        If there are fewer than 3 samples.
    ParameterError
        If a count is negative or exceeds the samples.

    Examples
    --------
    >>> train = LabelFrequencies.from_labels([["sea"], ["sea", "sky"], []])
    >>> train.counts
    {'sea': 2, 'sky': 1}
    """

    counts: Mapping[str, int] = field(hash=False)
    samples: int
    name: str = "corpus"

    def __post_init__(self) -> None:
        if self.samples < math.e:  # ln(N) - 1 would be negative
            raise InputError(
                f"a corpus of {pluralise(self.samples, 'sample')}, from which no propensity follows",
                "Give the training data, 3 samples at least.",
            )
        for label, number in self.counts.items():
            if not 0 <= number <= self.samples:
                expected = f"a number of samples from 0 to {self.samples:,}"
                raise ParameterError("counts", {label: number}, expected)

    @classmethod
    def from_labels(cls, labels: Labels, *, name: str = "corpus") -> Self:
        """Count the labels of a corpus: of the training data, not of the truth that is scored.

        Parameters
        ----------
        labels
            The annotations, as `evaluate` takes labels.
        name
            Name of the corpus.
        """
        sets = sets_of(labels)
        number = np.bincount(sets.matrix.indices, minlength=len(sets.vocabulary))
        return cls(dict(zip(sets.vocabulary, number.tolist(), strict=True)), len(sets), name)

    def __repr__(self) -> str:
        """Write the name, by which notations mean the corpus."""
        return repr(self.name)

    def inverse_propensities(self, vocabulary: Vocabulary, a: float, b: float) -> Numbers:
        """1 / p of each label, 1 + C (N_c + B)^-A with C = (ln N - 1) (B + 1)^A."""
        number = np.array([self.counts.get(label, 0) for label in vocabulary], dtype=np.float64)
        return np.asarray(1 + (np.log(self.samples) - 1) * ((b + 1) / (number + b)) ** a)
