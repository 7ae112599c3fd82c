"""Terms that were known of a sample before, as in CAFA's partial knowledge, are not counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ontoeval as oe
from ontoeval.errors import OntoevalError
from ontoeval.measures.confusion_rules import CountsPerConcept
from tests.commands import call, refusal

#        root
#       /    \
#      a      b        c lies below a and b
#     / \    /
#    d    c
EDGES = [("root", "a"), ("root", "b"), ("a", "c"), ("b", "c"), ("a", "d")]
NAMES = ["root", "a", "b", "c", "d"]
TRUTH = {"p1": ["c", "d"], "p2": ["d"], "p3": ["d"]}
KNOWN = {"p1": ["d"], "p3": ["d"], "other": ["c"]}
RUN = {"p1": ["d", "b"], "p2": ["c"], "p3": ["c"]}


def scores(run: dict[str, dict[str, float]]) -> oe.LabelScores:
    table = [[run.get(sample, {}).get(name, 0.0) for name in NAMES] for sample in TRUTH]
    return oe.LabelScores.from_array(table, vocabulary=NAMES, samples=list(TRUTH))


def test_sums_per_concept_that_are_counted_are_those_of_the_rows() -> None:
    verified = oe.VerifiedLabels.from_sets(TRUTH, {"p1": ["b"], "p2": ["b", "c"]}, vocabulary=NAMES)
    batches = [
        oe.align(TRUTH, RUN, hierarchy=EDGES, known=KNOWN),
        oe.align(verified, RUN),
        oe.align(TRUTH, {**RUN, "p2": []}),
    ]
    for batch in batches:
        for rule in ("one-vs-rest", "tensor"):
            rows: Any = CountsPerConcept(rule)(batch)
            total, each = rows.total(), rows.values.toarray()
            assert len(rows) == len(each) == len(batch)
            assert total.tolist() == each.sum(axis=0).tolist()


def test_known_terms_and_their_ancestors_count_neither_way() -> None:
    found = oe.evaluate(TRUTH, RUN, hierarchy=EDGES, known=KNOWN, measures=["P", "R", "hP", "hR", "Hamming"])
    # p3 has nothing else to be found. p1: d, a and root are known, c and b are left; p2: nothing is known.
    assert found.samples == ("p1", "p2")
    assert found["P"] == 0  # of b and c
    assert found["R"] == 0
    assert found["hP"] == pytest.approx(2 / 4)  # p1: b; p2: a, of b, a, b and c; the root is no member
    assert found["hR"] == pytest.approx(2 / 4)  # of b, c, a and d
    assert found["Hamming"] == pytest.approx(4 / 7)  # b and c of p1, c and d of p2; 2 + 5 pairs are left
    assert "known terms: those of 2 samples, with their ancestors, are not counted" in found.signature
    assert "1 sample is left out, of which everything true was known" in found.signature


def test_samples_without_a_true_label_from_the_start_remain_as_the_manual_says() -> None:
    links, run = [("r", "a"), ("r", "b")], {"1": ["a"], "2": ["b"], "3": ["a"]}
    known = {"2": ["a"], "3": ["b"]}
    found = oe.evaluate(
        {"1": ["a"], "2": [], "3": ["b"]}, run, hierarchy=links, known=known, measures=["F", "Jaccard"]
    )
    assert found.samples == ("1", "2")  # all that was true of "3" was known; nothing was true of "2"
    assert found["F"] == pytest.approx(2 / 3)
    for text in (
        " ".join(Path("docs/scores.md").read_text("utf-8").split()),
        " ".join((oe.evaluate.__doc__ or "").split()),
    ):
        assert "of which everything true was known" in text
        assert "from the start remain" in text


def test_known_terms_of_scores_are_taken_out_after_propagation() -> None:
    run = scores({"p1": {"d": 0.9, "b": 0.6}, "p2": {"c": 0.8}, "p3": {"c": 1.0}})
    found = oe.evaluate(
        TRUTH, run, hierarchy=EDGES, known=KNOWN, measures=["Fmax(thresholds=(0.5,))", "Fmax(root='out')"]
    )
    # p1: c and b are true, b is predicted; p2: d, a and root are true, c, a, b and root predicted.
    precision, recall = (1 + 2 / 4) / 2, (1 / 2 + 2 / 3) / 2
    assert found["Fmax(thresholds=(0.5,))"] == pytest.approx(2 * precision * recall / (precision + recall))
    weights = {"p1": 1, "p2": 0, "p3": 5}
    alone = oe.evaluate(
        TRUTH, run, hierarchy=EDGES, known=KNOWN, measures="Fmax(thresholds=(0.5,))", sample_weight=weights
    )
    assert alone.scores["Fmax(thresholds=(0.5,))"] == pytest.approx(2 * 0.5 / 1.5)


def test_scores_keep_their_order_beside_known_terms() -> None:
    edges, table = [("r", "c"), ("r", "d"), ("r", "b")], [[0.0, 0.9, 0.1, 0.1]]
    run = oe.LabelScores.from_array(table, vocabulary=["r", "c", "d", "b"], samples=["p"])
    how: dict[str, Any] = {"hierarchy": edges, "measures": "Fmax"}
    assert oe.evaluate({"p": ["c"]}, run, known={"p": ["r"]}, **how).scores["Fmax"] == 1


def test_nothing_known_changes_nothing() -> None:
    how: dict[str, Any] = {"hierarchy": EDGES, "measures": ["F", "hF", "Hamming", "F(average='macro')"]}
    assert oe.evaluate(TRUTH, RUN, known={}, **how).scores == oe.evaluate(TRUTH, RUN, **how).scores


def test_comparisons_leave_known_terms_out_of_runs_and_baselines() -> None:
    runs = {"run": RUN, "all": {name: ["c", "d"] for name in TRUTH}}
    compared = oe.compare(TRUTH, runs, hierarchy=EDGES, known=KNOWN, measures=["hF", "F"], resamples=20)
    for name, run in runs.items():
        alone = oe.evaluate(TRUTH, run, hierarchy=EDGES, known=KNOWN, measures=["hF", "F"])
        assert list(alone.scores.values()) == compared.scores[compared.runs.index(name)].tolist()
    assert "prior" in compared.runs
    assert "known terms" in compared.signature


@pytest.mark.parametrize(
    ("measures", "more", "message"),
    [
        ("OS", {"hierarchy": EDGES}, "OS is not defined where known terms are left out"),
        ("F(rule='mlcm')", {"hierarchy": EDGES}, "not defined where known terms are left out"),
        ("F", {}, "known.*expected a hierarchy"),
    ],
)
def test_what_cannot_leave_terms_out_is_refused(measures: str, more: Any, message: str) -> None:
    with pytest.raises(OntoevalError, match=message):
        oe.evaluate(TRUTH, RUN, known=KNOWN, measures=measures, **more)


def test_rankings_refuse_known_terms() -> None:
    with pytest.raises(OntoevalError, match="AP is not defined where known terms are left out"):
        oe.evaluate(TRUTH, scores({}), hierarchy=EDGES, known=KNOWN, measures="AP")


def test_verified_labels_and_known_terms_are_not_mixed() -> None:
    verified = oe.VerifiedLabels.from_sets(TRUTH, {"p1": ["b"]}, vocabulary=NAMES)
    with pytest.raises(OntoevalError, match="verified labels and known terms exclude"):
        oe.evaluate(verified, RUN, hierarchy=EDGES, known=KNOWN, measures="F")


def test_unknown_concepts_among_the_known_terms_are_refused() -> None:
    with pytest.raises(OntoevalError, match="unknown concept: 'dd'"):
        oe.evaluate(TRUTH, RUN, hierarchy=EDGES, known={"p1": ["dd"]}, measures="F")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "terms.csv").write_text("parent,child\n" + "".join(f"{a},{b}\n" for a, b in EDGES))
    for name, sets in {"truth": TRUTH, "run": RUN, "known": KNOWN}.items():
        rows = (f"{sample},{';'.join(labels)}\n" for sample, labels in sets.items())
        (tmp_path / f"{name}.csv").write_text("id,labels\n" + "".join(rows))
    return tmp_path


@pytest.mark.parametrize("command", ["score", "compare"])
def test_known_terms_on_the_command_line(folder: Path, command: str) -> None:
    names = (folder / name for name in ("truth.csv", "run.csv"))
    shown = call(
        command, *names, "--ontology", folder / "terms.csv", "--known", folder / "known.csv", "-m", "hF",
    )  # fmt: skip
    assert shown.exit_code == 0, shown.output
    assert "0.5000" in shown.output


def test_a_benchmark_file_names_the_known_terms(folder: Path) -> None:
    text = 'truth = "truth.csv"\nruns = ["run.csv"]\nontology = "terms.csv"\nknown = "known.csv"\n'
    (folder / "benchmark.toml").write_text(text + 'measures = ["hF"]\nresamples = 20\nout = "results"\n')
    done = call("run", folder / "benchmark.toml")
    assert done.exit_code == 0, done.output
    assert "known terms: those of 2 samples" in (folder / "results" / "recipe.txt").read_text()


def test_known_terms_need_an_ontology(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["score", folder / "truth.csv", folder / "run.csv", "--known", folder / "known.csv"]
    assert "expected --ontology beside it" in refusal(command, capsys, monkeypatch)
