"""The first sentences of pages: what they say of a result, and that clean results are no empty pages."""

from __future__ import annotations

import html
import re

import ontoeval as oe

TRUTH = {f"s{at}": ["a"] if at % 2 else ["a", "b"] for at in range(40)}


def head(page: str) -> str:
    """Find the first sentences of a page."""
    return html.unescape(re.search(r'<p class="head">(.*?)</p>', page, re.DOTALL)[1])  # type: ignore[index]


def spoilt(every: int) -> dict[str, list[str]]:
    """Predict 'c' in the place of the truth for some samples."""
    return {sample: ["c"] if at % every == 0 else labels for at, (sample, labels) in enumerate(TRUTH.items())}


def compared(runs: dict[str, dict[str, list[str]]], **options: object) -> str:
    """Compare runs, and find what their page says first."""
    return head(oe.compare(TRUTH, runs, measures=["F"], resamples=200, **options).report())  # type: ignore[arg-type]


def test_a_comparison_names_the_best_run_its_lead_the_test_and_the_baselines_above():
    found = oe.compare(TRUTH, {"one": TRUTH, "two": spoilt(4)}, measures=["F"], resamples=200)
    other = float(found.scores[1, 0])
    assert head(found.report()) == (
        f"'one' is the best of 2 runs (F 1.0000), {1 - other:.4f} ahead of 'two'; the difference is "
        f"significant (adjusted p = {found.adjusted[0, 0, 1]:.3g}). {found.against_baselines}"
    )
    assert "significant (" not in compared({"one": TRUTH, "two": spoilt(4)}, test="none")
    assert "is not significant (adjusted p = 1)" in compared({"one": TRUTH, "two": spoilt(40)})
    said = compared({"one": spoilt(2)}, baselines=["prior"])
    assert said.startswith("The run 'one' has F 0.")
    assert said.endswith("The run does not beat the baseline 'prior' (F 0.8571).")


def test_a_baseline_that_no_run_beats_is_named_by_every_measure_but_those_that_correct_for_chance():
    hierarchy = {"r": ["A", "B"], "A": ["a", "b"], "B": ["c", "d"]}
    truth = [[label] for label in "aaaaaaabbc" * 4]
    run = [[label] for label in "aaaadddbbc" * 4]
    found = oe.compare(truth, {"near": run}, hierarchy=hierarchy, baselines=["prior"], resamples=50)
    assert found.against_baselines == (
        f"The run does not beat the baseline 'prior' (tF {found.scores[1, 0]:.4f}). Baselines beat runs by "
        "other measures: OS ('prior' 1 of 1)."
    )
    assert abs(found.scores[1, found.column("tKappa")]) < 1e-12 < found.scores[0, found.column("tKappa")]
    board = found.table()
    assert not any("-0.0000" in cell for row in board.rows for cell in board.text(row))
    alone = oe.compare(
        truth, {"near": run}, hierarchy=hierarchy, baselines=["prior"], measures="OS", resamples=50
    )
    assert alone.against_baselines.endswith("(OS 0.8333).")


def test_a_run_at_chance_is_named_even_where_it_beats_the_baselines():
    hierarchy = {"r": ["A", "B"], "A": ["a", "b"], "B": ["c", "d"]}
    truth = [[label] for label in "aaaabbccdd" * 4]
    runs = {"same": [["a"]] * 40, "near": [[label] for label in "aaaabbcccc" * 4]}
    said = oe.compare(truth, runs, hierarchy=hierarchy, baselines=["all"], resamples=50).against_baselines
    assert said.startswith("Both runs beat the baseline 'all' (tF ")
    assert " By tKappa, 'same' is at chance (within 0.05 of 0). " in said
    assert said.endswith(" Baselines beat runs by other measures: F(average='macro') ('all' 1 of 2).")


def test_runs_that_tie_are_named_together():
    said = compared({"one": TRUTH, "two": TRUTH, "three": spoilt(4)})
    assert said.startswith("'one', 'two' tie as the best of 3 runs (F 1.0000).")
    assert "ahead of 'two', 'three'; " in compared({"one": TRUTH, "two": spoilt(4), "three": spoilt(4)})


def test_an_audit_counts_errors_and_the_samples_that_show_them():
    hierarchy = oe.Hierarchy.from_edges([("top", "a"), ("top", "b")])
    sets = {f"s{at}": ["top", "a"] for at in range(20)} | {"x": ["none"], "y": ["none", "nought"]}
    said = head(oe.audit_labels(sets, hierarchy).report())
    assert said.startswith("2 errors in 2 of 22 samples, all by the rule 'unknown'; 0 warnings and ")


def test_a_clean_ontology_has_a_page_of_what_was_checked_and_its_picture(tmp_path):
    path = tmp_path / "ontology.csv"
    path.write_text("child,parent\noak,tree\nelm,tree\ntree,plant\nmoss,plant\n", encoding="utf-8")
    findings = oe.audit_ontology(path)
    page = findings.report()
    assert not len(findings)
    assert head(page) == "Passed 11 checks: nothing was found among 5 concepts."
    assert "✓ Passed 11 checks." in page
    assert '"icicle"' in page

    without = oe.audit_ontology(path, severities={"cycle": "off"})
    assert "Passed 10 checks" in head(without.report())
    assert "cycle" not in oe.audit_ontology(oe.read_ontology(path)).checks


def test_agreement_and_studies_say_what_they_come_to():
    from tests.other_pages import annotators, measures

    found = annotators()
    values = found.estimates.concepts["alpha"].value
    least = found.concepts[int(values.argmin())]
    said = head(found.report())
    assert said.startswith(
        f"5 annotators agree with a mean α of {found.estimates.mean['alpha'].value:.3f} over"
    )
    assert f"; least on '{least}' ({values.min():.3f}), " in said
    study = measures()
    said = head(study.report())
    best = study.power.measures[int(study.power.adjusted.argmax())]
    assert best in said
    assert f"{study.power.adjusted.max():.1%} of 15" in said
