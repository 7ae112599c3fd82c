"""The rules of the manual, which its build checks, find what they are about."""

from __future__ import annotations

import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"
LIMITS: dict[str, int] = tomllib.loads((DOCS / "_ext" / "rules.toml").read_text(encoding="utf-8"))
WIDE = f"<pre>{'x' * 85}</pre>"


@pytest.fixture(scope="module")
def rules() -> Any:
    """The rules of the manual's extension."""
    return extension("rules")


def extension(name: str) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(DOCS / "_ext")
        return import_module(name)


def count(rules: Any, folder: Path, body: str, source: str = "Short.") -> dict[str, int]:
    html, pages = folder / "html", folder / "docs"
    html.mkdir()
    pages.mkdir()
    (html / "page.html").write_text(f"<html><article>{body}</article></html>", encoding="utf-8")
    (pages / "page.md").write_text(source, encoding="utf-8")
    counted: dict[str, int] = rules.numbers(html, pages)
    assert set(counted) == set(LIMITS)
    return counted


@pytest.mark.parametrize(
    ("body", "name", "number"),
    [
        ("<p>three short words</p><script>not these</script>", "words", 3),
        (f"{WIDE}<pre>short</pre>", "wide blocks of code", 1),
        (WIDE, "columns of the widest code", 85),
        ("<pre>a\nb\n</pre><ul><li>c</li></ul><p>" + "word " * 25 + "</p>", "lines of a page", 5),
        ('<script src="https://cdn.example/x.js"></script>', "network requests", 1),
        ('<link rel="stylesheet" href="//fonts.example/x.css">', "network requests", 1),
        ('<a href="https://example.org">a link is none</a>', "network requests", 0),
        ('<img src="a.svg"><img src="b.svg" alt="b">', "pictures without a text", 1),
        ('<svg></svg><svg aria-label="a tree"></svg>', "pictures without a text", 1),
    ],
)
def test_faults_of_a_page_are_counted(rules: Any, tmp_path: Path, body: str, name: str, number: int) -> None:
    assert count(rules, tmp_path, body)[name] == number


def test_a_number_over_its_limit_is_told(rules: Any) -> None:
    assert rules.broken({"network requests": 1}, LIMITS) == ["network requests: 1, and the limit is 0"]
    assert rules.broken({"network requests": 0}, LIMITS) == []


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("word " * 31 + "end.", 1),
        ("word " * 15 + "end. " + "word " * 15 + "end.", 0),
        (f"```text\n{'word ' * 40}\n```\n", 0),
        (f"| {'word ' * 40} |\n", 0),
        (f"- {'word ' * 20}\n- {'word ' * 20}\n", 0),
    ],
)
def test_long_sentences_are_counted_in_prose_alone(
    rules: Any, tmp_path: Path, text: str, number: int
) -> None:
    assert count(rules, tmp_path, "", text)["sentences over 30 words"] == number


def test_the_search_ranks_index_entries_above_titles_above_words(rules: Any) -> None:
    index = {
        "docnames": ["decisions", "scores", "start"],
        "titles": ["", "Choose a threshold", "Start"],
        "alltitles": {"Choose a threshold": [(1, None)], "Start": [(2, None)]},
        "indexentries": {"threshold": [(1, "", True)]},
        "objects": {"ontoeval": [(2, 0, 1, "", "thresholds")]},
        "objnames": {0: ("py", "function", "function")},
        "terms": {"threshold": [0, 2]},
        "titleterms": {"threshold": 1},
    }
    assert rules.ranked(index, "threshold", str)[0] == "scores"
    assert rules.ranked(index | {"indexentries": {}}, "threshold", str) == ["scores", "start", "decisions"]
    assert rules.ranked(index | {"indexentries": {}, "titleterms": {}}, "thresholds", str) == ["start"]
    assert rules.ranked(index, "nonsense", str) == []


def test_every_word_of_the_search_is_that_of_one_page() -> None:
    pytest.importorskip("sphinx")
    searched = extension("searching").SEARCHED
    assert {name for name in searched if not (DOCS / f"{name}.md").exists()} == set()
    words = [word for words in searched.values() for word in words]
    assert len(words) == len(set(words))
    assert {"GO", "MeSH", "threshold", "sample weight", "ontology score", "confusion matrix"} <= set(words)
