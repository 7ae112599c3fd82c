"""Files of OBO, JSON, links and paths that cannot be read: each with its error, found within a moment."""

from __future__ import annotations

import gzip
import json
import time
from pathlib import Path

import pytest

import ontoeval as oe
from ontoeval.errors import CycleError, InputError, OntoevalError
from tests.patience import SECONDS

TERM = "[Term]\nid: X:1\n"
HUGE, MANY, DEEP = 10_000_000, 100_000, ": brackets are nested too deep"

# what is in the file, its format if said, and what the message says after the file's name
FILES: dict[str, tuple[str | bytes, str | None, str]] = {
    "a number without an end": ('{"a": ' + "1" * 5000 + "}", None, ": this JSON cannot be read"),
    "nested dictionaries without end": ('{"a": ' * MANY + "{}" + "}" * MANY, None, DEEP),
    "nested objects without end": ('{"name": "a", "children": [' * MANY + "]}" * MANY, None, DEEP),
    "nested brackets without end": ("[" * MANY, "json", DEEP),
    "a gzip file that is cut off": (
        gzip.compress(b"a b\n" * 9999)[:-30],
        None,
        ": this gzip file is cut off",
    ),
    "a long row of words": (("w" * 99 + " ") * (HUGE // 100), "edges", ", row 1: 100,000 fields where"),
    "a long word": ("a" * HUGE, "edges", ", row 1: 1 fields where a parent and a child are due"),
    "a long word, of no said format": ("a" * HUGE, None, ": the syntax is not recognised"),
    "a long field in quotes": ('a,"' + "b" * HUGE, "edges", ", row 1: this row breaks the rules of quoting"),
    "many commas": ("," * (HUGE // 10), "edges", ": there are no concepts in it"),
    "many quotes": ('"' * HUGE, None, ": the syntax is not recognised"),
    "what is nearly a long number": ("a b " + "1" * HUGE + "x\n", "edges", ", row 1: 3 fields where"),
    "what is nearly GML": ("Creator" + " " * 60_000 + "x y z.\n", None, ": the syntax is not recognised"),
    "a long path": ("a/" * (HUGE // 2) + "a", "paths", ", row 1: the path that begins with 'a/a/a"),
    "a long list of brackets": (
        '{"a": [' + "[]," * (HUGE // 100) + "[]]}",
        None,
        ", row 1: a name below 'a' is a list of 0",
    ),
    "a long text in JSON": ('{"a": "' + "b" * HUGE + '"}', None, ": no hierarchy is recognised in this JSON"),
    "a long row of OBO": (TERM + "[" * HUGE + "\nis_a:", None, ", row 4: 'is_a: '"),
    "a long row of blanks in OBO": (TERM + "name: a" + " " * HUGE + "b\nis_a:", None, ", row 4: 'is_a: '"),
    "long braces in OBO": (TERM + "name: " + "{a" * (HUGE // 2) + "\nis_a:", None, ", row 4: 'is_a: '"),
    "long escapes in OBO": (TERM + "name: " + "\\a" * (HUGE // 20) + "\nis_a:", None, ", row 4: 'is_a: '"),
}


@pytest.mark.parametrize("case", FILES)
def test_a_wrong_file_is_an_error_that_says_what_is_wrong(case: str, tmp_path: Path) -> None:
    content, form, found = FILES[case]
    path = tmp_path / "photo"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    begin = time.process_time()
    with pytest.raises(InputError) as error:
        oe.read_ontology(path, input_format=form)  # type: ignore[arg-type] # they are all formats
    assert time.process_time() - begin < SECONDS
    message = str(error.value)
    assert message.startswith(f"{path}{found}")
    assert len(message) < 800


@pytest.mark.parametrize("length", [1, 2, 3, 1000, 20_000])
def test_cycles_of_every_length_are_errors_in_every_format(length: int, tmp_path: Path) -> None:
    links = [(f"c{i}", f"c{(i + 1) % length}") for i in range(length)]
    document = {"nodes": [], "links": [{"source": parent, "target": child} for parent, child in links]}
    written = {
        "edges": "".join(f"{parent} {child}\n" for parent, child in links),
        "json": json.dumps(document),
    }
    if length > 1:  # every term of OBO lies below itself
        written["obo"] = "".join(f"[Term]\nid: X:{child}\nis_a: X:{parent}\n" for parent, child in links)
    for form, content in written.items():
        path = tmp_path / form
        path.write_text(content, encoding="utf-8")
        with pytest.raises(CycleError, match=f"{form}: the hierarchy has 1 cycle") as error:
            oe.read_ontology(path, input_format=form)  # type: ignore[arg-type] # they are all formats
        assert len(str(error.value)) < 500


@pytest.mark.parametrize("form", ["obo", "json", "edges", "paths"])
def test_a_file_of_another_format_is_an_error_of_the_project(form: str, tmp_path: Path) -> None:
    path = tmp_path / "photo"
    for content in ("@prefix : <urn:a> .\n:a a :b .", "<a/>", "\0", "[1, 2]", "nothing", "a b c d\ne", "//"):
        path.write_text(content, encoding="utf-8")
        try:
            oe.read_ontology(path, input_format=form)  # type: ignore[arg-type] # they are all formats
        except OntoevalError as error:
            assert str(error).startswith(str(path))  # noqa: PT017 - some of these can be read after all


def test_half_a_character_in_a_list_of_links_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "photo.json"
    path.write_text(r'[{"child": "t", "parent": "\ud800"}]', encoding="utf-8")
    assert list(oe.read_ontology(path).graph.edges) == [("?", "t")]
