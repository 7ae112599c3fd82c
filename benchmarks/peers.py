"""Other programs: how each is called, as its users call it, with data in the form that it works on."""

from __future__ import annotations

import contextlib
import io
import logging
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
from scipy import sparse

from benchmarks.measuring import Peer, Prepare, Work
from benchmarks.samples import Arrays, Files, Sides
from ontoeval.core.resampling import Bootstrap, Portion, chunks, in_order

TORCH_SAMPLES, HICLASS_SAMPLES = 2_000, 1_000
"""Dense tensors of all samples would not fit into memory; loops over sets would take minutes."""
SINGLE = 1e-6
"""What numbers in single precision differ by."""


def floor(kernel: str, **options: bool) -> Peer:
    """Call a kernel of `floor.c`."""
    return Peer(lambda data: data.floor.prepared(kernel, **options))


def scikit_learn(function: str, **options: Any) -> Peer:  # noqa: ANN401 - those of the function
    """Call a function of scikit-learn on sparse arrays."""

    def prepare(data: Sides) -> Work:
        return partial(getattr(import_module("sklearn.metrics"), function), *data.integers, **options)

    return Peer(prepare)


def torchmetrics(function: str, samples: int | None = None, **options: Any) -> Peer:  # noqa: ANN401 - as above
    """Call a function of torchmetrics on tensors of 0 and 1 on the processor."""

    def prepare(data: Sides) -> Work:
        torch = import_module("torch")
        torch.set_num_threads(1)
        called = getattr(import_module("torchmetrics.functional.classification"), function)
        dense = (side.toarray() if sparse.issparse(side) else side for side in data.integers)
        truth, prediction = map(torch.from_numpy, dense)
        return partial(called, prediction, truth, num_labels=truth.shape[1], **options)

    return Peer(prepare, samples=samples, tolerance=SINGLE)


def many_of_scikit_learn(averages: tuple[str, ...]) -> Peer:
    """Precision, recall and F by all averages, Jaccard and Hamming: in as few calls as possible."""

    def prepare(data: Sides) -> Work:
        metrics = import_module("sklearn.metrics")

        def scores() -> list[float]:
            found: list[float] = []
            for average in averages:
                given = {"average": average, "zero_division": np.nan}
                found += metrics.precision_recall_fscore_support(*data.integers, **given)[:3]
            found.append(metrics.jaccard_score(*data.integers, average="samples"))
            return [*found, metrics.hamming_loss(*data.integers)]

        return scores

    return Peer(prepare)


def resampled_by_scikit_learn(resamples: int, wanted: int) -> Peer:
    """Score a few resamples one after the other."""

    def prepare(data: Sides) -> Work:
        f1 = import_module("sklearn.metrics").f1_score
        rng, (truth, prediction) = np.random.default_rng(0), data.integers

        def scores() -> list[float]:
            draws = (rng.integers(len(data), size=len(data)) for _ in range(resamples))
            return [f1(truth[drawn], prediction[drawn], average="micro") for drawn in draws]

        return scores

    return Peer(prepare, part=resamples / wanted, differs="draws other resamples")


def resampled_floor(resamples: int) -> Peer:
    """Score the same resamples in C; their weights are drawn before the time is taken."""

    def prepare(data: Sides) -> Work:
        portion = Portion(0, len(data), in_order(data.truth.samples))
        bootstrap = Bootstrap(resamples=resamples)
        parts = [bootstrap.draw(*some, portion) for some in chunks(resamples)]
        weights = np.concatenate(parts).astype(np.uint8)
        return partial(data.floor.macro_f_of_resamples, weights)

    return Peer(prepare)


def hiclass() -> Peer:
    """Call HiClass, which takes the labels of each sample with their ancestors."""

    def prepare(data: Sides) -> Work:
        return partial(import_module("hiclass.metrics").f1, *data.members)

    return Peer(prepare, samples=HICLASS_SAMPLES)


def ranx(*metrics: str) -> Peer:
    """Call ranx, which takes its dictionaries apart beforehand."""

    def prepare(data: Arrays) -> Work:
        ranx = import_module("ranx")
        names = list(map(str, range(data.truth.shape[1])))
        scored = {
            str(row): dict(zip(names, some, strict=True)) for row, some in enumerate(data.prediction.tolist())
        }
        true = {
            str(row): {names[at]: 1 for at in np.flatnonzero(some)} for row, some in enumerate(data.truth)
        }
        sides = ranx.Qrels(true), ranx.Run(scored)
        return lambda: list(ranx.evaluate(*sides, list(metrics)).values())

    return Peer(prepare)


def cafaeval() -> Peer:
    """Let cafaeval compute everything from files; compared is Fmax, by means and by sums."""

    def prepare(data: Files) -> Work:
        # Its evaluation prints and logs what it does.
        evaluate = import_module("cafaeval.evaluation").cafa_eval

        def best() -> list[float]:
            logging.disable(logging.INFO)
            with contextlib.redirect_stdout(io.StringIO()):
                _, found = evaluate(str(data / "drawn.obo"), str(data / "runs"), str(data / "truth.tsv"))
            logging.disable(logging.NOTSET)
            return [float(found[name][name].iloc[0]) for name in ("f", "f_micro")]

        return best

    return Peer(prepare)


def reader(called: Callable[[Files], Prepare | Any], differs: str) -> Peer:
    """Read a file with another library."""
    return Peer(lambda data: partial(called, data), differs=differs)


def with_rdflib(data: Files) -> object:
    """Parse Turtle."""
    return import_module("rdflib").Graph().parse(data / "thesaurus.ttl")


def with_obonet(data: Files) -> object:
    """Read OBO into a graph."""
    return import_module("obonet").read_obo(str(data / "drawn.obo"))


def with_pandas(data: Files) -> object:
    """Read the table of a CSV file."""
    return import_module("pandas").read_csv(data / "labels.csv")


def with_pyarrow(data: Files) -> object:
    """Read the table of a Parquet file."""
    return import_module("pyarrow.parquet").read_table(data / "labels.parquet")
