"""The formats of label files, by the names that `input_format` and ``--input-format`` take."""

from __future__ import annotations

from types import MappingProxyType
from typing import Literal, NamedTuple, get_args

LabelFormat = Literal[
    "wide", "long", "columns", "json", "jsonl", "array", "imageclef", "arff", "annif", "cafa"
]
FORMATS = get_args(LabelFormat)


class FormatTraits(NamedTuple):
    """A format in words, and how files of it may be read and corrected.

    `lines`: a wrong line may be left out; `chunks`: a part may be read alone; `table`: rows have delimited
    fields; `more`: a file holds more than labels.
    """

    meaning: str
    lines: bool = True
    chunks: bool = True
    table: bool = True
    more: bool = False


TRAITS = MappingProxyType(
    {
        "wide": FormatTraits("all labels of a sample in one row: CSV, TSV or Parquet"),
        "long": FormatTraits("one label in each row: CSV, TSV or Parquet"),
        "columns": FormatTraits("a column of 0 and 1, or of scores, for each concept: CSV, TSV or Parquet"),
        "json": FormatTraits(
            "an object with the labels of each sample, or a list of records, as BioASQ writes it",
            lines=False,
            chunks=False,
            table=False,
        ),
        "jsonl": FormatTraits("a record in each line: JSON Lines", table=False),
        "array": FormatTraits("an array of NumPy: .npy or .npz", lines=False, chunks=False, table=False),
        "imageclef": FormatTraits("a name and a value for each concept in each line, without a header"),
        "arff": FormatTraits(
            "ARFF with a hierarchical class, whose labels are separated by @",
            chunks=False,
            table=False,
            more=True,
        ),
        "annif": FormatTraits(
            "a text and <IRI>s in each line; or a .key or .tsv file, or a folder of them",
            chunks=False,
            table=False,
            more=True,
        ),
        "cafa": FormatTraits("target, term and score in each line, without a header"),
    }
)
