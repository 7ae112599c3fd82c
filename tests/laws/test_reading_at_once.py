"""Plain rows are read at once, all others with care: whatever a file holds, both say the same."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontoeval.errors import InputError, OntoevalError
from ontoeval.labels import delimited, sources
from ontoeval.labels.recognition import parse, parse_tolerantly, recognised
from ontoeval.labels.sources import read_label_source
from ontoeval.labels.statements import DecoderOptions, Statements
from tests.fuzz.labels import NAMES, TEXTS, TOKENS
from tests.fuzz.mutations import mutants

_SEEDS = {
    "wide": (
        *TEXTS["wide"],
        "id,labels\n" + "".join(f"p{n},sky;s{n % 3};a long name of more than a word\n" for n in range(9)),
    ),
    "long": (*TEXTS["long"], "sample,concept\n" + "".join(f"p{n // 3},c{n % 4}\n" for n in range(20))),
    "columns": TEXTS["columns"],
}


@contextmanager
def reading(*, at_once: bool, small: bool) -> Iterator[None]:
    """Read blocks of rows, or every row with care."""
    with pytest.MonkeyPatch.context() as changed:
        for module, name, size in (
            (sources, "_BLOCK", 40),
            (delimited, "_ROWS", 2),
        ):
            changed.setattr(module, name, size if small else getattr(module, name))
        if not at_once:
            changed.setattr(sources, "plain_blocks", lambda *_: ())
        yield


def statements_of(data: bytes, *, scores: bool, known: bool, collect: bool) -> Any:
    """Whatever reading a file says: statements and errors, with their rows."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "file")
        path.write_bytes(data)
        wanted = DecoderOptions(scores=scores, known=set(NAMES).issuperset if known else None)
        faults: list[InputError] = []
        try:
            form, rows = recognised(read_label_source(path))
            found, faults = (
                parse_tolerantly(rows, form, wanted) if collect else (parse(rows, form, wanted), [])
            )
        except OntoevalError as error:
            return str(error).replace(folder, "")
        said = sorted(str(error).replace(folder, "") for error in faults)
        values = {one.name: getattr(found, one.name) for one in fields(Statements) if found is not None}
        return said, {name: getattr(value, "tolist", lambda v=value: v)() for name, value in values.items()}


@pytest.mark.parametrize("form", _SEEDS)
@given(data=st.data(), small=st.booleans(), scores=st.booleans(), known=st.booleans(), collect=st.booleans())
def test_rows_read_at_once_and_with_care_are_the_same(
    form: str, data: st.DataObject, *, small: bool, **options: bool
) -> None:
    seeds = tuple(text.encode() for text in _SEEDS[form])
    file = data.draw(mutants(seeds, TOKENS["json" if form == "jsonl" else "table"]))
    with reading(at_once=True, small=small):
        found = statements_of(file, **options)
    with reading(at_once=False, small=small):
        careful = statements_of(file, **options)
    # Of several errors the first that is raised depends on the blocks.
    assert careful == found or (small and isinstance(careful, str) and isinstance(found, str))
