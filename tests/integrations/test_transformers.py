"""`compute_metrics` for the Trainer of transformers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ontoeval as oe

transformers = pytest.importorskip("transformers")
compute_metrics = oe.integrations.transformers.compute_metrics

HIERARCHY = {"plants": ["tree", "moss"], "water": ["sea", "lake"]}
NAMES = {0: "sea", 1: "tree", 2: "moss", 3: "lake"}
GENERATOR = np.random.default_rng(0)
LABELS = (GENERATOR.random((30, 4)) < 0.4).astype(np.float32)
LOGITS = GENERATOR.normal(size=(30, 4)).astype(np.float32)
PROBABILITIES = 1 / (1 + np.exp(-LOGITS.astype(np.float64)))
MEASURES = ["hF", "F(average='macro')", "Fmax", "AP"]


def expected(threshold: float = 0.5) -> Any:
    truth = oe.LabelSets.from_array(LABELS, vocabulary=list(NAMES.values()))
    scores = oe.LabelScores.from_array(PROBABILITIES, vocabulary=list(NAMES.values()))
    found = oe.evaluate(truth, scores, hierarchy=HIERARCHY, measures=MEASURES, threshold=threshold)
    return pytest.approx(found.flat_names())


@pytest.mark.parametrize("predictions", [LOGITS, (LOGITS, np.zeros((30, 7)))], ids=["logits", "tuple"])
def test_logits_become_probabilities(predictions):
    metrics = compute_metrics(MEASURES, HIERARCHY, NAMES)
    assert metrics(transformers.EvalPrediction(predictions=predictions, label_ids=LABELS)) == expected()


def test_probabilities_are_taken_as_they_are_if_it_is_said():
    metrics = compute_metrics(MEASURES, HIERARCHY, NAMES, threshold=0.3, activation="none")
    prediction = transformers.EvalPrediction(predictions=PROBABILITIES, label_ids=LABELS)
    assert metrics(prediction) == expected(0.3)
    with pytest.raises(oe.OntoevalError, match="sigmoid"):
        metrics(transformers.EvalPrediction(predictions=LOGITS, label_ids=LABELS))


def test_a_trainer_reports_the_flat_names(tmp_path):
    torch = pytest.importorskip("torch")
    pytest.importorskip("accelerate")
    config = transformers.BertConfig(
        vocab_size=20,
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=1,
        intermediate_size=8,
        id2label=NAMES,
        label2id={name: number for number, name in NAMES.items()},
        problem_type="multi_label_classification",
    )
    torch.manual_seed(0)
    model = transformers.BertForSequenceClassification(config)
    data = [
        {"input_ids": torch.tensor([1, at % 20]), "labels": torch.tensor(row)}
        for at, row in enumerate(LABELS)
    ]
    trainer = transformers.Trainer(
        model=model,
        args=transformers.TrainingArguments(output_dir=str(tmp_path), use_cpu=True, report_to=[]),
        eval_dataset=data,
        compute_metrics=compute_metrics(MEASURES, HIERARCHY, model.config.id2label),
    )
    found = trainer.evaluate()
    assert {"eval_hF", "eval_F_average_macro", "eval_Fmax", "eval_AP"} <= found.keys()
    logits = torch.tensor(trainer.predict(data).predictions)
    predicted = oe.LabelScores.from_array(
        torch.sigmoid(logits.double()).numpy(), vocabulary=list(NAMES.values())
    )
    truth = oe.LabelSets.from_array(LABELS, vocabulary=list(NAMES.values()))
    assert found["eval_hF"] == oe.evaluate(truth, predicted.at(0.5), hierarchy=HIERARCHY, measures="hF")["hF"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"classes": ["moos", "tree"]}, "'moos'.*near: 'moss'"),
        ({"activation": "softmax"}, "activation='softmax'"),
        ({"threshold": {"sea": 0.5}}, "no threshold for 3 concepts"),
        ({"hierarchy": None}, "needs a hierarchy"),
    ],
)
def test_what_cannot_work_is_refused_before_the_training(options, message):
    with pytest.raises(oe.OntoevalError, match=message):
        compute_metrics(**({"measures": "hF", "hierarchy": HIERARCHY, "classes": NAMES} | options))
