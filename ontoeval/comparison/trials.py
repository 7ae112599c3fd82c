"""Trials: which changes are tried, and what each makes of what is scored."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ontoeval.comparison.perturbed_hierarchies import collapse_level, insert_nodes
from ontoeval.comparison.perturbed_labels import CHANGES, perturb, perturbable
from ontoeval.comparison.rescoring import Setting
from ontoeval.comparison.study_changes import MOST_LEVELS, Changes, collapsed_levels, lacking
from ontoeval.concepts.weighting import AGREEMENT
from ontoeval.core.label_sets import LabelSets
from ontoeval.errors import counted

Changed = Literal["prediction", "truth", "ontology"]

COLLAPSED = "collapse level"
"""The kind of change whose amounts are levels."""

STREAM = int.from_bytes(b"changes")
"""Beside the seed, where random numbers of changes begin: runs are often perturbed with the same seed."""


@dataclass(frozen=True, eq=False)
class Trial:
    """One kind of change, made more and more."""

    changed: Changed
    kind: str
    amounts: Sequence[float]
    change: Callable[[float], Setting]


def not_tried(setting: Setting, changes: Changes) -> dict[str, str]:
    """Tell which changes cannot be made."""
    hierarchy = setting.hierarchy
    agreed = hierarchy is not None and AGREEMENT in hierarchy.weights
    needs = {kind: lacking(kind, hierarchy=hierarchy is not None, agreement=agreed) for kind in changes.kinds}
    reasons = {kind: f"it needs {need}" for kind, need in needs.items() if need}
    if hierarchy is None:
        reasons["ontology"] = "there is none"
    elif not setting.of_sets:
        reasons["ontology"] = "scores of labels cannot be carried to another hierarchy"
    elif hierarchy.levels - 1 > MOST_LEVELS:
        reasons[f"{COLLAPSED}, other levels"] = (
            f"of {hierarchy.levels - 1:,} levels {MOST_LEVELS} are taken out, spread over the depth"
        )
    return reasons


def able_shares(setting: Setting, kinds: Collection[str]) -> dict[str, float]:
    """Compute which share of the labels that are hit each kind can change; 0 where no label is hit."""
    hit = _able(setting, "drop")
    return {kind: _able(setting, kind) / max(hit, 1) for kind in CHANGES if kind in kinds}


def convention(setting: Setting, *, public: bool) -> str:
    """Say whether changes keep the truth closed; in public in words that are true of every truth."""
    truth, hierarchy = setting.truth, setting.hierarchy
    if hierarchy is None:
        return ""
    if public:
        return (
            "Labels are changed as they are given; where the truth is closed (every set holds all ancestors "
            "of its labels), the most specific ones are changed, and sets are closed again."
        )
    if _able(setting, "drop") < truth.matrix.nnz:
        return (
            "The truth is closed (every set holds all ancestors of its labels): the most specific labels are "
            "changed, and sets are closed again."
        )
    lacking = int(truth.unclosed(hierarchy.with_labels(truth.vocabulary)).sum())
    why = f"{lacking:,} of {counted(len(truth), 'set')} lack ancestors of their labels"
    return (
        f"The truth is not closed ({why if lacking else 'no true label has another above it'}): labels are "
        "changed as they are given."
    )


def _able(setting: Setting, kind: str) -> int:
    return int(perturbable(setting.truth, kind, hierarchy=setting.hierarchy).matrix.nnz)


def trials_of(setting: Setting, changes: Changes, seed: int, without: Mapping[str, str]) -> Iterator[Trial]:
    """Go through the changes."""
    hierarchy = setting.hierarchy

    def stream() -> np.random.Generator:
        return np.random.default_rng([seed, STREAM])

    def perturbed(kind: str, rate: float) -> LabelSets:
        return perturb(setting.truth, kind, rate, hierarchy=hierarchy, seed=stream())

    for kind in changes.kinds:
        if kind in without:
            continue
        yield Trial(
            "prediction",
            kind,
            changes.rates,
            lambda rate, kind=kind: replace(setting, predictions=[perturbed(kind, rate)]),  # type: ignore[misc]
        )
        yield Trial(
            "truth",
            kind,
            changes.rates,
            lambda rate, kind=kind: replace(setting, truth=perturbed(kind, rate)),  # type: ignore[misc]
        )
    if hierarchy is None or "ontology" in without:
        return
    yield Trial(
        "ontology",
        "insert nodes",
        changes.rates,
        lambda rate: setting.carried(insert_nodes(hierarchy, rate, seed=stream())),
    )
    levels = collapsed_levels(hierarchy.levels)
    if levels:
        yield Trial(
            "ontology",
            COLLAPSED,
            levels,
            lambda level: setting.carried(collapse_level(hierarchy, int(level))),
        )
