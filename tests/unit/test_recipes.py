"""Recipes and messages of benchmark files: what no file and no command reaches."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from ontoeval.benchmarks.benchmark_file import _by_keys
from ontoeval.benchmarks.recipes import digest_of
from ontoeval.plumbing.writing import write_folder_aside


def test_the_digest_of_a_folder_is_of_names_and_contents(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a").write_bytes(b"1")
    first = digest_of(tmp_path)
    assert digest_of(tmp_path / "sub" / "a") == sha256(b"1").hexdigest()
    (tmp_path / "sub" / "a").rename(tmp_path / "sub" / "b")
    assert digest_of(tmp_path) != first


def test_a_folder_stays_as_it_is_where_writing_fails(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    with pytest.raises(ZeroDivisionError), write_folder_aside(tmp_path / "results"):
        _ = 1 / 0
    assert [path.name for path in tmp_path.iterdir()] == ["results"]


def test_messages_keep_options_that_are_no_keys() -> None:
    text = "a: pass --missing empty, or --agreement-default and --ontology FILE, but no --top"
    keys = 'a: pass missing = "empty", or agreement_default and ontology = "FILE", but no --top'
    assert _by_keys(text) == keys
