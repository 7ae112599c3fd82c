"""Totals: sums of statistics, collected from batches and merged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ontoeval.batch import Batch, ScoredBatch
from ontoeval.errors import InputError, MeasureError
from ontoeval.hierarchy import Hierarchy
from ontoeval.measures.base import Measure, fact
from ontoeval.measures.catalogue import measures_of
from ontoeval.statistics.sums import Statistic
from ontoeval.vocabulary import Vocabulary

AT_ONCE = 20_000
"""Samples that are looked at together: sets with all their ancestors take much room."""

_OTHER = {
    "scores": "compares label sets, but the prediction is made of scores. "
    "Give a threshold: scores.at(0.5), or --threshold 0.5.",
    "sets": "ranks labels by their scores, but the prediction is made of label sets. "
    "Read scores: read_scores(path, ontology).",
}
"""What is wrong with a measure of the other kind, by what a batch has."""


@dataclass(frozen=True, eq=False)
class Totals:
    """Sums of statistics over samples: all that scores are made of.

    Parameters
    ----------
    measures
        The measures that the sums are for, by notation.
    sums
        One sum per statistic.
    samples
        How many samples were summed.
    vocabulary
        The concepts.
    hierarchy
        The hierarchy, if there is one.
    verified
        Of how many labels of samples it was known whether they are true, where not of all; with what follows
        in the hierarchy.

    See Also
    --------
    collect : Make totals from a batch.
    merge : Add totals of different samples.
    score : Compute the scores.
    """

    measures: Mapping[str, Any]
    sums: Mapping[Statistic, NDArray[np.float64]]
    samples: int
    vocabulary: Vocabulary
    hierarchy: Hierarchy | None = None
    verified: int | None = None


def collect(batch: Batch | ScoredBatch, measures: Iterable[str | Measure] | str) -> Totals:
    """Sum the statistics that some measures need; measures that need the same share it.

    Parameters
    ----------
    batch
        Some samples, or all.
    measures
        Notations or measures.

    Returns
    -------
    Totals
        The sums, which `merge` adds to those of other samples, unless a measure needs all samples
        at once.

    Raises
    ------
    MeasureError
        If a measure cannot be read, needs a hierarchy that is not there, or is one of sets where
        the batch has scores, or the other way round.

    Examples
    --------
    >>> from ontoeval import LabelSets, align, merge, score
    >>> batch = align(*map(LabelSets.from_array, ([[1, 0], [1, 1]], [[1, 0], [0, 1]])))
    >>> score(merge(*(collect(chunk, "F") for chunk in batch.chunks(1)))).scores
    {'F': 0.8}
    """
    chosen = measures_of(measures)
    refuse_others(batch, chosen)
    mergeable = {key: bool(fact(measure, "mergeable")) for key, measure in chosen.items()}
    added = [chosen[key].statistic for key in chosen if mergeable[key]]
    added += [check for m in chosen.values() if (check := getattr(m, "truth_check", None)) is not None]
    whole = [chosen[key].statistic for key in chosen if not mergeable[key]]
    sums = {statistic: statistic(batch).total() for statistic in dict.fromkeys(whole)}
    for part in batch.chunks(AT_ONCE) if len(batch) > AT_ONCE else [batch]:
        for statistic in dict.fromkeys(one for one in added if one not in whole):
            total = statistic(part).total()
            sums[statistic] = sums[statistic] + total if statistic in sums else total
    known = batch.known if isinstance(batch, Batch) else None
    verified = None if known is None else int(known.nnz)
    return Totals(chosen, sums, len(batch), batch.truth.vocabulary, batch.hierarchy, verified)


def refuse_others(batch: Batch | ScoredBatch, measures: Mapping[str, Any]) -> None:
    """Refuse measures of sets where there are scores, and the other way round.

    Parameters
    ----------
    batch
        Sets or scores.
    measures
        The measures by notation.

    Raises
    ------
    MeasureError
        If a measure is of the other kind.
    """
    has = kind(batch)
    other = [notation for notation, measure in measures.items() if fact(measure, "takes") != has]
    if other:
        raise MeasureError(f"{', '.join(other)}: {_OTHER[has]}")


def kind(batch: Batch | ScoredBatch) -> Literal["sets", "scores"]:
    """Tell what a batch is made of, as measures say what they take.

    Parameters
    ----------
    batch
        Sets or scores.

    Returns
    -------
    str
        "sets" or "scores".
    """
    return "scores" if isinstance(batch, ScoredBatch) else "sets"


def merge(*parts: Totals) -> Totals:
    """Add totals of different samples.

    Parameters
    ----------
    *parts
        Totals of the same measures over the same concepts and hierarchy.

    Returns
    -------
    Totals
        Their sum.

    Raises
    ------
    InputError
        If there are none, or they were not collected alike.
    MeasureError
        If there are several, and a measure needs all samples at once.
    """
    if not parts:
        raise InputError("no totals to merge", "Collect at least one batch.")
    first = parts[0]
    single = [notation for notation, measure in first.measures.items() if not fact(measure, "mergeable")]
    if single and len(parts) > 1:
        raise MeasureError(f"{', '.join(single)}: needs all samples at once, so its parts cannot be summed.")
    for part in parts[1:]:
        if dict(part.measures) != dict(first.measures) or part.vocabulary != first.vocabulary:
            raise InputError("totals of different measures or concepts", "Collect all parts alike.")
        digests = [None if p.hierarchy is None else p.hierarchy.digest for p in (part, first)]
        if digests[0] != digests[1]:
            raise InputError("totals over different hierarchies", "Collect all parts alike.")
    sums = {statistic: np.sum([part.sums[statistic] for part in parts], axis=0) for statistic in first.sums}
    samples = sum(part.samples for part in parts)
    verified = None
    if any(part.verified is not None for part in parts):
        all_known = [part.samples * len(part.vocabulary) for part in parts]
        counts = [part.verified for part in parts]
        verified = sum(a if count is None else count for a, count in zip(all_known, counts, strict=True))
    return Totals(first.measures, sums, samples, first.vocabulary, first.hierarchy, verified)
