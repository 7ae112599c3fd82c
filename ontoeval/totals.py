"""Totals: sums of statistics, collected from batches and merged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontoeval.batch import Batch
from ontoeval.errors import InputError, MeasureError
from ontoeval.hierarchy import Hierarchy
from ontoeval.measures.base import Measure, fact
from ontoeval.measures.catalogue import measures_of
from ontoeval.statistics.sums import Statistic
from ontoeval.vocabulary import Vocabulary


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


def collect(batch: Batch, measures: Iterable[str | Measure] | str) -> Totals:
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
        The sums, which `merge` adds to those of other samples.

    Raises
    ------
    MeasureError
        If a measure cannot be read, cannot be summed, or needs a hierarchy that is not there.

    Examples
    --------
    >>> from ontoeval import LabelSets, align, merge, score
    >>> batch = align(*map(LabelSets.from_array, ([[1, 0], [1, 1]], [[1, 0], [0, 1]])))
    >>> score(merge(*(collect(chunk, "F") for chunk in batch.chunks(1)))).scores
    {'F': 0.8}
    """
    chosen = measures_of(measures)
    single = [notation for notation, measure in chosen.items() if not fact(measure, "mergeable")]
    if single:
        raise MeasureError(f"{', '.join(single)}: needs all samples at once, so its parts cannot be summed.")
    wanted = [measure.statistic for measure in chosen.values()]
    wanted += [check for m in chosen.values() if (check := getattr(m, "truth_check", None)) is not None]
    sums = {statistic: statistic(batch).total() for statistic in dict.fromkeys(wanted)}
    return Totals(chosen, sums, len(batch), batch.truth.vocabulary, batch.hierarchy)


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
    """
    if not parts:
        raise InputError("no totals to merge", "Collect at least one batch.")
    first = parts[0]
    for part in parts[1:]:
        if dict(part.measures) != dict(first.measures) or part.vocabulary != first.vocabulary:
            raise InputError("totals of different measures or concepts", "Collect all parts alike.")
        digests = [None if p.hierarchy is None else p.hierarchy.digest for p in (part, first)]
        if digests[0] != digests[1]:
            raise InputError("totals over different hierarchies", "Collect all parts alike.")
    sums = {statistic: np.sum([part.sums[statistic] for part in parts], axis=0) for statistic in first.sums}
    samples = sum(part.samples for part in parts)
    return Totals(first.measures, sums, samples, first.vocabulary, first.hierarchy)
