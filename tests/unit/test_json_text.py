"""JSON text: what is loaded, and what is refused with its place."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ontoeval.errors import InputError
from ontoeval.plumbing.json_text import DEEPEST, load


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_bytes_are_taken_in_the_encodings_of_json(encoding: str) -> None:
    assert load('{"Wald": ["Bäume"]}'.encode(encoding), where="a.json") == {"Wald": ["Bäume"]}


@pytest.mark.parametrize("kind", ["[]", '{"a": {}}', '[{"a": "["}]', '{"a": 1, "b": [2, {}]}'])
def test_brackets_are_nested_to_a_depth_and_no_deeper(kind: str) -> None:
    own = {"[]": 1, '{"a": {}}': 2, '[{"a": "["}]': 2, '{"a": 1, "b": [2, {}]}': 3}[kind]
    for beside in ("", ", 0", ", " + kind):
        allowed = "[" * (DEEPEST - own) + kind + beside + "]" * (DEEPEST - own)
        assert load(allowed, where="a.json") == load(allowed.encode(), where="a.json")
        with pytest.raises(InputError, match=r"^a.json, row 7: brackets are nested too deeply.* 500 inside"):
            load(f"[{allowed}]", where="a.json", row=7)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_brackets_in_texts_are_not_counted(encoding: str) -> None:
    inside = ["[" * 9, 'a"[[', "\\[", "\\\\", '\\"[{', "]]", "\u2200[", "\u5b22[["]
    for ascii_only in (True, False):
        text = json.dumps([inside, {inside[0]: inside}], ensure_ascii=ascii_only)
        assert load(text.encode(encoding), where="a.json", deepest=3) == load(text, where="a.json", deepest=3)
        with pytest.raises(InputError, match="more than 2 inside"):
            load(text.encode(encoding), where="a.json", deepest=2)


def test_many_brackets_beside_each_other_are_not_deep() -> None:
    assert len(load("[" + "[[]], " * 5_000 + "{}]", where="a.json", deepest=3)) == 5_001


WRONG: dict[str, tuple[str | bytes, dict[str, Any], str]] = {
    "cut off": ('{"a":\n ["b"', {}, "^a.json, row 2: this is not valid JSON: .* Is the file complete"),
    "a wrong line": ("{", {"row": 8}, "^a.json, row 8: this is not valid JSON"),
    "of another kind": ("{", {"kind": "JSON-LD"}, "row 1: this is not valid JSON-LD"),
    "a key that stands twice": (
        '[{"a": 1, "b": 2, "a": 3}]',
        {},
        "^a.json: keys stand twice in one object: 'a'",
    ),
    "a number without an end": ("1" * 5_000, {}, "^a.json: this JSON cannot be read"),
    "no Unicode": (b'"\xe4"', {}, "^a.json: this JSON cannot be read: .* Texts are in UTF-8"),
    "brackets without end": (
        "[" * 100_000,
        {"flatter": "Dig."},
        "nested too deeply to be followed.* Dig[.]$",
    ),
    "too large": ("[1, 2]", {"largest": 5}, "^a.json: 6 characters of JSON are too many.* JSON Lines"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_loaded_is_refused_with_its_place(case: str) -> None:
    text, options, message = WRONG[case]
    with pytest.raises(InputError, match=message):
        load(text, where="a.json", **options)


def test_the_last_of_several_equal_keys_counts_where_that_is_asked_for() -> None:
    assert load('{"a": 1, "a": 2}', where="a.json", repeated="last") == {"a": 2}
