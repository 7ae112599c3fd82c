"""Totals: sums of statistics over samples, collected from batches and merged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.batch import Batch, ScoredBatch
from ontoeval.core.graphs import front_door
from ontoeval.core.hierarchy import Hierarchy, identity_of
from ontoeval.core.resampling import Bootstrap, Portion, chunks, portions_of
from ontoeval.core.sample_weights import SampleWeight
from ontoeval.core.shares import ShareLevels
from ontoeval.core.showing import Brief
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, MeasureError, ParameterError, pluralise
from ontoeval.measures.base import Measure, Measures, info, measure_blamed
from ontoeval.measures.catalogue import measures_of, name
from ontoeval.measures.sums import (
    Rows,
    Statistic,
    Summed,
    Weighable,
    add_sums,
    addends,
    addends_of,
    join_addends,
    sum_of_addends,
    with_sample_weights,
)
from ontoeval.plumbing.memory import require
from ontoeval.plumbing.workers import checked_workers, mapped, using_workers

_Sums = dict[Statistic, NDArray[np.float64]]

KeptRows = dict[int, dict[Statistic, Summed]]
"""Rows of the statistics that can be summed, of each portion of the samples `in_order`, by its begin."""

_KEPT = 20_000_000
"""Most numbers of rows that are kept rather than computed again for every chunk of resamples: 160 MB."""

AT_ONCE = 20_000
"""Samples in a portion: sets with all their ancestors take much memory."""

_KNOWN = (
    "where known terms are left out (known=, --known). "
    "Such are Fmax, wFmax, microFmax, Smin, and F, P, R, hF, hP, hR and Hamming."
)
_SHARES = (
    "for shares of annotators, which do not say which labels were given together. Score the annotations "
    "themselves; or take micro and macro averages of F, P, R, Jaccard, hF, hP and hR, or Hamming."
)
"""Where measures are not defined, and which are."""

_OTHER = {
    "scores": "compares label sets, but the prediction is made of scores. "
    "Give a threshold: scores.at(0.5), or --threshold 0.5.",
    "sets": "ranks labels by their scores, but the prediction is made of label sets. "
    "Read scores: ontoeval.read_scores(path, ontology).",
}
"""Message about a measure of the other kind, by what a batch has."""


@dataclass(frozen=True, eq=False, repr=False)
class Totals(Brief):
    """Sums of statistics over samples, from which scores are computed.

    Parameters
    ----------
    measures
        The measures that the sums are for, by notation.
    addends
        Few rows per statistic, which add up to exactly the sum over the samples; so neither the order of the
        samples nor the parts in which they were summed change a score.
    samples
        Number of samples.
    vocabulary
        The concepts.
    hierarchy
        The hierarchy, if there is one.
    verified
        Number of known labels of samples, with those that follow in the hierarchy; None where all are known.
    bootstrap
        How the samples were resampled, if they were.
    replicates
        Sums of every resample, one row each, per statistic.
    weights
        Addends of the sum of the sample weights; None where each sample counts once.
    """

    measures: Mapping[str, Any]
    addends: Mapping[Statistic, NDArray[np.float64]]
    samples: int
    vocabulary: Vocabulary
    hierarchy: Hierarchy | None = None
    verified: int | None = None
    bootstrap: Bootstrap | None = None
    replicates: Mapping[Statistic, NDArray[np.float64]] = field(default_factory=dict, repr=False)
    weights: NDArray[np.float64] | None = field(default=None, repr=False)

    @property
    def weight(self) -> float:
        """Sum of the sample weights; the number of samples where each counts once."""
        return float(self.samples if self.weights is None else sum_of_addends(self.weights)[0])

    @property
    def counts(self) -> str:
        """Numbers of samples and concepts in words, and the sum of the weights."""
        concepts = pluralise(len(self.vocabulary), "concept")
        if self.weights is None:
            return f"{pluralise(self.samples, 'sample')}, {concepts}"
        return f"{pluralise(self.samples, 'weighted sample')} (weights sum to {self.weight:.12g}), {concepts}"

    @property
    def _brief(self) -> str:
        return f"{self.counts}, {pluralise(len(self.measures), 'measure')}"

    @property
    def sums(self) -> Mapping[Statistic, NDArray[np.float64]]:
        """One sum per statistic: the number next to the exact one in each column."""
        return {statistic: sum_of_addends(some) for statistic, some in self.addends.items()}


@front_door
def collect(
    batch: Batch | ScoredBatch,
    measures: Measures,
    *,
    bootstrap: Bootstrap | None = None,
    sample_weight: SampleWeight | None = None,
    workers: int | None = None,
) -> Totals:
    """Sum the statistics of measures over samples; measures with the same statistic share it.

    Parameters
    ----------
    batch
        Some samples, or all.
    measures
        Notations, measures or functions, or a single one.
    bootstrap
        Resamples for intervals of the scores. Parts can be merged if the weights are Poisson numbers, which
        depend on nothing but the sample: ``ontoeval.core.Bootstrap(weights="poisson")``.
    sample_weight
        What each sample counts for, see `evaluate`. A batch that is cut takes the weights in
        `align`.
    workers
        Number of threads that work at the same time, each on 20,000 samples; by default 1. The sums are the
        same to the last bit.

    Returns
    -------
    Totals
        The sums, which `merge` adds to those of other samples, unless a measure needs all samples
        at once.

    Raises
    ------
    MeasureError
        If a measure cannot be read, needs a hierarchy and has none, or takes sets where the batch has scores,
        or the other way round.
    ParameterError
        If the number of workers is no whole number of at least 1.

    Examples
    --------
    >>> from ontoeval import LabelSets, align, merge, score
    >>> batch = align(*map(LabelSets.from_array, ([[1, 0], [1, 1]], [[1, 0], [0, 1]])))
    >>> score(merge(*(collect(chunk, "F") for chunk in batch.chunks(1)))).scores
    {'F': 0.8}
    """
    workers = checked_workers(workers)
    if not isinstance(batch, Batch | ScoredBatch):
        raise InputError(
            f"a {type(batch).__name__} stands where a batch belongs",
            "Make one: collect(ontoeval.align(truth, prediction, hierarchy=...), measures).",
        )
    chosen = measures_of(measures)
    with using_workers(workers):
        return totals_of(batch.weighted(sample_weight), chosen, bootstrap)


def unclosed_of(batch: object, sample_of: Mapping[str, str] | None = None) -> Sequence[int]:
    """Count the true and the predicted sets that lack ancestors of their labels; nothing where none could."""
    # Verified labels imply their ancestors, and the sets of several annotators are as they gave them.
    if not isinstance(batch, Batch) or batch.hierarchy is None or sample_of or batch.known is not None:
        return ()
    return [int(side.unclosed(batch.hierarchy).sum()) for side in (batch.truth, batch.prediction)]


def totals_of(
    batch: Batch | ScoredBatch,
    chosen: Mapping[str, Any],
    bootstrap: Bootstrap | None = None,
    kept: KeptRows | None = None,
) -> Totals:
    """Sum the statistics of measures by their notations over the samples of a batch; keep rows if asked."""
    refuse_others(batch, chosen)
    mergeable = {key: bool(info(measure, "mergeable")) for key, measure in chosen.items()}
    added = {chosen[key].statistic: chosen[key] for key in chosen if mergeable[key]}
    checks = [check for m in chosen.values() if (check := getattr(m, "truth_check", None)) is not None]
    whole = {chosen[key].statistic: chosen[key] for key in chosen if not mergeable[key]}
    # What comes along with another statistic is asked for after it.
    asked = dict.fromkeys(one for one in (*added, *checks) if one not in whole)
    asked = dict.fromkeys(sorted(asked, key=lambda one: not hasattr(one, "beside")))
    sums, replicates = _Sums(), _Sums()
    for one, measure in whole.items():
        # Sums of weighted ranks depend on the order.
        side = batch if batch.sample_weight is None else batch.in_order
        own = _rows(one, measure, side)
        sums[one] = addends_of(own)
    given = batch
    if bootstrap is not None or kept is not None:
        batch = batch.in_order

    def summed(cut: tuple[slice, Portion]) -> tuple[_Sums, _Sums]:
        place, portion = cut
        part = batch if len(portion.samples) == len(batch) else batch.rows(place.start, place.stop)
        rows = {one: _rows(one, added.get(one), part, keep=kept is not None) for one in asked}
        some = {one: addends_of(found) for one, found in rows.items()}
        if kept is not None:
            kept.setdefault(portion.begin, {}).update({one: rows[one] for one in added})
        if part is not given:
            part.forget()
        if bootstrap is None:
            return some, {}
        if not place.start:
            named = {key: measure.statistic for key, measure in chosen.items() if mergeable[key]}
            _refuse_without_memory({key: some[one] for key, one in named.items()}, bootstrap)
        drawn = {one: found for one, found in rows.items() if one not in checks}
        return some, _resampled(drawn, bootstrap, portion)

    for some, drawn in mapped(summed, portions_in(batch)):
        for one, found in some.items():
            sums[one] = join_addends(sums[one], found) if one in sums else found
        add_sums(replicates, drawn)
    known = batch.known if isinstance(batch, Batch) else None
    verified = None if known is None else int(known.nnz)
    weights = None if given.sample_weight is None else addends(given.sample_weight[:, None])
    return Totals(
        chosen, sums, len(batch), batch.vocabulary, batch.hierarchy, verified, bootstrap, replicates, weights
    )


def totals_of_both(
    batch: Batch | ScoredBatch,
    threshold: float | Mapping[str, float] | None,
    chosen: Mapping[str, Any],
    total: Callable[[Batch | ScoredBatch, Mapping[str, Any]], Totals] = totals_of,
) -> tuple[Totals, Batch | None]:
    """Sum the statistics of measures, and make of scores the label sets at a threshold if there is one."""
    if threshold is None:
        return total(batch, chosen), None
    if not isinstance(batch, ScoredBatch):
        raise ParameterError("threshold", threshold, "scores as prediction, of which it makes label sets")
    sets, parts = batch.at(threshold), []
    for side in (batch, sets):
        own = {key: one for key, one in chosen.items() if info(one, "takes") == kind_of_batch(side)}
        if own:
            parts.append(total(side, own))
    addends = {statistic: some for part in parts for statistic, some in part.addends.items()}
    return replace(parts[0], measures=dict(chosen), addends=addends), sets


def portions_in(batch: Batch | ScoredBatch) -> list[tuple[slice, Portion]]:
    """Cut samples into portions that are summed one by one."""
    return portions_of(batch.truth.samples, AT_ONCE)


def _rows(
    statistic: Statistic, measure: Measure | None, batch: Batch | ScoredBatch, *, keep: bool = False
) -> Summed:
    """Rows of a statistic, times the weights of the samples where a measure needs them."""
    with measure_blamed(statistic):
        rows: Any = batch.derive(statistic)
    if keep and 0 < len(rows) * getattr(rows, "width", 0) <= _KEPT:  # rows that are computed on demand
        rows = Rows(rows.values)
    return rows if measure is None else weighted_rows(measure, rows, batch)


def weighted_rows(measure: Measure, rows: Summed, batch: Batch | ScoredBatch) -> Summed:
    """Multiply the rows of a measure's statistic by the weights of the samples, if they have some."""
    found: Summed | None = with_sample_weights(rows, batch.sample_weight)
    unclear = batch.sample_weight is not None and not info(measure, "mergeable")
    if found is None or (unclear and not isinstance(found, Weighable)):
        raise MeasureError(
            f"{name(measure)} is not defined for weighted samples. Leave it out, or pass no sample_weight "
            "(--sample-weights) and no group (--groups)."
        )
    return found


