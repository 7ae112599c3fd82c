"""Sensitivity: scores and rankings where labels, or the ontology, are changed step by step."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.changed_hierarchies import ChangedHierarchy, collapse_level, insert_nodes
from ontoeval.comparison.perturbations import ANNOTATOR, CHANGES, PERTURBATIONS, perturb, perturbable
from ontoeval.comparison.rank_correlation import tau_b
from ontoeval.comparison.reliability import Entrants
from ontoeval.comparison.result import merits_of
from ontoeval.concepts.weighting import AGREEMENT
from ontoeval.core.batch import Batch, ScoredBatch
from ontoeval.core.checks import several, share, whole_number
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.resampling import in_order
from ontoeval.errors import OntoevalError, ParameterError, counted, one_of
from ontoeval.evaluation.scoring import evaluate
from ontoeval.measures.base import fact
from ontoeval.measures.statistics.counts import mean_of_defined

RATES = (0.05, 0.1, 0.2, 0.4)
"""How much is changed by default."""

MOST_SAMPLES = 1000
"""On how many samples changes are tried by default."""

MOST_LEVELS = 10
"""How many levels are taken out of a hierarchy, each alone; of more, some spread over the depth."""


@dataclass(frozen=True, kw_only=True)
class Changes:
    """What is changed, and by how much.

    Parameters
    ----------
    kinds
        Keys of `ontoeval.comparison.perturbations.PERTURBATIONS`, or one of them.
    rates
        How much is changed, each from 0 to 1.
    samples
        Most samples on which changes are tried: of more, some drawn at random.

    Raises
    ------
    ParameterError
        If there is no such kind, a rate is no share, or there are no samples.
    """

    kinds: Sequence[str] = tuple(PERTURBATIONS)
    rates: Sequence[float] = RATES
    samples: int = MOST_SAMPLES

    def __post_init__(self) -> None:
        """Refuse what cannot be tried, before anything is computed, and take nothing twice."""
        rates = [share("rates", rate) for rate in several(self.rates)]
        object.__setattr__(self, "samples", whole_number("samples", self.samples, 1))
        object.__setattr__(self, "kinds", once("kinds", self.kinds, tuple(PERTURBATIONS)))
        object.__setattr__(self, "rates", tuple(dict.fromkeys(rates)))
        if not self.rates:
            raise ParameterError("rates", self.rates, "at least one number in [0, 1]")


def once(name: str, values: Sequence[str] | str, choices: tuple[str, ...]) -> tuple[str, ...]:
    """Take some of the choices, each once, in the order given."""
    chosen = several(values)
    if not chosen:
        raise ParameterError(name, values, f"at least one of {', '.join(choices)}")
    for value in chosen:
        one_of(name, value, choices)
    return tuple(dict.fromkeys(chosen))


def check_changes(value: object) -> None:
    """Refuse what says not what is changed."""
    if value is not None and not isinstance(value, Changes):
        raise ParameterError("changes", value, "None, or Changes(kinds=..., rates=...)")


def lacking(kind: str, *, hierarchy: bool, agreement: bool) -> str:
    """Tell what a kind of change needs and has not."""
    if kind == ANNOTATOR:
        return "" if agreement else "the annotators' agreement"
    return "a hierarchy" if CHANGES[kind].near and not hierarchy else ""


def collapsed_levels(levels: int) -> tuple[int, ...]:
    """Choose the levels that are taken out: all below the roots, or some that are spread over the depth."""
    below = max(levels - 1, 0)
    return tuple(np.linspace(1, below, min(below, MOST_LEVELS)).round().astype(int).tolist())


def trials(changes: Changes, levels: int) -> int:
    """Tell how many changes there are at most."""
    return len(changes.rates) * (2 * len(changes.kinds) + (levels > 0)) + len(collapsed_levels(levels))


Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Setting:
    """What is scored, by what."""

    measures: Mapping[str, Any]
    truth: LabelSets
    predictions: Sequence[LabelSets | LabelScores]
    hierarchy: Hierarchy | None
    threshold: float | Mapping[str, float] | None

    @property
    def of_sets(self) -> bool:
        """Whether the predictions are label sets."""
        return isinstance(self.predictions[0], LabelSets)

    def carried(self, change: ChangedHierarchy) -> Setting:
        """Move everything to a changed hierarchy."""
        sets = [change.carry(cast("LabelSets", one)) for one in self.predictions]
        return replace(self, truth=change.carry(self.truth), predictions=sets, hierarchy=change.hierarchy)

    def scores(self, title: str, skipped: dict[str, str]) -> Numbers:
        """Score all predictions."""
        fitting = {
            key: one
            for key, one in self.measures.items()
            if not self.of_sets or fact(one, "takes") != "scores"
        }
        table = np.full((len(self.predictions), len(self.measures)), np.nan)
        if fitting:
            columns = [column for column, key in enumerate(self.measures) if key in fitting]
            table[:, columns] = self._scores_by(fitting, title, skipped)
        return table

    def _scores_by(self, measures: Mapping[str, Any], title: str, skipped: dict[str, str]) -> Numbers:
        threshold = None if self.of_sets else self.threshold
        by = {"hierarchy": self.hierarchy, "measures": measures.values(), "threshold": threshold}
        try:
            found = [evaluate(self.truth, prediction, **by) for prediction in self.predictions]  # type: ignore[arg-type]
        except OntoevalError as error:
            if len(measures) > 1:  # the others may be fit for it
                each = [self._scores_by({key: one}, title, skipped) for key, one in measures.items()]
                return np.concatenate(each, axis=1)
            skipped[f"{next(iter(measures))}, {title}"] = str(error)
            return np.full((len(self.predictions), 1), np.nan)
        return np.array([list(one.scores.values()) for one in found])


def setting_of(entrants: Entrants, samples: int) -> Setting | None:
    """Take some samples of the runs."""
    chosen = [entrants.comparison.evaluations[run] for run in entrants.names]
    first = chosen[0]
    batches = [cast("Batch | ScoredBatch", one.batch) for one in chosen]
    if getattr(batches[0], "known", None) is not None:  # what is not known would count as changed
        return None
    names = in_order(batches[0].truth.samples)
    rng = np.random.default_rng(entrants.comparison.plan.seed)
    taken = tuple(names[at] for at in np.sort(rng.permutation(len(names))[:samples]))
    predictions = [batch.prediction.take(taken) for batch in batches]
    truth = batches[0].truth.take(taken)
    return Setting(first.totals.measures, truth, predictions, first.totals.hierarchy, first.threshold)


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


@dataclass(frozen=True, eq=False)
class Curve:
    """What becomes of all measures when something is changed more and more.

    Parameters
    ----------
    changed
        "prediction": the truth itself is taken for a prediction, and changed; "truth": all runs are scored
        against a changed truth; "ontology": all runs are scored with another hierarchy.
    kind
        How it is changed: a key of `ontoeval.PERTURBATIONS`, "insert nodes" or "collapse level".
    amounts
        By how much: rates, or levels.
    scores
        Mean scores of what was measured, amounts × measures.
    tau
        Correlations τ_b with the ranking by what is unchanged, amounts × measures; nan for predictions.
    """

    changed: Changed
    kind: str
    amounts: tuple[float, ...]
    scores: Numbers
    tau: Numbers

    @property
    def by_level(self) -> bool:
        """Whether the amounts are levels, which are no more and no less of a change."""
        return self.kind == COLLAPSED


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """Curves of all measures.

    Parameters
    ----------
    measures
        Notations of the measures.
    samples
        How many samples were looked at.
    unchanged
        Mean scores of the runs without any change.
    perfect
        Scores of the truth taken for a prediction: where the curves of predictions begin.
    curves
        One for each kind of change.
    skipped
        Changes that cannot be made, and measures that do not fit what they make, each with the reason.
    able
        Which share of the labels each kind of change can change at all, if it hits them: what is hit and has,
        for example, no sibling stays. Nothing of kinds that hit decisions or are not tried, nor where
        nothing may be said of the truth.
    convention
        Whether the truth is closed, and stays so when it is changed, in a sentence; empty without a
        hierarchy.
    """

    measures: tuple[str, ...]
    samples: int
    unchanged: Numbers
    perfect: Numbers
    curves: tuple[Curve, ...]
    skipped: Mapping[str, str]
    able: Mapping[str, float] = field(default_factory=dict)
    convention: str = ""

    @property
    def line(self) -> str:
        """What was changed, and by how much."""
        kinds: dict[str, dict[str, None]] = {}
        for curve in self.curves:
            kinds.setdefault(", ".join(map(str, curve.amounts)), {})[curve.kind] = None
        return "; ".join(f"{', '.join(some)} at {amounts}" for amounts, some in kinds.items())


def sensitivity(
    entrants: Entrants, changes: Changes, *, step: Callable[[], None] = lambda: None
) -> Sensitivity:
    """Change predictions, truth and ontology, and score again."""
    comparison = entrants.comparison
    setting = setting_of(entrants, changes.samples)
    if setting is None:
        undefined = np.full(len(comparison.measures), np.nan)
        reason = {"all": "of some labels it is not known whether they are true"}
        return Sensitivity(tuple(comparison.measures), 0, undefined, undefined, (), reason)

    def merits(scores: Numbers) -> Numbers:
        return merits_of(scores, setting.measures.values())

    cannot, failed = not_tried(setting, changes), dict[str, str]()
    able = able_shares(setting, set(changes.kinds) - set(cannot))
    cannot |= {kind: "it can change none of the labels" for kind, share in able.items() if not share}
    start = setting.scores("unchanged", failed)
    perfect = replace(setting, predictions=[setting.truth]).scores("the truth as prediction", failed)
    curves = []
    for trial in trials_of(setting, changes, comparison.plan.seed, cannot):
        tables = []
        for amount in trial.amounts:
            tables.append(trial.change(amount).scores(f"{trial.changed}: {trial.kind}", failed))
            step()
        tau = np.full((len(tables), len(setting.measures)), np.nan)
        if trial.changed != "prediction":
            ranked = np.stack([merits(table) for table in tables])
            tau = tau_b(np.moveaxis(ranked, 1, -1), merits(start).T)
        means = np.stack([mean_of_defined(table) for table in tables])
        curves.append(Curve(trial.changed, trial.kind, tuple(trial.amounts), means, tau))
    if comparison.public:  # errors may speak of the truth
        failed = dict.fromkeys(failed, "it cannot be scored so")
    return Sensitivity(
        tuple(setting.measures),
        len(setting.truth),
        mean_of_defined(start),
        perfect[0],
        tuple(curves),
        cannot | failed,
        {} if comparison.public else {kind: share for kind, share in able.items() if share},
        convention(setting, public=comparison.public),
    )
