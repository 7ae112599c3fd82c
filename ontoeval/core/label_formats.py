"""The formats of label files, by the names that `input_format` and ``--input-format`` take."""

from __future__ import annotations

from types import MappingProxyType
from typing import Literal, get_args

LabelFormat = Literal[
    "wide",
    "long",
    "columns",
    "json",
    "jsonl",
    "array",
    "imageclef",
    "arff",
    "annif",
    "cafa",
]

MEANINGS = MappingProxyType(
    {
        "wide": "all labels of a sample in one row: CSV, TSV or Parquet",
        "long": "one label in each row: CSV, TSV or Parquet",
        "columns": "a column of 0 and 1, or of scores, for each concept: CSV, TSV or Parquet",
        "json": "an object with the labels of each sample, or a list of records, as BioASQ writes it",
        "jsonl": "a record in each line: JSON Lines",
        "array": "an array of NumPy: .npy or .npz",
        "imageclef": "a name and a value for each concept in each line, without a header",
        "arff": "ARFF with a hierarchical class, whose labels are separated by @",
        "annif": "a text and <IRI>s in each line; or a .key or .tsv file, or a folder of them",
        "cafa": "target, term and score in each line, without a header",
    }
)
"""Description of each format."""

FORMATS = get_args(LabelFormat)
