"""Pages: safe, complete, the same each time, and bounded; what they say is shown in sessions/pages.md."""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from tests.commands import refusal
from tests.other_pages import annotators, audit, measures
from tests.pages import HOSTILE, comparison, content, figures_of, headings, outline, tables_of, unscripted

LONG = "resnet50_finetuned_on_everything_with_a_batch_size_of_256_and_a_learning_rate_of_0.001_for_one_hundred_epochs_seed_17"


@pytest.fixture(scope="module")
def usual() -> oe.comparison.Comparison:
    return comparison(baselines=("empty", "prior"), chance=True)


@pytest.fixture(scope="module")
def page(usual: oe.comparison.Comparison) -> str:
    return usual.report(title="Runs & runs")


def lines(page: str, **options: Any) -> str:
    return "\n".join(outline(page, **options))


@pytest.mark.no_cover
def test_a_report_is_the_same_with_every_seed_of_hashes() -> None:
    script = (
        "from tests.pages import comparison; from hashlib import sha256;"
        "print(sha256(comparison(runs=2, samples=9).report().encode()).hexdigest())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


@pytest.mark.parametrize("made", [comparison, audit, annotators, measures])
def test_pages_are_the_same_each_time(made: Callable[[], Any]) -> None:
    found = made()
    assert found.report() == found.report()


# --- What is in a page --------------------------------------------------------------------------------------


def test_a_page_names_no_address_but_that_of_its_parts_and_of_papers(page: str) -> None:
    assert not re.findall(r'(?:src|action)="(?!#|data:)[^"]*"', unscripted(page))
    addresses = set(re.findall(r'href="(?!#|data:)([^"]*)"', unscripted(page)))
    assert addresses == {"https://doi.org/10.5121/csit.2020.100801"}  # that of Hamming loss
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', html.unescape(page))
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "<title>Runs &amp; runs</title>" in page
    assert "unsafe-eval" not in policy
    assert "http" not in policy


def test_a_page_holds_the_script_that_draws_once_and_none_where_nothing_is_drawn(page: str) -> None:
    assert page.count("plotly.js v") == 1
    assert "plotly.js v" not in oe.audit.Findings([]).report()


def test_the_recipe_ends_the_page(usual: oe.comparison.Comparison, page: str) -> None:
    recipe, other = (
        html.unescape(re.findall(r'<pre id="recipe-text"[^>]*>(.*?)</pre>', made, re.DOTALL)[0])
        for made in (page, annotators().report())
    )
    *lines, last = recipe.splitlines()
    assert lines == usual.signature.splitlines()
    assert last.startswith("SHA-256 of samples, concepts and labels: the truth ")
    assert "50 bootstrap resamples, seed 3" in other
    assert "hierarchy of 8 concepts" in other


def test_every_figure_has_its_numbers_to_six_digits_and_no_list_twice(page: str) -> None:
    for figure in content(page)["figures"]:
        for view in figure:
            assert not view["plot"] or view["table"]["columns"]
    lists = [json.dumps(one) for one in content(page)["lists"]]
    assert len({*lists}) == len(lists) > 1
    assert '{"of": [' in json.dumps(content(page))  # and no text of a column
    assert "0.838462" in json.dumps(figures_of(page))
    assert not re.search(r"0\.[1-9]\d{6}", json.dumps(content(page)))


def test_sections_can_be_chosen(usual: oe.comparison.Comparison) -> None:
    page = usual.report(sections=["concepts", "leaderboard"])
    assert headings(page) == ["Concepts", "Leaderboard", "Recipe"]
    with pytest.raises(oe.errors.ParameterError, match="'leader': expected one of 'leaderboard'"):
        usual.report(sections=["leader"])


def test_baselines_alone_are_not_looked_into(usual: oe.comparison.Comparison) -> None:
    rows = [usual.runs.index(run) for run in usual.baselines]
    few = replace(
        usual,
        evaluations={run: usual.evaluations[run] for run in usual.baselines},
        scores=usual.scores[rows],
        errors=usual.errors[rows],
        replicates=usual.replicates[:, rows],
        p_values=usual.p_values[:, rows][:, :, rows],
        adjusted=usual.adjusted[:, rows][:, :, rows],
    )
    assert headings(few.report()) == ["Leaderboard", "Scores of samples", "Recipe"]
    assert "y [prior, empty]" in lines(replace(few, parts={("by", "part"): few}).report(), of="Parts")


def test_of_one_run_no_differences_are_shown() -> None:
    text = lines(comparison(runs=1).report())
    assert "Differences between runs" not in text


def test_a_measure_that_changes_leave_undefined_has_no_line() -> None:
    study = measures()
    assert study.sensitivity is not None
    levels = [curve for curve in study.sensitivity.curves if curve.kind == "collapse level"]
    curves = tuple(replace(curve, tau=np.where(np.arange(4) == 1, 0.5, np.nan)[None]) for curve in levels)
    page = replace(study, sensitivity=replace(study.sensitivity, curves=curves)).report()
    (views,) = (figure for figure in figures_of(page) if "Sensitivity" in figure[0]["table"]["title"])
    names = [[trace["name"] for trace in view["plot"]["data"]] for view in views]
    assert names == [[*study.sensitivity.measures], [study.sensitivity.measures[1]]]


def test_measures_that_disagree_are_coloured_by_direction() -> None:
    rng = np.random.default_rng(1)
    truth = (rng.random((40, 4)) < 0.4).astype(int)
    scores = 0.5 * truth + 0.8 * rng.random((40, 4))
    runs = {f"r{at}": (scores > at / 7).astype(int) for at in range(1, 6)}
    found = oe.study(
        truth, runs, measures=["P", "R", "F"], resamples=20, changes=None, correlations=["tau_b"]
    )
    assert found.agreements["tau_b"].values[0, 1] < 0
    layout = content(found.report())["figures"][2][0]["plot"]["layout"]
    assert layout["meta"]["scale"] == "direction"
    assert len(layout["shapes"]) == 2


def test_the_numbers_of_a_page_of_imageclef_are_those_that_were_counted(data: Path) -> None:
    folder = data / "imageclef2011"
    files: dict[str, Any] = {"concepts": folder / "concepts.txt", "concept_map": folder / "concept_map.csv"}
    page = oe.audit_labels(folder / "truth.txt", folder / "photo_tagging_2011.owl", **files).report()
    table = tables_of(page)["Findings in their branches"]
    rows = dict(zip(table["concept"], table["samples with errors or warnings"], strict=True))
    assert rows["Gender"] == 1_254
    assert "4,117 of 4,576 implied ancestors in use are there" in page


@pytest.mark.parametrize(
    "line",
    [
        "audit x.csv",
        "audit x.csv --kind labels --ontology x.csv",
        "agreement x.csv",
        "study x.csv y.csv z.csv",
        "compare x.csv y.csv",
    ],
)
def test_a_report_is_not_written_over_what_is_read(
    line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "child,parent\na,b\n"
    Path("x.csv").write_text(text)
    for other in ("y.csv", "z.csv"):
        Path(other).write_text(text)
    said = refusal([*line.split(), "--report", "x.csv"], capsys, monkeypatch)
    assert "--report='x.csv': expected another name: a file that is read" in " ".join(said.split())
    assert Path("x.csv").read_text() == text


# --- Hostile and long names ---------------------------------------------------------------------------------

HOSTILE_PAGES: dict[str, Callable[[], str]] = {
    "comparison": lambda: comparison(HOSTILE, runs=6, baselines=("empty",)).report(
        title=HOSTILE[0], images="https://a.example/{sample}.jpg"
    ),
    "names that are cut": lambda: comparison(tuple(f"{name}{'x' * 30}" for name in HOSTILE), runs=6).report(),
    "audit": lambda: audit(HOSTILE).report(title=HOSTILE[0]),
    "annotators": lambda: annotators(HOSTILE).report(title=HOSTILE[2]),
    "study": lambda: measures(HOSTILE).report(title=HOSTILE[0]),
}


@pytest.mark.parametrize("name", HOSTILE_PAGES)
def test_hostile_names_are_text(name: str) -> None:
    page = HOSTILE_PAGES[name]()
    shown = unscripted(page)
    assert len(re.findall(r"<script[^>]*>", page)) == 3  # the data, plotly, and the page's own
    assert not re.search(r"<(b|img|script)[ >]", shown)
    assert not re.search(r"<[^>]*\son\w+\s*=", re.sub(r'"[^"]*"', '""', shown))
    assert not set("\x00\x1b\u202e") & set(page)
    assert "taken'</script>" not in page
    assert html.escape(HOSTILE[5]) in page
    assert name != "audit" or html.escape(HOSTILE[4].encode("unicode_escape").decode()) in shown


def test_names_are_whole_in_what_is_drawn() -> None:
    assert HOSTILE[0] in json.dumps(content(HOSTILE_PAGES["comparison"]()))


def test_a_long_name_of_a_run_can_be_cut_and_is_told_whole() -> None:
    truth = {"1": ["a"], "2": ["b"]}
    runs = {LONG: truth, "short": {"1": ["a"], "2": []}}
    page = oe.compare(truth, runs, measures="F", resamples=5).report(teams={"short": LONG[::-1]})
    # The outer element takes its direction from the name, which parts of their own directions would hide.
    parts = f'title="{LONG}"><span>{LONG[:-8]}</span><span>{LONG[-8:]}</span></bdi>'
    assert f'<bdi class="cut" {parts}' in page
    assert f'title="{LONG[::-1]}"' in page
    assert '<th scope="row"><bdi>short</bdi>' in page
    assert LONG in content(page)["figures"][0][0]["table"]["columns"][0]["values"]


# --- Of much a page shows a part, and says so ---------------------------------------------------------------


def parts_of(found: oe.comparison.Comparison) -> str:
    return replace(
        found, parts={("by", "one"): found, ("by", "two"): found, ("all", "three"): found}
    ).report()


CUT: dict[str, tuple[dict[str, int], Callable[[], str], tuple[str, ...]]] = {
    "concepts": (
        {"concepts.MOST": 4, "concepts.CELLS": 8},
        lambda: comparison().report(),
        (
            "4 concepts of the lower levels are left out",
            "Of 3 runs the best 2 are shown.",
            "Concepts, cats (4)",
        ),
    ),
    "confusions": (
        {"confusion.WIDEST": 3, "confusion.CELLS": 10},
        lambda: comparison().report(),
        ("the 3 most confused labels", "Of 3 runs the best 1 are shown.", "columns predicted (3)"),
    ),
    "worst samples": (
        {"explanation.RUNS": 2},
        lambda: comparison().report(),
        ("Of 3 runs the best 2 are shown.",),
    ),
    "parts": (
        {"comparison.MOST": 2, "comparison.CELLS": 24},
        lambda: parts_of(comparison(baselines=())),
        ("Of 3 parts the first 2 are shown.", "Of 3 runs the best 2 are shown."),
    ),
    "pairs of runs": (
        {"comparison.MOST": 4},
        lambda: replace(
            four := comparison(runs=4), adjusted=np.where(np.isnan(four.adjusted), np.nan, 0.4)
        ).report(),
        ("No two runs differ significantly by OS", "Differences by OS (6)"),
    ),
    "runs of a study": (
        {"study.MOST": 2},
        lambda: measures().report(),
        ("Of 6 runs the 2 that win most are drawn.",),
    ),
    "concepts of annotators": (
        {"agreement.ROWS": 3, "agreement.MOST": 2},
        lambda: annotators().report(),
        (
            "Of 8 concepts 2 are drawn.",
            "3 concepts on which most differ from the majority.",
            "majority per concept (3)",
        ),
    ),
    "annotators": (
        {"agreement.CARDS": 2, "agreement.PAIR_ROWS": 3, "agreement.CELLS": 2 * 81},
        lambda: annotators().report(),
        (
            "Of 5 annotators 2 are drawn.",
            "not dogs κ",
            "Of 5 annotators the 3 who have seen most are shown.",
            "Of 16 combinations 2 are shown, those that agree least.",
            "not Confusions, cats and",
        ),
    ),
    "branches": (
        {"concepts.MOST": 5},
        lambda: audit().report(),
        ("concepts of the lower levels are left out", "Findings in their branches (4)"),
    ),
    "a long finding": ({"audit.CHARACTERS": 3}, lambda: audit().report(), ("1 finding",)),
    "findings": (
        {},
        lambda: oe.audit.Findings(
            [oe.audit.Finding("rare", "note", (f"c{at}",), 1) for at in range(1_200)]
        ).report(),
        ("200 more findings are left out: they come later in this order.", "1,000 findings", "1,200"),
    ),
    "long findings": (
        {},
        lambda: oe.audit.Findings(
            [oe.audit.Finding("rare", "note", (f"c{at}",), 1, explanation="a" * 50_000) for at in range(900)]
        ).report(),
        ("11 findings",),
    ),
    "names of concepts": (
        {},
        lambda: oe.audit_labels(
            oe.LabelSets.from_sets([["n1"]]),
            oe.Hierarchy.from_edges([("top", f"n{at}") for at in range(200)]),
        ).report(),
        ("Names that there is no room for",),
    ),
    "few names of concepts": (
        {},
        lambda: oe.audit_labels(
            oe.LabelSets.from_sets([["n1"]]),
            oe.Hierarchy.from_edges([("top", f"n{at}") for at in range(100)]),
        ).report(),
        ("not Names that there is no room for",),
    ),
}


@pytest.mark.parametrize("what", CUT)
def test_of_much_a_part_is_shown_and_the_page_says_so(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    limits, made, said = CUT[what]
    for name, limit in limits.items():
        monkeypatch.setattr(f"ontoeval.reports.{name}", limit)
    page = made()
    assert len(page) < 8e6
    text = lines(page)
    for words in said:
        assert (words.removeprefix("not ") in text) is not words.startswith("not ")


def test_branches_are_counted_alike_however_many_samples_are_looked_at_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = audit().report()
    monkeypatch.setattr("ontoeval.reports.audit.ROWS", 7)
    assert audit().report() == whole


# --- Pictures -----------------------------------------------------------------------------------------------

SAMPLES = ("small", "large 1", "large 1.jpg", "note.txt", "note", "../secret", "a\x00b", "x" * 5_000)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    images = tmp_path / "images"
    images.mkdir()
    (images / "small.PNG").write_bytes(b"png")
    (images / "large 1.jpg").write_bytes(b"j" * 200_000)
    (images / "note.txt").write_text("no picture", encoding="utf-8")
    (tmp_path / "secret.jpg").write_bytes(b"secret")
    return tmp_path


def pictured(images: Path | str, folder: Path | None = None, samples: tuple[str, ...] = SAMPLES) -> str:
    """A page whose worst samples have pictures."""
    truth = {key: ["a"] for key in samples}
    found = oe.compare(
        truth, {"run": {key: ["b"] for key in samples}}, measures="F(average='samples')", resamples=5
    )
    return found.report(images=images, folder=folder)


def test_small_pictures_are_embedded_and_large_ones_linked_and_nothing_else_is(folder: Path) -> None:
    page = unscripted(pictured(folder / "images", folder))
    shown = re.findall(r'<img src="([^"]*)"', page)
    assert shown == ["data:image/png;base64,cG5n", *["images/large%201.jpg"] * 2]


def test_many_small_pictures_are_linked_in_the_end(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ontoeval.reports.explanation.TOTAL", 4)
    page = unscripted(pictured(folder / "images", folder, ("small", "small.PNG")))
    assert [one[:5] for one in re.findall(r'<img src="([^"]*)"', page)] == ["data:", "image"]


def test_pictures_elsewhere_are_asked_for() -> None:
    page = pictured("https://pictures.example:8080/{sample}.jpg")
    assert "img-src data: blob: https://pictures.example:8080;" in page
    assert 'data-picture="https://pictures.example:8080/' in page
    assert "<img" not in unscripted(page)


@pytest.mark.parametrize(
    "images",
    ["https://a.example/x.jpg", "ftp://a.example/{sample}", "https://a;b/{sample}", "https:///{sample}"],
)
def test_an_address_of_pictures_that_is_none_is_refused(images: str) -> None:
    with pytest.raises(oe.errors.ParameterError, match="a folder, or an address such as"):
        pictured(images)


def test_a_folder_of_pictures_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(oe.errors.InputError, match="no such folder of pictures"):
        pictured(tmp_path / "nothing")
