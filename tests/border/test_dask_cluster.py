"""On a cluster of Dask a lost worker costs a retry, and the client holds totals alone."""

from __future__ import annotations

import os
import signal
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.evaluation.clusters import connected, losses_explained, refuse_other_versions
from tests.commands import call, refusal

dask = pytest.importorskip("dask")
bags = pytest.importorskip("dask.bag")
distributed = pytest.importorskip("distributed")

HIERARCHY = oe.Hierarchy.from_edges([("plants", "trees"), ("plants", "flowers"), ("sky", "clouds")])
CONCEPTS = ("plants", "trees", "flowers", "sky", "clouds")
HOW: dict[str, Any] = {"hierarchy": HIERARCHY, "measures": ("OS", "hF", "F(average='macro')")}


@pytest.fixture(scope="module")
def client():
    """Two processes, of one thread each; any free port serves the dashboard, which is not needed."""
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": 50}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        yield client


def labels(part: int, samples: int, step: int) -> list[tuple[str, list[str]]]:
    numbers = range(part * samples, (part + 1) * samples)
    return [(f"s{number}", [CONCEPTS[number * step % 5]]) for number in numbers]


def bag(parts: int, samples: int, step: int, made: Any = labels) -> Any:
    return bags.from_delayed([dask.delayed(made)(part, samples, step) for part in range(parts)])


@pytest.mark.no_cover
@pytest.mark.filterwarnings("ignore:Running on a single-machine scheduler")  # of Dask 2025.1
def test_a_killed_worker_costs_a_retry_and_no_bit(client, tmp_path):
    marks = str(tmp_path)

    def killing(part: int, samples: int, step: int) -> list[tuple[str, list[str]]]:
        mark = Path(marks, "killed")
        if part == 9 and not mark.exists():
            mark.write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)
        return labels(part, samples, step)

    before = client.run(os.getpid)
    truth = bag(16, 50, 3)
    found = oe.compare(truth, {"run": bag(16, 50, 2, killing)}, resamples=40, **HOW)
    killed = int((tmp_path / "killed").read_text())
    assert killed in before.values()
    assert killed not in client.run(os.getpid).values()
    with dask.config.set(scheduler="synchronous"):
        alone = oe.compare(truth, {"run": bag(16, 50, 2)}, resamples=40, **HOW)
    assert found.scores.tobytes() == alone.scores.tobytes()
    assert found.replicates.tobytes() == alone.replicates.tobytes()


@pytest.mark.no_cover
@pytest.mark.usefixtures("client")
def test_errors_of_workers_name_the_partition():
    with pytest.raises(
        oe.OntoevalError, match=r"partition \d of 0 to 3: run 'prediction': .*in their samples"
    ):
        oe.evaluate(bag(4, 10, 1), bag(4, 11, 1), **HOW)


@pytest.mark.no_cover
@pytest.mark.usefixtures("client")
def test_the_memory_of_the_client_does_not_depend_on_the_number_of_samples():
    def peak(samples: int) -> int:
        tracemalloc.start()
        oe.evaluate(bag(4, samples, 3), bag(4, samples, 2), hierarchy=HIERARCHY, measures="F")
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(10)  # imports
    assert peak(8_000) < peak(2_000) + 1_500_000, "sets of 24,000 more samples take 5 MB"


@pytest.mark.no_cover
@pytest.mark.usefixtures("client")
def test_functions_of_a_notebook_are_measures():
    def shared(truth: list[set[str]], prediction: list[set[str]]) -> list[float]:
        return [float(len(one & other)) for one, other in zip(truth, prediction, strict=True)]

    found = oe.evaluate(bag(20, 5, 3), bag(20, 5, 2), hierarchy=HIERARCHY, measures=[shared, "F"])
    assert list(found.scores.values()) == [0.2, 0.2]


@pytest.fixture
def files(tmp_path):
    """Write a truth and a run of 95 samples as Parquet."""
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    for name, step in (("truth", 3), ("run", 2)):
        samples, sets = zip(*labels(0, 95, step), strict=True)
        table = arrow.table({"sample": samples, "labels": sets})
        parquet.write_table(table, tmp_path / f"{name}.parquet", row_group_size=20)
    return tmp_path


def scans(folder: Path, *names: str, chunk: int = 10) -> list[Any]:
    return [oe.scan_labels(folder / f"{name}.parquet", concepts=CONCEPTS, chunk=chunk) for name in names]


