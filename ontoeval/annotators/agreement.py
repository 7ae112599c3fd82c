"""The agreement of annotators: one call, one result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ontoeval.annotators.annotations import Annotations, annotations_of
from ontoeval.annotators.concept_agreement import (
    NAMES,
    Estimate,
    Estimates,
    estimates,
    single_label_estimates,
)
from ontoeval.annotators.leave_one_out import Annotator, leave_one_out
from ontoeval.annotators.notes import notes_on
from ontoeval.annotators.options import AgreementOptions
from ontoeval.annotators.set_agreement import SetAlpha, set_alphas, set_distances
from ontoeval.annotators.votes import Votes
from ontoeval.core.checks import unit_interval_or_none
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.showing import page_of, tables_of
from ontoeval.errors import InputError, enumerate_some, one_of, pluralise

if TYPE_CHECKING:
    from ontoeval.core.table import Table


class PairKappa(NamedTuple):
    """Cohen's kappa of two annotators, of all decisions that both take."""

    first: str
    second: str
    samples: int
    decisions: int
    kappa: float


@dataclass(frozen=True, eq=False)
class AnnotatorAgreement:
    """How far annotators agree.

    Parameters
    ----------
    annotations
        The annotations.
    estimates
        Coefficients of each concept, their means, and those of all decisions together.
    single
        Coefficients with the labels as categories, where every sheet has exactly one label.
    sets
        Krippendorff's alpha of whole label sets, by each distance.
    annotators
        Each annotator beside the majority of the others.
    options
        Resampling, intervals and costs.
    hierarchy
        The hierarchy of the hierarchical distance.
    """

    annotations: Annotations
    estimates: Estimates
    single: Mapping[str, Estimate]
    sets: tuple[SetAlpha, ...]
    annotators: tuple[Annotator, ...]
    options: AgreementOptions
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
        return tables_of(self)

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
        return page_of(self, **options)

    def weights(self, coefficient: str = "majority", *, undefined: float | None = None) -> dict[str, float]:
        """Take a coefficient for the agreement by which the ontology score weighs costs.

        Parameters
        ----------
        coefficient
            One of `ontoeval.annotators.concept_agreement.NAMES`.
        undefined
            Weight of concepts for which it is undefined; by default they are left out.

        Returns
        -------
        dict of str to float
            Numbers in [0, 1]: agreement worse than chance is 0.

        Raises
        ------
        ParameterError
            If there is no such coefficient, or `undefined` is outside [0, 1].
        """
        one_of("coefficient", coefficient, NAMES)
        undefined = unit_interval_or_none("undefined", undefined)
        values = self.estimates.concepts[coefficient].value
        filled = values if undefined is None else np.where(np.isnan(values), undefined, values)
        rows = zip(self.concepts, np.clip(filled, 0, 1).tolist(), np.isfinite(filled), strict=True)
        return {concept: value for concept, value, defined in rows if defined}

    def lost(self, coefficient: str) -> tuple[str, ...]:
        """Count the concepts whose weight says less than their coefficient.

        Parameters
        ----------
        coefficient
            One of `ontoeval.annotators.concept_agreement.NAMES`.

        Returns
        -------
        tuple of str
            Sentences.
        """
        below = int((self.estimates.concepts[coefficient].value < 0).sum())
        counts = {
            "agreement below chance, which weighs 0": below,
            "no weight unless --undefined gives one, or score --agreement-default": (
                self.estimates.undefined[coefficient]
            ),
        }
        of_all = pluralise(len(self.concepts), "concept")
        return tuple(f"{count:,} of {of_all}: {what}" for what, count in counts.items() if count)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What was left out, what counts as disagreement, and which numbers rest on little, in words."""
        return notes_on(self.annotations, self.estimates, self.sets, self.hierarchy, self.options.resamples)


def agreement(
    annotations: Annotations | Any,  # noqa: ANN401 - a frame of any library
    *,
    hierarchy: Hierarchy | None = None,
    options: AgreementOptions | None = None,
    **changes: Any,  # noqa: ANN401 - those of AgreementOptions
) -> AnnotatorAgreement:
    """Measure how far annotators agree.

    Parameters
    ----------
    annotations
        Annotations, a data frame that `Annotations.from_frame` reads, or the labels of each annotator.
    hierarchy
        The hierarchy, for the hierarchical distance between sets.
    options
        Resampling, intervals and distances between sets.
    **changes
        Single options, see `ontoeval.annotators.options.AgreementOptions`: `sets`, `cost`, `resamples`,
        `level`, `interval`, `seed`, `most_sets` and `drawn_pairs`.

    Returns
    -------
    AnnotatorAgreement
        Coefficients, intervals, and how annotators differ.

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
    options = replace(options or AgreementOptions(), **changes)
    distances = set_distances(options, hierarchy)
    number = pluralise(len(annotations.samples), "sample")
    if not len(annotations.vocabulary):
        raise InputError(
            f"no concept in the annotations of {number} by {enumerate_some(annotations.annotators)}",
            "Where nobody saw anything, list the concepts that they looked for, or give an ontology.",
        )
    if not (annotations.sheets_of_samples > 1).any():
        raise InputError(
            f"no sample has two annotators ({number} of {enumerate_some(annotations.annotators)})",
            "Give annotations in which two annotators have seen the same samples.",
        )
    annotations = annotations.in_order(annotators=False)
    votes = Votes.of(annotations)
    return AnnotatorAgreement(
        annotations,
        estimates(annotations, votes, options),
        MappingProxyType(single_label_estimates(annotations, votes, options)),
        set_alphas(annotations, distances, options),
        leave_one_out(annotations, votes),
        options,
        hierarchy,
    )
