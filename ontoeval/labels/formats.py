"""The formats of label files by name, and the format that the titles of columns determine."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Annotated, Any, Literal, get_args

from ontoeval.errors import InputError, did_you_mean, enumerate_some, pluralise
from ontoeval.options import Opt
from ontoeval.plumbing.checks import as_list
from ontoeval.plumbing.column_titles import (
    CONCEPT,
    CONCEPTS,
    SAMPLE,
    SCORE,
    SCORES,
    LabelColumns,
    called_sample,
    index_width,
    is_plural,
    label_columns,
    normalise_title,
    numbered_alike,
    positions,
    refuse_flags,
    sample_positions,
)

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
    "paths",
    "labelstudio",
    "prodigy",
    "phenopackets",
    "fiftyone",
    "cvat",
]
FORMATS = get_args(LabelFormat)
DELIMITERS = {",": "CSV", "\t": "TSV", ";": "CSV with semicolons", None: "text"}
"""Names of tables by delimiter; None stands for any blanks."""


PARQUET = "parquet"  # delimiter of columns that are not text

ColumnKind = Literal["text", "number", "texts", "numbers", "other"]


ColumnNames = str | int | Sequence[str | int] | None
"""Titles or numbers of a column; of several the first that a table has counts."""

label_option = partial(Opt, panel="Label files")
_titled = partial(label_option, metavar="COLUMN", kind=tuple[str, ...] | None)


@dataclass(frozen=True)
class Layout:
    """The form of label files as the caller names it; what is not named is recognised.

    Parameters
    ----------
    input_format, sample_column, concept_column, value_column, negation_column, header, separator
        As those of `read_labels`.
    """

    input_format: Annotated[
        str | None, label_option("Format of the label files; by default recognised.", kind=LabelFormat | None)
    ] = None
    sample_column: Annotated[
        ColumnNames,
        _titled(
            "Column of the samples: its title, or its number from 1; can be repeated, and the first that a "
            "file has counts. By default recognised."
        ),
    ] = None
    concept_column: Annotated[
        ColumnNames, _titled("Column of the concepts or labels; by default recognised.")
    ] = None
    value_column: Annotated[
        ColumnNames, _titled("Column of scores, or of 1 and 0 if verified; by default recognised.")
    ] = None
    negation_column: Annotated[
        ColumnNames,
        _titled(
            "Column that marks labels as absent by NOT, excluded or absent; these are left out and counted, "
            "or with --negative read as verified. By default recognised."
        ),
    ] = None
    header: Annotated[
        bool,
        label_option(
            "Whether tables begin with a row of titles; if not, name columns by number, from 1.",
            flags=("--header/--no-header",),
        ),
    ] = True
    separator: Annotated[
        str | None,
        label_option("Separator of several labels in one field; by default recognised.", metavar="TEXT"),
    ] = None

    def __post_init__(self) -> None:
        """Read a separator as messages write it, which a shell passes on as it is."""
        if self.separator in {r"\t", r"\n"}:
            object.__setattr__(self, "separator", "\t" if self.separator == r"\t" else "\n")

    @cached_property
    def columns(self) -> dict[str, list[str]]:
        """Titles or numbers of the columns that are named, by role."""
        return named_columns(
            sample=self.sample_column,
            concept=self.concept_column,
            value=self.value_column,
            negation=self.negation_column,
        )

    @property
    def certain(self) -> bool:
        """Whether the caller says how labels are written."""
        return self.input_format is not None or self.separator is not None

    def with_optional(self, *columns: str) -> Layout:
        """Let files lack some of the columns that are named."""
        named = {column: getattr(self, column) for column in columns}
        optional: Any = {name: [*as_list(given), ""] for name, given in named.items() if given is not None}
        return replace(self, **optional)


def named_columns(**columns: ColumnNames) -> dict[str, list[str]]:
    """Titles or numbers of the columns that are named, by role."""
    given = {role: as_list(() if names is None else names) for role, names in columns.items()}
    return {role: [*map(str, names)] for role, names in given.items() if names}


ANY_LAYOUT = Layout()


def column_positions(columns: Mapping[str, Sequence[str]], header: Sequence[str]) -> dict[str, int]:
    """Find the columns of some roles, each the first that there is of some titles, or of numbers from 1.

    A role of which one title is empty may be missing.
    """
    known = {str(number): number - 1 for number in range(1, len(header) + 1)}
    known |= {title: number for number, title in reversed([*enumerate(header)])}
    found = dict[str, int]()
    for role, names in columns.items():
        places = [*dict.fromkeys(known[name] for name in names if name in known)]
        if role == "concept" and len(places) > 1:
            problem = f"several of the named columns are there: {enumerate_some(header[n] for n in places)}"
            remedy = "Name one. Of a table whose columns are the levels of a path, pass input_format='paths' "
            raise InputError(problem, f"{remedy}(--input-format paths).", row=1)
        if places:
            found[role] = places[0]
        elif "" not in names:
            problem = f"no column {' or '.join(map(repr, names))}{did_you_mean(names[0], header)}"
            numbers = f"or a number from 1 to {len(header)}; where files differ, name several"
            remedy = f"Name one of {enumerate_some(header)}, {numbers}."
            raise InputError(problem, remedy, row=1)
    twice = [role for role, place in found.items() if [*found.values()].count(place) > 1]
    if twice:
        problem = f"column {header[found[twice[0]]]!r} is named for several: {enumerate_some(twice)}"
        raise InputError(problem, "Name another for each.", row=1)
    return found


@dataclass(frozen=True)
class Recognised:
    """The format of a label file, and where its columns are; as text, a sentence about it.

    Parameters
    ----------
    format
        Name of the format.
    delimiter
        Delimiter of its fields, if it is a table.
    header
        Titles of the columns, or keys of the records.
    sample, concept, score, negation
        Positions of these columns.
    separator
        Separator of several labels in one field.
    values
        How many columns hold the values of one concept each.
    unused
        Titles of columns that are not read.
    lists
        Whether fields hold lists.
    json_cells
        Whether some fields hold JSON.
    remarks
        How many lines before the table are remarks, which are not read.
    words
        What messages call the format, with what is found in braces.
    named
        Keys of records that the caller names, by role.
    levels
        Positions of the columns that hold the levels of a path, from the root down.
    path
        Whether the labels of a sample are a path, padded at its end.
    """

    format: LabelFormat
    delimiter: str | None = None
    header: tuple[str, ...] = ()
    sample: int = 0
    concept: int | None = None
    score: int | None = None
    negation: int | None = None
    separator: str | None = None
    values: int = 0
    unused: tuple[str, ...] = ()
    lists: bool = False
    json_cells: bool = False
    remarks: int = 0
    words: str = field(default="", repr=False, compare=False)
    named: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False, compare=False)
    levels: tuple[int, ...] = ()
    path: bool = False

    def __str__(self) -> str:
        """Describe the format in words."""
        keys = f"keys {enumerate_some(filter(None, self.header))}"
        keys += "; samples numbered" if self.header[:1] == ("",) else ""
        unused = f"; not used: {enumerate_some(self.unused)}" if self.unused else ""
        unused += f"; {pluralise(self.remarks, 'line')} of remarks before" if self.remarks else ""
        named = ("sample", "concept", "score", "negation")
        roles = {role: getattr(self, role) for role in named if self.header}
        return (self.words or self.format).format(
            kind="Parquet" if self.delimiter == PARQUET else DELIMITERS.get(self.delimiter, "text"),
            columns=f"columns {enumerate_some(self.header)}",
            levels=enumerate_some(self.header[place] for place in self.levels),
            roles=", ".join(f"{role} {self.header[n]!r}" for role, n in roles.items() if n is not None),
            titles=", ".join(self.header),
            keys=keys + unused,
            records=f"records with the {keys}{unused}" if self.header else "the labels of each sample",
            values=f"{self.values:,}",
            for_concepts=f" with a column for each concept ({self.values:,})" if self.values else "",
            separated=(f"; labels separated by {self.separator!r}" if self.separator else "")
            + ("; some cells are JSON or read by known names" if self.json_cells else ""),
            unused=unused,
        )

    @property
    def values_at(self) -> list[int]:
        """Positions of the columns with the values of one concept each."""
        left = {self.sample, *range(len(self.unused))}
        return [place for place in range(self.width) if place not in left]

    @property
    def width(self) -> int:
        """Number of fields in a row of text."""
        return len(self.header) or self.values + 1


def form_of_header(
    header: Sequence[str], delimiter: str | None, asked: str | None = None
) -> Recognised | None:
    """Format of a table by the titles of its columns."""
    header = tuple(name.strip() for name in header)
    names = [normalise_title(name) for name in header]
    found = _hpo_annotations(header, delimiter) if asked in {None, "long"} else None
    if found is None and asked in {None, "wide", "long"}:
        found = form_of_roles(header, delimiter, label_columns(names, asked), asked)
    if found is None and asked in {None, "columns"} and len(header) > 1:
        # A column of labels among others holds no 0 and 1, and the meaning of the others is unknown.
        index = index_width(names)
        unnamed = names[0] in {*SAMPLE, *names[:index]} and not {*CONCEPT, *CONCEPTS} & {*names[1:]}
        if unnamed or asked is not None:
            samples = sample_positions(names) if index else []
            found = _form_of_columns(header, delimiter, samples[0] if samples else 0)
    return found


def _form_of_columns(header: tuple[str, ...], delimiter: str | None, sample: int) -> Recognised:
    """Format of a table whose columns are concepts, but for the samples and, before them, an index."""
    unused = header[: min(sample, index_width(header))]
    values = len(header) - 1 - len(unused)
    return Recognised("columns", delimiter, header, sample=sample, values=values, unused=unused)


def form_of_levels(
    header: Sequence[str], delimiter: str | None, columns: Mapping[str, Sequence[str]]
) -> Recognised:
    """Format of a table with a column for each level of a path: named ones, or those numbered alike."""
    header = tuple(name.strip() for name in header)
    alike = numbered_alike(header)
    several_kinds = numbered_alike({*header}.difference(alike))
    levels = [] if several_kinds else [n for n, title in enumerate(header) if title in alike]
    levels.sort(key=lambda n: int(re.sub(r"\D", "", header[n])))
    if "concept" in columns:
        levels = [column_positions({"concept": [name]}, header)["concept"] for name in columns["concept"]]
        refuse_numbered_alike(header, None if levels[1:] else levels[0])
    names = ["" if n in levels else normalise_title(name) for n, name in enumerate(header)]
    levels = levels or positions(names, CONCEPTS)
    named = column_positions({"sample": columns["sample"]} if "sample" in columns else {}, header)
    samples = [*named.values()] or sample_positions(names) or [0][: index_width(header)]
    if len(samples) != 1 or not levels:
        role = "the sample" if levels else "the levels of a path"
        remedy = "Name it (--sample-column), and each level from the root down (--concept-column)."
        raise InputError(f"no column for {role} among {enumerate_some(header)}", remedy)
    unused = tuple(name for n, name in enumerate(header) if n not in {*samples, *levels})
    kind: LabelFormat = "paths" if len(levels) > 1 else "wide"
    form = Recognised(kind, delimiter, header, samples[0], levels[0], unused=unused)
    return replace(form, levels=tuple(levels), path=True)


def form_of_named_columns(
    header: Sequence[str], delimiter: str | None, layout: Layout, lists: Collection[int] = ()
) -> Recognised | None:
    """Format of a table of which the caller names columns; others are found by their titles."""
    header = tuple(name.strip() for name in header)
    found = column_positions(layout.columns, header)
    names = ["" if n in found.values() else normalise_title(name) for n, name in enumerate(header)]
    concepts = positions(names, CONCEPT | CONCEPTS)
    samples = [found["sample"]] if "sample" in found else sample_positions(names)
    concept = found.get("concept", concepts[0] if len(concepts) == 1 else None)
    refuse_numbered_alike(header, concept)
    unclear = concept is None and (concepts or {*found} > {"sample"} or not layout.header)
    if len(samples) != 1 or unclear:
        role, several = ("sample", samples) if len(samples) != 1 else ("concept", concepts)
        shown = enumerate_some([header[n] for n in several] or header)
        problem = f"several columns for the {role}: " if several else f"no column for the {role} among "
        raise InputError(problem + shown, f"Name the column ({role}_column=, --{role}-column).")
    asked = layout.input_format
    if concept is None:
        form = _form_of_columns(header, delimiter, samples[0])
        return form if form.values and asked in {None, "columns"} else None
    plural = is_plural(header[concept]) or ("concept" in found and layout.separator is not None)
    kind: LabelFormat = "wide" if concept in lists or (asked or "wide" * plural) == "wide" else "long"
    scores = positions(names, SCORES if kind == "wide" else SCORE)
    score, negation = found.get("value", scores[0] if len(scores) == 1 else None), found.get("negation")
    used = {samples[0], concept, score, negation}
    unused = tuple(name for n, name in enumerate(header) if n not in used)
    if kind == "long":
        refuse_flags(unused)
    if negation is not None and (kind == "wide" or score is not None):
        beside = "several labels in one row" if score is None else f"scores in column {header[score]!r}"
        problem = f"column {header[negation]!r} marks labels as absent, but there are {beside}"
        raise InputError(problem, "Write one label in each row, without a score.")
    if asked not in {None, kind}:
        return None
    words = f"{kind} {{kind}} ({{roles}}{{separated}}{{unused}})"
    form = Recognised(kind, delimiter, header, samples[0], concept, score, negation)
    return replace(form, unused=unused, words=words)


NAME_LABELS = "name the column of labels (concept_column=, --concept-column)."
SEVERAL_COLUMNS = (
    "write one label in each row ('sample,concept'), or all labels of a sample in one field ('id,labels'); "
    "where they are levels of a path, pass input_format='paths' (--input-format paths); name each or none."
)


def refuse_numbered_alike(titles: Sequence[str], concept: int | None) -> None:
    """Refuse a column of labels beside others whose titles differ by a number only."""
    if concept is not None and titles[concept] in (alike := numbered_alike(titles)):
        raise several_columns_error(alike)


def several_columns_error(titles: Sequence[str]) -> InputError:
    """Error for a table with several columns of labels, of which one alone would be read."""
    return InputError(
        f"the columns {enumerate_some(titles)} may all hold labels, but one column of labels is read",
        f"Take out all but one, or {SEVERAL_COLUMNS}",
        row=1,
    )


_HPO = Layout(sample_column="database_id", concept_column="hpo_id", negation_column="qualifier")


def _hpo_annotations(header: Sequence[str], delimiter: str | None) -> Recognised | None:
    """Format of the HPO's annotations of diseases, also with the titles from before 2023."""
    names = [title.lower().replace("databaseid", "database_id") for title in header]
    if not {"database_id", "hpo_id", "qualifier"} <= {*names}:
        return None
    form = form_of_named_columns(names, delimiter, _HPO)
    return form and replace(form, words="annotations of the HPO ({roles}{unused})")


