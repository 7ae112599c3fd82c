"""On a cluster of Dask a lost worker costs a retry, and the client holds totals alone."""

from __future__ import annotations

import os
import signal
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

import ontoeval as oe

dask = pytest.importorskip("dask")
bags = pytest.importorskip("dask.bag")
distributed = pytest.importorskip("distributed")

HIERARCHY = oe.Hierarchy.from_edges([("plants", "trees"), ("plants", "flowers"), ("sky", "clouds")])
CONCEPTS = ("plants", "trees", "flowers", "sky", "clouds")
HOW: dict[str, Any] = {"hierarchy": HIERARCHY, "measures": ("OS", "hF", "F(average='macro')")}


@pytest.fixture(scope="module")
def client():
    """Two processes, of one thread each, without a dashboard."""
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "silence_logs": 50}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        yield client


def labels(part: int, samples: int, step: int) -> list[tuple[str, list[str]]]:
    numbers = range(part * samples, (part + 1) * samples)
    return [(f"s{number}", [CONCEPTS[number * step % 5]]) for number in numbers]


def bag(parts: int, samples: int, step: int, made: Any = labels) -> Any:
    return bags.from_delayed([dask.delayed(made)(part, samples, step) for part in range(parts)])


@pytest.mark.no_cover
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
    assert peak(8_000) < peak(2_000) + 300_000, "6,000 more samples in each of 4 partitions"
