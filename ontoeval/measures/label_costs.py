"""Costs of taking one label for another, where each sample has one true and one predicted label."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from ontoeval.concepts.costs import LinksUpward
from ontoeval.core.batch import Batch
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, MeasureError, ParameterError, did_you_mean
from ontoeval.measures.base import SYMMETRY, USUAL_LAWS, AtLeast0, NameOrNone
from ontoeval.measures.flat import MeanOfSamples
from ontoeval.measures.matching import common_ancestors
from ontoeval.measures.single_labels import label_or
from ontoeval.plumbing.arrays import Numbers, Places
from ontoeval.plumbing.checks import real_number

ANY = "*"
"""In a table of costs, every label."""


@dataclass(frozen=True, repr=False)
class LabelCosts:
    """A table of costs of predicted labels, for `LabelCost`.

    Parameters
    ----------
    rows
        The true label, the predicted label, and the cost, at least 0. In place of a label may stand "*" for
        every label, the name of a group, or a concept of the hierarchy that is no label, for all labels below
        it. Of several rows that fit a pair the last one counts. A row charges equal labels only if it names
        them.
    groups
        The labels of each group by its name.
    name
        Name of the table in notations and titles.

    Raises
    ------
    InputError
        If a cost is no finite number of at least 0.

    Examples
    --------
    >>> rows = [("deadly", "*", 100), ("deadly", "deadly", 0)]
    >>> poison = LabelCosts(rows, {"deadly": ["death cap"]})
    >>> poison.rows[0]
    ('deadly', '*', 100.0)
    """

    rows: tuple[tuple[str, str, float], ...]
    groups: Mapping[str, frozenset[str]] = field(default_factory=dict, hash=False)
    name: str = "costs"

    def __init__(
        self,
        rows: Iterable[tuple[str, str, float]],
        groups: Mapping[str, Iterable[str]] | None = None,
        name: str = "costs",
    ) -> None:
        try:
            made = tuple((str(true), str(other), real_number("cost", cost)) for true, other, cost in rows)
        except (TypeError, ValueError, ParameterError) as error:
            raise InputError(
                f"a row of the table of costs is wrong ({error})", "Give rows (true, predicted, cost)."
            ) from error
        vars(self).update(
            rows=made,
            groups={one: frozenset(map(str, labels)) for one, labels in (groups or {}).items()},
            name=name,
        )

    def __repr__(self) -> str:
        """Write the name, by which notations mean the table."""
        return repr(self.name)

    def between(self, true: Places, predicted: Places, of: _Labels) -> NDArray[np.float64]:
        """Cost of each pair of codes of labels; nan where no row fits."""
        count = len(of.vocabulary) + 1
        latest, pairs = np.full(true.size, -1), dict[int, int]()
        for number, (first, second, _) in enumerate(self.rows):
            one, other = of.code(first, self), of.code(second, self)
            if one is not None and other is not None:
                pairs[one * count + other] = number
                continue
            fits = true != predicted
            for side, cell in ((true, first), (predicted, second)):
                if cell != ANY:
                    fits &= np.isin(side, of.codes(cell, self))
            latest[fits] = number
        codes, which = np.unique(true * count + predicted, return_inverse=True)
        named = np.array([pairs.get(code, -1) for code in codes.tolist()], dtype=np.intp)
        costs: Numbers = np.array([*(cost for *_, cost in self.rows), np.nan])
        return np.asarray(costs[np.maximum(latest, named[which])])


@dataclass(frozen=True)
class _Labels:
    """Codes of labels: their positions in the vocabulary, and one more for what is unknown."""

    vocabulary: Vocabulary
    hierarchy: Hierarchy | None
    unknown: str | None

    @property
    def unknown_code(self) -> int:
        """Code of what is unknown, which may be a label of its own."""
        index = self.vocabulary.index
        return len(self.vocabulary) if self.unknown is None else index.get(self.unknown, len(self.vocabulary))

    def code(self, cell: str, table: LabelCosts) -> int | None:
        """Code of the label that a cell of a table names; None if it means several labels."""
        if cell == self.unknown:
            return self.unknown_code
        return None if cell in table.groups else self.vocabulary.index.get(cell)

    def codes(self, cell: str, table: LabelCosts) -> Places:
        """Codes of the labels that a cell of a table means."""
        if (code := self.code(cell, table)) is not None:
            return np.array([code])
        known, index = self.hierarchy, self.vocabulary.index
        if cell in table.groups:
            return np.array([index[one] for one in table.groups[cell] if one in index], dtype=np.intp)
        if known is None:  # the labels are those that occur, and a table may have others
            return np.empty(0, dtype=np.intp)
        if cell not in known.vocabulary:
            raise InputError(
                f"the table of costs {table.name!r} has {cell!r}, which is no concept and no group"
                f"{did_you_mean(cell, [*table.groups, *known.vocabulary])}",
                "Correct the name, or give the group: concept,group.",
            )
        below = known.label_ancestors[:, known.vocabulary.positions([cell])].nonzero()[0]
        return np.asarray(below, dtype=np.intp)


def links_between(hierarchy: Hierarchy, first: Places, second: Places) -> Numbers:
    """Count the fewest links through a common ancestor of pairs; several roots have a node above them."""
    upward = hierarchy.derive(LinksUpward(virtual_root=len(hierarchy.roots) > 1))
    least = np.full(first.size, np.inf)
    for common in common_ancestors(upward, first, second):
        np.minimum.at(least, common.pair, upward.data[common.first] + upward.data[common.second])
    return least


def _table_or_none(name: str, value: object) -> object:
    if value is not None and not isinstance(value, str | LabelCosts):
        raise ParameterError(name, value, "None, a table (ontoeval.measures.LabelCosts), or the name of one")
    return value


@dataclass(frozen=True, kw_only=True)
class LabelCost(MeanOfSamples):
    """Mean cost of the predicted label, by a table, a distance in the hierarchy, or 1 for each error.

    Where a sample has no label, "unknown" stands for it. Samples may have one true and one predicted label at
    most.

    Parameters
    ----------
    table
        Costs of pairs of labels, `LabelCosts`, which come before all that follows; on the command line
        the name of a file: ``--costs NAME=FILE``.
    between
        Cost of different labels that no row names: "flat" 1; "links" the fewest links of a path between them.
    unknown
        The label that means "unknown", as does no label; None refuses samples without a label.
    known_as_unknown
        Cost of predicting "unknown" for a label.
    unknown_as_known
        Cost of predicting a label where "unknown" is true.
    of
        Group of the table, or concept above: samples whose true label is in it count alone.
    """

    table: Annotated[LabelCosts | str | None, _table_or_none] = None
    between: Literal["flat", "links"] = "flat"
    unknown: NameOrNone = "unknown"
    known_as_unknown: AtLeast0 = 1.0
    unknown_as_known: AtLeast0 = 1.0
    of: NameOrNone = None

    bounds = (0.0, np.inf)
    best = 0.0
    single = True
    laws = USUAL_LAWS | SYMMETRY
    formula_text = "mean of C(y, z), C(y, y) = 0 unless the table says so"
    source = "picek2023"

    @property
    def denied_laws(self) -> frozenset[str]:
        """A table names concepts, and may charge right labels; it need not charge both ways alike."""
        if self.table is not None:
            return SYMMETRY | {"relabelling", "perfect"}
        return frozenset() if self.known_as_unknown == self.unknown_as_known else SYMMETRY

    def __call__(self, batch: Batch) -> Numbers:
        """Charge the predicted label of each sample."""
        if isinstance(self.table, str):
            raise MeasureError(
                f"There is no table of costs {self.table!r}. Name its file: --costs {self.table}=FILE, or "
                "pass LabelCost(table=ontoeval.measures.LabelCosts(...))."
            )
        labels = _Labels(batch.truth.vocabulary, batch.hierarchy, self.unknown)
        unknown = labels.unknown_code
        true, predicted = (
            label_or(None if self.unknown is None else unknown, sides, side)
            for sides, side in ((batch.truth, "true"), (batch.prediction, "predicted"))
        )
        different = true != predicted
        cost: Numbers = different.astype(np.float64)
        if self.between != "flat":
            hierarchy = batch.required_hierarchy("A distance between concepts")
            at = np.flatnonzero(different & (true != unknown) & (predicted != unknown))
            cost[at] = links_between(hierarchy, *(hierarchy.labels[side[at]] for side in (true, predicted)))
        cost[different & (predicted == unknown)] = self.known_as_unknown
        cost[different & (true == unknown)] = self.unknown_as_known
        if self.table is not None:
            given = self.table.between(true, predicted, labels)
            named = np.isfinite(given)
            cost[named] = given[named]
        if self.of is not None:
            table = self.table or LabelCosts(())
            cost[~np.isin(true, labels.codes(self.of, table))] = np.nan
        return cost
