"""Files of a criterion: what runs, or runs on samples, are worth by other means than the truth."""

from __future__ import annotations

from ontoeval.errors import InputError
from ontoeval.labels.cells import parse_number
from ontoeval.labels.name_resolution import rows_by_role
from ontoeval.labels.sources import read_source
from ontoeval.plumbing.column_titles import SAMPLE, normalise_title
from ontoeval.plumbing.files import FilePath

_RUN = frozenset({"run", "system", "method", "model"})
_VALUE = frozenset({"value", "criterion", "judgement", "judgment", "score", "rating", "accuracy"})


def read_criterion(source: FilePath) -> dict[str, float] | dict[str, dict[str, float]]:
    """Read the columns of runs and values, and of samples if there is one."""
    file = read_source(source)
    titles = {normalise_title(title) for title in file.first(file.delimiter or ",")}
    roles = {"run": _RUN, "value": _VALUE} | ({"sample": SAMPLE} if titles & SAMPLE else {})
    found: dict[tuple[str, str], float] = {}
    for line, row in rows_by_role(file, roles):
        key, value = (row["run"], row.get("sample", "")), parse_number(row["value"])
        if value is None:
            raise InputError(
                f"the value of {row['run']!r} is {row['value']!r}",
                "Write a number.",
                where=file.where,
                row=line,
            )
        if key in found:
            file.refuse(f"{' of '.join(filter(None, key[::-1]))!r} has a value already", "Keep one.", line)
        found[key] = value
    if "sample" not in roles:
        return {run: value for (run, _), value in found.items()}
    each: dict[str, dict[str, float]] = {}
    for (run, sample), value in found.items():
        each.setdefault(run, {})[sample] = value
    return each
