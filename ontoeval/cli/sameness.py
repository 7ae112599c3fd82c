"""Sameness: whether a file of results comes out the same again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ontoeval._version import __version__
from ontoeval.cli.recipe import Recipe
from ontoeval.core.extras import requires

TOLERANCE = 1e-12
"""How far numbers may lie apart: processors and versions round the last digits differently."""

_PICTURES = frozenset({".pdf", ".png", ".svg"})
"""How files end that are looked at, not read."""

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.]*\w)")
"""A number; not one within a word, such as a digest."""


class Verdict(NamedTuple):
    """Whether something still holds."""

    holds: bool
    finding: str
    exact: bool = True


def compare_files(before: Path, after: Path, recipe: Recipe) -> Verdict:
    """Tell whether a file comes out the same again."""
    first, second = before.read_bytes(), after.read_bytes()
    if first == second:
        return Verdict(holds=True, finding="the same, byte for byte")
    if before.suffix.lower() == ".parquet":
        return _compare(_of_parquet(before), _of_parquet(after))
    if before.suffix in _PICTURES:
        return Verdict(
            holds=False, finding="drawn otherwise; pictures depend on the version of matplotlib, too"
        )
    return compare_texts(first.decode("utf-8", "replace"), second.decode("utf-8", "replace"), recipe)


def compare_texts(before: str, after: str, recipe: Recipe) -> Verdict:
    """Tell whether a text comes out the same again."""
    if before == after:
        return Verdict(holds=True, finding="the same")
    # The version that wrote a text is no number in it.
    then = f"ontoeval {recipe.versions.get('ontoeval', __version__)}"
    return _compare(before, after.replace(f"ontoeval {__version__}", then))


def _compare(first: str, second: str) -> Verdict:
    before, after = (_NUMBER.findall(text) for text in (first, second))
    line = f"from line {_line(first, second)} on"
    same_words = _NUMBER.sub("#", first) == _NUMBER.sub("#", second)
    if len(before) != len(after):
        return Verdict(holds=False, finding=f"other rows, {line}")
    apart = [abs(float(a) - float(b)) if a != b else 0.0 for a, b in zip(before, after, strict=True)]
    count = sum(distance != 0 for distance in apart)
    if not count:
        return Verdict(same_words, "the same numbers" if same_words else f"other words, {line}")
    far = f"{count:,} of {len(apart):,} numbers differ, by at most {max(apart):.2g}"
    if same_words and max(apart) <= TOLERANCE:
        return Verdict(holds=True, finding=f"{far}: rounding", exact=False)
    which = next(which for which, distance in enumerate(apart) if distance != 0)
    return Verdict(holds=False, finding=f"{far}, {line}: {before[which]} is now {after[which]}")


def _line(first: str, second: str) -> int:
    """Find the first line that differs."""
    lines = [text.split("\n") for text in (first, second)]
    same: Iterator[bool] = (a == b for a, b in zip(lines[0], lines[1], strict=False))
    return next((number for number, alike in enumerate(same, 1) if not alike), min(map(len, lines)) + 1)


def _of_parquet(path: Path) -> str:
    """Write a table as text, so that it is compared like the others."""
    parquet = requires("pyarrow.parquet", "arrow", "Reading Parquet")
    rows = parquet.read_table(path).to_pylist()
    return "".join(f"{json.dumps(list(row.values()), ensure_ascii=False)}\n" for row in rows)
