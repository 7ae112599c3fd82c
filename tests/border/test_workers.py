"""Workers: several portions, progress, refusals, and the command line."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import current_thread
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from tests.commands import call

RNG = np.random.default_rng(3)
LONG = RNG.random((2, 45_000, 4)) < 0.4
"""Truth and prediction of more samples than are summed at once."""
SHORT = {"one": LONG[1, :50].astype(int), "other": LONG[1, 50:100].astype(int)}
TRUE = LONG[0, :50].astype(int)
FOLDER = oe.ontologies.benchmark()


def test_portions_of_many_samples_have_the_same_sums_with_several_workers() -> None:
    measures = ["F", "Jaccard", "F(average='macro')"]
    batch = oe.align(LONG[0].astype(int), LONG[1].astype(int), sample_weight=RNG.random(45_000))
    one, other = (oe.collect(batch, measures, workers=workers) for workers in (1, 3))
    for statistic, sums in one.addends.items():
        assert sums.tobytes() == other.addends[statistic].tobytes()
    runs = {"run": LONG[1].astype(int), "truth": LONG[0].astype(int)}
    first, second = (
        oe.compare(LONG[0].astype(int), runs, measures=measures, baselines=(), resamples=60, workers=workers)
        for workers in (1, 3)
    )
    assert first.replicates.tobytes() == second.replicates.tobytes()
    assert first.p_values.tobytes() == second.p_values.tobytes()


@pytest.mark.parametrize("workers", [0, -2, 1.5, True, "many"])
def test_a_number_of_workers_is_a_whole_number_of_at_least_1(workers: Any) -> None:
    batch = oe.align(TRUE, SHORT["one"])
    said = {"Ann": [["a"]], "Bob": [["a"]]}
    calls: list[Callable[[], object]] = [
        lambda: oe.evaluate(TRUE, SHORT["one"], workers=workers),
        lambda: oe.collect(batch, "F", workers=workers),
        lambda: oe.compare(TRUE, SHORT, workers=workers),
        lambda: oe.study(TRUE, SHORT, workers=workers),
        lambda: oe.agreement(said, workers=workers),
        lambda: oe.run_benchmark("no-such-file.toml", workers=workers),
        lambda: oe.verify("no-such-folder", workers=workers),
    ]
    for one in calls:
        with pytest.raises(oe.errors.ParameterError, match=r"workers.*whole number of at least 1"):
            one()


@pytest.mark.parametrize("workers", [1, 3])
def test_progress_is_told_in_the_calling_thread_and_all_of_it(workers: int) -> None:
    wanted, done = [], []

    @contextmanager
    def progress(_: str, total: int) -> Iterator[Callable[[], None]]:
        wanted.append(total)
        yield lambda: done.append(current_thread())

    oe.study(TRUE, SHORT, measures=["F", "Jaccard"], resamples=300, progress=progress, workers=workers)
    assert len(done) == sum(wanted)
    assert set(done) == {current_thread()}


@pytest.mark.parametrize("workers", [1, 3])
def test_a_measure_of_ones_own_that_fails_is_named_whoever_works(workers: int) -> None:
    def unable(truth: list[set[str]], prediction: list[set[str]]) -> list[float]:
        raise OSError(f"the disk is full of {len(truth)} and {len(prediction)}")

    with pytest.raises(
        oe.errors.MeasureError, match=r"unable.* raises OSError: the disk is full of 50 and 50"
    ):
        oe.compare(TRUE, SHORT, measures=[unable, "F"], resamples=20, workers=workers)


def test_commands_write_the_same_with_several_workers(tmp_path: Path) -> None:
    files = (FOLDER / "truth.csv", FOLDER / "runs", "--ontology", "photo", "-m", "OS", "-m", "F")
    commands: dict[str, tuple[object, ...]] = {
        "score": ("score", *files),
        "compare": ("compare", *files, "--resamples", 300),
        "study": ("study", *files, "--resamples", 300, "--kind", "drop", "--samples", 50),
    }
    for name, command in commands.items():
        folders = [tmp_path / f"{name}{workers}" for workers in (1, 2, 0)]
        for workers, folder in zip((1, 2, 0), folders, strict=True):
            assert call(*command, "--out", folder, "--workers", workers).exit_code == 0
        first, *others = ({path.name: path.read_bytes() for path in folder.iterdir()} for folder in folders)
        assert len(first) > 5
        assert others == [first, first]
    verified = call("verify", tmp_path / "study2", "--workers", 2)
    assert verified.exit_code == 0
    assert "Everything holds." in verified.output


def test_a_negative_number_of_workers_is_refused_by_commands() -> None:
    refused = call("score", FOLDER / "truth.csv", FOLDER / "runs", "--workers", -1)
    assert refused.exit_code == 2
    assert "--workers" in refused.output


def test_no_benchmark_file_has_workers(tmp_path: Path) -> None:
    (tmp_path / "benchmark.toml").write_text('truth = "t.csv"\nruns = "r.csv"\nworkers = 2\n')
    with pytest.raises(oe.errors.InputError, match="unknown key 'workers'"):
        oe.run_benchmark(tmp_path)


KILLED = """
import time
from ontoeval.plumbing.processes import in_processes

def shown(number):
    print(number, flush=True)
    time.sleep(600)

with in_processes(shown, 2) as mapped:
    list(mapped(range(2)))
"""


@pytest.mark.no_cover
@pytest.mark.skipif(os.name != "posix", reason="other systems keep the parent of a process as it was")
def test_workers_end_with_a_program_that_is_killed() -> None:
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", KILLED]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        for _ in range(2):
            program.stdout.readline()
        program.kill()
        begin = time.monotonic()
        program.stdout.read()  # to its end, when no process holds the pipe any more
        assert time.monotonic() - begin < 60
