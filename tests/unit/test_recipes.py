"""Recipes: digests, and whether a file comes out the same again."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

import ontoeval as oe
from ontoeval.benchmarks.recipes import RECIPE_FILE, Recipe, digest_of, versions
from ontoeval.benchmarks.results import compare_files
from ontoeval.errors import InputError
from ontoeval.plumbing.writing import write_folder_aside

RECIPE = Recipe(versions(), "benchmark.toml", "..", "truth = 'a'", 0, ("F",), {"a": "0"}, {"x.csv": "1"})
OLDER = replace(RECIPE, versions={**versions(), "ontoeval": "0.0.1", "numpy": "1.0"})


def verdict(tmp_path: Path, first: str, second: str, recipe: Recipe = RECIPE) -> tuple[bool, str]:
    before, after = tmp_path / "before.csv", tmp_path / "after.csv"
    before.write_text(first, encoding="utf-8")
    after.write_text(second, encoding="utf-8")
    holds, finding, exact = compare_files(before, after, recipe)
    assert exact == (not finding.endswith(": rounding"))
    return holds, finding


def test_a_recipe_is_read_as_it_is_written(tmp_path: Path) -> None:
    (tmp_path / RECIPE_FILE).write_text(RECIPE.text(), encoding="utf-8")
    assert Recipe.read(tmp_path) == RECIPE


def test_a_folder_without_recipe_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no recipe\.json here"):
        Recipe.read(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "1",
        RECIPE.text()[:-9],
        json.dumps({**vars(RECIPE), "conventions": 1}),
        json.dumps({**vars(RECIPE), "benchmark": 1}),
        json.dumps({**vars(RECIPE), "inputs": []}),
        json.dumps({**vars(RECIPE), "inputs": {"a": 1}}),
        json.dumps({**vars(RECIPE), "outputs": {"../../x": "1"}}),
        "[" * 100_000,
    ],
)
def test_what_is_no_recipe_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / RECIPE_FILE).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"recipe\.json: this is no recipe"):
        Recipe.read(tmp_path)


def test_the_digest_of_a_folder_is_of_names_and_contents(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a").write_bytes(b"1")
    first = digest_of(tmp_path)
    assert digest_of(tmp_path / "sub" / "a") == sha256(b"1").hexdigest()
    (tmp_path / "sub" / "a").rename(tmp_path / "sub" / "b")
    assert digest_of(tmp_path) != first


def test_the_same_bytes_hold(tmp_path: Path) -> None:
    assert verdict(tmp_path, "a,1\n", "a,1\n") == (True, "the same, byte for byte")


def test_the_same_numbers_hold_however_they_are_written(tmp_path: Path) -> None:
    assert verdict(tmp_path, "a,1.0\n", "a,1\n") == (True, "the same numbers")


def test_another_number_does_not_hold(tmp_path: Path) -> None:
    first = f"run,F\na,{1 / 3!r}\nb,1\n"
    holds, finding = verdict(tmp_path, first, f"run,F\na,{1 / 3 + 1e-11!r}\nb,1\n")
    assert not holds
    assert finding.startswith("1 of 2 numbers differ, by at most 1")
    assert "from line 2 on: 0.3333333333333333 is now 0.3333333333433333" in finding


@pytest.mark.parametrize("recipe", [RECIPE, OLDER])
def test_the_last_digits_may_differ(recipe: Recipe, tmp_path: Path) -> None:
    assert verdict(tmp_path, "a,0.5,1\n", "a,0.5000000000000001,1\n", recipe) == (
        True,
        "1 of 2 numbers differ, by at most 1.1e-16: rounding",
    )


def test_the_version_that_writes_is_no_number(tmp_path: Path) -> None:
    assert verdict(tmp_path, "ontoeval 0.0.1\nF 1\n", f"ontoeval {oe.__version__}\nF 1\n", OLDER)[0]
    assert not verdict(tmp_path, "ontoeval 0.0.1\nF 1\n", f"ontoeval {oe.__version__}\nF 2\n", OLDER)[0]


@pytest.mark.parametrize(
    ("first", "second", "finding"),
    [
        ("a,1\nb,2\n", "a,1\nc,2\n", "other words, from line 2 on"),
        ("a,1\nb,2\n", "a,1\n", "other rows, from line 2 on"),
        ("a,1\n", "a,1\nb,2\n", "other rows, from line 2 on"),
        ("1\n2", "1\n2\n3", "other rows, from line 3 on"),
        ("sha256 12e400\n", "sha256 12e401a\n", "other rows, from line 1 on"),
        ("sha256 a12e4\n", "sha256 a12e5\n", "other words, from line 1 on"),
        ("a,1\n", "b,2\n", "1 of 1 numbers differ, by at most 1, from line 1 on: 1 is now 2"),
        ("a,1\n", "b,1.0000000000000002\n", "1 of 1 numbers differ, by at most 2.2e-16, from line 1 on: "),
    ],
)
def test_other_words_and_rows_do_not_hold(first: str, second: str, finding: str, tmp_path: Path) -> None:
    holds, found = verdict(tmp_path, first, second, OLDER)
    assert not holds
    assert found.startswith(finding)


def test_numbers_beyond_all_bounds_are_told_apart(tmp_path: Path) -> None:
    assert not verdict(tmp_path, "1e999\n", "2e999\n", OLDER)[0]


def test_parquet_is_compared_by_what_it_holds(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    first, second, third = (tmp_path / f"{name}.parquet" for name in "abc")
    parquet.write_table(arrow.table({"run": ["a"], "value": [0.5]}), first)
    parquet.write_table(arrow.table({"run": ["a"], "value": [0.5]}), second, compression="none")
    parquet.write_table(arrow.table({"run": ["a"], "value": [0.6]}), third)
    assert compare_files(first, second, RECIPE) == (True, "the same numbers", True)
    assert not compare_files(first, third, RECIPE).holds


def test_a_folder_is_replaced_as_a_whole(tmp_path: Path) -> None:
    target = tmp_path / "results"
    target.mkdir()
    (target / "old").touch()
    with write_folder_aside(target) as aside:
        (aside / "new").touch()
        assert [path.name for path in target.iterdir()] == ["old"]
    assert [path.name for path in target.iterdir()] == ["new"]
    assert [path.name for path in tmp_path.iterdir()] == ["results"]


def test_a_folder_stays_as_it_is_where_writing_fails(tmp_path: Path) -> None:
    target = tmp_path / "results"
    target.mkdir()
    with pytest.raises(ZeroDivisionError), write_folder_aside(target):
        _ = 1 / 0
    assert [path.name for path in tmp_path.iterdir()] == ["results"]


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(InputError, match="the folder cannot be written"),
        write_folder_aside(tmp_path / "file" / "results"),
    ):
        pass


def test_nothing_is_left_of_a_folder_that_was_lost_while_it_was_written(tmp_path: Path) -> None:
    target = tmp_path / "results"
    with pytest.raises(InputError, match="the folder cannot be written"), write_folder_aside(target) as aside:
        aside.rmdir()
    assert not list(tmp_path.iterdir())


def test_an_earlier_folder_is_put_back_where_the_new_one_was_lost(tmp_path: Path) -> None:
    target = tmp_path / "results"
    target.mkdir()
    (target / "old").touch()
    with pytest.raises(InputError, match="the folder cannot be written"), write_folder_aside(target) as aside:
        aside.rmdir()
    assert [path.name for path in target.iterdir()] == ["old"]