@pytest.mark.no_cover
def test_files_on_a_cluster_have_the_bits_of_one_process(client, files):
    truth, run = scans(files, "truth", "run")
    alone = oe.evaluate(truth, run, **HOW)
    assert oe.evaluate(truth, run, **HOW, workers=client).scores == alone.scores
    how = {**HOW, "resamples": 30}
    found, here = (oe.compare(truth, {"run": run}, **how, workers=some) for some in (client, 1))
    assert found.runs == here.runs
    assert found.scores.tobytes() == here.scores.tobytes()
    # A library of matrix products rounds otherwise with other numbers of threads, and Dask sets one.
    np.testing.assert_allclose(found.replicates, here.replicates, rtol=1e-12)


@pytest.mark.no_cover
def test_files_that_do_not_fit_each_other_are_refused(client, files):
    truth, run = scans(files, "truth", "run")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = parquet.read_table(files / "run.parquet")
    parquet.write_table(rows[:85], files / "short.parquet")
    parquet.write_table(rows.sort_by([("sample", "descending")]), files / "turned.parquet")
    short, turned = scans(files, "short", "turned")
    with pytest.raises(oe.OntoevalError, match=r"95 samples, .*85 samples"):
        oe.evaluate(truth, short, **HOW, workers=client)
    with pytest.raises(oe.OntoevalError, match=r"partition \d of 0 to 9: .*their rows in the same order"):
        oe.evaluate(truth, turned, **HOW, workers=client)
    with pytest.raises(oe.OntoevalError, match="'refuse': on a cluster"):
        oe.evaluate(truth, run, **HOW, missing="empty", workers=client)
    (files / "run.parquet").unlink()
    with pytest.raises(oe.OntoevalError, match=r"run\.parquet: the worker on .* cannot find this file"):
        oe.evaluate(truth, run, **HOW, workers=client)


@pytest.mark.no_cover
def test_text_files_are_refused_on_a_cluster(client, tmp_path):
    path = tmp_path / "truth.csv"
    path.write_text("sample,labels\np1,sky;clouds\n")
    some = oe.scan_labels(path, concepts=CONCEPTS)
    with pytest.raises(oe.OntoevalError, match="Convert the file to Parquet"):
        oe.evaluate(some, some, **HOW, workers=client)


def arguments(folder: Path, *options: str) -> list[str]:
    concepts = folder / "concepts.txt"
    concepts.write_text("\n".join(CONCEPTS))
    files = (str(folder / name) for name in ("truth.parquet", "run.parquet"))
    return ["score", *files, "--concepts", str(concepts), "-m", "F", "-m", "Jaccard", *options]


@pytest.mark.no_cover
def test_a_command_scores_on_a_cluster(client, files):
    chunked = arguments(files, "--chunk", "10", "--format", "csv")
    alone = call(*chunked)
    assert alone.exit_code == 0, alone.output
    assert call(*chunked, "--scheduler", client.scheduler.address).stdout == alone.stdout


@pytest.mark.no_cover
def test_a_command_explains_what_is_wrong_with_a_cluster(files, monkeypatch, capsys):
    monkeypatch.setattr("ontoeval.evaluation.clusters.TIMEOUT", 1)
    given = arguments(files, "--scheduler", "tcp://127.0.0.1:9")
    assert "a --chunk beside it" in refusal(given, capsys, monkeypatch)
    given += ["--chunk", "10"]
    text = refusal(given, capsys, monkeypatch)
    assert "no Dask scheduler answers at tcp://127.0.0.1:9 within 1 s" in text
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "ontoeval-metrics[scale]" in refusal(given, capsys, monkeypatch)


@pytest.mark.parametrize("address", ["localhost", "tcp://localhost", ""])
def test_an_address_without_a_port_is_refused_at_once(address):
    with pytest.raises(oe.OntoevalError, match=r"has no port: .*tcp://host:8786"), connected(address):
        pass


@pytest.mark.no_cover
def test_workers_of_another_version_are_refused(client, monkeypatch):
    monkeypatch.setattr("ontoeval.evaluation.clusters.__version__", "0.0.1")
    with pytest.raises(
        oe.OntoevalError, match=r"the worker \S+ has ontoeval .*, this machine ontoeval 0\.0\.1"
    ):
        refuse_other_versions(client)


def test_a_task_that_ends_worker_after_worker_is_explained():
    killed = distributed.scheduler.KilledWorker("task", distributed.scheduler.WorkerState, 3)
    with pytest.raises(oe.OntoevalError, match="Make partitions or chunks smaller"), losses_explained():
        raise killed
