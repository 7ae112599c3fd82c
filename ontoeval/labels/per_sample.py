"""One value for each sample: weights, groups, and the criterion of a study, which may be of runs alone."""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import chain
from typing import Any, TypeVar

from ontoeval.core.frames import columns_of
from ontoeval.errors import InputError, located
from ontoeval.labels.cells import parse_number
from ontoeval.labels.name_resolution import read_concepts, rows_by_role
from ontoeval.labels.sources import is_parquet, read_label_source, read_source
from ontoeval.plumbing.column_titles import GROUP, SAMPLE, SAMPLE_WEIGHT, normalise_title
from ontoeval.plumbing.files import FilePath

_SampleValue = TypeVar("_SampleValue", float, str)

read_listed = read_concepts
_RUN = frozenset({"run", "system", "method", "model"})
_VALUE = frozenset({"value", "criterion", "judgement", "judgment", "score", "rating", "accuracy"})


def read_sample_weights(source: FilePath) -> dict[str, float]:
    """Read the columns of samples and of weights; a sample may have several rows with one weight."""
    return _read_values(source, "weight", SAMPLE_WEIGHT, _weight_in, "g")


def read_sample_groups(source: FilePath) -> dict[str, str]:
    """Read the columns of samples and of their groups; a sample may have several rows with one group."""
    return _read_values(source, "group", GROUP, str, "")


def _read_values(
    source: FilePath,
    role: str,
    titles: Collection[str],
    parse: Callable[[str], _SampleValue | None],
    form: str,
) -> dict[str, _SampleValue]:
    """Read one value of each sample."""
    file = read_source(source)
    found: dict[str, tuple[_SampleValue, int]] = {}
    for line, row in rows_by_role(file, {"sample": SAMPLE, role: titles}):
        sample, value = row["sample"], parse(row[role])
        if value is None:
            problem = f"the {role} of {sample!r} is {row[role]!r}"
            raise InputError(problem, "Write a finite number of at least 0.", where=file.where, row=line)
        first, before = found.setdefault(sample, (value, line))
        if first != value:
            problem = f"{sample!r} has the {role} {value:{form}}, and {first:{form}} in row {before:,}"
            file.refuse(problem, "Keep one.", line)
    return {sample: value for sample, (value, _) in found.items()}


def read_columns(source: FilePath) -> dict[str, list[Any]]:
    """Read all columns of a table whose first row names these."""
    file = read_label_source(source)
    if is_parquet(file):
        from ontoeval.labels.parquet import open_parquet, parquet_explained

        with parquet_explained(file.where):
            return columns_of(open_parquet(file, []).read())
    delimiter = file.delimiter or ","
    with located(file.where):
        titles = file.first(delimiter)
        blocks = [block.columns for block in file.without_header(delimiter).batches(delimiter, len(titles))]
        joined = [[*map(str.strip, chain.from_iterable(own))] for own in zip(*blocks, strict=True)]
    if not blocks:
        raise InputError("there is no row below the titles", "Write a row for each sample.", where=file.where)
    return dict(zip(titles, joined, strict=True))


def _weight_in(text: str) -> float | None:
    """Parse a weight; None where it is none."""
    weight = parse_number(text)
    return None if weight is None or weight < 0 else weight


def read_criterion(source: FilePath) -> dict[str, float] | dict[str, dict[str, float]]:
    """Read the columns of runs and values, and of samples if there is one."""
    file = read_source(source)
    titles = {normalise_title(title) for title in file.first(file.delimiter or ",")}
    roles = {"run": _RUN, "value": _VALUE} | ({"sample": SAMPLE} if titles & SAMPLE else {})
    found: dict[tuple[str, str], float] = {}
    for line, row in rows_by_role(file, roles):
        key, value = (row["run"], row.get("sample", "")), parse_number(row["value"])
        if value is None:
            problem = f"the value of {row['run']!r} is {row['value']!r}"
            raise InputError(problem, "Write a number.", where=file.where, row=line)
        if key in found:
            file.refuse(f"{' of '.join(filter(None, key[::-1]))!r} has a value already", "Keep one.", line)
        found[key] = value
    if "sample" not in roles:
        return {run: value for (run, _), value in found.items()}
    each: dict[str, dict[str, float]] = {}
    for (run, sample), value in found.items():
        each.setdefault(run, {})[sample] = value
    return each
