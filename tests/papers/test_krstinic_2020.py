"""Every worked value of Krstinić, Braović, Šerić and Božić-Štulić 2020.

Multi-label classifier performance evaluation with confusion matrix, CS & IT 2020.
"""

from __future__ import annotations

import numpy as np
import pytest

import ontoeval as oe
from tests.oracles import worked_examples as examples
from tests.oracles.worked_examples import printed, rows

TABLE_1 = tuple(examples.array(sets, 4) for sets in examples.one_label_samples(examples.KRSTINIC_TABLE_1))
TRUTH = examples.array(examples.columns(examples.KRSTINIC_TRUTH), 4)
PREDICTION = examples.array(examples.columns(examples.KRSTINIC_PREDICTION), 4)
SIXTHS = [[6, 2, 2, 2], [5, 28, 3, 0], [8, 6, 10, 0], [6, 0, 3, 9]]


@pytest.mark.parametrize("rule", ["multiclass", "krstinic", "mlcm", "tensor-recall", "tensor-precision"])
def test_table_1_section_3_1_counts_45_samples_by_every_rule(rule: str) -> None:
    found = oe.confusion_matrix(*TABLE_1, rule=rule)
    assert rows(found.matrix[:4, :4]) == examples.KRSTINIC_TABLE_1
    assert found.matrix.sum() == 45


def test_table_1_section_3_1_precision_is_its_last_row() -> None:
    counts = oe.confusion_matrix(*TABLE_1, rule="multiclass").counts()
    assert counts.precision == printed([0.50, 1.00, 0.70, 0.90])


def test_table_1_section_3_1_recall_of_the_third_class_is_0_70_and_not_0_80_as_printed() -> None:
    """The counts and Table 3 of the same paper give 7/10."""
    counts = oe.confusion_matrix(*TABLE_1, rule="multiclass").counts()
    assert counts.recall == printed([1.00, 0.60, 0.70, 0.75])
    assert counts.recall[2] == pytest.approx(0.7, abs=1e-9)


def test_table_2_section_3_1_is_normalised_by_columns() -> None:
    found = oe.confusion_matrix(*TABLE_1, rule="multiclass").normalised("predicted").matrix
    expected: list[list[float]] = [
        [0.5, 0, 0, 0],
        [0.25, 1, 0.1, 0.1],
        [0.19, 0, 0.7, 0],
        [0.06, 0, 0.2, 0.9],
    ]
    assert found == printed(expected)


def test_table_3_section_3_1_is_normalised_by_rows() -> None:
    found = oe.confusion_matrix(*TABLE_1, rule="multiclass").normalised("true").matrix
    expected = [[1, 0, 0, 0], [0.27, 0.6, 0.07, 0.07], [0.3, 0, 0.7, 0], [0.08, 0, 0.17, 0.75]]
    assert found == printed(expected)


TABLE_4 = {
    "x1 (i)": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
    "x2 (ii), eq 19": [[0, 0, 0, 0], [1 / 3, 2 / 3, 0, 0], [1 / 3, 0, 2 / 3, 0], [0, 0, 0, 0]],
    "x3 (ii)": [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [1 / 2, 0, 0, 1 / 2]],
    "x4 (iii), eq 21": [[0, 1 / 3, 1 / 3, 1 / 3], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]],
    "x5 (iii)": [[0, 0, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]],
    "x6 (iv)": [[0, 0, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]],
    "x7 (iv)": [[0, 0, 0, 0], [1 / 2, 0, 1 / 2, 0], [0, 0, 0, 0], [1 / 2, 0, 1 / 2, 0]],
}


@pytest.mark.parametrize("sample", range(7), ids=list(TABLE_4))
def test_table_4_section_3_3_contribution_of_each_sample(sample: int) -> None:
    """Equation 19 is a 4 x 4 matrix; some copies of the paper show a fifth row."""
    one = slice(sample, sample + 1)
    found = oe.confusion_matrix(TRUTH[one], PREDICTION[one], rule="krstinic").matrix
    assert found[:4, :4] == pytest.approx(np.array(list(TABLE_4.values())[sample]), abs=1e-9)
    assert found.sum() == pytest.approx(TRUTH[one].sum(), abs=1e-9)


def test_table_5_section_3_3_raw_matrix() -> None:
    found = oe.confusion_matrix(TRUTH, PREDICTION, rule="krstinic").matrix
    expected = [[1.00, 0.33, 0.33, 0.33], [0.83, 4.67, 0.50, 0], [1.33, 1.00, 1.67, 0], [1.00, 0, 0.50, 1.50]]
    assert found[:4, :4] == printed(expected)
    assert found[:4, :4] * 6 == pytest.approx(np.array(SIXTHS), abs=1e-9)


def test_table_5_section_3_3_precision_and_recall() -> None:
    counts = oe.confusion_matrix(TRUTH, PREDICTION, rule="krstinic").counts()
    assert counts.precision[:4] == printed([0.24, 0.78, 0.56, 0.82])
    assert counts.recall[:4] == printed([0.50, 0.78, 0.42, 0.50])


