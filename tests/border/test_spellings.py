"""One truth and one run in many spellings, through many doors: the same numbers, or refused; no others."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import OntoevalError
from tests.commands import call

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

NAMES = ("sea", "tall tree", "fruit", "Bob's mill", "Größe", "sky")
TRUTH = [[0, 1], [2], [], [3, 0], [1, 4], [5, 2, 0], [3], [4]]
RUN = [[1, 0], [2, 3], [5], [0, 3], [1], [0, 2], [], [2]]
IDS = [f"p{number}" for number in range(8)]
RIGHT = [16 / 23, 2 / 8, 7 / 48]
"""F, ExactMatch and Hamming, counted by hand."""
MEASURES = ["F", "ExactMatch", "Hamming"]
Sets = Sequence[Sequence[str]]
Cell = Callable[[Sequence[str]], Any]


def vector(names: Sequence[str]) -> list[int]:
    return [int(name in names) for name in NAMES]


TEXTS: Mapping[str, Cell] = {
    "semicolons": ";".join,
    "bars": "|".join,
    "commas": ", ".join,
    "tabs": "\t".join,
    "line feeds": "\n".join,
    "ampersands": " & ".join,
    "JSON": json.dumps,
    "JSON in JSON": lambda names: json.dumps(json.dumps(names)),
    "JSON objects": lambda names: json.dumps([{"name": name} for name in names]),
    "Python list": repr,
    "escapes": lambda names: repr(list(names)).replace("e", r"\x65", len(names) % 2),
    "Python tuple": lambda names: repr(tuple(names)),
    "Python set": lambda names: repr(set(names)),
    "Python frozenset": lambda names: repr(frozenset(names)),
    "texts of NumPy": lambda names: repr([np.str_(name) for name in names]),
    "array of NumPy": lambda names: str(np.array(names)),
    "R": lambda names: "c({})".format(", ".join(map(json.dumps, names))) if names else "character(0)",
    "Julia": lambda names: "String[{}]".format(", ".join(map(json.dumps, names))),
    "Scala": lambda names: "List({})".format(", ".join(names)),
    "keys of a dictionary": lambda names: f"dict_keys({list(names)})",
    "JavaScript": lambda names: f"new Set({json.dumps(names)})",
    "breaks of HTML": "<br>".join,
    "answers": lambda names: ";".join("yes" if mark else "no" for mark in vector(names)),
    "letters": lambda names: "".join("NY"[mark] for mark in vector(names)),
    "PostgreSQL": lambda names: "{{{}}}".format(",".join(map(json.dumps, names))),
    "tags": lambda names: "".join(f"<{name}>" for name in names),
    "quotes": lambda names: ",".join(f"'{name}'" for name in names),
    "pairs with scores": lambda names: str([(name, 0.9) for name in names]),
    "scores beside names": lambda names: ";".join(
        f"{name}:{len(name) / len(names) / 20:.2f}" for name in names
    ),
    "scores in brackets": lambda names: ", ".join(
        f"{name} ({len(name) / len(names) / 20:.2f})" for name in names
    ),
    "values of all names": lambda names: ";".join(f"{name}={float(name in names)}" for name in NAMES),
    "negations": lambda names: "|".join("!" * (name not in names) + name for name in NAMES),
    "ranks": lambda names: "; ".join(f"{rank}. {name}" for rank, name in enumerate(names, 1)),
    "vector": lambda names: str(vector(names)),
    "vector with commas": lambda names: ",".join(map(str, vector(names))),
    "vector with blanks": lambda names: " ".join(map(str, vector(names))),
    "vector of NumPy": lambda names: str(np.array(vector(names))),
    "vector of floats": lambda names: str(np.array(vector(names), dtype=float)),
    "vector of truth values": lambda names: str(list(map(bool, vector(names)))),
    "vector of torch": lambda names: f"tensor({vector(names)})",
    "digits": lambda names: "".join(map(str, vector(names))),
    "class numbers beside -1": lambda names: str([*map(NAMES.index, names), *[-1] * (3 - len(names))]),
}
VALUES: Mapping[str, Cell] = {
    "lists": list,
    "tuples": tuple,
    "sets": set,
    "frozensets": frozenset,
    "arrays": lambda names: np.array(names, dtype=str),
    "indexes": lambda names: pd.Index(names, dtype=object),
    "lists with nulls": lambda names: [*names, None],
    "bytes": lambda names: [name.encode() for name in names],
    "lists in lists": lambda names: [[name] for name in names],
    "objects": lambda names: dict.fromkeys(names, 1),
    "objects and texts": lambda names: [{"name": name} for name in names[:1]] + list(names[1:]),
    "vectors": vector,
    "arrays of 0 and 1": lambda names: np.array(vector(names)),
    "vectors of truth values": lambda names: list(map(bool, vector(names))),
    "vectors of texts": lambda names: list(map(str, vector(names))),
}


def rows(sets: Sequence[Sequence[int]], cell: Cell) -> list[dict[str, Any]]:
    """A row for each sample."""
    return [
        {"id": name, "labels": cell([NAMES[n] for n in one])} for name, one in zip(IDS, sets, strict=True)
    ]


def column(side: list[dict[str, Any]]) -> list[Any]:
    return [row["labels"] for row in side]


def of_objects(cells: list[Any]) -> np.ndarray[Any, Any]:
    """Array with one cell for each sample, whatever it holds."""
    array = np.empty(len(cells), dtype=object)
    for at, one in enumerate(cells):
        array[at] = one
    return array


def written(side: list[dict[str, Any]], path: Path, titles: tuple[str, str] = ("id", "labels")) -> Path:
    """Write rows as CSV, JSON, JSON Lines or Parquet."""
    named = [dict(zip(titles, row.values(), strict=True)) for row in side]
    if path.suffix == ".parquet":
        pd.DataFrame(named).to_parquet(path)
    elif path.suffix == ".csv":
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([titles, *(row.values() for row in named)])
    elif path.suffix == ".json":
        path.write_text(json.dumps({row["id"]: row["labels"] for row in side}), encoding="utf-8")
    else:
        path.write_text("".join(f"{json.dumps(row)}\n" for row in named), encoding="utf-8")
    return path


def numbers(truth: Any, run: Any, **options: Any) -> list[float]:
    found = oe.evaluate(truth, run, measures=MEASURES, **options)
    return [found[name] for name in MEASURES]


Door = Callable[[list[dict[str, Any]], list[dict[str, Any]], Path], list[float]]


def by_file(suffix: str, titles: tuple[str, str] = ("id", "labels"), *words: str) -> Door:
    """Door of the command line."""

    def door(truth: list[dict[str, Any]], run: list[dict[str, Any]], folder: Path) -> list[float]:
        paths = (written(side, folder / f"{n}{suffix}", titles) for n, side in enumerate((truth, run)))
        options = [word for name in MEASURES for word in ("-m", name)]
        done = call("score", *map(str, paths), *words, *options, "--format", "json")
        if done.exit_code:
            raise OntoevalError(done.output)
        row = json.loads(done.output)["rows"][0]
        return [row[name]["value"] if isinstance(row[name], dict) else row[name] for name in MEASURES]

    return door


def by_call(build: Callable[[list[dict[str, Any]]], Any], **options: Any) -> Door:
    return lambda truth, run, _: numbers(build(truth), build(run), **options)


DOORS: Mapping[str, Door] = {
    "csv": by_file(".csv"),
    "csv of named columns": by_file(
        ".csv", ("Id", "Target"), "--sample-column", "Id", "--concept-column", "Target"
    ),
    "csv of one label a row": by_file(".csv", ("sample", "concept")),
    "json": by_file(".json"),
    "jsonl": by_file(".jsonl"),
    "parquet": by_file(".parquet"),
    "list": by_call(column),
    "dict": by_call(lambda side: dict(zip(IDS, column(side), strict=True))),
    "numpy": by_call(lambda side: of_objects(column(side))),
    "series": by_call(lambda side: pd.Series(column(side), index=IDS, dtype=object)),
    "pandas": by_call(pd.DataFrame),
    "named": by_call(lambda side: oe.LabelSets.from_frame(pd.DataFrame(side), sample="id", concept="labels")),
    "polars": by_call(pl.DataFrame),
    "arrow": by_call(pa.Table.from_pylist),
    "classes": by_call(column, classes=NAMES),
    "frame with classes": by_call(pd.DataFrame, classes=NAMES),
    "dict with classes": by_call(lambda side: dict(zip(IDS, column(side), strict=True)), classes=NAMES),
}
READ = {
    "csv": {"semicolons", "bars", "commas", "JSON", "Python tuple", "Python frozenset", "array of NumPy"},
    "dict": {"JSON", "escapes", "Python set", "lists", "tuples", "sets", "frozensets", "lists with nulls"},
    "pandas": {
        "semicolons",
        "bars",
        "JSON",
        "Python tuple",
        "PostgreSQL",
        "lists",
        "arrays",
        "indexes",
    },
    "frame with classes": {"vector", "vector of NumPy", "vectors", "arrays of 0 and 1", "vectors of texts"},
    "dict with classes": {"vector with blanks", "vector of truth values", "vectors", "arrays of 0 and 1"},
}
"""Spellings that a door reads, lest it refuse all."""


@pytest.mark.parametrize("spelling", [*TEXTS, *VALUES])
def test_a_spelling_gives_the_same_numbers_at_every_door_or_is_refused(spelling: str, tmp_path: Path) -> None:
    cell = {**TEXTS, **VALUES}[spelling]
    truth, run = rows(TRUTH, cell), rows(RUN, cell)
    found = {}
    for door, numbers_of in DOORS.items():
        if spelling in VALUES and door.startswith("csv"):
            continue
        with suppress(TypeError, pa.ArrowException, OverflowError):  # what a library cannot hold or write
            try:
                found[door] = numbers_of(truth, run, tmp_path)
            except OntoevalError as error:
                assert str(error)  # noqa: PT017 - refused
    others = {door: got for door, got in found.items() if got != pytest.approx(RIGHT)}
    assert not others
    assert {door for door, read in READ.items() if spelling in read} <= found.keys()


ADVISED = [
    ("tabs", {"separator": "\t"}),
    ("line feeds", {"separator": "\n"}),
    ("ampersands", {"separator": "&"}),
    ("vectors", {"classes": list(NAMES)}),
]


@pytest.mark.parametrize(("spelling", "options"), ADVISED)
@pytest.mark.parametrize("build", [pd.DataFrame, lambda side: dict(zip(IDS, column(side), strict=True))])
def test_the_advice_of_a_refusal_reads_the_data(
    spelling: str, options: dict[str, Any], build: Callable[[list[dict[str, Any]]], Any]
) -> None:
    truth, run = (build(rows(sets, {**TEXTS, **VALUES}[spelling])) for sets in (TRUTH, RUN))
    with pytest.raises(OntoevalError) as refused:
        oe.evaluate(truth, run)
    (name, value) = next(iter(options.items()))
    assert f"{name}={value!r}" in str(refused.value) or f"{name}=[...]" in str(refused.value)
    assert numbers(truth, run, **options) == pytest.approx(RIGHT)


def test_scores_of_single_precision_reach_the_threshold_that_they_equal(tmp_path: Path) -> None:
    truth = np.eye(2, dtype=int)
    scores = np.array([[0.7, 0.1], [0.3, 0.7]], dtype=np.float32)
    frame = pd.DataFrame(scores, columns=["sky", "sea"], index=pd.Index(["a", "b"], name="id"))
    frame.reset_index().to_parquet(tmp_path / "run.parquet")
    assert oe.evaluate(truth, scores, measures="F", threshold=0.7)["F"] == 1
    assert oe.read_labels(tmp_path / "run.parquet", threshold=0.7).matrix.nnz == 2
