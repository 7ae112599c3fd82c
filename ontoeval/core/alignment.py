"""Aligned: what batches of label sets and of label scores have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Self

from ontoeval.core.checks import whole_number
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.named_matrix import refuse_misaligned
from ontoeval.core.remade import Remade
from ontoeval.core.resampling import in_order
from ontoeval.core.views import Viewed
from ontoeval.errors import InputError, MeasureError


class Aligned(Remade, Viewed):
    """A truth and a prediction over the same samples and concepts, in the same order."""

    truth: LabelSets
    prediction: Any
    hierarchy: Hierarchy | None

    def __post_init__(self) -> None:
        """Refuse sides that do not speak of the same things."""
        remedy = "Use ontoeval.align(truth, prediction) to bring them into one order."
        refuse_misaligned(self.truth, self.prediction, remedy)
        if self.hierarchy is not None and self.hierarchy.label_vocabulary != self.truth.vocabulary:
            raise InputError("the label sets have other concepts than the hierarchy has labels", remedy)

    def __len__(self) -> int:
        """Count the samples."""
        return len(self.truth)

    def required_hierarchy(self, wanted_by: str) -> Hierarchy:
        """Return the hierarchy, or say what it is needed for.

        Parameters
        ----------
        wanted_by
            The measure that needs it.

        Returns
        -------
        Hierarchy
            The hierarchy.

        Raises
        ------
        MeasureError
            If there is none.
        """
        if self.hierarchy is None:
            raise MeasureError(
                f"{wanted_by} needs a hierarchy. Pass hierarchy=ontology.hierarchy(), or --ontology FILE."
            )
        return self.hierarchy

    def rows(self, begin: int, end: int) -> Self:
        """Cut out some consecutive samples.

        Parameters
        ----------
        begin
            Position of the first.
        end
            Position after the last.

        Returns
        -------
        Self
            These samples alone.
        """
        cut: Self = replace(  # type: ignore[type-var]
            self, truth=self.truth.rows(begin, end), prediction=self.prediction.rows(begin, end)
        )
        return cut

    def take(self, samples: Sequence[str]) -> Self:
        """Pick samples by name."""
        taken: Self = replace(  # type: ignore[type-var]
            self, truth=self.truth.take(samples), prediction=self.prediction.take(samples)
        )
        return taken

    @cached_property
    def in_order(self) -> Self:
        """The same samples as they are drawn, so that the order of the rows of a file changes nothing."""
        samples = in_order(self.truth.samples)
        return self if samples == self.truth.samples else self.take(samples)

    def chunks(self, size: int) -> Iterator[Self]:
        """Go through the samples a few at a time.

        Parameters
        ----------
        size
            Most samples in a chunk.

        Yields
        ------
        Self
            One chunk after the other; one empty chunk where there are no samples.

        Raises
        ------
        ParameterError
            If the size is less than 1.
        """
        size = whole_number("size", size, 1)
        for begin in range(0, max(len(self), 1), size):
            yield self.rows(begin, min(begin + size, len(self)))
