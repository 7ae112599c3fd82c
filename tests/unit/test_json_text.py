"""JSON text: what is loaded, and what is refused with its place."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ontoeval.errors import InputError
from ontoeval.plumbing.json_text import DEEPEST, load


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_bytes_are_taken_in_the_encodings_of_json(encoding: str) -> None:
    assert load('{"Wald": ["Bäume"]}'.encode(encoding)) == {"Wald": ["Bäume"]}


@pytest.mark.parametrize("kind", ["[]", '{"a": {}}', '[{"a": "["}]', '{"a": 1, "b": [2, {}]}'])
def test_brackets_are_nested_to_a_depth_and_no_deeper(kind: str) -> None:
    own = {"[]": 1, '{"a": {}}': 2, '[{"a": "["}]': 2, '{"a": 1, "b": [2, {}]}': 3}[kind]
    for beside in ("", ", 0", ", " + kind):
        allowed = "[" * (DEEPEST - own) + kind + beside + "]" * (DEEPEST - own)
        assert load(allowed) == load(allowed.encode())
        with pytest.raises(InputError, match=r"^, row 7: brackets are nested too deeply.* 500 inside"):
            load(f"[{allowed}]", row=7)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_brackets_in_texts_are_not_counted(encoding: str) -> None:
    inside = ["[" * 9, 'a"[[', "\\[", "\\\\", '\\"[{', "]]", "\u2200[", "\u5b22[["]
    for ascii_only in (True, False):
        text = json.dumps([inside, {inside[0]: inside}], ensure_ascii=ascii_only)
        assert load(text.encode(encoding), deepest=3) == load(text, deepest=3)
        with pytest.raises(InputError, match="more than 2 inside"):
            load(text.encode(encoding), deepest=2)


WRONG: dict[str, tuple[str | bytes, dict[str, Any], str]] = {
    "cut off": ('{"a":\n ["b"', {}, "^, row 2: this is not valid JSON: .* Is the file complete"),
    "a wrong line": ("{", {"row": 8}, "^, row 8: this is not valid JSON"),
    "of another kind": ("{", {"kind": "JSON-LD"}, "row 1: this is not valid JSON-LD"),
    "a key that stands twice": (
        '[{"a": 1, "b": 2, "a": 3}]',
        {},
        "^keys stand twice in one object: 'a'",
    ),
    "a number without an end": ("1" * 5_000, {}, "^this JSON cannot be read"),
    "no Unicode": (b'"\xe4"', {}, "^this JSON cannot be read: .* Texts are in UTF-8"),
    "brackets without end": (
        "[" * 100_000,
        {"flatter": "Dig."},
        "nested too deeply to be followed.* Dig[.]$",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_loaded_is_refused_with_its_place(case: str) -> None:
    text, options, message = WRONG[case]
    with pytest.raises(InputError, match=message):
        load(text, **options)


def test_more_characters_than_can_be_loaded_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ontoeval.plumbing.json_text.LARGEST", 5)
    with pytest.raises(InputError, match=r"^6 characters of JSON are too many.* JSON Lines"):
        load("[1, 2]")
