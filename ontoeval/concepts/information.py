"""Information content of concepts: what it says that a sample bears one.

Intrinsic information content comes from the hierarchy alone and goes by name. That of annotations is
estimated from a corpus by `ontoeval.concepts.corpus`, and given to the hierarchy as a weight.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.csr import entries_of_rows, row_of_entries
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.errors import InputError, ParameterError, listed

INTRINSIC = ("uniform", "seco", "resnik", "sanchez", "sanchez(own-leaf)", "zhou")
"""Weights that every hierarchy has, "zhou(K)" with any K from 0 to 1 among them."""

ESTIMATED = {"ic": "an information content", "ia": "an information accretion"}
"""Names that stand for what is estimated from annotations, and so has to be given."""

FROM_A_CORPUS = "hierarchy = ontoeval.with_information(hierarchy, sets, corpus='...')"


def with_option(name: str) -> tuple[str, str]:
    """Split a name into what stands before brackets and what stands in them."""
    base, _, option = name.partition("(")
    return (base, option[:-1]) if option.endswith(")") and option != ")" else (name, "")


@dataclass(frozen=True)
class Intrinsic:
    """An intrinsic weight as a view of a hierarchy, see `weight_by_name`."""

    name: str

    def __call__(self, hierarchy: Hierarchy) -> NDArray[np.float64] | None:
        """Compute one number per concept; None where nothing is called so."""
        base, option = with_option(self.name)
        match base, option:
            case "uniform", "":
                values = np.ones(len(hierarchy.vocabulary))
            case "resnik", "":
                values = np.log(len(hierarchy.vocabulary)) - np.log(_below(hierarchy))
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


def weight_by_name(hierarchy: Hierarchy, name: str, *, option: str = "weight") -> NDArray[np.float64]:
    r"""Find the weights of the concepts that go by a name.

    With n concepts, Desc(c) those below c and Anc(c) those above it, c among both, all of them
    whether they may be labels or not, and natural logarithms:

    .. math:: \text{resnik} = -\ln\frac{|Desc(c)|}{n} \qquad
              \text{seco} = 1 - \frac{\ln|Desc(c)|}{\ln n} \qquad
              \text{zhou} = k\,\text{seco} + (1 - k) \frac{\ln(depth(c) + 1)}{\ln(depth_{max} + 1)}

    .. math:: \text{sanchez} = -\ln\frac{|leaves(c)| / |Anc(c)| + 1}{|leaves| + 1}
    """
    built_in = hierarchy.once(Intrinsic(name))
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
            f"Hierarchy.with_weight({name!r}, ...); on the command line --information-from LABELS, "
            f"or --weights {name}=FILE",
        )
    known = ", ".join(map(repr, (*INTRINSIC, *hierarchy.weights)))
    raise ParameterError(option, name, f"one of {known}, or a weight added by `Hierarchy.with_weight`")


def information_by_name(hierarchy: Hierarchy, name: str) -> NDArray[np.float64]:
    """Find the information content that goes by a name."""
    values = weight_by_name(hierarchy, name, option="information")
    child, parent = row_of_entries(hierarchy.parents), hierarchy.parents.indices
    wrong = np.flatnonzero(values[child] < values[parent] - 1e-9)
    if wrong.size:
        names = hierarchy.vocabulary
        raise InputError(
            f"the weight {name!r} is no information content, which grows from parent to child: "
            + listed(
                f"{names[child[at]]} {values[child[at]]:g} below {names[parent[at]]} {values[parent[at]]:g}"
                for at in wrong.tolist()
            ),
            "Name another: 'seco', or the 'ic' that ontoeval.with_information makes of annotations.",
        )
    return values


@dataclass(frozen=True)
class LeavesBelow:
    """How many leaves lie below each concept, a leaf being below itself, as a view of a hierarchy."""

    def __call__(self, hierarchy: Hierarchy) -> NDArray[np.intp]:
        """Let every leaf count for its ancestors."""
        above, _ = entries_of_rows(hierarchy.ancestors, hierarchy.leaves)
        return np.bincount(hierarchy.ancestors.indices[above], minlength=len(hierarchy.vocabulary))


def _below(hierarchy: Hierarchy) -> NDArray[np.float64]:
    """Count the concepts below each, itself among them."""
    indices = hierarchy.ancestors.indices
    return np.bincount(indices, minlength=len(hierarchy.vocabulary)).astype(np.float64)


def _seco(hierarchy: Hierarchy) -> NDArray[np.float64]:
    concepts = len(hierarchy.vocabulary)
    if concepts <= 1:  # 0/0; a concept without links says as much as the others, here and elsewhere
        return np.ones(concepts)
    return np.asarray(1 - np.log(_below(hierarchy)) / np.log(concepts))


def _sanchez(hierarchy: Hierarchy, *, own_leaf: bool) -> NDArray[np.float64]:
    below = hierarchy.once(LeavesBelow()).astype(np.float64)
    if not own_leaf:
        below[hierarchy.leaves] = 0
    above = np.diff(hierarchy.ancestors.indptr)
    return np.asarray(np.log(hierarchy.leaves.size + 1) - np.log(below / above + 1))


def _depth_on_log_scale(hierarchy: Hierarchy) -> NDArray[np.float64]:
    if hierarchy.levels <= 1:  # 0/0 where nothing lies below anything
        return np.ones(len(hierarchy.vocabulary))
    return np.asarray(np.log(hierarchy.depth + 1) / np.log(hierarchy.levels))


def _share(text: str) -> float | None:
    try:
        share = float(text)
    except ValueError:
        return None
    return share if 0 <= share <= 1 else None