def _refuse_without_memory(sums: Mapping[str, NDArray[np.float64]], bootstrap: Bootstrap) -> None:
    """Refuse resamples whose sums, and those of a portion that are added, do not fit into memory."""
    number = sum({id(some): some.shape[-1] for some in sums.values()}.values())
    widest = max(sums, key=lambda key: sums[key].shape[-1], default="")
    require(
        16.0 * bootstrap.resamples * number,
        f"Adding up {bootstrap.resamples:,} resamples of {number:,} sums, most of them for {widest},",
        "Take fewer resamples, fewer concepts, or measures that do not average over concepts.",
    )


def _resampled(rows: Mapping[Statistic, Summed], bootstrap: Bootstrap, portion: Portion) -> _Sums:
    """Sum the rows of a portion in every resample."""

    def drawn(chunk: tuple[int, int]) -> _Sums:
        weights = bootstrap.draw(*chunk, portion)
        return {statistic: weights @ found for statistic, found in rows.items()}

    parts = list(mapped(drawn, chunks(bootstrap.resamples)))
    return {statistic: np.concatenate([part[statistic] for part in parts]) for statistic in rows}


def refuse_others(batch: Batch | ScoredBatch, measures: Mapping[str, Any]) -> None:
    """Raise if measures of sets meet scores, or the other way round."""
    for flag, given, where in (
        ("known_terms", batch.excluded is not None, _KNOWN),
        ("of_shares", isinstance(batch.truth, ShareLevels), _SHARES),
    ):
        unfit = [notation for notation, measure in measures.items() if given and not info(measure, flag)]
        if unfit:
            raise MeasureError(f"{', '.join(unfit)} {'is' if len(unfit) == 1 else 'are'} not defined {where}")
    has = kind_of_batch(batch)
    other = [notation for notation, measure in measures.items() if info(measure, "takes") != has]
    if other:
        raise MeasureError(f"{', '.join(other)}: {_OTHER[has]}")


