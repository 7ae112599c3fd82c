"""Every worked value of Heydarian, Doyle and Samavi 2022, MLCM: Multi-Label Confusion Matrix.

Table 13 is left out: it was not made by the paper's algorithm, and its data is not at hand.
"""

from __future__ import annotations

import numpy as np
import pytest

import ontoeval as oe
from tests.oracles import worked_examples as examples
from tests.oracles.worked_examples import printed, rows

TRUTH = examples.array(examples.columns(examples.HEYDARIAN_TRUTH), 3)
PREDICTION = examples.array(examples.columns(examples.HEYDARIAN_PREDICTION), 3)

CLASSES = tuple(f"C{number}" for number in range(9))
ECG = oe.confusion.ConfusionMatrix(
    np.array(examples.HEYDARIAN_ECG, dtype=float),
    rows=(*CLASSES, "NTL"),
    columns=(*CLASSES, "NPL"),
    rule="mlcm",
)
# Samples with at most one label each, of which Table 8a is the matrix: number 9 stands for no label.
ECG_TRUTH, ECG_PREDICTION = (
    examples.array(sets, 9) for sets in examples.one_label_samples(examples.HEYDARIAN_ECG)
)

# Table 10: TN, FP, FN, TP of 689 samples against each class in turn
TABLE_10 = np.array(
    [
        [594, 17, 20, 58],
        [550, 17, 17, 105],
        [656, 5, 4, 24],
        [663, 7, 10, 9],
        [605, 11, 19, 54],
        [600, 38, 41, 10],
        [577, 13, 51, 48],
        [600, 10, 37, 42],
        [494, 17, 17, 161],
    ]
)
OVR_TRUTH = np.array([[0] * tn + [0] * fp + [1] * fn + [1] * tp for tn, fp, fn, tp in TABLE_10]).T
OVR_PREDICTION = np.array([[0] * tn + [1] * fp + [0] * fn + [1] * tp for tn, fp, fn, tp in TABLE_10]).T


def quarters(counts: oe.confusion.ConceptCounts) -> list[list[float]]:
    """TN, FP, FN, TP of each class, the order in which the paper prints them."""
    return rows(np.stack([counts.tn, counts.fp, counts.fn, counts.tp], axis=-1))


def test_table_2_section_1_one_vs_rest_counts() -> None:
    found = quarters(oe.one_vs_rest(TRUTH, PREDICTION))
    assert found == [[2, 0, 2, 5], [1, 3, 3, 2], [2, 6, 0, 1]]
    assert np.sum(found, axis=0).tolist() == [5, 9, 5, 8]


