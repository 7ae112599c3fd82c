"""What is found out about annotators: one call, one result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ontoeval.annotators.annotations import Annotations, annotations_of
from ontoeval.annotators.estimates import NAMES, Estimate, Estimates, estimates
from ontoeval.annotators.notes import notes_on
from ontoeval.annotators.rest import Annotator, against_rest
from ontoeval.annotators.set_alpha import MOST_SETS, PAIRS, SetAlpha, alphas
from ontoeval.annotators.sets import COUNTED, HIERARCHICAL, SetDistance
from ontoeval.annotators.single_labels import of_single_labels
from ontoeval.annotators.votes import Votes
from ontoeval.core.checks import several, share_or_none, whole_number
from ontoeval.core.choices import IntervalMethod
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.resampling import Bootstrap
from ontoeval.core.showing import reports
from ontoeval.errors import InputError, ParameterError, counted, listed, one_of

if TYPE_CHECKING:
    from ontoeval.core.table import Table


COST = "depth-weighted"
"""The costs of the hierarchical distance where nothing is said."""


class PairKappa(NamedTuple):
    """How two annotators agree."""

    first: str
    second: str
    samples: int
    decisions: int
    kappa: float


@dataclass(frozen=True, eq=False)
class Agreement:
    """How far annotators agree.

    Parameters
    ----------
    annotations
        Who said what.
    estimates
        Coefficients of each concept, their means, and those of all decisions together.
    single
        Where every sheet has exactly one label: coefficients with the labels as categories.
    sets
        Krippendorff's alpha of whole label sets, by each distance.
    annotators
        Each annotator beside the rest.
    bootstrap
        How samples were drawn for the intervals.
    level
        How often intervals hold.
    method
        How they were made of resamples.
    cost
        The costs of the hierarchical distance.
    hierarchy
        What they are costs of.
    """

    annotations: Annotations
    estimates: Estimates
    single: Mapping[str, Estimate]
    sets: tuple[SetAlpha, ...]
    annotators: tuple[Annotator, ...]
    bootstrap: Bootstrap
    level: float
    method: IntervalMethod
    cost: str
    hierarchy: Hierarchy | None = None

    @property
    def concepts(self) -> tuple[str, ...]:
        """The concepts, in the order of the estimates."""
        return self.annotations.vocabulary.concepts

    @property
    def pairs(self) -> tuple[PairKappa, ...]:
        """Cohen's kappa of each pair of annotators who have a sample in common."""
        names, pairs = self.annotations.annotators, self.estimates.pairs
        columns = (
            [names[row] for row in pairs.first.tolist()],
            [names[row] for row in pairs.second.tolist()],
            pairs.shared.tolist(),
            self.estimates.counts.both.astype(int).tolist(),
            self.estimates.kappa.tolist(),
        )
        return tuple(PairKappa(*row) for row in zip(*columns, strict=True))

    def tables(self) -> dict[str, Table]:
        """Show what was found out.

        Returns
        -------
        dict of str to Table
            "concepts", "overall" (all concepts together), "sets" (whole label sets), "annotators", and
            "pairs" of them.
        """
        return reports("tables")(self)  # type: ignore[no-any-return]

    def report(self, **options: Any) -> str:  # noqa: ANN401 - those of the page
        """Write a report as one HTML page that needs nothing else.

        Parameters
        ----------
        **options
            Those of `ontoeval.reports.agreement.report`.

        Returns
        -------
        str
            The page.

        Raises
        ------
        MissingExtraError
            If the extra "report" is not installed.
        """
        return reports("report")(self, **options)  # type: ignore[no-any-return]

    def weights(self, coefficient: str = "majority", *, undefined: float | None = None) -> dict[str, float]:
        """Take a coefficient as the agreement that the ontology score weighs its costs with.

        Parameters
        ----------
        coefficient
            One of `ontoeval.annotators.estimates.NAMES`.
        undefined
            The weight of concepts for which it is undefined; without it they are left out.

        Returns
        -------
        dict of str to float
            Numbers in [0, 1]: agreement worse than chance is 0.

        Raises
        ------
        ParameterError
            If there is no such coefficient, or `undefined` is no share.
        """
        one_of("coefficient", coefficient, NAMES)
        undefined = share_or_none("undefined", undefined)
        values = self.estimates.concepts[coefficient].value
        filled = values if undefined is None else np.where(np.isnan(values), undefined, values)
        rows = zip(self.concepts, np.clip(filled, 0, 1).tolist(), np.isfinite(filled), strict=True)
        return {concept: value for concept, value, defined in rows if defined}

    def lost(self, coefficient: str) -> tuple[str, ...]:
        """Say what the weights of a coefficient do not tell.

        Parameters
        ----------
        coefficient
            One of `ontoeval.annotators.estimates.NAMES`.

        Returns
        -------
        tuple of str
            Sentences.
        """
        below = int((self.estimates.concepts[coefficient].value < 0).sum())
        lacking = self.estimates.undefined[coefficient]
        counts = (
            (below, "agreement below chance, which weighs 0"),
            (lacking, "no weight unless --undefined gives one, or score --agreement-default"),
        )
        return tuple(
            f"{count:,} of {counted(len(self.concepts), 'concept')}: {what}"
            for count, what in counts
            if count
        )

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know, in words."""
        return notes_on(self.annotations, self.estimates, self.sets, self.hierarchy, self.bootstrap.resamples)


def agreement(
    annotations: Annotations | Any,  # noqa: ANN401 - a frame of any library
    *,
    hierarchy: Hierarchy | None = None,
    cost: str = COST,
    sets: Sequence[str] | str | None = None,
    resamples: int = 1000,
    level: float = 0.95,
    interval: IntervalMethod = "percentile",
    seed: int = 0,
    most_sets: int = MOST_SETS,
    pairs: int = PAIRS,
) -> Agreement:
    """Find out how far annotators agree.

    Parameters
    ----------
    annotations
        Who said what: annotations, a data frame that `Annotations.from_frame` reads, or the labels of each
        annotator.
    hierarchy
        Tells how far apart concepts are, for the hierarchical distance between sets.
    cost
        Its costs, see `ontoeval.concepts.costs.costs_by_name`.
    sets
        Distances by which whole sets are compared: "exact", "jaccard", "masi", and with a hierarchy
        "hierarchical"; by default all of them.
    resamples
        How often samples are drawn for the intervals.
    level
        How often intervals hold.
    interval
        How they are made of resamples: "percentile", or "bca", which corrects their bias, for α of few
        samples above all.
    seed
        Where the random numbers begin.
    most_sets
        Up to so many distinct sets all pairs of them are compared.
    pairs
        How many pairs of sheets are drawn otherwise.

    Returns
    -------
    Agreement
        What was found out.

    Raises
    ------
    InputError
        If no sample has two annotators, or there is no concept.
    ParameterError
        If an option has no such value, or costs are named that nothing uses.

    Examples
    --------
    >>> said = Annotations.from_sets({"Ann": [["a"], ["a", "b"]], "Bob": [["a"], ["a"]]})
    >>> agreement(said, resamples=100).weights()
    {'a': 1.0, 'b': 0.75}
    """
    annotations = annotations_of(annotations)
    known = (*COUNTED, *([] if hierarchy is None else [HIERARCHICAL]))
    chosen = known if sets is None else tuple(several(sets))
    for distance in chosen:
        if distance == HIERARCHICAL and hierarchy is None:
            raise ParameterError("sets", distance, "a hierarchy beside it, whose costs it is made of")
        one_of("sets", distance, known)
    if cost != COST and HIERARCHICAL not in chosen:
        raise ParameterError("cost", cost, "a hierarchical distance between sets, and with it a hierarchy")
    most_sets, pairs = whole_number("most_sets", most_sets), whole_number("pairs", pairs, 1)
    number = counted(len(annotations.samples), "sample")
    if not len(annotations.vocabulary):
        raise InputError(
            f"no concept in the annotations of {number} by {listed(annotations.annotators)}",
            "Where nobody saw anything, list the concepts that they looked for, or give an ontology.",
        )
    if not (annotations.sheets_of_samples > 1).any():
        raise InputError(
            f"no sample has two annotators ({number} of {listed(annotations.annotators)})",
            "Give annotations in which two annotators have seen the same samples.",
        )
    annotations = annotations.in_order(annotators=False)
    bootstrap, votes = Bootstrap(resamples=resamples, seed=seed), Votes.of(annotations)
    distances = tuple(SetDistance(kind, hierarchy, cost) for kind in chosen)
    return Agreement(
        annotations,
        estimates(annotations, votes, bootstrap=bootstrap, level=level, method=interval),
        MappingProxyType(
            of_single_labels(annotations, votes, bootstrap=bootstrap, level=level, method=interval)
        ),
        alphas(
            annotations,
            distances,
            bootstrap=bootstrap,
            level=level,
            method=interval,
            most_sets=most_sets,
            pairs=pairs,
        ),
        against_rest(annotations, votes),
        bootstrap,
        level,
        interval,
        cost,
        hierarchy,
    )
