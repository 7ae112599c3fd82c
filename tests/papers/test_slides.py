"""Every worked value of the slides Metrics for Multi-class and Multi-label Classification.

The slides print predicted classes as rows; here, as everywhere in this project, rows are true.
"""

from __future__ import annotations

import numpy as np
import pytest

import ontoeval as oe
from tests.oracles import worked_examples as examples
from tests.oracles.worked_examples import printed, rows

BALANCED = [[9, 1, 0], [3, 6, 1], [1, 2, 7]]
IMBALANCED = [[9, 1, 0], [6, 12, 2], [3, 6, 21]]


def samples(matrix: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Samples of which a matrix is the confusion matrix."""
    truth, prediction = examples.one_label_samples(matrix)
    return examples.array(truth, len(matrix)), examples.array(prediction, len(matrix))


def seven_labels() -> tuple[oe.LabelSets, oe.LabelSets]:
    """The multi-label example: five instances, labels a to g."""
    truth = oe.LabelSets.from_sets(
        [set(labels) for labels in examples.SLIDES_TRUTH], vocabulary=tuple("abcdefg")
    )
    prediction = oe.LabelSets.from_sets(
        [set(labels) for labels in examples.SLIDES_PREDICTION], vocabulary=tuple("abcdefg")
    )
    return truth, prediction


@pytest.mark.parametrize(
    ("false_cats", "others", "precision", "f"), [(2, 8, 0.82, 0.857143), (4, 16, 0.69, 0.782609)]
)
def test_issue_with_imbalanced_datasets_precision_of_cats(
    false_cats: int, others: int, precision: float, f: float
) -> None:
    """Printed: p = 9/11 = 0.82 and p = 9/13 = 0.69; recall 9/10 in both."""
    truth, prediction = samples([[9, 1], [false_cats, others]])
    counts = oe.one_vs_rest(truth[:, :1], prediction[:, :1])
    assert (counts.tp[0], counts.fp[0], counts.fn[0], counts.tn[0]) == (9, false_cats, 1, others)
    assert counts.precision[0] == pytest.approx(precision, abs=0.005)
    assert counts.recall[0] == pytest.approx(0.9, abs=1e-9)
    assert counts.f()[0] == pytest.approx(f, abs=1e-6)
    result = oe.evaluate(truth[:, :1], prediction[:, :1], measures=["P", "F"])
    assert result["P"] == pytest.approx(9 / (9 + false_cats), abs=1e-9)
    # printed with a product where the sum of the reciprocals belongs, which would give more than 1
    assert result["F"] == pytest.approx(2 / (1 / counts.precision[0] + 1 / counts.recall[0]), abs=1e-9)


def test_multi_class_confusion_matrix() -> None:
    found = np.array(rows(oe.confusion_matrix(*samples(BALANCED), rule="multiclass").matrix))
    assert found.T.tolist() == [[9, 3, 1], [1, 6, 2], [0, 1, 7]]
    assert found.sum(axis=1).tolist() == [10, 10, 10]
    assert found.sum(axis=0).tolist() == [13, 9, 8]


@pytest.mark.parametrize("matrix", [BALANCED, IMBALANCED], ids=["balanced", "imbalanced"])
def test_per_class_averaging_example_counts(matrix: list[list[int]]) -> None:
    expected = {
        30: [[9, 16, 4, 1], [6, 17, 3, 4], [7, 19, 1, 3]],
        60: [[9, 41, 9, 1], [12, 33, 7, 8], [21, 28, 2, 9]],
    }
    truth, prediction = samples(matrix)
    by_matrix = oe.confusion_matrix(truth, prediction, rule="multiclass").counts()
    for counts in (by_matrix, oe.one_vs_rest(truth, prediction)):
        found = np.stack([counts.tp, counts.tn, counts.fp, counts.fn], axis=-1)
        assert found.tolist() == expected[len(truth)]


AVERAGES = [
    # measure, options, as printed for the balanced and the imbalanced data, digits, as computed
    ("P", "average='macro'", (0.745, 0.682), 3, (0.7446581197, 0.6815408085)),
    ("P", "average='micro'", (0.73, 0.7), 2, (11 / 15, 0.7)),
    # "1/10" before each balanced precision is printed where 10 belongs
    ("P", "average='weighted'", (0.745, 0.750), 3, (0.7446581197, 0.7503813883)),
    ("F", "average='macro'", (0.731, 0.684), 3, (0.7306551403, 0.6835648628)),
    ("F", "average='macro', of='averages'", (0.739, 0.706), 3, (0.7389523396, 0.7064891189)),
    ("F", "average='micro'", (0.733, 0.7), 3, (11 / 15, 0.7)),
]


@pytest.mark.parametrize("rule", ["one-vs-rest", "multiclass"])
@pytest.mark.parametrize(("symbol", "options", "as_printed", "digits", "computed"), AVERAGES)
def test_per_class_averaging_example_averages(
    symbol: str,
    options: str,
    as_printed: tuple[float, float],
    digits: int,
    computed: tuple[float, float],
    rule: str,
) -> None:
    measure = f"{symbol}({options}, rule='{rule}')"
    found = [oe.evaluate(*samples(m), measures=[measure])[measure] for m in (BALANCED, IMBALANCED)]
    assert found == printed(as_printed, digits)
    assert found == pytest.approx(computed, abs=1e-9)


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("R(average='macro')", (11 / 15, 11 / 15)),
        ("Accuracy(average='macro')", (37 / 45, 0.8)),
        ("Error(average='macro')", (8 / 45, 0.2)),
        ("Accuracy", (37 / 45, 0.8)),
        ("Error", (8 / 45, 0.2)),
    ],
)
def test_per_class_averaging_example_recall_accuracy_and_error_rate(
    measure: str, expected: tuple[float, float]
) -> None:
    """The slides give the formulas without values."""
    found = [oe.evaluate(*samples(m), measures=[measure])[measure] for m in (BALANCED, IMBALANCED)]
    assert found == pytest.approx(expected, abs=1e-9)


def test_per_class_averaging_example_weighted_f_of_the_imbalanced_data() -> None:
    measures = ["F(average='weighted')", "F(average='weighted', of='averages')"]
    result = oe.evaluate(*samples(IMBALANCED), measures=measures)
    assert [result[measure] for measure in measures] == pytest.approx([0.708497, 0.724316], abs=1e-6)


@pytest.mark.parametrize("matrix", [BALANCED, IMBALANCED], ids=["balanced", "imbalanced"])
def test_micro_precision_recall_and_f_are_equal_for_multi_class_data(matrix: list[list[int]]) -> None:
    result = oe.evaluate(*samples(matrix), measures=["P", "R", "F"])
    assert result["P"] == result["R"] == pytest.approx(result["F"], abs=1e-12)


def test_multi_label_example_counts_per_instance() -> None:
    """Printed: TP, TN, FP, FN of x1 to x5 and their sums 10, 13, 7, 5."""
    truth, prediction = seven_labels()
    y, z = truth.matrix.toarray(), prediction.matrix.toarray()
    by_instance = oe.one_vs_rest(y.T, z.T)  # instances and labels exchanged
    found = np.stack([by_instance.tp, by_instance.tn, by_instance.fp, by_instance.fn], axis=-1)
    assert rows(found) == [[3, 4, 0, 0], [4, 2, 0, 1], [0, 3, 2, 2], [2, 2, 1, 2], [1, 2, 4, 0]]
    assert found.sum(axis=0).tolist() == [10, 13, 7, 5]


@pytest.mark.parametrize(
    ("measure", "expected", "per_instance"),
    [
        ("Jaccard", 0.48, [1, 4 / 5, 0, 2 / 5, 1 / 5]),
        ("Hamming", 12 / 35, [0, 1 / 7, 4 / 7, 3 / 7, 4 / 7]),
        ("ExactMatch", 0.2, [1, 0, 0, 0, 0]),
        ("P(average='samples')", 0.5733333333, [1, 1, 0, 2 / 3, 1 / 5]),
        ("R(average='samples')", 0.66, [1, 4 / 5, 0, 1 / 2, 1]),
        ("F(average='samples')", 0.5587301587, [1, 8 / 9, 0, 4 / 7, 1 / 3]),
    ],
)
def test_multi_label_example_measures_per_instance(
    measure: str, expected: float, per_instance: list[float]
) -> None:
    result = oe.evaluate(*seven_labels(), measures=[measure])
    assert result[measure] == pytest.approx(expected, abs=1e-9)
    assert result.per_sample(measure) == pytest.approx(np.array(per_instance), abs=1e-9)


def test_multi_label_example_f_of_averages_per_instance() -> None:
    measure = "F(average='samples', of='averages')"
    assert oe.evaluate(*seven_labels(), measures=[measure])[measure] == pytest.approx(0.6136216216, abs=1e-9)


def test_multi_label_viewpoint_of_correctness_one_fully_one_wrong_three_partly() -> None:
    result = oe.evaluate(*seven_labels(), measures=["ExactMatch", "PartlyCorrect", "FullyWrong"])
    assert list(result.scores.values()) == pytest.approx([0.2, 0.6, 0.2], abs=1e-12)


def test_multi_label_example_counts_per_class() -> None:
    counts = oe.one_vs_rest(*seven_labels())
    assert counts.tp.tolist() == [2, 2, 2, 2, 1, 0, 1]
    assert counts.fp.tolist() == [1, 1, 1, 1, 1, 2, 0]
    assert counts.fn.tolist() == [1, 0, 2, 1, 0, 0, 1]


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("P", 10 / 17),
        ("R", 2 / 3),
        ("F", 0.625),
        ("P(average='macro')", 0.5952380952),
        # nothing is labelled f: its recall is 0/0 and is left out, or counts as 0 where that is asked for
        ("R(average='macro')", 0.7222222222),
        ("R(average='macro', undefined=0.0)", 0.6190476190),
        ("F(average='macro')", 0.5768707483),
        ("F(average='macro', of='averages', undefined=0.0)", 0.6069094313),
        ("P(average='weighted')", 0.7),
        ("R(average='weighted')", 2 / 3),
        ("F(average='weighted')", 0.6590476190),
    ],
)
def test_multi_label_example_averages_per_class(measure: str, expected: float) -> None:
    assert oe.evaluate(*seven_labels(), measures=[measure])[measure] == pytest.approx(expected, abs=1e-9)


def test_weighted_averages_divide_by_the_number_of_labels_not_of_instances() -> None:
    """The slides divide by n = 5 instances, which gives a precision of 2.1."""
    counts = oe.one_vs_rest(*seven_labels())
    literal = (counts.support * np.nan_to_num(counts.precision)).sum() / 5
    assert literal == pytest.approx(2.1, abs=1e-9)
    found = oe.evaluate(*seven_labels(), measures=["P(average='weighted')"])["P(average='weighted')"]
    assert found == pytest.approx(literal * 5 / counts.support.sum(), abs=1e-9)
