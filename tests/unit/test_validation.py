"""What an entrant can know about a run without the truth."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

import ontoeval as oe
from ontoeval.audit.validation import RULES
from ontoeval.cli import app
from ontoeval.errors import InputError, ParameterError
from ontoeval.labels import sources
from ontoeval.labels.reading import read_samples

ONTOLOGY = oe.read_ontology(oe.ontologies.path("photo"))
FOLDER = oe.ontologies.benchmark()

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def make(text: str, name: str = "run.csv") -> Path:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return make


def told(findings: oe.audit.Findings) -> list[tuple[str, str, tuple[str, ...], int, tuple[str, ...]]]:
    return [(f.severity, f.rule, f.concepts, f.count, f.samples) for f in findings]


def explained(findings: oe.audit.Findings, rule: str) -> list[str]:
    return [finding.explanation for finding in findings.of(rule)]


def test_a_good_run_has_no_findings_but_says_what_it_is() -> None:
    path = FOLDER / "truth.csv"
    findings = oe.audit.validate(path, ONTOLOGY, samples=path, close=True)
    assert told(findings) == []
    assert dict(findings.facts)["samples"] == 500
    assert "wide CSV" in findings.facts["format"]


def test_all_that_is_wrong_is_found_at_once(write: Write) -> None:
    run = write(
        "id,labels\np1,treees;indoor;outdoor\np1,sky\np2,treees;subject\np3,\n,sky\np4,snow;lake\np5,sky,sea\n"
    )
    findings = oe.audit.validate(run, ONTOLOGY, samples=["p0", "p1", "p2", "p3", "p5"])
    assert told(findings) == [
        ("error", "missing-samples", (), 2, ("p0", "p5")),
        ("error", "unknown-concept", ("treees",), 2, ("p1", "p2")),
        ("error", "abstract-concept", ("subject",), 1, ("p2",)),
        ("error", "row", (), 1, ()),
        ("error", "row", (), 1, ()),
        ("error", "row", (), 1, ()),
        ("error", "unknown-samples", (), 1, ("p4",)),
        ("warning", "exclusion", ("indoor", "outdoor"), 1, ("p1",)),
        ("warning", "requirement", ("snow",), 1, ("p4",)),
        ("note", "empty-set", (), 2, ("p2", "p3")),
        ("note", "not-closed", (), 1, ("p4",)),
    ]
    assert [text.partition(":")[0] for text in explained(findings, "row")] == ["row 3", "row 6", "row 8"]
    assert "near: 'trees'" in explained(findings, "unknown-concept")[0]
    assert ["such as" in (f.fix or "") for f in findings.of("abstract-concept")] == [True]
    assert explained(findings, "exclusion") == ["indoor excludes outdoor, first in row 2."]


def test_what_scoring_would_forgive_is_a_remark(write: Write) -> None:
    run = write("id,labels\np1,treees;sky\n")
    findings = oe.audit.validate(run, ONTOLOGY, samples=["p1", "p2"], unknown="drop", missing="empty")
    assert [(f.severity, f.rule) for f in findings][:2] == [
        ("warning", "missing-samples"),
        ("warning", "unknown-concept"),
    ]
    assert not findings.fails("error")


def test_a_concept_that_is_not_on_the_list_is_unknown(write: Write) -> None:
    run = write("id,labels\np1,sky;trees\n")
    strict, lenient = (
        oe.audit.validate(run, ONTOLOGY, concepts=["trees"], unknown=unknown) for unknown in ("error", "drop")
    )
    assert told(strict)[0] == ("error", "unknown-concept", ("sky",), 1, ("p1",))
    assert "the concept list does not" in (strict.found[0].fix or "")
    assert told(lenient)[0] == ("warning", "unknown-concept", ("sky",), 1, ("p1",))


def test_a_name_of_several_concepts_is_ambiguous(write: Write) -> None:
    names = write("parent,child,name\n,a,all\na,b,thing\na,c,thing\n", "names.csv")
    run = write("id,labels\np1,thing\n")
    (error, note) = oe.audit.validate(run, oe.read_ontology(names))
    assert (error.rule, error.concepts) == ("ambiguous-concept", ("thing",))
    assert "names 'b', 'c'" in error.explanation
    assert note.rule == "empty-set"


def test_what_was_meant_is_only_said_of_the_first_unknown_labels(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ontoeval.audit.validation._EXPLAINED", 1)
    run = write("id,labels\np1,treees;skyy\n")
    assert [len(text) > 30 for text in explained(oe.audit.validate(run, ONTOLOGY), "unknown-concept")] == [
        False,
        True,
    ]


def test_scores_are_checked_as_scores(write: Write) -> None:
    run = write("sample,concept,score\np1,sky,1.5\np1,sky,0.5\np1,trees,nan\np2,sky,0.1\np2,trees,1\n")
    findings = oe.audit.validate(run, ONTOLOGY)
    assert told(findings) == [
        ("error", "scores", (), 2, ()),
        ("error", "row", (), 1, ()),
        ("error", "two-scores", (), 1, ("p1",)),
        ("warning", "score-range", (), 1, ("p1",)),
    ]
    assert "row 4: column 'score' holds 'nan'" in explained(findings, "row")[0]
    assert explained(findings, "score-range") == ["The scores go from 0.1 to 1.5."]


def test_a_threshold_makes_sets_that_are_checked_as_well(write: Write) -> None:
    run = write("sample,concept,score\np1,indoor,0.9\np1,outdoor,0.8\np2,sky,0.1\n")
    findings = oe.audit.validate(run, ONTOLOGY, threshold=0.5)
    assert [(f.rule, f.samples) for f in findings] == [("exclusion", ("p1",)), ("empty-set", ("p2",))]


def test_columns_are_read_as_what_they_are_with_fewer_errors(write: Write) -> None:
    scores = write("id,sky,trees\np1,0.5,0.1\np2,x,0.3\np3,0.2,0.7\n")
    assert [(f.severity, f.rule) for f in oe.audit.validate(scores)] == [
        ("error", "scores"),
        ("error", "row"),
    ]
    labels = write("id,sky,trees\np1,0,1\np2,x,1\np3,1,0\n")
    assert [(f.severity, f.rule) for f in oe.audit.validate(labels)] == [("error", "row")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("what is this", "the format is not recognised"),
        ("id,labels\n", "there is no row below the header"),
        ("id,sky,\np1,1,1\n", "column 3 has no name"),
        ("sample,concept\np1,sky;sea\n", "looks like several labels"),
        ("id,sky,sky\np1,1,1\n", "both the concept 'sky'"),
        ('{"p1": ["a"], "p1": 5}', ""),
    ],
)
def test_what_cannot_be_read_at_all_is_one_finding(text: str, message: str, write: Write) -> None:
    (finding,) = oe.audit.validate(write(text))
    assert (finding.rule, finding.severity) == ("format", "error")
    assert message in finding.explanation


def test_no_file_is_a_finding_too(tmp_path: Path) -> None:
    (finding,) = oe.audit.validate(tmp_path / "none.csv")
    assert "there is no such file" in finding.explanation


def test_too_many_wrong_rows_are_given_up(write: Write) -> None:
    run = write("id,labels\n" + "p1,a\n" * 500)
    findings = oe.audit.validate(run)
    assert len(findings.of("row")) == sources.MOST
    assert explained(findings, "format") == ["what follows was not looked at."]


def test_a_quoted_field_over_several_lines_is_left_out_whole(write: Write) -> None:
    run = write('id,labels\np1,a\np1,"b\nc;d"\np2,a\np2,b\n')
    findings = oe.audit.validate(run, samples=["p1", "p2"])
    assert [text.partition(":")[0] for text in explained(findings, "row")] == ["row 3", "row 6"]
    assert findings.facts["samples"] == 2


def test_lines_of_json_are_left_out_one_by_one(write: Write) -> None:
    rows = [
        '{"id": "p1", "labels": ["a"]}',
        '{"id": "p2", "labels": {"a": "x"}}',
        '{"id": "p1", "labels": []}',
        '{"id": "p1"}',
        '{"id": "p3", "labels": [}',
        '{"id": "p3", "labels": []}',
    ]
    findings = oe.audit.validate(write("\n".join(rows), "run.jsonl"), samples=["p1", "p3"])
    assert [text.partition(":")[0] for text in explained(findings, "row")] == [
        "row 2",
        "row 3",
        "row 4",
        "row 5",
    ]


def test_what_is_said_twice_or_otherwise_is_noted(write: Write) -> None:
    names = write("parent,child\n,top\ntop,cat|felid\ntop,dog\n", "names.csv")
    run = write("id,labels\np1,cat;dog;dog\n")
    findings = oe.audit.validate(run, oe.read_ontology(names))
    assert ("note", "repeated-label", (), 1, ()) in told(findings)
    assert ("note", "stands-for", ("cat",), 1, ()) in told(findings)


def test_what_was_read_can_be_checked_as_well() -> None:
    sets = oe.LabelSets.from_sets({"p1": ["indoor", "outdoor", "treees"], "p2": []})
    findings = oe.audit.validate(sets, ONTOLOGY, samples=["p2"])
    assert [(f.severity, f.rule) for f in findings] == [
        ("error", "unknown-concept"),
        ("error", "unknown-samples"),
        ("warning", "exclusion"),
        ("note", "empty-set"),
    ]
    scores = oe.LabelScores.from_array([[0.5, 2.0]], vocabulary=["sky", "trees"])
    assert [f.rule for f in oe.audit.validate(scores, ONTOLOGY)] == ["scores", "score-range"]
    assert [f.rule for f in oe.audit.validate(scores, ONTOLOGY, scores=True)] == ["score-range"]


def test_options_that_a_run_cannot_be_read_with_are_refused(write: Write) -> None:
    run = write("id,labels\np1,a\n")
    with pytest.raises(ParameterError, match="missing='drop'"):
        oe.audit.validate(run, missing="drop")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="unknown="):
        oe.audit.validate(run, unknown="maybe")
    with pytest.raises(InputError, match="no such file"):
        oe.audit.validate(run, samples="none.txt")


def test_every_rule_is_described_and_graded() -> None:
    assert all(rule.description.endswith(".") for rule in RULES.values())


LABELS = st.sampled_from(["a", "b", "c", "d", "nothing", ""])


@given(
    st.lists(st.tuples(st.sampled_from("p1 p2 p3 p4".split()), st.lists(LABELS, max_size=3)), max_size=6),
    st.sets(st.sampled_from("p1 p2 p3 p4 p5".split())),
)
def test_a_run_without_errors_is_read_and_one_with_errors_is_refused(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Any], samples: set[str]
) -> None:
    hierarchy = tmp_path_factory.getbasetemp() / "hierarchy.csv"
    hierarchy.write_text("parent,child\n,a\na,b\na,c\nc,d\n", encoding="utf-8")
    run = tmp_path_factory.getbasetemp() / "validated.csv"
    run.write_text(
        "id,labels\n" + "".join(f"{name},{';'.join(labels)}\n" for name, labels in rows), encoding="utf-8"
    )
    ontology = oe.read_ontology(hierarchy)
    refused = oe.audit.validate(run, ontology, samples=sorted(samples)).fails("error")
    truth = oe.LabelSets.from_sets({name: ["a"] for name in sorted(samples)}, vocabulary=["a", "b", "c", "d"])
    try:
        prediction = oe.read_labels(run, ontology)
        oe.evaluate(truth, prediction, hierarchy=ontology.hierarchy(), measures="F")
    except oe.OntoevalError:
        assert refused
    else:
        assert not refused


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("plain.txt", "p1\n\n p2 \n"),
        ("header.csv", "id\np1\np2\n"),
        ("table.csv", "split,image,title\ntest,p1,x\ntest,p2,y\n"),
        ("wide.csv", "id,labels\np1,a\np2,\n"),
        ("long.csv", "sample,concept,score\np1,a,0.5\np1,b,0.5\np2,a,0.1\n"),
        ("truth.json", '{"p1": ["a"], "p2": []}'),
        ("scores.json", '{"p1": {"a": 0.5}, "p2": {"a": 0.5}}'),
        ("imageclef.txt", "p1 0 1\np2 1 1\n"),
    ],
)
def test_samples_are_listed_in_many_ways(name: str, text: str, write: Write) -> None:
    assert read_samples(write(text, name)) == ("p1", "p2")


@pytest.mark.parametrize("text", ["{p1}.jpg\n[p2].jpg\n", "{p1}.jpg 0 1\n[p2].jpg 1 1\n"])
def test_names_of_samples_may_begin_as_json_does(text: str, write: Write) -> None:
    assert read_samples(write(text, "samples.txt")) == ("{p1}.jpg", "[p2].jpg")


@pytest.mark.parametrize(
    "text", ['"a, b"\n"c"\n', 'id\n"a, b"\n"c"\n', '"id"\n"a, b"\n"c"\n', '"a, b"\r\n\r\nc\r\n']
)
def test_names_of_samples_may_stand_in_quotes(text: str, write: Write) -> None:
    assert read_samples(write(text, "samples.txt")) == ("a, b", "c")


def test_samples_of_arrays_are_read(tmp_path: Path) -> None:
    path = tmp_path / "truth.npz"
    np.savez(path, labels=np.eye(2, dtype=int), samples=np.array(["p1", "p2"]), concepts=np.array(["a", "b"]))
    assert read_samples(path) == ("p1", "p2")


def test_a_list_of_samples_that_is_none_is_refused(write: Write) -> None:
    with pytest.raises(InputError, match=r"no list of samples: the first row is 'a', .* in double quotes"):
        read_samples(write("a,b,c\n1,2,x\n"))


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["validate", *arguments], catch_exceptions=False)


def test_the_command_ends_with_1_where_a_run_would_be_refused(write: Write) -> None:
    good = write("id,labels\np1,sky\n", "good.csv")
    write("id,labels\np1,skyy\n", "bad.csv")
    samples = write("p1\n", "samples.txt")
    assert call(str(good), "--ontology", "photo", "--samples", str(samples)).exit_code == 0
    result = call(str(good.parent), "--ontology", "photo", "--samples", str(samples), "--format", "json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert [(run["run"], run["refused"]) for run in found["runs"]] == [("bad", True), ("good", False)]
    assert found["runs"][0]["findings"][0]["samples"] == ["p1"]
    assert found["rows"][0]["rule"] == "unknown-concept"
    assert "1 sample; would be refused, 1 error" in found["inputs"][1]


def test_scores_need_a_threshold_or_measures_of_scores(write: Write) -> None:
    run = str(write("sample,concept,score\np1,sky,0.5\n"))
    refused = call(run, "--ontology", "photo")
    assert refused.exit_code == 1
    assert "→ Give a threshold (--threshold)" in " ".join(refused.stdout.split())
    assert call(run, "--ontology", "photo", "--threshold", "0.4").exit_code == 0
    assert call(run, "--ontology", "photo", "--scores").exit_code == 0
    labels = str(write("id,labels\np1,sky\n", "labels.csv"))
    assert call(labels, "--ontology", "photo", "--scores").exit_code == 1


def test_a_table_shows_the_worst_and_counts_the_others(write: Write) -> None:
    run = write("id,labels\np1,skyy\np2,treees\n")
    shown = call(str(run), "--ontology", "photo", "--top", "1").stdout
    assert shown.count("unknown-concept") == 1
    assert "and 1 more finding of this kind" in shown
    rows = call(str(run), "--ontology", "photo", "--top", "1", "--format", "csv").stdout
    assert rows.count("unknown-concept") == 2


def test_missing_samples_are_forgiven_where_scoring_forgives_them(write: Write) -> None:
    run, samples = write("id,labels\np1,sky\n"), write("p1\np2\n", "samples.txt")
    options = [str(run), "--ontology", "photo", "--samples", str(samples)]
    assert call(*options).exit_code == 1
    assert call(*options, "--missing", "empty").exit_code == 0


@pytest.mark.parametrize(
    ("text", "threshold"),
    [
        ('{"id":"a","labels":{"Sky":0.5}}\n{"id":"b","labels":{"Sky":0.5}}\n', None),
        ('{"id":"a","labels":["Sky"]}\n{"id":"b","labels":["Sky"]}\n', 0.5),
        ('{"id":"a","labels":true}\n{"id":"b","labels":[["Sky"]]}\n', None),
        ('{"id":null,"labels":["Sky"]}\n{"id":"b","labels":{"Sky":"much"}}', None),
    ],
)
def test_a_file_of_which_every_record_is_wrong_says_so_of_each(
    text: str, threshold: float | None, write: Write
) -> None:
    findings = oe.audit.validate(write(text, "run.jsonl"), threshold=threshold, samples=["a"])
    assert [(f.rule, f.explanation.partition(":")[0]) for f in findings] == [
        ("row", "row 1"),
        ("row", "row 2"),
    ]


def test_a_table_of_which_every_row_is_wrong_says_so_of_each(write: Write) -> None:
    findings = oe.audit.validate(write("id,labels\na,b,c\na,b,c\n"), samples=["a"])
    assert [f.rule for f in findings] == ["row", "row"]


def test_lists_of_zeros_and_ones_are_wrong_in_the_file_and_not_in_a_row(write: Write) -> None:
    (finding,) = oe.audit.validate(
        write('{"id":"a","labels":[0,1]}\n{"id":"b","labels":[1,1]}\n', "run.jsonl")
    )
    assert (finding.rule, "every list holds 2 values" in finding.explanation) == ("format", True)


def test_a_folder_of_documents_is_refused_at_its_first_fault(tmp_path: Path) -> None:
    (tmp_path / "a.annif").write_text("<x:1>\ta\t0.5\n<x:2>\tb\t0.5\n<x:3>\tc\tmuch\n", encoding="utf-8")
    (finding,) = oe.audit.validate(tmp_path, threshold=0.1)
    assert "the score 'much'" in finding.explanation


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_all_wrong_rows_of_a_large_file_are_found_and_its_labels_are_checked(
    ending: str, write: Write
) -> None:
    wrong = {
        "csv": {3: "s3,sky,sea", 9: ",sky", 30: '"a quote, and\nno more', 31: '"', 38: "s2,sky"},
        "jsonl": {
            3: "[]",
            9: '{"id": 1.5, "labels": []}',
            30: "{",
            31: "{}",
            38: '{"id": "s2", "labels": []}',
        },
    }[ending]
    right = {"csv": "s{},{}", "jsonl": '{{"id": "s{}", "labels": ["{}"]}}'}[ending]
    rows = [wrong.get(n, right.format(n, "sky" if n % 5 else "treees")) for n in range(40)]
    header = "id,labels\n" if ending == "csv" else ""
    run = write(header + "\n".join(rows) + "\n", f"run.{ending}")
    findings = oe.audit.validate(run, ONTOLOGY, samples=["s0"])
    shift = {"csv": 2, "jsonl": 1}[ending]
    lost = {"csv": [3, 9, 30, 39], "jsonl": [3, 9, 30, 31, 38]}[ending]  # a row of the table has two lines
    assert [text.partition(":")[0] for text in explained(findings, "row")] == [
        f"row {n + shift}" for n in lost
    ]
    assert findings.of("unknown-concept")[0].count == 7
    assert findings.of("unknown-samples")[0].count == 34
    assert not findings.of("format")


def test_wrong_rows_are_left_out_whole_whatever_quotes_are_in_them(write: Write) -> None:
    rows = ['p1,5" screen', 'p2,"a\nb;c"', 'p3,7" tablet', "p4,a,b", 'p5,"a\nb"', "p6,a", "p1,a", 'p7,"a\nb"']
    findings = oe.audit.validate(write("id,labels\n" + "\n".join(rows) + "\n"))
    assert [text.partition(":")[0] for text in explained(findings, "row")] == ["row 6", "row 10"]
    assert findings.facts["samples"] == 6


def test_a_quote_that_is_never_closed_costs_its_own_row(write: Write) -> None:
    findings = oe.audit.validate(write('id,labels\np1,a\np2,"a\np3,a\np4,a\n'), samples=["p1", "p3", "p4"])
    assert [text.partition(":")[0] for text in explained(findings, "row")] == ["row 3"]
    assert findings.facts["samples"] == 3


def test_lists_of_scores_are_judged_by_the_separator_of_the_whole_file(
    write: Write,
) -> None:
    run = write('id,labels,scores\np1,"sky, clear",0.5\np2,sky;sea,0.5;0.1\np3,sky;sea,0.5\n')
    findings = oe.audit.validate(run, threshold=0.3)
    assert [text.partition(":")[0] for text in explained(findings, "row")] == ["row 4"]


def test_a_row_of_nothing_but_tabs_is_left_out_as_any_other(write: Write) -> None:
    findings = oe.audit.validate(write("id\tlabels\np1\tsky\n\t\np2\tsea\n", "run.tsv"), samples=["p1", "p2"])
    assert [f.explanation for f in findings] == ["row 3: the sample has no name."]