TABLE_4 = {
    "a": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
    "b": [[1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0], [0, 0, 0, 0]],
    "c": [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1]],
    "d": [[1, 1, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
    "e": [[1, 0, 1, 0], [0, 1, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
    "f": [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 1, 1, 0]],
    "g": [[0, 1, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
    "h": [[1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
    "i": [[0, 0, 1, 0], [0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
}


@pytest.mark.parametrize("instance", range(9), ids=list(TABLE_4))
def test_table_4_a_to_i_section_3_b_matrix_of_each_instance(instance: int) -> None:
    """The paper names the last row NPL; the text of section 3 A says that it is NTL."""
    one = slice(instance, instance + 1)
    found = oe.confusion_matrix(TRUTH[one], PREDICTION[one], rule="mlcm")
    assert rows(found.matrix) == list(TABLE_4.values())[instance]
    assert (found.rows[-1], found.columns[-1]) == ("NTL", "NPL")


@pytest.mark.parametrize("variant", ["paper", "package"])
def test_table_4_j_section_3_b_matrix_of_all_instances(variant: str) -> None:
    found = oe.confusion_matrix(TRUTH, PREDICTION, rule="mlcm", variant=variant)
    assert rows(found.matrix) == [[5, 2, 4, 0], [0, 2, 3, 1], [0, 0, 1, 0], [0, 1, 1, 1]]


def test_section_3_d_cells_outnumber_instances_and_rows_outnumber_support() -> None:
    found = oe.confusion_matrix(TRUTH, PREDICTION, rule="mlcm").matrix
    assert found.sum() == 21
    assert found.sum(axis=1).tolist() == [11, 6, 1, 3]
    assert TRUTH.sum(axis=0).tolist() == [7, 5, 1]


def test_section_3_d_sum_of_cells_may_equal_the_number_of_instances() -> None:
    """The paper says "greater than"; with one label each, as in its ECG data rebuilt here, it is equal."""
    assert oe.confusion_matrix(ECG_TRUTH, ECG_PREDICTION, rule="mlcm").matrix.sum() == len(ECG_TRUTH)


TABLE_5 = np.zeros((6, 6))
TABLE_5[[0, 1, 1, 2, 2], [0, 3, 4, 3, 4]] = 1


def test_table_5_section_3_b_spreads_two_missed_over_two_false_labels() -> None:
    found = oe.confusion_matrix([[1, 1, 1, 0, 0]], [[1, 0, 0, 1, 1]], rule="mlcm")
    assert rows(found.matrix) == TABLE_5.tolist()


def test_table_5_section_3_b_the_published_package_adds_a_cell() -> None:
    """Its false labels after the first are charged to the correctly predicted labels as well."""
    found = oe.confusion_matrix([[1, 1, 1, 0, 0]], [[1, 0, 0, 1, 1]], rule="mlcm", variant="package")
    extra = np.argwhere(found.matrix != TABLE_5)
    assert extra.tolist() == [[0, 4]]
    assert found.matrix[0, 4] == 1


def test_table_6_section_3_c_says_which_cells_make_the_counts_of_a_class() -> None:
    powers = np.array([[2.0 ** (6 * row + column) for column in range(6)] for row in range(6)])
    names = tuple(f"C{number}" for number in range(5))
    counts = oe.confusion.ConfusionMatrix(
        powers, rows=(*names, "NTL"), columns=(*names, "NPL"), rule="mlcm"
    ).counts()
    assert counts.tp[2] == powers[2, 2]
    assert counts.fp[2] == powers[[0, 1, 3, 4, 5], 2].sum()
    assert counts.fn[2] == powers[2, [0, 1, 3, 4, 5]].sum()
    assert counts.tn[2] == powers[[0, 1, 3, 4, 5], [0, 1, 3, 4, 5]].sum()


def test_table_7_section_3_d_counts_from_the_matrix() -> None:
    found = quarters(oe.confusion_matrix(TRUTH, PREDICTION, rule="mlcm").counts())
    assert found == [[4, 0, 6, 5], [7, 3, 4, 2], [8, 8, 0, 1], [8, 1, 2, 1]]
    assert np.sum(found, axis=0).tolist() == [27, 12, 12, 9]


def test_section_2_c_recall_of_instance_5_is_one_half() -> None:
    """One-vs-rest gives instances 1 and 5 the same recall of 1, which the paper objects to."""
    by_mlcm = oe.confusion_matrix(TRUTH[[4]], PREDICTION[[4]], rule="mlcm").counts()
    assert by_mlcm.recall[:2].tolist() == [0.5, 0.5]
    for instance in (0, 4):
        plain = oe.one_vs_rest(TRUTH[[instance]], PREDICTION[[instance]])
        assert plain.recall[:2].tolist() == [1, 1]


def test_section_3_d_true_positives_are_9_where_one_vs_rest_has_8() -> None:
    assert oe.confusion_matrix(TRUTH, PREDICTION, rule="mlcm").counts().tp.sum() == 9
    assert oe.one_vs_rest(TRUTH, PREDICTION).tp.sum() == 8


def test_table_8_a_section_4_a_raw_matrix_is_rebuilt_from_samples() -> None:
    found = oe.confusion_matrix(ECG_TRUTH, ECG_PREDICTION, rule="mlcm")
    assert rows(found.matrix) == examples.HEYDARIAN_ECG


def test_table_8_b_section_4_a_is_normalised_by_rows_in_percent() -> None:
    found = ECG.normalised("true").matrix[:9] * 100
    expected = [
        [72, 1, 0, 1, 0, 6, 5, 2, 4, 9],
        [1, 84, 0, 0, 1, 1, 0, 0, 3, 10],
        [0, 7, 83, 0, 0, 0, 0, 0, 0, 10],
        [5, 5, 5, 43, 0, 19, 5, 0, 0, 19],
        [3, 7, 3, 1, 73, 3, 1, 0, 0, 9],
        [10, 6, 2, 0, 2, 20, 8, 4, 10, 39],
        [1, 0, 0, 5, 4, 9, 48, 6, 2, 24],
        [4, 1, 1, 0, 1, 11, 1, 53, 4, 23],
        [2, 3, 0, 0, 2, 4, 1, 0, 83, 6],
    ]
    assert found == printed(expected, digits=0)


def test_table_9_section_4_a_counts_from_the_matrix() -> None:
    assert quarters(ECG.counts()) == [
        [453, 17, 23, 58],
        [406, 18, 20, 105],
        [487, 5, 5, 24],
        [502, 7, 12, 9],
        [457, 11, 20, 54],
        [501, 38, 41, 10],
        [463, 13, 51, 48],
        [469, 10, 37, 42],
        [350, 17, 34, 161],
        [511, 107, 0, 0],
    ]


def test_section_4_c_sums_of_the_counts_from_the_matrix() -> None:
    counts = ECG.counts()
    assert (counts.tp.sum(), counts.fn.sum(), counts.fp.sum()) == (511, 243, 243)
    assert counts.tn.sum() / counts.tp.sum() == 9


def test_table_10_section_4_a_counts_against_the_rest() -> None:
    counts = oe.one_vs_rest(OVR_TRUTH, OVR_PREDICTION)
    assert quarters(counts) == TABLE_10.tolist()
    assert (counts.fn.sum(), counts.fp.sum()) == (216, 135)
    assert counts.tn.sum() / counts.tp.sum() == pytest.approx(10.45, abs=0.005)


def test_table_11_section_4_c_each_class() -> None:
    counts = oe.one_vs_rest(OVR_TRUTH, OVR_PREDICTION)
    assert counts.precision == printed([0.77, 0.86, 0.83, 0.56, 0.83, 0.21, 0.79, 0.81, 0.90])
    assert counts.recall == printed([0.74, 0.86, 0.86, 0.47, 0.74, 0.20, 0.48, 0.53, 0.90])
    assert counts.f() == printed([0.76, 0.86, 0.84, 0.51, 0.78, 0.20, 0.60, 0.64, 0.90])
    assert counts.support.tolist() == [78, 122, 28, 19, 73, 51, 99, 79, 178]
    assert counts.support.sum() == 727


@pytest.mark.parametrize(
    ("average", "expected", "computed"),
    [
        ("micro", [0.79, 0.70, 0.74], [0.7910216718, 0.7028885832, 0.7443554261]),
        ("macro", [0.73, 0.64, 0.68], [0.7291388642, 0.6435406049, 0.6783957004]),
        ("weighted", [0.79, 0.70, 0.74], [0.7883911957, 0.7028885832, 0.7372456458]),
    ],
)
def test_table_11_section_4_c_averages(average: str, expected: list[float], computed: list[float]) -> None:
    measures = [f"{symbol}(average='{average}')" for symbol in "PRF"]
    result = oe.evaluate(OVR_TRUTH, OVR_PREDICTION, measures=measures)
    found = np.array([result[measure] for measure in measures])
    assert found == printed(expected)
    assert found == pytest.approx(computed, abs=1e-9)


def test_table_12_section_4_c_each_class() -> None:
    counts = ECG.counts()
    assert counts.precision[:9] == printed([0.77, 0.85, 0.83, 0.56, 0.83, 0.21, 0.79, 0.81, 0.90])
    assert counts.recall[:9] == printed([0.72, 0.84, 0.83, 0.43, 0.73, 0.20, 0.48, 0.53, 0.83])
    assert counts.f()[:9] == printed([0.74, 0.85, 0.83, 0.49, 0.78, 0.20, 0.60, 0.64, 0.86])
    assert counts.support[:9].tolist() == [81, 125, 29, 21, 74, 51, 99, 79, 195]
    assert counts.support.sum() == 754


@pytest.mark.parametrize(
    ("average", "expected", "computed"),
    [
        ("micro", [0.68, 0.68, 0.68], [0.6777188329, 0.6777188329, 0.6777188329]),
        ("macro", [0.73, 0.62, 0.67], [0.7283613974, 0.6200166955, 0.6653252668]),
        ("weighted", [0.79, 0.68, 0.72], [0.7895855123, 0.6777188329, 0.7247844602]),
    ],
)
def test_table_12_section_4_c_averages(average: str, expected: list[float], computed: list[float]) -> None:
    """By default pseudo-classes are in the micro average and not in the macro average, as in the table."""
    measures = [f"{symbol}(average='{average}', rule='mlcm')" for symbol in "PRF"]
    result = oe.evaluate(ECG_TRUTH, ECG_PREDICTION, measures=measures)
    found = np.array([result[measure] for measure in measures])
    assert found == printed(expected)
    assert found == pytest.approx(computed, abs=1e-9)


def test_section_4_c_the_lower_micro_precision_is_the_column_npl_alone() -> None:
    measures = ["P(rule='mlcm', pseudo_classes='exclude')", "P(rule='mlcm', pseudo_classes='include')"]
    result = oe.evaluate(ECG_TRUTH, ECG_PREDICTION, measures=measures)
    assert result[measures[0]] == pytest.approx(511 / 647, abs=1e-9)
    assert result[measures[1]] == pytest.approx(511 / 754, abs=1e-9)
