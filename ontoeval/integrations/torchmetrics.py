"""Measures as a metric of torchmetrics, summed batch by batch and over processes."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.advice import OtherName, row_for
from ontoeval.core.choices import Threshold
from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.core.hierarchy import identity_of
from ontoeval.errors import MeasureError, habits
from ontoeval.evaluation.scoring import score
from ontoeval.evaluation.totals import refuse_unsummed
from ontoeval.integrations.columns import ArrayMeasures, ClassNames, greater_is_better
from ontoeval.measures.base import Measures
from ontoeval.measures.catalogue import full_name
from ontoeval.plumbing.checks import requires

try:
    import torch
    from torchmetrics import Metric
except ImportError:  # the class can be looked at, and says what it needs when it is made
    Metric = object

Tensor = Any
"""A tensor of torch, or a dictionary of tensors."""

BITS = 32
"""Binary digits that one number of the state holds; the others are room for sums."""

UNITS = 2.0 ** (BITS * np.arange(-4, 2))[:, None]
"""What the numbers of a sum count, from 2^-128 to 2^32."""


def __getattr__(name: str) -> object:
    """Answer the name of a class of another library by the call here."""
    if name[:1].isupper():
        return OtherName(name, row_for(name) or habits()["functions"]["Metric"])
    raise AttributeError(name)


class OntoevalMetric(Metric):  # type: ignore[misc]
    """Measures whose batches are summed, as a metric of torchmetrics.

    The state is one tensor of whole numbers, which hold the sums exactly, down to 2⁻¹²⁸. So neither the order
    nor the number of batches, processes or devices changes a score in the last digit. One metric has several
    measures; several metrics of a `MetricCollection` are named by a dictionary.

    Parameters
    ----------
    measures
        Notations, measures or functions, or a single one.
    hierarchy
        The hierarchy of the classes, see `evaluate`; needed by hierarchical measures.
    classes
        Names of the classes, in the order of the columns; by default the labels of the hierarchy.
    threshold
        Probability from which on a label counts as predicted: one for all classes, or one for each.
    ignore_index
        Number, such as -1, of labels in targets that count neither way, as in `VerifiedLabels`.
    **options
        Options of every metric, such as ``sync_on_compute``.

    Raises
    ------
    MissingExtraError
        If torch or torchmetrics is not installed.
    MeasureError
        If a measure cannot be read or computed, or needs all samples at once, such as AP and AUC.
    UnknownConceptError
        If a class is not in the hierarchy.

    Examples
    --------
    >>> metric = OntoevalMetric("hF", {"plants": ["tree", "moss"]}, ["moss", "tree"])  # doctest: +SKIP
    >>> metric.update(torch.tensor([[0.1, 0.8]]), torch.tensor([[1, 0]]))  # doctest: +SKIP
    >>> round(metric.compute().item(), 4)  # doctest: +SKIP
    0.0
    """

    is_differentiable = False
    full_state_update = False

    @front_door
    def __init__(
        self,
        measures: Measures,
        hierarchy: AnyHierarchy | None = None,
        classes: ClassNames | None = None,
        *,
        threshold: Threshold = 0.5,
        ignore_index: float | None = None,
        **options: object,
    ) -> None:
        for library in ("torch", "torchmetrics"):
            requires(library, "integrations", "OntoevalMetric")
        super().__init__(**options)
        self._columns = ArrayMeasures.from_measures(measures, hierarchy, classes, threshold, ignore_index)
        chosen = self._columns.measures
        refuse_unsummed(chosen)
        self._first = self._columns.totals_of_one()
        width = sum(some.shape[1] for some in self._first.addends.values())
        # Metrics whose states are called alike and are equal after one batch share it in a MetricCollection.
        parts = [*map(full_name, chosen.values()), *map(repr, (self._columns.threshold, ignore_index))]
        parts += [*self._columns.classes, *map(str, identity_of(self._columns.hierarchy))]
        self._sums = f"sums_{sha256(chr(0).join(parts).encode()).hexdigest()[:8]}"
        self.add_state(self._sums, torch.zeros(len(UNITS), width, dtype=torch.int64), dist_reduce_fx="sum")
        self.add_state("samples", torch.zeros((), dtype=torch.int64), dist_reduce_fx="sum")

    @property
    def higher_is_better(self) -> bool | None:
        """Whether more is better; None where the measures differ, or none is known to be."""
        found = {greater_is_better(measure) for measure in self._columns.measures.values()}
        return found.pop() if len(found) == 1 else None

    def update(self, preds: Tensor, target: Tensor) -> None:
        """Add the samples of a batch.

        Parameters
        ----------
        preds
            Probabilities, or 0 and 1: one row per sample and one column per class. Logits become
            probabilities by ``torch.sigmoid(logits)``.
        target
            The true labels, 0 and 1, of the same shape.

        Raises
        ------
        InputError
            If a tensor has another shape, or holds other numbers.
        """
        addends = self._columns.totals(_array(target), _array(preds)).addends
        whole = [_to_whole_numbers(addends[statistic]) for statistic in self._first.addends]
        sums = np.concatenate(whole, axis=1)
        state = getattr(self, self._sums)
        setattr(self, self._sums, state + torch.from_numpy(sums).to(state.device))
        self.samples += len(target)

    def compute(self) -> Tensor:
        """Compute the scores of all samples so far.

        Returns
        -------
        Tensor or dict of str to Tensor
            The score, or of several measures each by its name in `Evaluation.flat_names`.
        """
        state = getattr(self, self._sums)
        rows, begin, addends = _to_addends(state.cpu().numpy()), 0, {}
        for statistic, some in self._first.addends.items():
            addends[statistic] = rows[:, begin : begin + some.shape[1]]
            begin += some.shape[1]
        totals = replace(self._first, addends=addends, samples=int(self.samples))
        # Apple's devices have no numbers of 64 bits.
        kind = torch.float32 if state.device.type == "mps" else torch.float64
        scores = {
            name: torch.tensor(one, dtype=kind, device=state.device)
            for name, one in score(totals).flat_names().items()
        }
        return scores if len(scores) > 1 else scores.popitem()[1]

    def plot(self, val: Any = None, ax: Any = None) -> Any:  # noqa: ANN401 - as of torchmetrics
        """Draw the score, or scores of several steps, by torchmetrics.

        Parameters
        ----------
        val
            What `compute` or the metric gave, or a list of these; by default the score so far.
        ax
            Axes of matplotlib to draw on.

        Returns
        -------
        tuple
            The figure and its axes.
        """
        return self._plot(val, ax)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - as of a module of torch
        """Say how several scores are logged, where Lightning looks for the items of a dictionary."""
        if name == "items":
            raise AttributeError("write self.log_dict(metric.compute()), or one metric for each measure")
        return super().__getattr__(name)

    def set_dtype(self, dst_type: object) -> OntoevalMetric:
        """Leave the sums as they are: they are whole numbers.

        Parameters
        ----------
        dst_type
            Any type.
        """
        del dst_type
        return self


def _array(tensor: Tensor) -> NDArray[Any]:
    """Array of a tensor on any device; numpy knows no bfloat16."""
    found = tensor.detach().cpu()
    return np.asarray(found.double() if found.is_floating_point() else found)


def _to_whole_numbers(addends: NDArray[np.float64]) -> NDArray[np.int64]:
    """Split each sum of a column into whole numbers, one for each power of the base."""
    if not np.abs(addends).max(initial=0.0) < UNITS[-1, 0] * 2.0**48:  # so is nan
        raise MeasureError("A sum of this batch is not finite or too large for a metric of torchmetrics.")
    rest, parts = addends, []
    for unit in UNITS[::-1, 0]:
        whole = np.trunc(rest / unit)
        rest = rest - whole * unit
        parts.append(whole.sum(axis=0).astype(np.int64))
    return np.stack(parts[::-1])


def _to_addends(numbers: NDArray[np.int64]) -> NDArray[np.float64]:
    """Convert the whole numbers to addends, after carrying."""
    carried = numbers.copy()
    for place in range(len(UNITS) - 1):
        carried[place + 1] += carried[place] >> BITS
        carried[place] &= 2**BITS - 1
    return np.asarray(carried * UNITS)
