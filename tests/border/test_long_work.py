"""Comparisons and studies that take long: an estimate before they start, and the same numbers in blocks."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import ontoeval as oe
from ontoeval.cli import COMMANDS
from ontoeval.core.resampling import Bootstrap, Portion, in_order
from tests.commands import refusal

RNG = np.random.default_rng(7)
SAMPLES, CONCEPTS = 300, 1_500
LINKS = [(f"c{(child - 1) // 3}", f"c{child}") for child in range(1, CONCEPTS)]
LINKS += [(f"c{(child - 1) // 5}", f"c{child}") for child in range(40, CONCEPTS, 7)]
HIERARCHY = oe.Hierarchy.from_edges(LINKS)


def drawn(seed: int) -> oe.LabelSets:
    """Sets of four labels, among few concepts: most concepts are in no set."""
    marks = np.zeros((SAMPLES, CONCEPTS), dtype=bool)
    columns = np.random.default_rng(seed).integers(900, size=(SAMPLES, 4)) % 700
    np.put_along_axis(marks, columns, values=True, axis=1)
    return oe.LabelSets.from_array(marks, vocabulary=HIERARCHY.label_vocabulary)


def half(truth: oe.LabelSets, other: oe.LabelSets, seed: int) -> oe.LabelSets:
    """Take each sample of one or of the other."""
    chosen = np.random.default_rng(seed).random(SAMPLES) < 0.5
    rows = [(truth if one else other).matrix[[row]] for row, one in enumerate(chosen)]
    return oe.LabelSets.from_array(sparse.vstack(rows, format="csr"), vocabulary=truth.vocabulary)


TRUTH = drawn(0)
RUNS = {"first": half(TRUTH, drawn(1), 1), "second": half(TRUTH, drawn(2), 2)}


class StoppedError(Exception):
    """What a test stops long work by."""


@pytest.mark.parametrize(
    "measure",
    [
        "F(average='macro')",
        "F(average='macro', undefined=0.0)",
        "F(average='weighted', of='averages')",
        "Accuracy(average='macro')",
        "F(average='macro', rule='krstinic')",
        "tKappa",
    ],
)
@pytest.mark.parametrize(
    "weights", [None, RNG.integers(1, 4, SAMPLES).astype(float)], ids=["alike", "weighted"]
)
def test_a_resample_has_the_score_of_its_samples(measure: str, weights: Any) -> None:
    options: dict[str, Any] = {"hierarchy": HIERARCHY, "measures": measure, "sample_weight": weights}
    found = oe.compare(TRUTH, RUNS, resamples=3, baselines=(), test="none", **options)
    portion = Portion(0, SAMPLES, in_order(TRUTH.samples))
    for resample, counts in enumerate(Bootstrap(resamples=3).draw(0, 3, portion)):
        rows = np.repeat(np.arange(SAMPLES), counts.astype(int))
        given = None if weights is None else weights[rows]
        for run, (_, prediction) in enumerate(RUNS.items()):
            sides = (
                oe.LabelSets.from_array(one.matrix[rows], vocabulary=one.vocabulary)
                for one in (TRUTH, prediction)
            )
            score = oe.evaluate(*sides, **options | {"sample_weight": given})[measure]
            assert found.replicates[resample, run, 0] == pytest.approx(score, rel=1e-12)


def test_runs_that_are_exchanged_everywhere_differ_as_much_as_they_are() -> None:
    names = {"a": RUNS["first"], "b": RUNS["second"]}
    options: dict[str, Any] = {"hierarchy": HIERARCHY, "measures": ["tKappa", "F(average='macro')"]}
    two = oe.compare(TRUTH, names, resamples=400, baselines=(), **options)
    assert (two.p_values[:, 0, 1] == two.adjusted[:, 0, 1]).all()


@contextmanager
def recorded(said: list[str], *, stop: str = "") -> Iterator[Callable[[str, int], Any]]:
    """Progress that keeps the descriptions; it may stop before some work starts."""

    @contextmanager
    def progress(description: str, _: int) -> Iterator[Callable[[], None]]:
        said.append(description)
        if stop and description.startswith(stop):
            raise StoppedError
        yield lambda: None

    yield progress


def test_long_resampling_is_estimated_before_it_starts_and_short_resampling_is_not() -> None:
    said: list[str] = []
    options: dict[str, Any] = {"hierarchy": HIERARCHY, "baselines": ()}
    with recorded(said, stop="Resampling") as progress, pytest.raises(StoppedError):
        oe.compare(TRUTH, RUNS, resamples=10_000_000, progress=progress, **options)
    assert [one.partition(":")[0] for one in said] == ["Comparing", "Resampling"]
    assert " minutes of processor time" in said[-1]
    assert "fewer resamples (resamples=, --resamples), other measures (measures=, -m)" in said[-1]
    said.clear()
    with recorded(said) as progress:
        oe.compare(TRUTH, RUNS, resamples=20, progress=progress, **options)
    assert said == ["Comparing", "Resampling"]


def test_long_axioms_and_changes_of_a_study_are_estimated_before_they_start() -> None:
    said: list[str] = []
    links = [(f"c{(child - 1) // 3}", f"c{child}") for child in range(1, 120_000)]
    links += [(f"c{(child - 1) // 5}", f"c{child}") for child in range(40, 120_000, 3)]
    truth, runs = [["c39000"], ["c7"]], {"a": [["c39000"], []], "b": [["c7"], ["c8"]]}
    options: dict[str, Any] = {"resamples": 5, "measures": ["F", "tKappa"]}
    with recorded(said, stop="Studying") as progress, pytest.raises(StoppedError):
        oe.study(truth, runs, hierarchy=oe.Hierarchy.from_edges(links), progress=progress, **options)
    assert re.fullmatch(
        r"Studying: about (?:\d\d s|\d minutes) of processor time, [\d.]+ MiB of memory\. Cheaper: other measures .*",
        said[-1],
    )
    rates = [number / 50_000 for number in range(50_001)]
    changes = oe.comparison.Changes(kinds=["drop", "add"], rates=rates)
    with recorded(said, stop="Changing") as progress, pytest.raises(StoppedError):
        oe.study(truth, runs, changes=changes, progress=progress, resamples=5, measures=["F"])
    assert re.match(r"Changing: about \d+ (s|minutes) of processor time\. Cheaper: fewer samples", said[-1])
    said.clear()
    with recorded(said) as progress:
        oe.study(truth, runs, progress=progress, resamples=5, measures=["F"])
    assert said == ["Comparing", "Resampling", "Studying", "Changing"]


@pytest.mark.parametrize(
    ("command", "cheaper"),
    [
        ("ontology big.csv", "the links alone"),
        ("audit big.obo", "fewer samples"),
        ("audit big.csv --ontology photo", "--root"),
        ("score big.csv big.csv --ontology photo", "-m F"),
        ("errors big.csv big.csv --ontology photo -m F", r"(?<!-m F\), )fewer samples"),
        ("explain big.csv big.csv one --ontology photo", "that holds the sample"),
        ("agreement big.csv", "--resamples 200"),
        ("confusion big.csv big.csv", "--concepts"),
    ],
)
def test_a_command_says_what_its_files_take_before_it_reads_them(
    command: str,
    cheaper: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    for file in ("big.csv", "big.obo"):
        with Path(file).open("wb") as hole:
            hole.truncate(600_000_000)  # takes no room on the disk, and is refused
    name, *rest = command.split()
    said = refusal([name, *rest], capsys, monkeypatch)
    estimate = r"about \d+ (s|minutes) of processor time, [\d.]+ [MG]iB of memory\. Cheaper: "
    assert re.match(rf"{name}: {estimate}[^.]*{cheaper}.*Error: big", said)


def test_what_is_cheaper_is_an_option_of_its_command() -> None:
    for name, entry in COMMANDS.items():
        options = {opt for one in entry.load(name).params for opt in one.opts}
        assert {*re.findall(r"(?<!\w)--?[a-z-]+", entry.cheaper)} <= options, name


def test_the_command_says_on_stderr_what_long_resampling_takes(tmp_path: Path) -> None:
    files = []
    for name, sets in {"truth": TRUTH, **RUNS}.items():
        files.append(tmp_path / f"{name}.csv")
        oe.write_labels(sets, files[-1])
    command = [sys.executable, "-m", "ontoeval", "compare", *map(str, files), "-m", "F", "-m", "Jaccard"]
    pipes: dict[str, Any] = {"stderr": subprocess.PIPE, "stdout": subprocess.DEVNULL, "text": True}
    with subprocess.Popen([*command, "--resamples", "3000000"], **pipes) as long:
        first = next(line for line in long.stderr or () if line.strip())
        long.kill()
    assert first.split()[:2] == ["Resampling:", "about"]
    short = subprocess.run([*command, "--resamples", "20"], capture_output=True, text=True, check=True)
    assert "Resampling" not in short.stderr + short.stdout
