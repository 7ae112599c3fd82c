"""Sensitivity: scores and rankings where labels, or the ontology, are changed step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from time import process_time
from typing import Any, Literal, cast

import numpy as np
from scipy import sparse

from ontoeval.comparison.changed_hierarchies import collapse_level, insert_nodes
from ontoeval.comparison.perturbations import ANNOTATOR, CHANGES, PERTURBATIONS, perturb, perturbable
from ontoeval.comparison.plan import Progress, silent
from ontoeval.comparison.rank_correlation import tau_b
from ontoeval.comparison.reliability import Entrants
from ontoeval.comparison.result import merits_of
from ontoeval.concepts.weighting import AGREEMENT
from ontoeval.core.batch import Batch, ScoredBatch
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.resampling import in_order
from ontoeval.core.showing import Brief
from ontoeval.errors import OntoevalError, ParameterError, one_of, pluralise, pluralise_all
from ontoeval.evaluation.alignment import AlignedRuns, SideOptions
from ontoeval.evaluation.scoring import evaluate_aligned
from ontoeval.evaluation.totals import AT_ONCE
from ontoeval.measures.base import compute, info, measure_blamed
from ontoeval.measures.counts import mean_of_defined
from ontoeval.measures.sums import Rows, RowsInBlocks, Statistic
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.checks import as_list, unit_interval, whole_number
from ontoeval.plumbing.memory import estimated
from ontoeval.plumbing.workers import mapped

Changed = Literal["prediction", "truth", "ontology"]

_Trial = tuple[Changed, str, Sequence[float]]
"""What is changed, the kind of change, and the amounts."""

RATES = (0.05, 0.1, 0.2, 0.4)
"""Default rates of changes."""

MOST_SAMPLES = 1000
"""Default number of samples on which changes are tried."""

MOST_LEVELS = 10
"""Levels that are collapsed, each alone; of more levels, some spread over the depth."""

INSERTED, COLLAPSED = "insert nodes", "collapse level"
"""Kinds of changes of the ontology; the amounts of the second are levels."""

CLOSED_SETS = (
    "Labels are changed as they are given; where the truth is closed (every set holds all ancestors "
    "of its labels), the most specific ones are changed, and sets are closed again."
)
"""How labels are changed beside a hierarchy."""

STREAM = int.from_bytes(b"changes")
"""Goes into the random seed of changes: runs are often perturbed with the same seed."""


@dataclass(frozen=True, kw_only=True)
class Changes:
    """Changes of labels and ontology that are tried.

    Parameters
    ----------
    kinds
        Keys of `ontoeval.comparison.PERTURBATIONS`, or one of these.
    rates
        Rates of change, each from 0 to 1.
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
        """Check all values before anything is computed, and take nothing twice."""
        rates = [unit_interval("rates", rate) for rate in as_list(self.rates)]
        samples = whole_number("samples", self.samples, 1)
        kinds = select_choices("kinds", self.kinds, tuple(PERTURBATIONS))
        vars(self).update(samples=samples, kinds=kinds, rates=tuple(dict.fromkeys(rates)))
        if not self.rates:
            raise ParameterError("rates", self.rates, "at least one number in [0, 1]")


def select_choices(name: str, values: Sequence[str] | str, choices: tuple[str, ...]) -> tuple[str, ...]:
    """Take some of the choices, each once, in the order given."""
    chosen = as_list(values)
    if not chosen:
        raise ParameterError(name, values, f"at least one of {', '.join(choices)}")
    for value in chosen:
        one_of(name, value, choices)
    return tuple(dict.fromkeys(chosen))


def missing_input(kind: str, *, hierarchy: bool, agreement: bool) -> str:
    """Name the input that a kind of change needs and does not have; empty if none."""
    if kind == ANNOTATOR:
        return "" if agreement else "the annotators' agreement"
    return "a hierarchy" if kind in CHANGES and CHANGES[kind].near and not hierarchy else ""