def form_of_typed_header(kinds: Mapping[str, ColumnKind], asked: str | None = None) -> Recognised | None:
    """Format of a table by the titles and types of its columns."""
    header = tuple(kinds)
    names = [normalise_title(name) for name in header]
    # Labels may be numbers, as in training data.
    lists = [n for n in positions(names, CONCEPT | CONCEPTS) if kinds[header[n]] in {"texts", "numbers"}]
    if len(lists) != 1:
        form = form_of_header(header, PARQUET, asked)
        return form if form is not None and _fits(form, list(kinds.values())) else None
    single = [n for n, name in enumerate(header) if kinds[name] in {"text", "number"}]
    sample = called_sample(names, single) or single
    scores = [n for n in positions(names, SCORE | SCORES) if kinds[header[n]] == "numbers"]
    if len(sample) != 1 or len(scores) > 1:
        return None
    roles = LabelColumns(sample[0], lists[0], scores[0] if scores else None, plural=True)
    return form_of_roles(header, PARQUET, roles, asked)


def form_of_roles(
    header: Sequence[str], delimiter: str | None, roles: LabelColumns | None, asked: str | None
) -> Recognised | None:
    """Format of a table whose columns have roles, if it is the one that is asked for."""
    kind: LabelFormat = "wide" if roles and roles.plural else "long"
    if roles is None or asked not in {None, kind}:
        return None
    unused = tuple(title for n, title in enumerate(header) if n not in roles[:3])
    return Recognised(kind, delimiter, tuple(header), *roles[:3], unused=unused)


def _fits(form: Recognised, kinds: list[ColumnKind]) -> bool:
    if form.format == "columns":
        return kinds[form.sample] in {"text", "number"} and {kinds[n] for n in form.values_at} <= {"number"}
    score = None if form.score is None else kinds[form.score]
    return kinds[form.concept or 0] in {"text", "number"} and score in {
        None,
        "text" if form.format == "wide" else "number",
    }
