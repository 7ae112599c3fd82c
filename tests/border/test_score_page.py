"""Pages of scored runs, without intervals and tests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ontoeval as oe
from tests.commands import call, refusal

FOLDER = oe.ontologies.benchmark()
TRUTH, RUNS = FOLDER / "truth.csv", FOLDER / "runs"


@pytest.fixture(scope="module")
def result() -> oe.evaluation.Evaluation:
    ontology = oe.read_ontology("photo")
    sides = (oe.read_labels(path, ontology) for path in (TRUTH, RUNS / "noisy.csv"))
    return oe.evaluate(*sides, hierarchy=ontology, measures=["OS", "F"])


def test_a_result_has_a_page_whose_first_sentence_is_the_score(result: oe.evaluation.Evaluation) -> None:
    page = result.report(title="My run", author="Ann")
    assert "has OS 0.7499 over 500 samples and " in page
    assert "My run" in page
    assert "Ann" in page
    for section in ("Scores of samples", "Concepts", "Confusions", "Worst samples"):
        assert section in page
    assert "% interval" not in page.partition("<script")[0]
    assert oe.reports.report(result, title="My run", author="Ann") == page


def test_scores_without_samples_have_a_page_too(result: oe.evaluation.Evaluation) -> None:
    page = oe.score(result.totals).report()
    assert "has OS 0.7499 over 500 samples" in page
    assert "Worst samples" not in page


def test_score_writes_a_page_of_all_runs(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    runs = (RUNS / f"{name}.csv" for name in ("noisy", "careful"))
    done = call(
        "score", TRUTH, *runs, "--ontology", "photo", "-m", "F", "--report", page, "--title", "Phase 1"
    )
    assert done.exit_code == 0, done.output
    text = page.read_text(encoding="utf-8")
    assert "scores best of 2 runs (F " in text
    assert "the difference was not tested" in text
    assert "Phase 1" in text
    assert not re.search(r"\d – \d", text)  # no intervals


def test_a_page_in_public_shows_nothing_of_single_samples(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    runs = (RUNS / f"{name}.csv" for name in ("noisy", "careful"))
    call("score", TRUTH, *runs, "--ontology", "photo", "-m", "F", "--report", page, "--public")
    text = page.read_text(encoding="utf-8")
    assert "photo-0001" not in text
    assert "Confusions" not in text


def test_a_title_without_a_page_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["score", TRUTH, RUNS / "noisy.csv", "--title", "Phase 1"]
    assert "expected a --report beside it" in refusal(command, capsys, monkeypatch)
