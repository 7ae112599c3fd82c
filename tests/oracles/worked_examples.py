"""Inputs of the papers' worked examples, as printed; label sets hold column numbers or names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray


def printed(values: Any, digits: int = 2) -> Any:
    """Expect values that round to what is printed: they differ by half of the last digit at most."""
    return pytest.approx(np.asarray(values, dtype=float), abs=0.5 * 10**-digits + 1e-9)


def rows(matrix: Any) -> list[list[float]]:
    """List the rows of a dense matrix."""
    return np.asarray(matrix, dtype=float).tolist()  # type: ignore[no-any-return]


def columns(rows: list[str]) -> list[set[int]]:
    """Read rows of 0s and 1s as sets of column numbers."""
    return [{column for column, bit in enumerate(row) if bit == "1"} for row in rows]


def one_label_samples(matrix: list[list[int]]) -> tuple[list[set[int]], list[set[int]]]:
    """Make samples with one true (row) and one predicted (column) label each, as many as a matrix counts."""
    truth: list[set[int]] = []
    prediction: list[set[int]] = []
    for row, counts in enumerate(matrix):
        for column, count in enumerate(counts):
            truth += [{row}] * count
            prediction += [{column}] * count
    return truth, prediction


def array(sets: list[set[int]], q: int) -> NDArray[np.intp]:
    """Write label sets as 0s and 1s; numbers of q and above are left out."""
    return np.array([[column in labels for column in range(q)] for labels in sets], dtype=np.intp)


# Krstinić et al. 2020, section 3.1, Table 1: 45 samples of four classes
KRSTINIC_TABLE_1 = [[8, 0, 0, 0], [4, 9, 1, 1], [3, 0, 7, 0], [1, 0, 2, 9]]

# Krstinić et al. 2020, section 3.3, Table 4: seven samples, four labels
KRSTINIC_TRUTH = ["1100", "0110", "0001", "1111", "0110", "0110", "0101"]
KRSTINIC_PREDICTION = ["1100", "1110", "1001", "0111", "0100", "1100", "1010"]

# Heydarian et al. 2022, section I, Table 1, and the notebook's synthetic data set
HEYDARIAN_TRUTH = ["110", "111", "000", "100", "110", "000", "100", "110", "110"]
HEYDARIAN_PREDICTION = ["110", "101", "000", "111", "111", "011", "011", "101", "001"]

# Heydarian et al. 2022, section IV-A, Table 8a: raw MLCM of the ECG test set, NTL row and NPL column last
HEYDARIAN_ECG = [
    [58, 1, 0, 1, 0, 5, 4, 2, 3, 7],
    [1, 105, 0, 0, 1, 1, 0, 0, 4, 13],
    [0, 2, 24, 0, 0, 0, 0, 0, 0, 3],
    [1, 1, 1, 9, 0, 4, 1, 0, 0, 4],
    [2, 5, 2, 1, 54, 2, 1, 0, 0, 7],
    [5, 3, 1, 0, 1, 10, 4, 2, 5, 20],
    [1, 0, 0, 5, 4, 9, 48, 6, 2, 24],
    [3, 1, 1, 0, 1, 9, 1, 42, 3, 18],
    [4, 5, 0, 0, 4, 8, 2, 0, 161, 11],
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
]

# Slides, "Multi-label Example": five samples, seven labels
SLIDES_TRUTH = ["abc", "abcde", "cd", "acdg", "g"]
SLIDES_PREDICTION = ["abc", "abde", "ef", "bcd", "acdfg"]

# Nowak and Lukashevich 2009, Figure 1, completed so that every example of the text can be computed
NOWAK_EDGES = [
    ("root", "landscape"),
    ("root", "people"),
    ("landscape", "plants"),
    ("landscape", "mountains"),
    ("plants", "trees"),
    ("plants", "flowers"),
    ("people", "number"),
    ("number", "single"),
    ("number", "small_group"),
    ("root", "representation"),
    ("representation", "style"),
    ("style", "portrait"),
    ("representation", "aesthetic"),
]
NOWAK_AGREEMENT = {"single": 0.9, "trees": 0.96, "aesthetic": 0.75}
NOWAK_EXCLUSIONS = [("single", "small_group")]

# The toy tree of the values that were computed for this project's ontology measures: leaves a to e and B2
TOY_EDGES = [
    ("R", "A"),
    ("R", "B"),
    ("A", "A1"),
    ("A", "A2"),
    ("A1", "a"),
    ("A1", "b"),
    ("A2", "c"),
    ("B", "B1"),
    ("B", "B2"),
    ("B1", "d"),
    ("B1", "e"),
]

# True labels, predicted labels, and the ontology score; adding the near miss b to a and d raises the score,
# as it enlarges the union by more than the costs
TOY_SCORES = [
    ("a", "a", 1),
    ("a", "b", 0.857143),
    ("a", "c", 0.571429),
    ("a", "d", 0),
    ("a", "A1", 0.928571),
    ("a", "A", 0.785714),
    ("A1", "a", 0.928571),
    ("a d", "b d", 0.904762),
    ("a d", "a", 0.5),
    ("a", "a d", 0.5),
    ("a", "a d b", 0.619048),
    ("a c", "b d", 0.571429),
    ("a", "", 0),
]
