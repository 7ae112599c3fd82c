"""Label files that are scored in parts give what they give when they are read whole."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from ontoeval.cli import app

pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")

LINKS = "child,parent\nb,a\nc,a\nd,b\ne,b\nf,c\n"
LABELS = "bcdef"
SAMPLES = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=3)
SETS = st.dictionaries(
    SAMPLES,
    st.tuples(*[st.lists(st.sampled_from(LABELS), max_size=4, unique=True)] * 2),
    min_size=1,
    max_size=12,
)
Sets = Mapping[str, Sequence[str]]


def table(
    path: Path, rows: Sequence[Sequence[str]], sign: str = ",", quoting: Any = csv.QUOTE_MINIMAL
) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=sign, quoting=quoting, lineterminator="\n").writerows(rows)


def wide(path: Path, sets: Sets) -> None:
    table(path, [("id", "labels"), *((sample, ";".join(labels)) for sample, labels in sets.items())])


def quoted(path: Path, sets: Sets) -> None:
    rows = [
        ("labels", "note", "id"),
        *(("|".join(labels), "x\ny", sample) for sample, labels in sets.items()),
    ]
    table(path, rows, ";", csv.QUOTE_ALL)


def long(path: Path, sets: Sets) -> None:
    rows = [(label, sample) for sample, labels in sets.items() for label in labels or [""]]
    table(path, [("concept", "sample"), *sorted(rows)], "\t")


def columns(path: Path, sets: Sets) -> None:
    rows = ((sample, *(str(int(label in labels)) for label in LABELS)) for sample, labels in sets.items())
    table(path, [("id", *LABELS), *rows])


def scores(path: Path, sets: Sets) -> None:
    rows = [(s, label, f"{0.3 + 0.4 * (label in own):g}") for s, own in sets.items() for label in LABELS]
    table(path, [("sample", "concept", "score"), *rows])


def lists(path: Path, sets: Sets) -> None:
    kind = pa.list_(pa.dictionary(pa.int32(), pa.string()))
    labels = pa.array([*sets.values()], pa.list_(pa.string())).cast(kind)
    parquet.write_table(pa.table({"id": [*sets], "labels": labels}), path, row_group_size=2)


def pairs(path: Path, sets: Sets) -> None:
    rows = [(sample, label) for sample, labels in sets.items() for label in labels or [""]]
    names, labels = zip(*rows, strict=True)
    found = {
        "sample": pa.array(names).dictionary_encode(),
        "concept": pa.array([label or None for label in labels], pa.string()),
    }
    parquet.write_table(pa.table(found), path, row_group_size=2)


FORMS = (wide, quoted, long, columns, lists, pairs)
KNOWN = [("--ontology", "links.csv"), ("--concepts", "concepts.csv"), ()]


def outcome(*arguments: object) -> tuple[int, Any]:
    """Exit code, and scores to the last digit with all remarks but that on parts; or the refusal."""
    done = CliRunner().invoke(app, [*map(str, arguments), "--format", "json", "--verbose"])
    if done.exit_code:
        return done.exit_code, f"{done.exception}{done.output}"
    read = json.loads(done.stdout)
    return 0, {key: [one for one in lines if "cut by sample" not in one] for key, lines in read.items()}


@settings(max_examples=40)
@given(SETS, st.sampled_from(FORMS), st.sampled_from((*FORMS, scores)), st.integers(1, 7), st.data())
def test_scores_and_remarks_of_parts_are_those_of_whole_files(
    sets: Any, truth: Any, run: Any, parts: int, data: st.DataObject
) -> None:
    order = data.draw(st.permutations(list(sets)))
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "links.csv").write_text(LINKS)
        (folder / "concepts.csv").write_text("concept\n" + "\n".join(LABELS))
        truth(folder / "truth.file", {sample: own for sample, (own, _) in sets.items()})
        run(folder / "run.file", {sample: sets[sample][1] for sample in order})
        known = [folder / one if "." in one else one for one in data.draw(st.sampled_from(KNOWN))]
        known += ["--threshold", "0.5"] * (run is scores)
        given = ("score", folder / "truth.file", folder / "run.file", *known)
        assert outcome(*given, "--parts", parts) == outcome(*given)
