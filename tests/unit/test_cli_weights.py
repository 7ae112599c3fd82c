"""Weights of concepts and the information of a corpus, from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import ontoeval as oe
from ontoeval.cli import app
from ontoeval.errors import ParameterError
from ontoeval.ontology import ontologies

TRUTH = ontologies.benchmark() / "truth.csv"
RUN = ontologies.benchmark() / "runs" / "noisy.csv"


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")


def scored(*options: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["score", str(TRUTH), str(RUN), *options])
    return result.exit_code, result.output


def test_information_is_estimated_from_a_corpus_that_is_named() -> None:
    code, output = scored(
        *(
            "--ontology",
            "photo",
            "--information-from",
            str(RUN),
            "-m",
            "hF(weight='ia')",
            "-m",
            "OS(cost='lin(ic)')",
        )
    )
    assert code == 0
    assert f"weight 'ia': information accretion in {RUN}, " in output


def test_weights_are_read_by_name(tmp_path: Path) -> None:
    vocabulary = oe.read_ontology(ontologies.path("photo")).hierarchy().vocabulary
    path = tmp_path / "sizes.csv"
    path.write_text("concept,weight\n" + "".join(f"{name},1\n" for name in vocabulary), encoding="utf-8")
    code, output = scored(
        "--ontology", "photo", "--weights", f"size={path}", "-m", "hF(weight='size')", "-m", "hF"
    )
    assert code == 0
    assert f"weight 'size': {path}" in output


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--information-from", str(RUN)), "an --ontology beside it"),
        (("--weights", "a=b.csv"), "an --ontology beside it"),
        (("--ontology", "photo", "--weights", "b.csv"), "NAME=FILE"),
        (("--ontology", "photo", "-m", "ICM"), "--information-from LABELS, or --weights ic=FILE"),
    ],
)
def test_what_is_missing_is_said(options: tuple[str, ...], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        CliRunner().invoke(app, ["score", str(TRUTH), str(RUN), *options], catch_exceptions=False)
