"""Which format a label file has: by rules that are written down here, never by a guess."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

from ontoeval.errors import InputError, listed, one_of
from ontoeval.files import FilePath
from ontoeval.io.numbers import number
from ontoeval.io.tables import DELIMITERS, Source, read_source

Format = Literal["wide", "long", "columns", "json", "imageclef"]
"""The formats of label files, by the names that `input_format` takes."""

SAMPLE = frozenset(
    {"id", "sample", "item", "instance", "example", "record", "document", "doc"}
    | {"image", "photo", "picture", "clip", "file", "filename", "name"}
)
"""What the column of the samples may be called. Data frames leave the name of their index empty."""

CONCEPT = frozenset({"concept", "label", "class", "tag", "category", "term"})
"""What a column is called that holds one concept in each row."""

CONCEPTS = frozenset({"concepts", "labels", "classes", "tags", "categories", "terms"})
"""What a column is called that holds all concepts of a sample."""

SCORE = frozenset({"score", "value", "confidence", "probability"})
"""What the column of the scores may be called."""

REMEDY = (
    "Let the first line name the columns: 'id,labels' (all labels of a sample in one row), 'sample,concept' "
    "(one label in each row), 'sample,concept,score', or 'id' and one column for each concept; input_format "
    "(--input-format) says which of them is meant."
)


@dataclass(frozen=True)
class Recognised:
    """The format of a label file, and where its columns are.

    Parameters
    ----------
    format
        One of "wide", "long", "columns", "json" and "imageclef".
    delimiter
        What stands between the fields; None for blanks, and for JSON.
    header
        The names of the columns, if there are any.
    sample
        Position of the column of the samples.
    concept
        Position of the column of the labels of a wide or long file.
    score
        Position of the column of the scores of a long file.
    separator
        What stands between the labels of a wide file, once its rows have been seen.
    values
        How many values follow the sample where there is one for each concept.

    Examples
    --------
    >>> print(Recognised("long", ",", ("sample", "concept"), concept=1))
    long CSV (columns 'sample', 'concept')
    """

    format: Format
    delimiter: str | None = None
    header: tuple[str, ...] = ()
    sample: int = 0
    concept: int | None = None
    score: int | None = None
    separator: str | None = None
    values: int = 0

    def __str__(self) -> str:
        """Say it in words."""
        kind = DELIMITERS[self.delimiter]
        match self.format:
            case "json":
                return "JSON (the labels of each sample)"
            case "imageclef":
                return f"ImageCLEF {kind} (a name and {self.values:,} values in each line)"
            case "columns":
                return f"{kind} with a column for each concept ({self.values:,})"
            case _:
                separated = f"; labels separated by {self.separator!r}" if self.separator else ""
                return f"{self.format} {kind} (columns {listed(self.header)}{separated})"

    @property
    def has_scores(self) -> bool:
        """Whether the columns say that there is a score for each label."""
        return self.score is not None


def recognise(path: FilePath, *, input_format: str | None = None) -> Recognised:
    """Tell the format of a label file from its first row.

    Text that begins with a brace is JSON. A first row that names a column for concepts is the
    header of a wide file where the name is in the plural ("labels"), of a long one where it is
    not ("label"). A first row that begins with a name for samples and names no such column is
    the header of one column per concept. A first row that holds numbers behind its first
    field is ImageCLEF text. Everything else is refused.

    Parameters
    ----------
    path
        The file.
    input_format
        The format, where the file does not tell or tells it wrongly.

    Returns
    -------
    Recognised
        The format; printing it says it in words.

    Raises
    ------
    InputError
        If the format cannot be told, or the file has no columns for the one that is asked.
    ParameterError
        If there is no such format.
    """
    return recognised(read_source(path), input_format)


def recognised(source: Source, input_format: str | None = None) -> Recognised:
    """Tell the format of a label file that has been read; see `recognise`.

    Parameters
    ----------
    source
        The text.
    input_format
        The format, where the file does not tell or tells it wrongly.

    Returns
    -------
    Recognised
        The format.
    """
    if input_format is not None:
        one_of("input_format", input_format, get_args(Format))
    first = source.data.lstrip()[:1]
    if input_format == "json" or (input_format is None and first in {b"{", b"["}):
        return Recognised("json")
    delimiter = source.delimiter
    header = source.first(delimiter) if delimiter else []
    found = None
    if input_format in {None, "wide", "long"}:
        found = _by_concept_column(header, delimiter, input_format)
    if found is None and input_format in {None, "columns"} and len(header) > 1:
        found = _by_sample_column(header, delimiter, asked=input_format is not None)
    if found is None and input_format in {None, "imageclef"}:
        found = _by_numbers(source, header, delimiter)
    if found is not None:
        return found
    shown = listed(header) if header else repr(next(source.lines()).strip()[:80])
    problem = (
        f"the format is not recognised: the first row is {shown}"
        if input_format is None
        else f"this is not the format {input_format!r}: the first row is {shown}"
    )
    raise InputError(problem, REMEDY, where=source.where)


def plain(name: str) -> str:
    """Reduce the name of a column to what it is compared by.

    Parameters
    ----------
    name
        The name as written.

    Returns
    -------
    str
        The name in lower case, without the endings "id" and "name".

    Examples
    --------
    >>> plain("Image_ID"), plain("file name"), plain("id")
    ('image', 'file', 'id')
    """
    return re.sub(r"(?<=.)[ _-](id|name)$", "", name.strip().lower())


def _by_concept_column(header: list[str], delimiter: str | None, asked: str | None) -> Recognised | None:
    names = [plain(name) for name in header]
    concept = [position for position, name in enumerate(names) if name in CONCEPT | CONCEPTS]
    score = [position for position, name in enumerate(names) if name in SCORE]
    rest = [position for position in range(len(names)) if position not in {*concept, *score}]
    if asked and not concept and len(rest) == 2 and names[rest[0]] in {*SAMPLE, ""}:  # noqa: PLR2004
        concept, rest = rest[1:], rest[:1]  # the sample's column is known, so the other is the concept's
    if len(concept) != 1 or len(rest) != 1:
        return None
    kind: Format = "wide" if asked == "wide" or (not asked and names[concept[0]] in CONCEPTS) else "long"
    if len(score) > (kind == "long"):
        return None
    return Recognised(
        kind,
        delimiter,
        tuple(name.strip() for name in header),
        sample=rest[0],
        concept=concept[0],
        score=score[0] if score else None,
    )


def _by_sample_column(header: list[str], delimiter: str | None, *, asked: bool) -> Recognised | None:
    names = [plain(name) for name in header]
    # A column of labels among others is no column of 0 and 1: what the others are is not known.
    if not asked and (names[0] not in {*SAMPLE, ""} or {*CONCEPT, *CONCEPTS} & {*names[1:]}):
        return None
    stripped = tuple(name.strip() for name in header)
    return Recognised("columns", delimiter, stripped, values=len(header) - 1)


def _by_numbers(source: Source, header: list[str], delimiter: str | None) -> Recognised | None:
    for sign, fields in ((delimiter, header), (None, source.first(None))):
        values = fields[1:]
        if values and plain(fields[0]) not in SAMPLE and all(number(value) is not None for value in values):
            return Recognised("imageclef", sign, values=len(values))
    return None