def test_section_3_2_rows_sum_to_the_number_of_true_labels_and_columns_do_not_to_the_predicted() -> None:
    found = oe.confusion_matrix(TRUTH, PREDICTION, rule="krstinic").matrix
    assert found.sum() == pytest.approx(15, abs=1e-9)
    assert found.sum(axis=1)[:4] == pytest.approx(TRUTH.sum(axis=0), abs=1e-9)
    assert found.sum(axis=0)[:4] == pytest.approx(np.array([25 / 6, 6, 3, 11 / 6]), abs=1e-9)
    assert PREDICTION.sum(axis=0).tolist() == [5, 5, 3, 2]


def test_table_6_section_3_3_is_normalised_by_columns() -> None:
    found = oe.confusion_matrix(TRUTH, PREDICTION, rule="krstinic").normalised("predicted").matrix
    expected = [[0.24, 0.06, 0.11, 0.18], [0.20, 0.78, 0.17, 0], [0.32, 0.17, 0.56, 0], [0.24, 0, 0.17, 0.82]]
    assert found[:4, :4] == printed(expected)


def test_table_7_section_3_3_is_normalised_by_rows() -> None:
    found = oe.confusion_matrix(TRUTH, PREDICTION, rule="krstinic").normalised("true").matrix
    expected = [[0.50, 0.17, 0.17, 0.17], [0.14, 0.78, 0.08, 0], [0.33, 0.25, 0.42, 0], [0.33, 0, 0.17, 0.50]]
    assert found[:4, :4] == printed(expected)


def test_section_3_2_assumes_labels_and_the_authors_program_adds_unknown_for_samples_without() -> None:
    found = oe.confusion_matrix(TRUTH, PREDICTION, rule="krstinic")
    assert found.rows[-1] == found.columns[-1] == "unknown"
    assert rows(found.matrix[4:, :]) == [[0] * 5]
    assert rows(found.matrix[:, 4:]) == [[0]] * 5


@pytest.mark.parametrize(
    ("equation", "measure", "expected"),
    [
        (1, "Jaccard", 15 / 28),
        (2, "P(average='samples')", 2 / 3),
        (3, "R(average='samples')", 19 / 28),
        (4, "F(average='samples')", 0.6414965986),
        (5, "Hamming", 5 / 14),
        (6, "ExactMatch", 1 / 7),
        (9, "Accuracy(average='macro')", 9 / 14),
        (9, "P(average='macro')", 43 / 60),
        (9, "R(average='macro')", 5 / 8),
        (9, "F(average='macro')", 0.6415584416),
        (10, "Accuracy", 9 / 14),
        (10, "P", 2 / 3),
        (10, "R", 2 / 3),
        (10, "F", 2 / 3),
    ],
)
def test_equations_1_to_10_section_2_1_on_the_data_of_table_4(
    equation: int, measure: str, expected: float
) -> None:
    """The paper prints no values for these; they follow from its equations and Table 4."""
    assert 1 <= equation <= 10
    assert oe.evaluate(TRUTH, PREDICTION, measures=[measure])[measure] == pytest.approx(expected, abs=1e-9)


def test_equation_7_section_2_1_counts_of_the_data_of_table_4() -> None:
    counts = oe.one_vs_rest(TRUTH, PREDICTION)
    assert np.array([counts.tp, counts.fp, counts.fn, counts.tn]).tolist() == [
        [1, 5, 2, 2],
        [4, 0, 1, 0],
        [1, 1, 2, 1],
        [1, 1, 2, 4],
    ]


def test_equation_4_is_a_mean_of_f_and_not_the_f_of_the_mean_precision_and_recall() -> None:
    """The sentence before equation 4 says that F is computed from equations 2 and 3."""
    measures = ["F(average='samples')", "F(average='samples', of='averages')"]
    found = oe.evaluate(TRUTH, PREDICTION, measures=measures)
    assert found[measures[0]] == pytest.approx(0.6414965986, abs=1e-9)
    assert found[measures[1]] == pytest.approx(2 * (2 / 3) * (19 / 28) / (2 / 3 + 19 / 28), abs=1e-9)


def test_equation_7_on_the_matrix_gives_the_same_accuracy_as_its_counts() -> None:
    """TN of a class is the rest of the matrix, as for one label per sample; it is never negative."""
    truth, prediction = [[1, 1, 1, 0]], [[0, 0, 0, 1]]
    counts = oe.confusion_matrix(truth, prediction, rule="krstinic").counts()
    assert counts.tn.tolist() == pytest.approx([2, 2, 2, 0, 3], abs=1e-9)
    measure = "Accuracy(average='macro', rule='krstinic')"
    found = oe.evaluate(truth, prediction, measures=[measure])[measure]
    assert found == pytest.approx(counts.accuracy[:4].mean(), abs=1e-9)
