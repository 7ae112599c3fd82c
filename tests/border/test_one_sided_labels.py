"""Labels that only one side has, and names that mean nothing: counted, or refused, by Python and by commands."""

from __future__ import annotations

import enum
import html
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ontoeval as oe
from ontoeval.errors import InputError
from tests.commands import call, refusal

TRUTH, RUN = [["Dog"], ["Cat"]], [["dog"], ["cat"]]
UNMET = (
    "No label is on both sides. 2 labels in the prediction alone: 'cat' (near: 'Cat'), 'dog' (near: 'Dog'); "
    "2 labels in the truth alone: 'Cat', 'Dog'. Names count as they are written."
)


class Colour(enum.Enum):
    """A label that is no text."""

    RED = "red"


class Text(str, enum.Enum):  # noqa: UP042 - as programs have it
    """A label that is a text."""

    RED = "red"


def written(folder: Path, **texts: str) -> list[Path]:
    """Write label files."""
    paths = [folder / f"{name}.csv" for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def test_labels_that_no_side_shares_are_the_first_note() -> None:
    result = oe.evaluate(TRUTH, RUN, measures="F")
    assert result["F"] == 0
    assert result.notes == [UNMET]
    assert repr(result).startswith("Evaluation(no label on both sides; F 0.0000;")
    assert UNMET in html.unescape(result.report())


def test_a_label_that_the_run_also_spells_otherwise_has_its_near_name() -> None:
    (note,) = oe.evaluate([["Dog"], ["Cat"]], [["Dog", "cat"], ["Cat"]], measures="F").notes
    assert note == "1 label in the prediction alone: 'cat' (near: 'Cat'). Names count as they are written."


@pytest.mark.parametrize(
    "options",
    [{"classes": ["Cat", "Dog", "cat", "dog"]}, {"hierarchy": [("animal", "Dog"), ("animal", "Cat")]}],
)
def test_where_concepts_are_known_no_label_is_noted(options: Any) -> None:
    run = RUN if "classes" in options else TRUTH
    assert oe.evaluate(TRUTH, run, measures="F", **options).cautions == []


def test_few_labels_of_one_side_are_counted() -> None:
    result = oe.evaluate([["Dog"], ["a "]], [["Dog"], ["a"]], measures="F")
    (note,) = result.notes
    assert note.startswith(
        "1 label in the prediction alone: 'a' (near: 'a '); 1 label in the truth alone: 'a '."
    )
    assert oe.evaluate(TRUTH, [[], []], measures="F").notes == []
    many = [[f"label {number}"] for number in range(9)]
    truth, run = [["Dog"], ["LABEL 8"], *[[]] * 8], [["Dog"], *many]
    (note,) = oe.evaluate(truth, run, measures="F").notes
    assert note.startswith("9 labels in the prediction alone: 'label 8' (near: 'LABEL 8'), 'label 0', ")
    assert " and 4 more; 1 label in the truth alone: 'LABEL 8'." in note


def test_runs_of_a_comparison_are_named_and_baselines_are_not() -> None:
    runs = {"small": RUN * 5, "half": [["Dog"], ["cat"]] * 5}
    found = oe.compare(TRUTH * 5, runs, measures="F", resamples=5)
    assert found.against_baselines.startswith(
        f"small: {UNMET} By score alone, baselines stand above runs: F "
    )
    (note,) = (note for note in found.notes if "alone:" in note)
    assert note.startswith(
        "half: 1 label in the prediction alone: 'cat' (near: 'Cat'); 1 label in the truth alone"
    )
    runs = {"few": [["Dog"], []] * 5, "fewer": [["Cat"], []] * 5, "other": [["Dog"], ["Bird"]] * 5}
    notes = oe.compare(TRUTH * 5, runs, measures="F", resamples=5).notes
    assert [note.partition(":")[0] for note in notes if "alone:" in note] == ["other"]
    assert "2 more runs with labels that only the truth, or only the run, has." in notes


def test_commands_begin_with_labels_that_no_side_shares(tmp_path: Path) -> None:
    truth, run = written(tmp_path, t="id,labels\n1,Dog\n2,Cat\n", r="id,labels\n1,dog\n2,cat\n")
    for command in ("score", "compare"):
        shown = " ".join(call(command, truth, run, "-m", "F").output.split())
        assert shown.startswith("Leaderboard")
        assert shown.index("No label is on both sides.") < shown.index("0.0000")
    shown = " ".join(call("validate", run).output.split())
    assert "names of labels are not checked: give an ontology or --concepts" in shown
    concepts = written(tmp_path, c="concept\ndog\ncat\n")[0]
    assert "not checked" not in call("validate", run, "--concepts", concepts).output


@pytest.mark.parametrize(
    ("label", "problem"),
    [
        (b"a", "b'a', which is no text but bytes.*decode"),
        (Colour.RED, "no text but Colour"),
        (1.5, "no text but float"),
    ],
)
def test_labels_that_are_no_texts_are_refused(label: Any, problem: str) -> None:
    for side in ([["a"], {label}], pd.DataFrame({"labels": [["a"], [label]]})):
        with pytest.raises(InputError, match=f"(sample '1'|row 1) has the label .*{problem}"):
            oe.evaluate([["a"], ["b"]], side)


def test_texts_of_every_kind_are_labels() -> None:
    names = np.array(["red", "blue"])
    for side in ([[Text.RED], [names[1]]], [(names[0],), (names[1],)], [["red"], {"blue"}], names):
        assert oe.evaluate([["red"], ["blue"]], side, measures="F")["F"] == 1
    rows = [[names[j] for j in np.flatnonzero(row)] for row in np.array([[1, 1], [0, 1]])]
    assert oe.LabelSets.from_sets(rows).labels_of("0") == ("blue", "red")


def test_nulls_are_no_label_and_counted() -> None:
    for side in ([["a", None], None], {"0": ["a", float("nan")], "1": None}, pd.Series([["a", None], None])):
        result = oe.evaluate([["a"], []], side, measures="F")
        assert result["F"] == 1
        assert "2 null or empty texts among the labels of 'prediction', read as no label" in result.notes
    assert oe.evaluate(["a", None], ["a", None], measures="F", classes=["a"])["F"] == 1


def test_words_for_nothing_are_refused_unless_they_are_classes() -> None:
    for word in ("NaN", "NA", "null", "None", "n/a", "<NA>"):
        for side in ([["a"], [word]], pd.DataFrame({"labels": [["a"], [word]]})):
            with pytest.raises(InputError, match=f"'{word}' in sample '1' is no label.*classes="):
                oe.evaluate(side, [["a"], []])
        assert oe.evaluate([["a"], [word]], [["a"], []], classes=["a", word], measures="R")["R"] == 0.5


def test_validate_has_words_for_nothing_among_unknown_names(tmp_path: Path) -> None:
    (run,) = written(tmp_path, r="id,labels\n1,dog\n2,NaN\n")
    shown = " ".join(call("validate", run).output.split())
    assert "error unknown-concept 1 No concept: 'NaN'. → Where no label is meant, pass na='empty'" in shown
    shown = " ".join(call("validate", run, "--na", "empty").output.split())
    assert "warning unknown-concept 1 No concept: 'NaN'." in shown
    assert "unknown-concept" not in call("validate", run, "--na", "label").output


def test_frames_that_are_matched_by_position_say_so() -> None:
    frame = pd.DataFrame({"sky": [1, 0], "sea": [0, 1]})
    (note,) = oe.evaluate(frame, frame, measures="F").notes
    assert (
        note
        == "frames or series without names of samples, matched by the position of their rows: 'truth', 'prediction'"
    )
    assert note in oe.evaluate(frame, frame, measures="F").signature
    named = frame.set_axis(["a", "b"])
    assert oe.evaluate(named, named, measures="F").notes == []


def test_a_run_without_the_column_of_a_label_is_noted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = pd.DataFrame({"sky": [1, 0], "sea": [0, 1]}, index=["a", "b"])
    several: list[dict[str, Any]] = [{}, {"hierarchy": [("water", "sea"), ("air", "sky")]}]
    for options in several:
        result = oe.evaluate(truth, truth[["sky"]], measures="F", **options)
        assert result.cautions == [
            "prediction: no column for 1 concept, counted as absent: 'sea'; --concepts, or classes=, names those that count"
        ]
    first, run, concepts = written(
        tmp_path, t="id,labels\na,sky\nb,sea\n", r="id,sky\na,1\nb,0\n", c="concept\nsky\nsea\n"
    )
    shown = " ".join(call("score", first, run, "-m", "F", "--concepts", concepts).output.split())
    assert "r.csv: no column for 1 concept, counted as absent: 'sea'" in shown
    (first,) = written(tmp_path, t="sample,concept\na,sky\nb,NaN\n")
    said = refusal(["score", first, run, "-m", "F"], capsys, monkeypatch)
    assert "'NaN' in row 3 is no label" in said
    assert "--na empty" in said
    assert "left out 1 label" in call("score", first, run, "-m", "F", "--na", "empty").output


def test_a_run_that_gives_all_samples_the_same_labels_is_noted(tmp_path: Path) -> None:
    truth, alike, other = written(
        tmp_path,
        truth="id,labels\n" + "a,cat\nb,dog\nc,\nd,\ne,\n",
        alike="id,labels\n" + "".join(f"{sample},cat;dog\n" for sample in "abcd") + "e,dog;cat\n",
        other="id,labels\n" + "a,cat\nb,cat;dog\nc,\nd,dog\ne,cat\n",
    )
    noted = f"All samples have the same labels: {alike}\n"
    assert noted in call("score", truth, alike, other, "-m", "F", "--format", "csv").stderr
    assert "same labels" not in call("score", truth, other, "-m", "F", "--format", "csv").stderr
