"""Scorers and metrics of libraries that are not installed say which extra installs them."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

import ontoeval as oe
from ontoeval.errors import MissingExtraError


@pytest.mark.parametrize("library", ["torch", "torchmetrics"])
def test_a_metric_without_its_library_names_the_extra(library, monkeypatch):
    metric = oe.integrations.torchmetrics.OntoevalMetric
    for name in ("torch", "torchmetrics"):
        monkeypatch.setitem(sys.modules, name, None if name == library else sys)
    with pytest.raises(MissingExtraError, match=rf"needs {library}, .*\[integrations\]"):
        metric("F", classes=["a", "b"])


def test_a_scorer_without_scikit_learn_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(MissingExtraError, match=r"ontoeval.scorer needs sklearn, .*\[integrations\]"):
        oe.scorer("F", classes=["a", "b"])


def test_the_trainer_of_transformers_needs_nothing_here():
    metrics = oe.integrations.transformers.compute_metrics("F", classes={0: "a", 1: "b"})
    evaluated = SimpleNamespace(predictions=[[2.0, -1.0], [0.5, 0.5]], label_ids=[[1, 0], [1, 0]])
    assert metrics(evaluated) == {"F": 0.8}