def kind_of_batch(batch: Batch | ScoredBatch) -> Literal["sets", "scores"]:
    """Kind of labels in a batch, as measures declare what they take."""
    return "scores" if isinstance(batch, ScoredBatch) else "sets"


def merge(*parts: Totals) -> Totals:
    """Add totals of different samples.

    Parameters
    ----------
    *parts
        Totals of the same measures over the same concepts and hierarchy.

    Raises
    ------
    InputError
        If there are no totals, or they were not collected alike.
    MeasureError
        If there are several totals, and a measure needs all samples at once.
    """
    _refuse_no_totals(parts)
    first = parts[0]
    if len(parts) > 1:
        refuse_unsummed(first.measures)
    if len({part.weights is None for part in parts}) > 1:
        raise InputError(
            "totals of weighted and of unweighted samples",
            "Collect all parts with sample_weight=, a weight of 1 where there is none, or all without.",
        )
    for part in parts[1:]:
        if dict(part.measures) != dict(first.measures) or part.vocabulary != first.vocabulary:
            remedy = "Collect the same in all parts; name all concepts by classes=[...] or a hierarchy."
            raise InputError("totals of different measures or concepts", remedy)
        if identity_of(part.hierarchy) != identity_of(first.hierarchy):
            raise InputError("totals over different hierarchies", "Use one hierarchy for all parts.")
    if len(parts) > 1 and any(part.bootstrap is not None for part in parts):
        drawn = {part.bootstrap for part in parts}
        if len(drawn) > 1 or first.bootstrap is None or first.bootstrap.weights != "poisson":
            raise InputError(
                "resamples of parts that do not belong together",
                "Collect every part with the same ontoeval.core.Bootstrap(weights='poisson', ...).",
            )
    sums = {one: join_addends(*(part.addends[one] for part in parts)) for one in first.addends}
    replicates = {one: np.sum([part.replicates[one] for part in parts], axis=0) for one in first.replicates}
    samples = sum(part.samples for part in parts)
    verified = None
    if any(part.verified is not None for part in parts):
        all_known = [part.samples * len(part.vocabulary) for part in parts]
        counts = [part.verified for part in parts]
        verified = sum(a if count is None else count for a, count in zip(all_known, counts, strict=True))
    given = [part.weights for part in parts if part.weights is not None]
    weights = join_addends(*given) if given else None
    return replace(
        first, addends=sums, samples=samples, verified=verified, replicates=replicates, weights=weights
    )


def refuse_unsummed(measures: Mapping[str, Any]) -> None:
    """Refuse measures that need all samples at once."""
    if single := [notation for notation, measure in measures.items() if not info(measure, "mergeable")]:
        raise MeasureError(
            f"{', '.join(single)}: needs all samples at once, so parts cannot be summed. Keep the "
            "predictions, and call ontoeval.evaluate(...) at the end."
        )


def _refuse_no_totals(parts: Sequence[object]) -> None:
    """Refuse to merge nothing, or a list of totals."""
    if not parts:
        raise InputError("no totals to merge", "Collect at least one batch.")
    if other := next((part for part in parts if not isinstance(part, Totals)), None):
        kind = type(other).__name__
        raise InputError(
            f"a {kind} stands where totals belong", "Write merge(first, second) or merge(*totals)."
        )
