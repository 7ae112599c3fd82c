"""A metric of torchmetrics: batches and processes give the number of `evaluate` to the last digit."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontoeval as oe

torch = pytest.importorskip("torch")
torchmetrics = pytest.importorskip("torchmetrics")

OntoevalMetric = oe.integrations.torchmetrics.OntoevalMetric

HIERARCHY = [(f"n{(number - 1) // 3}", f"n{number}") for number in range(1, 60)]
CLASSES = [f"n{number}" for number in range(59, 9, -1)]  # not in the order of the hierarchy
MEASURES = ["hF", "F", "OS", "F(average='macro')", "Hamming"]
GENERATOR = np.random.default_rng(0)
TARGET = torch.tensor(GENERATOR.random((130, 50)) < 0.1)
PREDS = torch.tensor(GENERATOR.random((130, 50)))


def expected(measures: Any, threshold: float | Mapping[str, float] = 0.5) -> dict[str, float]:
    truth = oe.LabelSets.from_array(TARGET.numpy(), vocabulary=CLASSES)
    scores = oe.LabelScores.from_array(PREDS.numpy(), vocabulary=CLASSES)
    found = oe.evaluate(truth, scores, hierarchy=HIERARCHY, measures=measures, threshold=threshold)
    return found.flat_names()


def computed(metric: Any) -> dict[str, float]:
    return {name: float(score) for name, score in metric.compute().items()}


def updated(metric: Any, size: int, target: Any = TARGET) -> Any:
    for begin in range(0, len(PREDS), size):
        metric.update(PREDS[begin : begin + size], target[begin : begin + size])
    return metric


@pytest.mark.parametrize("size", [1, 64, 130])
def test_batches_of_any_size_give_the_scores_of_all_samples(size):
    assert computed(updated(OntoevalMetric(MEASURES, HIERARCHY, CLASSES), size)) == expected(MEASURES)


def test_measures_of_scores_beside_such_of_sets():
    measures = ["Fmax", "hF"]
    assert computed(updated(OntoevalMetric(measures, HIERARCHY, CLASSES), 64)) == expected(measures)


def test_a_threshold_for_each_class():
    threshold = {name: 0.3 + at / 100 for at, name in enumerate(CLASSES)}
    metric = OntoevalMetric(["hF", "F"], HIERARCHY, CLASSES, threshold=threshold)
    assert computed(updated(metric, 50)) == expected(["hF", "F"], threshold)


@pytest.mark.parametrize("mark", [-1, 255])
@pytest.mark.parametrize("average", ["micro", "macro"])
def test_labels_with_the_ignore_index_count_neither_way(mark, average):
    target = torch.where(torch.tensor(GENERATOR.random((130, 50)) < 0.2), mark, TARGET.int())
    metric = OntoevalMetric(f"f1_{average}", classes=CLASSES, ignore_index=mark)
    theirs = torchmetrics.classification.MultilabelF1Score(50, average=average, ignore_index=mark)
    expected = theirs(PREDS, target).item()
    assert updated(metric, 50, target).compute().item() == pytest.approx(expected, abs=1e-6)
    (found,) = oe.evaluate(target, PREDS, threshold=0.5, ignore_index=mark, measures=f"f1_{average}").values()
    assert found == metric.compute().item()


def test_a_single_measure_is_one_tensor():
    metric = updated(OntoevalMetric("hF", HIERARCHY, CLASSES), 64)
    assert metric.compute().shape == ()
    assert metric.compute().item() == expected("hF")["hF"]


def test_labels_are_taken_as_they_are_and_half_precision_too():
    metric = OntoevalMetric("F", classes=CLASSES)
    metric.update(PREDS >= 0.5, TARGET.int())
    assert metric.compute().item() == expected("F")["F"]
    metric.reset()
    metric.update((PREDS >= 0.5).bfloat16(), TARGET.float())
    assert metric.compute().item() == expected("F")["F"]


def test_forward_gives_the_score_of_the_batch_and_keeps_the_sum():
    metric = OntoevalMetric("hF", HIERARCHY, CLASSES)
    alone = OntoevalMetric("hF", HIERARCHY, CLASSES)
    for begin in (0, 65):
        batch = PREDS[begin : begin + 65], TARGET[begin : begin + 65]
        alone.reset()
        alone.update(*batch)
        assert metric(*batch) == alone.compute()
    assert metric.compute().item() == expected("hF")["hF"]


def test_reset_copies_pickles_and_types():
    metric = updated(OntoevalMetric(MEASURES, HIERARCHY, CLASSES), 64)
    for copy in (
        metric.clone(),
        pickle.loads(pickle.dumps(metric)),  # noqa: S301 - our own
        metric.half(),
        metric.set_dtype(torch.float16),
    ):
        assert computed(copy) == expected(MEASURES)
    metric.reset()
    assert int(metric.samples) == 0
    assert computed(updated(metric, 10)) == expected(MEASURES)


def test_the_state_is_saved_and_loaded():
    metric = OntoevalMetric(MEASURES, HIERARCHY, CLASSES)
    metric.persistent(mode=True)
    other = OntoevalMetric(MEASURES, HIERARCHY, CLASSES)
    other.persistent(mode=True)
    other.load_state_dict(updated(metric, 64).state_dict())
    with pytest.warns(UserWarning, match="before the ``update`` method"):
        assert computed(other) == expected(MEASURES)


def test_metrics_of_a_collection_whose_first_batch_is_alike_stay_apart():
    limits = {"low": 0.3, "high": 0.7}
    metrics = torchmetrics.MetricCollection(
        {name: OntoevalMetric("F", classes=CLASSES, threshold=limit) for name, limit in limits.items()}
    )
    nothing = torch.zeros(2, len(CLASSES))
    metrics.update(nothing, nothing.int())
    metrics.update(PREDS, TARGET)
    found = {name: float(score) for name, score in metrics.compute().items()}
    assert found == {name: expected("F", limit)["F"] for name, limit in limits.items()}


def test_whether_more_is_better():
    assert OntoevalMetric("hF", HIERARCHY, CLASSES).higher_is_better
    assert OntoevalMetric("Hamming", classes=CLASSES).higher_is_better is False
    assert OntoevalMetric(["F", "Hamming"], classes=CLASSES).higher_is_better is None


def in_process(rank: int, file: str, folder: str) -> None:
    torch.distributed.init_process_group("gloo", init_method=f"file://{file}", rank=rank, world_size=2)
    metric = OntoevalMetric(MEASURES, HIERARCHY, CLASSES)
    for begin in range(rank * 10, 130, 20):
        metric.update(PREDS[begin : begin + 10], TARGET[begin : begin + 10])
    Path(folder, str(rank)).write_text(repr(computed(metric)), encoding="utf-8")
    torch.distributed.destroy_process_group()


def test_two_processes_give_the_scores_of_one(tmp_path):
    torch.multiprocessing.spawn(in_process, (str(tmp_path / "meeting"), str(tmp_path)), nprocs=2)
    for rank in "01":
        assert (tmp_path / rank).read_text(encoding="utf-8") == repr(expected(MEASURES))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("AP", None, CLASSES), "AP.*all samples at once"),
        (("hF", HIERARCHY, ["n8", "m9"]), "'m9'"),
        (("hF", None, CLASSES), "needs a hierarchy"),
        (("F",), r"classes=\[...\]"),
    ],
)
def test_what_cannot_work_is_refused_when_the_metric_is_made(arguments, message):
    with pytest.raises(oe.OntoevalError, match=message):
        OntoevalMetric(*arguments)


@pytest.mark.parametrize(
    ("preds", "target", "message"),
    [
        (PREDS * 4 - 2, TARGET, "sigmoid"),
        (PREDS[:, :3], TARGET, r"shape \(130, 3\), for 50 classes"),
        (PREDS, TARGET[:, 0], r"shape \(130,\)"),
        (PREDS[:5], TARGET, "125 only in the truth"),
        (PREDS, TARGET * 0.5, "fractions stand where the truth belongs"),
        (PREDS * float("nan"), TARGET, "from nan to nan"),
    ],
)
def test_tensors_that_do_not_fit_are_refused(preds, target, message):
    with pytest.raises(oe.OntoevalError, match=message):
        OntoevalMetric("F", classes=CLASSES).update(preds, target)


def test_what_others_write_works_or_names_the_call():
    metric = OntoevalMetric("F", num_labels=50)
    assert updated(metric, 50).compute().item() == expected("F")["F"]
    pytest.importorskip("matplotlib")
    figure, _ = metric.plot()
    assert figure.axes
    with pytest.raises(AttributeError, match=r"log_dict\(metric\.compute\(\)\)"):
        OntoevalMetric(["F", "P"], classes=CLASSES).items()
    classes = torch.topk(PREDS, 3).indices
    one_hot = torch.zeros_like(TARGET).scatter(1, classes, 1)
    assert (
        oe.evaluate(TARGET, classes, classes=CLASSES)["F"]
        == oe.evaluate(TARGET, one_hot, classes=CLASSES)["F"]
    )
    pairs = [torch.stack([1 - column, column], dim=1).numpy() for column in PREDS.T]
    assert oe.evaluate(TARGET, pairs, threshold=0.5, measures="F")["F"] == expected("F")["F"]
