"""What every format comes down to: which sample bears which spelling, with which score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from ontoeval.errors import InputError
from ontoeval.io.concepts import ConceptList
from ontoeval.io.formats import Recognised
from ontoeval.io.numbers import TRUTH_VALUES, numbers
from ontoeval.io.tables import ROWS_AT_ONCE, Row, Source

SEPARATORS = (";", "|", ",")
"""What separates the labels of a wide file: the first of these that occurs in any of its fields."""

TWO_ROWS = (
    "Keep one row for each sample; where each row holds one label of a sample, name the columns "
    "'sample,concept' or pass input_format='long' (--input-format long)."
)
THESE_ARE_SCORES = (
    "Pass a threshold (threshold=, --threshold) that makes labels of scores, or read the file with read_scores."
)


@dataclass(frozen=True, eq=False)
class Entries:
    """The contents of a label file, before its labels are looked up.

    Parameters
    ----------
    samples
        Identifiers of the samples in the order of the file, none twice.
    spellings
        What stands for concepts, each once.
    places
        Where each spelling was first met.
    row
        Position of the sample, one per entry.
    code
        Position of the spelling, one per entry.
    values
        The score, one per entry; None where the file says which labels there are.
    lines
        The line, one per entry; None where each spelling has its own column.
    """

    samples: tuple[str, ...]
    spellings: tuple[str, ...]
    places: tuple[str, ...]
    row: NDArray[np.int32]
    code: NDArray[np.int32]
    values: NDArray[np.float64] | None = None
    lines: NDArray[np.int32] | None = None


@dataclass(frozen=True, eq=False)
class _Codebook:
    """Numbers texts in the order in which they are first met."""

    index: dict[str, int] = field(default_factory=dict)

    def codes(self, texts: Iterable[str]) -> NDArray[np.int32]:
        number = self.index.setdefault
        return np.fromiter((number(text.strip(), len(self.index)) for text in texts), dtype=np.int32)


def from_long(source: Source, form: Recognised, *, scores: bool) -> Entries:
    """Take one label from each row.

    Parameters
    ----------
    source
        The file.
    form
        Its format.
    scores
        Whether scores are wanted.

    Returns
    -------
    Entries
        The contents; a row without label stands for a sample without labels.

    Raises
    ------
    InputError
        If a sample has no name, or a score is no number.
    """
    samples, concepts = _Codebook(), _Codebook()
    kept: list[tuple[NDArray[np.int32], ...]] = []
    values: list[NDArray[np.float64]] = []
    score = form.score if scores else None
    for lines, rows in _chunks(source.rows(form.delimiter)):
        row = samples.codes(fields[form.sample] for fields in rows)
        code = concepts.codes(fields[form.concept or 0] for fields in rows)
        # Code 0 is whatever came first, so the empty text is asked for its own.
        named = code != concepts.index.get("", -1)
        if "" in samples.index:
            raise _nameless(source, lines[np.flatnonzero(row == samples.index[""])[0]])
        kept.append((row[named], code[named], lines[named], row))
        if score is not None:
            texts = [fields[score] for fields, there in zip(rows, named.tolist(), strict=True) if there]
            found = numbers(texts)
            _refuse_bad(source, found, lines[named], texts, [form.header[score]])
            values.append(found)
    row, code, lines = (np.concatenate(parts) for parts in list(zip(*kept, strict=True))[:3])
    return _entries(
        tuple(samples.index), concepts, row, code, lines, np.concatenate(values) if values else None
    )
