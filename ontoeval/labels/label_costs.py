"""Costs of one label for another, and groups of labels, in files."""

from __future__ import annotations

from ontoeval.errors import InputError
from ontoeval.labels.cells import parse_number
from ontoeval.labels.name_resolution import rows_by_role
from ontoeval.labels.sources import read_source
from ontoeval.measures.label_costs import LabelCosts
from ontoeval.plumbing.files import FilePath

_COSTS = {
    "true": {"true", "truth", "actual", "gold"},
    "predicted": {"predicted", "prediction", "pred"},
    "cost": {"cost", "loss"},
}
_GROUPS = {"concept": {"concept", "label", "class", "name"}, "group": {"group"}}


def read_label_costs(source: FilePath, groups: FilePath | None = None, *, name: str = "costs") -> LabelCosts:
    """Read a table of costs of predicted labels.

    Parameters
    ----------
    source
        A CSV or TSV file with the columns true, predicted and cost, see `ontoeval.measures.LabelCosts`.
    groups
        A file with the columns concept and group.
    name
        Name of the table.

    Returns
    -------
    LabelCosts
        The table.

    Raises
    ------
    InputError
        If a cost is no finite number of at least 0.
    """
    file, rows = read_source(source), []
    for line, row in rows_by_role(file, _COSTS):
        cost = parse_number(row["cost"])
        if cost is None or cost < 0:
            problem = f"the cost of {row['predicted']!r} for {row['true']!r} is {row['cost']!r}"
            raise InputError(problem, "Write a finite number of at least 0.", where=file.where, row=line)
        rows.append((row["true"], row["predicted"], cost))
    return LabelCosts(rows, None if groups is None else read_label_groups(groups), name)


def read_label_groups(source: FilePath) -> dict[str, list[str]]:
    """Read the labels of each group."""
    groups: dict[str, list[str]] = {}
    for _, row in rows_by_role(read_source(source), _GROUPS):
        groups.setdefault(row["group"], []).append(row["concept"])
    return groups