@dataclass(frozen=True, eq=False, repr=False)
class Curve(Brief):
    """Scores of all measures at growing amounts of one kind of change.

    Parameters
    ----------
    changed
        "prediction": the truth itself is taken for a prediction, and changed; "truth": all runs are scored
        against a changed truth; "ontology": all runs are scored with another hierarchy.
    kind
        A key of `ontoeval.comparison.PERTURBATIONS`, "insert nodes" or "collapse level".
    amounts
        Rates, or levels.
    scores
        Mean scores, amounts × measures.
    tau
        Correlations τ_b with the ranking without changes, amounts × measures; nan for predictions.
    """

    changed: Changed
    kind: str
    amounts: tuple[float, ...]
    scores: Numbers
    tau: Numbers

    @property
    def _brief(self) -> str:
        return f"{self.changed!r}, {self.kind!r}, {pluralise(len(self.amounts), 'amount')}"

    @property
    def by_level(self) -> bool:
        """Whether the amounts are levels, which have no order of size."""
        return self.kind == COLLAPSED


@dataclass(frozen=True, eq=False, repr=False)
class Sensitivity(Brief):
    """Sensitivity of measures to changes of labels and ontology.

    Parameters
    ----------
    measures
        Notations of the measures.
    samples
        Number of samples on which changes were tried.
    unchanged, perfect
        Scores without any change: means of the runs, and of the truth as prediction.
    curves
        One for each kind of change.
    skipped
        Changes that cannot be made, and measures that do not fit them, each with the reason.
    able
        Share of the labels that each kind can change if it hits them. Without kinds that hit decisions, and
        empty where the truth is not public.
    convention
        Whether the truth is closed, and stays so when it is changed; empty without a hierarchy.
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
    def _brief(self) -> str:
        return pluralise_all(measure=len(self.measures), curve=len(self.curves))

    @property
    def line(self) -> str:
        """Kinds and amounts of the changes."""
        kinds: dict[str, dict[str, None]] = {}
        for curve in self.curves:
            kinds.setdefault(", ".join(map(str, curve.amounts)), {})[curve.kind] = None
        return "; ".join(f"{', '.join(some)} at {amounts}" for amounts, some in kinds.items())


def sensitivity(entrants: Entrants, changes: Changes, progress: Progress = silent) -> Sensitivity:
    """Change predictions, truth and ontology, and score again."""
    comparison = entrants.comparison
    setting = _draw_setting(entrants, changes)
    if setting is None:
        undefined = np.full(len(comparison.measures), np.nan)
        reason = {"all": "of some labels it is not known whether they are true"}
        return Sensitivity(tuple(comparison.measures), 0, undefined, undefined, (), reason)
    cannot, failed = _not_tried(setting, changes), dict[str, str]()
    kinds = [kind for kind in CHANGES if kind in changes.kinds and kind not in cannot]
    able = {kind: setting.count_changeable(kind) / max(setting.count_changeable("drop"), 1) for kind in kinds}
    cannot |= {kind: "it can change none of the labels" for kind, part in able.items() if not part}
    start = setting.scores("unchanged", failed)
    perfect = replace(setting, predictions=[setting.truth]).scores("the truth as prediction", failed)

    def scores(cell: tuple[Changed, str, float]) -> tuple[Numbers, dict[str, str]]:
        changed, kind, _ = cell
        without: dict[str, str] = {}
        again = setting.apply_change(*cell, comparison.plan.seed)
        return again.scores(f"{changed}: {kind}", without), without

    trials, tables = _trials(setting, changes, cannot), list[Numbers]()
    cells = [(changed, kind, amount) for changed, kind, amounts in trials for amount in amounts]
    tried, seconds = dict[Any, tuple[Numbers, dict[str, str]]](), 0.0
    for changed, cell in {cell[0]: cell for cell in cells}.items():  # one tells how long the others take
        begin = process_time()
        tried[cell] = scores(cell)
        seconds += (process_time() - begin) * sum(changed == one[0] for one in cells)
    cheaper = "fewer samples, rates or kinds (changes=, --samples, --rate, --kind), none (--no-changes)"
    with progress(estimated("Changing", seconds, cheaper, measured=True), len(cells)) as step:
        for table, without in mapped(lambda cell: tried.get(cell) or scores(cell), cells):
            tables.append(table)
            failed |= without
            step()
    each = iter(tables)
    curves = [_curve(setting, start, trial, list(islice(each, len(trial[-1])))) for trial in trials]
    if comparison.public:  # errors may reveal the truth
        failed = dict.fromkeys(failed, "it cannot be scored so")
    scored = tuple(setting.measures), len(setting.truth), mean_of_defined(start), perfect[0]
    able = {} if comparison.public else {kind: part for kind, part in able.items() if part}
    rule = CLOSED_SETS * (setting.hierarchy is not None)
    return Sensitivity(*scored, tuple(curves), cannot | failed, able, rule)


def _curve(setting: _Setting, start: Numbers, trial: _Trial, tables: Sequence[Numbers]) -> Curve:
    changed, kind, amounts = trial
    tau = np.full((len(tables), len(setting.measures)), np.nan)
    if changed != "prediction":
        first, *others = (merits_of(table, setting.measures.values()) for table in (start, *tables))
        tau = tau_b(np.moveaxis(np.stack(others), 1, -1), first.T)
    means = np.stack([mean_of_defined(table) for table in tables])
    return Curve(changed, kind, tuple(amounts), means, tau)


@dataclass(frozen=True, eq=False)
class _Setting:
    """Truth and predictions, and what they are scored by."""

    measures: Mapping[str, Any]
    truth: LabelSets
    predictions: Sequence[LabelSets | LabelScores]
    hierarchy: Hierarchy | None
    threshold: float | Mapping[str, float] | None
    weights: Mapping[str, float] | None

    @property
    def has_label_sets(self) -> bool:
        return isinstance(self.predictions[0], LabelSets)

    def count_changeable(self, kind: str) -> int:
        """Count the true labels that a kind of change can change."""
        return int(perturbable(self.truth, kind, hierarchy=self.hierarchy).matrix.nnz)

    def apply_change(self, changed: Changed, kind: str, amount: float, seed: int) -> _Setting:
        """Apply a change to the truth taken as a prediction, to the truth, or to the ontology."""
        rng = np.random.default_rng([seed, STREAM])
        if changed != "ontology":
            labels = perturb(self.truth, kind, amount, hierarchy=self.hierarchy, seed=rng)
            return replace(self, truth=labels) if changed == "truth" else replace(self, predictions=[labels])
        old = cast("Hierarchy", self.hierarchy)
        new = collapse_level(old, int(amount)) if kind == COLLAPSED else insert_nodes(old, amount, seed=rng)
        sets = [new.carry(cast("LabelSets", one)) for one in self.predictions]
        return replace(self, truth=new.carry(self.truth), predictions=sets, hierarchy=new.hierarchy)

    def scores(self, title: str, skipped: dict[str, str]) -> Numbers:
        """Score all predictions, predictions × measures; nan by measures that do not fit."""
        places = {key: column for column, key in enumerate(self.measures)}
        measures = self.measures.items()
        fitting = {
            key: one for key, one in measures if not self.has_label_sets or info(one, "takes") != "scores"
        }
        table = np.full((len(self.predictions), len(places)), np.nan)
        if fitting:
            table[:, [places[key] for key in fitting]] = self._scores_by(fitting, title, skipped)
        return table

    def _scores_by(self, measures: Mapping[str, Any], title: str, skipped: dict[str, str]) -> Numbers:
        single = len(measures) == 1
        try:
            found = None if single else self._at_once(list(measures.values()))
            return self._one_by_one(measures) if found is None else found
        except OntoevalError as error:
            if not single:  # the others may be fit for it
                each = [self._scores_by({key: one}, title, skipped) for key, one in measures.items()]
                return np.concatenate(each, axis=1)
            skipped[f"{next(iter(measures))}, {title}"] = str(error)
            return np.full((len(self.predictions), 1), np.nan)

    def _one_by_one(self, measures: Mapping[str, Any]) -> Numbers:
        threshold = None if self.has_label_sets else self.threshold
        how = SideOptions(self.hierarchy, sample_weight=self.weights, threshold=threshold)
        runs = {str(place): one for place, one in enumerate(self.predictions)}
        given = AlignedRuns.from_labels(self.truth, runs, how)
        found = [evaluate_aligned(given, batch, measures) for batch in given.batches.values()]
        return np.array([list(one.scores.values()) for one in found])

    def _at_once(self, measures: Sequence[Any]) -> Numbers | None:
        """Score few label sets of many runs as one batch, which is faster; None where rows have no parts."""
        truth, size, tables = self.truth, max(1, len(self.truth)), list[Numbers]()
        fit = self.has_label_sets and self.weights is None and all(info(one, "mergeable") for one in measures)
        if not fit or any(one.vocabulary != truth.vocabulary for one in self.predictions):
            return None
        step = max(1, AT_ONCE // size)
        for at in range(0, len(self.predictions), step):
            some = self.predictions[at : at + step]
            names = tuple(map(str, range(len(truth) * len(some))))
            true, predicted = (
                LabelSets(sparse.vstack([one.matrix for one in side]), truth.vocabulary, names)
                for side in ([truth] * len(some), some)
            )
            batch, totals = Batch(true, predicted, self.hierarchy), dict[Statistic, Numbers]()
            for statistic in dict.fromkeys(one.statistic for one in measures):
                with measure_blamed(statistic):
                    rows = statistic(batch)
                if not isinstance(rows, Rows | RowsInBlocks):
                    return None
                rows = Rows(rows.values) if isinstance(rows, Rows) else rows
                parts = [_rows_between(rows, begin, begin + size) for begin in range(0, len(names), size)]
                totals[statistic] = np.stack([part.total() for part in parts])
            tables.append(np.stack([compute(one, totals[one.statistic]) for one in measures], axis=1))
        return np.concatenate(tables)


def _rows_between(rows: Rows | RowsInBlocks, begin: int, end: int) -> Rows | RowsInBlocks:
    if isinstance(rows, Rows):
        return Rows(rows.values[begin:end])
    between = rows.between
    return RowsInBlocks(end - begin, rows.width, lambda first, last: between(begin + first, begin + last))


def _draw_setting(entrants: Entrants, changes: Changes) -> _Setting | None:
    """Draw samples of the runs at random; None where some labels are unknown, or known before."""
    first, *_ = chosen = [entrants.comparison.evaluations[run] for run in entrants.names]
    batches = [cast("Batch | ScoredBatch", one.batch) for one in chosen]
    if getattr(batches[0], "known", None) is not None or batches[0].excluded is not None:
        # Labels that do not count would count as changed.
        return None
    truth, totals = batches[0].truth, first.totals
    names, rng = in_order(truth.samples), np.random.default_rng(entrants.comparison.plan.seed)
    taken = tuple(names[at] for at in np.sort(rng.permutation(len(names))[: changes.samples]))
    predictions = [batch.prediction.take(taken) for batch in batches]
    given = batches[0].sample_weight
    weights = None if given is None else {sample: float(given[truth.row[sample]]) for sample in taken}
    same = totals.hierarchy, first.threshold, weights
    return _Setting(totals.measures, truth.take(taken), predictions, *same)


def _not_tried(setting: _Setting, changes: Changes) -> dict[str, str]:
    """List the changes that cannot be tried, each with the reason."""
    hierarchy = setting.hierarchy
    agreed = hierarchy is not None and AGREEMENT in hierarchy.weights
    needs = {
        kind: missing_input(kind, hierarchy=hierarchy is not None, agreement=agreed) for kind in changes.kinds
    }
    reasons = {kind: f"it needs {need}" for kind, need in needs.items() if need}
    if hierarchy is None:
        reasons["ontology"] = "there is none"
    elif not setting.has_label_sets:
        reasons["ontology"] = "scores of labels cannot be carried to another hierarchy"
    elif hierarchy.levels - 1 > MOST_LEVELS:
        reasons[f"{COLLAPSED}, other levels"] = (
            f"of {hierarchy.levels - 1:,} levels {MOST_LEVELS} are taken out, spread over the depth"
        )
    return reasons


def _trials(setting: _Setting, changes: Changes, without: Mapping[str, str]) -> list[_Trial]:
    """List what is changed, the kind of change, and the amounts."""
    sides: tuple[Changed, ...] = ("prediction", "truth")
    kinds = [kind for kind in changes.kinds if kind not in without]
    found: list[_Trial] = [(side, kind, changes.rates) for kind in kinds for side in sides]
    if setting.hierarchy is not None and "ontology" not in without:
        # Roots are not collapsed.
        below = max(setting.hierarchy.levels - 1, 0)
        levels = np.linspace(1, below, min(below, MOST_LEVELS)).round().astype(int).tolist()
        found.append(("ontology", INSERTED, changes.rates))
        found += [("ontology", COLLAPSED, levels)] if levels else []
    return found
