"""Write label sets to files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Literal, NamedTuple, get_args

import numpy as np
from scipy import sparse

from ontoeval.core.inputs import Labels, sets_of
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.separators import SEPARATORS
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, one_of
from ontoeval.plumbing.writing import text_file, write_aside

OutputFormat = Literal["wide", "long"]
"""Layout of written label files: a row for each sample, or one for each of its labels."""

_EARLY = 1_000  # rows among which a reader looks for the separator


class LabelRows(NamedTuple):
    """Rows of a label file, of which a sample may have several."""

    samples: tuple[str, ...]
    vocabulary: Vocabulary
    matrix: sparse.csr_array


def write_labels(
    sets: Labels | LabelRows,
    path: str | os.PathLike[str],
    *,
    output_format: OutputFormat = "wide",
    separator: str = ";",
) -> None:
    """Write label sets as CSV, such that `read_labels` reads the same sets.

    Parameters
    ----------
    sets
        The labels of each sample, or of each row.
    path
        Where to write; the file appears when it is complete. It is packed where its name ends in ".gz".
    output_format
        "wide": one row per sample, with all its labels; "long": one row per label.
    separator
        What separates the labels of a sample; one other than a semicolon must be named to
        `read_labels` too.

    Raises
    ------
    InputError
        If a name cannot be written such that it is read again, or the file cannot be written.
    ParameterError
        If there is no such format.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "truth.csv")
    >>> write_labels(LabelSets.from_sets({"p1": ["sky", "sea"], "p2": []}), path)
    >>> path.read_text(encoding="utf-8").splitlines()
    ['id,labels', 'p1,sea;sky', 'p2,']
    """
    one_of("output_format", output_format, get_args(OutputFormat))
    sets = sets if isinstance(sets, LabelSets | LabelRows) else sets_of(sets)
    for name in (*sets.samples, *sets.vocabulary):
        if not name or name != name.strip() or "\0" in name or name.encode(errors="ignore").decode() != name:
            problem = f"the name {name!r} would not be read as it is"
            raise InputError(problem, "Rename it: without blanks around it, without NUL and lone surrogates.")
    lines = wide_lines(sets, separator) if output_format == "wide" else _long(sets)
    with write_aside(path) as aside, text_file(aside) as file:
        file.writelines(lines)


def wide_lines(sets: LabelSets | LabelRows, separator: str = ";") -> Iterator[str]:
    """Write one row per sample."""
    names = sets.vocabulary.concepts
    several = next((name for name in names if separator in name), None)
    if several is not None:
        problem = f"the label {several!r} contains what separates labels"
        raise InputError(problem, "Write the long format instead: output_format='long'.")
    # A reader takes the first separator that occurs: where no sample has two labels, one must be put
    # behind a label that contains another separator. In large files it must occur early.
    early = np.diff(sets.matrix.indptr[: _EARLY + 1]) > 1
    end = separator if not early.any() and any(sign in name for name in names for sign in SEPARATORS) else ""
    yield "id,labels\n"
    for sample, labels in _labels(sets):
        yield f"{csv_field(sample)},{csv_field(separator.join(labels) + (end if labels else ''))}\n"


def _long(sets: LabelSets | LabelRows) -> Iterator[str]:
    yield "sample,concept\n"
    for sample, labels in _labels(sets):
        for label in labels or ("",):
            yield f"{csv_field(sample)},{csv_field(label)}\n"


def _labels(sets: LabelSets | LabelRows) -> Iterator[tuple[str, list[str]]]:
    names, indices, indptr = sets.vocabulary.concepts, sets.matrix.indices, sets.matrix.indptr
    for row, sample in enumerate(sets.samples):
        yield sample, [names[column] for column in indices[indptr[row] : indptr[row + 1]]]


def csv_field(text: str) -> str:
    """Write a text as CSV has it: in quotes where it must be."""
    # Python's writer leaves a lone carriage return unquoted, which its reader takes for a new row.
    return f'"{text.replace(chr(34), chr(34) * 2)}"' if any(sign in text for sign in '",\r\n') else text
