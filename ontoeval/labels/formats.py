"""What is known of the format of a label file."""

from __future__ import annotations

from dataclasses import dataclass

from ontoeval.core.label_formats import LabelFormat
from ontoeval.errors import listed
from ontoeval.labels.tables import DELIMITERS

PARQUET = "parquet"
"""What stands for the delimiter where columns are not text."""

BY_ROWS = frozenset({"wide", "long", "columns", "imageclef", "jsonl", "cafa"})
"""The formats whose rows stand for themselves."""


@dataclass(frozen=True)
class Recognised:
    """The format of a label file, and where its columns are."""

    format: LabelFormat
    delimiter: str | None = None
    header: tuple[str, ...] = ()
    sample: int = 0
    concept: int | None = None
    score: int | None = None
    separator: str | None = None
    values: int = 0
    unused: tuple[str, ...] = ()
    lists: bool = False
    json_cells: bool = False

    def __str__(self) -> str:
        """Say it in words."""
        kind = "Parquet" if self.delimiter == PARQUET else DELIMITERS.get(self.delimiter, "text")
        unused = f"; not used: {listed(self.unused)}" if self.unused else ""
        separated = f"; labels separated by {self.separator!r}" if self.separator else ""
        separated += "; some cells are JSON" if self.json_cells else ""
        keys = f"keys {listed(self.header)}{unused}"
        words: dict[LabelFormat, str] = {
            "wide": f"wide {kind} (columns {listed(self.header)}{separated}{unused})",
            "long": f"long {kind} (columns {listed(self.header)}{separated}{unused})",
            "columns": f"{kind} with a column for each concept ({self.values:,})",
            "json": f"JSON (records with the {keys})" if self.header else "JSON (the labels of each sample)",
            "jsonl": f"JSON Lines ({keys})",
            "array": "an array of NumPy"
            + (f" with a column for each concept ({self.values:,})" * bool(self.values)),
            "imageclef": f"ImageCLEF {kind} (a name and {self.values:,} values in each line)",
            "arff": "ARFF with a hierarchical class",
            "annif": "subjects as Annif writes them",
            "cafa": f"CAFA {kind} ({', '.join(self.header)})",
            "fasttext": "labels before texts, as fastText has them",
            "libsvm": "labels before features, as LIBSVM has them",
        }
        return words[self.format]

    @property
    def has_scores(self) -> bool:
        """Whether the columns say that there is a score for each label."""
        return self.score is not None

    @property
    def is_table(self) -> bool:
        """Whether it is text with a row for each sample or label, and no other text within."""
        tables = {"wide", "long", "columns", "imageclef", "cafa"}
        return self.delimiter != PARQUET and self.format in tables and not self.json_cells

    @property
    def width(self) -> int:
        """How many fields a row of text has."""
        return len(self.header) or self.values + 1
