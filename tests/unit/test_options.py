"""Options are declared once: groups are flattened to options, and made of their values."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import pytest

import ontoeval as oe
from ontoeval.errors import ParameterError
from ontoeval.labels.reading_options import ReadingOptions
from ontoeval.options import REQUIRED, Opt, filled, flat


@dataclass(frozen=True, kw_only=True)
class Inner:
    files: Annotated[tuple[Path, ...], Opt("Files.")]
    mode: Annotated[Literal["a", "b"] | None, Opt("Mode.", decided=True)] = "a"


@dataclass(frozen=True, kw_only=True)
class Outer:
    inner: Inner
    size: Annotated[int | None, Opt("Size.")] = None
    own: str = ""


def test_a_group_has_the_options_of_the_groups_in_it() -> None:
    found = flat(Outer)
    assert list(found) == ["files", "mode", "size"]
    assert (found["files"].several, found["files"].item, found["files"].metavar) == (True, Path, "FILE")
    assert found["files"].default is REQUIRED
    assert found["mode"].choices == ("a", "b")
    assert (found["mode"].default, found["mode"].metavar) == (None, None)
    assert (found["size"].item, found["size"].metavar) == (int, "NUMBER")


def test_a_group_decides_where_nothing_is_given() -> None:
    files = (Path("a"),)
    made = filled(Outer, {"files": files, "mode": None, "size": None, "own": "it", "other": 1})
    assert made == Outer(inner=Inner(files=files, mode="a"), own="it")
    assert filled(Outer, {"files": files, "mode": "b"}).inner.mode == "b"


def test_the_correction_follows_from_the_test() -> None:
    assert filled(oe.Plan, {"test": "bootstrap", "correction": None}).correction == "holm"
    assert filled(oe.Plan, {"correction": None}) == oe.Plan()


def test_options_of_an_ontology_need_one() -> None:
    with pytest.raises(ParameterError, match=r"--import=\['a=b'\]: expected an --ontology beside it"):
        ReadingOptions(imports=("a=b",))
    assert ReadingOptions(concepts=Path("list.csv")).ontology is None
