"""Recognise the format of a label file by fixed rules, and find its decoder."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import NamedTuple, TypeVar

import numpy as np

from ontoeval.core.gate import Known
from ontoeval.errors import InputError, enumerate_some, located, one_of, pluralise
from ontoeval.labels.annotation_tools import TOOLS, form_of_tool, from_tool
from ontoeval.labels.arrays import from_array
from ontoeval.labels.cells import parse_number
from ontoeval.labels.delimited import from_columns, from_imageclef, from_levels, from_long, from_wide
from ontoeval.labels.domain_formats import from_annif, from_arff, is_annif, is_arff
from ontoeval.labels.formats import (
    ANY_LAYOUT,
    FORMATS,
    PARQUET,
    Layout,
    Recognised,
    form_of_header,
    form_of_levels,
    form_of_named_columns,
    form_of_roles,
    form_of_typed_header,
    several_columns_error,
)
from ontoeval.labels.json_labels import form_of_json, from_json, from_json_lines
from ontoeval.labels.parquet import LISTS, from_table, kinds_of, open_parquet, table_of
from ontoeval.labels.sources import (
    MOST,
    NO_ROW,
    LabelSource,
    is_array,
    is_json,
    is_parquet,
    is_text,
    read_label_source,
)
from ontoeval.labels.statements import (
    LABELS_NOT_SCORES,
    THRESHOLD_NEEDED,
    DecoderOptions,
    Statements,
    without_padding,
)
from ontoeval.plumbing.column_contents import (
    FEW_COLUMNS,
    columns_by_content,
    rows_to_see,
    sample_beside_numbers,
)
from ontoeval.plumbing.column_titles import (
    ANNOTATOR,
    CONCEPT,
    CONCEPTS,
    OWN_SAMPLE_WEIGHT,
    SAMPLE,
    normalise_title,
    numbered_alike,
    sample_titles,
)
from ontoeval.plumbing.files import FilePath

REMEDY = (
    "Let the first line name the columns: 'id,labels' (all labels of a sample in one row: wide), "
    "'sample,concept' (one label in each row: long), 'sample,concept,score', or 'id' and one column for each "
    "concept (columns); input_format (--input-format) decides between them. Or name the columns "
    "(--sample-column, --concept-column; --no-header)."
)

MOST_COLUMNS = 2**20  # most columns of a table of text

_SHOWN = 80
FOUND = "{kind}{for_concepts} ({roles}, by what they hold{separated}{unused})"

_CAFA = ("target", "term", "score")
_CAFA_HEAD = re.compile(rb"(?:\s*+(?:AUTHOR|MODEL|KEYWORDS|ACCURACY)\b[^\r\n]*+[\r\n]++)*+")
_CAFA_END = re.compile(rb"(?:\A|(?<=[\r\n]))END\s*\Z")
_GO_VERSION = re.compile(rb"!(gaf|gpa)d?-version:[ \t]*+(\d)(\.\d)")
_CURIE = re.compile(r"[A-Za-z]+:\w+")
_KEY = re.compile(rb'"([^"\\]++)"\s*+:')
_REMARKS = re.compile(rb"(?:[#!][^\r\n]*+(?:\r\n|\r|\n))++")

_TITLES = SAMPLE | ANNOTATOR | CONCEPT | CONCEPTS

Form = TypeVar("Form")
FoundFormat = tuple[Recognised, LabelSource] | None  # the format, and what follows the header
Sniff = Callable[[LabelSource, str | None], FoundFormat]


def recognise(path: FilePath, *, input_format: str | None = None) -> Recognised:
    """Recognise the format of a label file by its beginning.

    The first bytes decide for arrays, Parquet and ARFF files. Text that begins with a brace or a bracket is
    JSON, or JSON Lines where the first line is an object and another follows or it is a record. A first row
    that names a column for concepts is the header of a wide file where the name is in the plural ("labels"),
    of a long one where it is not; one that begins with a name for samples is that of one column per concept.
    Lines with "#" or "!" may precede it; the first one names the version of GAF and GPAD. Without a header, a
    CURIE and a score are CAFA's format, <IRI>s Annif's, and numbers behind the first field ImageCLEF text.
    Exports of annotation tools are recognised by keys, titles or elements of theirs in the first MiB.
    Everything else is refused.

    Parameters
    ----------
    path
        The file, packed or not; or a folder with a file for each document.
    input_format
        The format, where it is not recognised, or wrongly.

    Returns
    -------
    Recognised
        The format; printed, a description in words.

    Raises
    ------
    InputError
        If the format is not recognised, or the file lacks the columns of the given one.
    ParameterError
        If there is no such format.
    """
    return recognised(read_label_source(path), Layout(input_format))[0]


def recognised(
    source: LabelSource, layout: Layout = ANY_LAYOUT, *, whole: bool = True, known: Known | None = None
) -> tuple[Recognised, LabelSource]:
    """Format of a label file, or of its beginning, and the rows below the header; some names are known."""
    input_format = layout.input_format
    if input_format is not None:
        one_of("input_format", input_format, FORMATS)
    with located(source.where):
        tables: dict[Sniff, Sniff] = {one: partial(one, known=known) for one in (_binary, _json, _headed)}
        each = dict.fromkeys(one.sniff for one in LABEL_FORMATS.values())
        sniffs: list[Sniff] = [_annotations, *(tables.get(one, one) for one in each)]
        if layout.columns or not layout.header or input_format == "paths":
            sniffs = [*sniffs[: input_format is None], partial(_named, layout=layout, known=known)]
        else:
            sniffs.append(partial(form_by_rows, known=known))
        sniffs.insert(0, partial(_tool, layout=layout))
        for sniff in sniffs:
            found = sniff(source, input_format)
            if found is not None:
                form, rows = found
                if layout.columns and sniff is _annotations:
                    form = replace(form, words=f"{form.words}, whatever columns are named")
                if whole and form.format == "cafa" and rows.begin and len(rows.data) == len(source.data):
                    raise cut_off_error(source)
                return _with_words(replace(form, remarks=remarks_before(source, rows))), rows
        fields = source.first(source.delimiter) if source.delimiter else [next(source.lines()).strip()]
        if source.where.endswith(".json") and input_format is None:
            return _with_words(Recognised("json")), source  # which says what is wrong with it
        first = [text[:_SHOWN] for text in fields]
        if {"run", "name"} <= set(map(normalise_title, first)):
            raise InputError("this is a table of names of runs, no label file", "Pass it as --names FILE.")
        shown = f"the first row is {enumerate_some(first)}"
        samples = sample_titles(first)
        if len(samples) > 1 and input_format in {None, "wide", "long"}:
            shown += f", and {enumerate_some(samples)} may hold the samples: call one of them 'id'"
        raise _unknown(shown, input_format, first)


def _with_words(form: Recognised) -> Recognised:
    return replace(form, words=form.words or LABEL_FORMATS[form.format].words)


def _unknown(shown: str, asked: str | None, titles: Sequence[str] = ()) -> InputError:
    if alike := numbered_alike(titles):
        return several_columns_error(alike)
    if people := [title for title in titles if normalise_title(title) in ANNOTATOR]:
        shown += f", of which {people[0]!r} names annotators: score, compare and agreement take such a file"
    problem = "the format is not recognised" if asked is None else f"this is not the format {asked!r}"
    return InputError(f"{problem}: {shown}", REMEDY)


def _binary(source: LabelSource, asked: str | None, *, known: Known | None = None) -> FoundFormat:
    if is_parquet(source):
        return form_of_parquet(source, Layout(asked), known), source
    if source.files and source.files[0].where.endswith(".json"):
        raise _unknown("a folder of JSON files is read where these are Phenopackets", asked)
    if not source.files and not is_array(source):
        return None
    form = Recognised("annif" if source.files else "array")
    if asked not in {None, form.format}:
        raise _unknown(f"it is {'a folder' if source.files else 'an array of NumPy'}", asked)
    return form, source


def form_of_parquet(source: LabelSource, layout: Layout, known: Known | None = None) -> Recognised:
    """Format of a Parquet file by its columns, some names being known."""
    kinds, asked = kinds_of(source), layout.input_format
    if asked == "paths":
        return _with_words(form_of_levels([*kinds], PARQUET, layout.columns))
    if layout.columns:
        lists = [n for n, kind in enumerate(kinds.values()) if kind in LISTS]
        form = form_of_named_columns([*kinds], PARQUET, layout, lists)
    else:
        form = form_of_typed_header(kinds, asked)
    if form is None and not layout.columns:
        first = next(open_parquet(source).iter_batches(rows_to_see(len(kinds))), None)
        cells = first.select([*kinds]).to_pydict().values() if first else ()
        form = _by_content([*kinds], PARQUET, [*cells], asked, known) if cells else None
    if form is None:
        raise _unknown(f"the columns of this Parquet file are {enumerate_some(kinds)}", asked, [*kinds])
    return _with_words(form)


def _tool(source: LabelSource, asked: str | None, layout: Layout | None = None) -> FoundFormat:
    form = form_of_tool(source, layout or Layout(asked))
    return None if form is None else (form, source)


def _arff(source: LabelSource, asked: str | None) -> FoundFormat:
    is_it = asked == "arff" or (asked is None and is_arff(source))
    return (Recognised("arff"), source) if is_it else None


def _json(source: LabelSource, asked: str | None, *, known: Known | None = None) -> FoundFormat:
    form = form_of_json(source, asked, known=known) if asked in {None, "json", "jsonl"} else None
    return None if form is None else (form, source)


def _headed(source: LabelSource, asked: str | None, *, known: Known | None = None) -> FoundFormat:
    """Recognise a table by its titles, or by its first rows where the titles seem to be concepts."""
    found = form_by_header(source, partial(form_of_header, asked=asked))
    if found is None or found[0].format != "columns":
        return found
    return form_by_rows(source, asked, known) or found


def form_by_rows(
    source: LabelSource,
    asked: str | None,
    known: Known | None,
    annotators: Callable[[Sequence[str]], Sequence[int]] | None = None,
    sample: int | None = None,
) -> FoundFormat:
    """Format of a table of text by its first rows, beside columns of annotators or of samples."""
    if source.delimiter is None:
        return None
    below, _ = _below_remarks(source)

    def form_of(header: Sequence[str], delimiter: str | None) -> Recognised | None:
        first = None
        with suppress(InputError):  # of the row, which the format refuses that is found otherwise
            rows = below.without_header(delimiter)
            first = next(rows.batches(delimiter, len(header), checked=False), None)
        if not first:
            return None
        columns = [one[: rows_to_see(len(header))] for one in first.columns]
        apart = annotators and annotators(header)
        return _by_content(header, delimiter, columns, asked, known, apart, sample)

    return form_by_header(source, form_of)


def _by_content(
    header: Sequence[str],
    delimiter: str | None,
    columns: Sequence[Sequence[object]],
    asked: str | None,
    known: Known | None,
    annotators: Sequence[int] | None = None,
    sample: int | None = None,
) -> Recognised | None:
    """Format of a table by the first cells of its columns, of which the samples may be known."""
    titles, few = ["id" if n == sample else one for n, one in enumerate(header)], len(header) <= FEW_COLUMNS
    roles = columns_by_content(titles, columns, known, annotators=annotators) if few else None
    form, guessed = form_of_roles(header, delimiter, roles, asked), annotators is None and sample is None
    if form is None and guessed and (found := sample_beside_numbers(header, columns, known)) is not None:
        form = form_of_named_columns(header, delimiter, Layout(asked, sample_column=found))
    return form and replace(form, words=FOUND)


def _named(source: LabelSource, asked: str | None, *, layout: Layout, known: Known | None) -> FoundFormat:
    """Find the columns or keys that the caller names, or the levels of paths."""
    if is_parquet(source):
        return form_of_parquet(source, layout), source
    keys = layout.header and "negation" not in layout.columns and not source.files
    if keys and is_json(source.data) and asked in {None, "json", "jsonl", "paths"}:
        form = form_of_json(source, None if asked == "paths" else asked, layout.columns, known)
        return None if form is None else (replace(form, path=asked == "paths"), source)
    if asked == "paths" and not source.files and not is_array(source):
        find = partial(form_of_levels, columns=layout.columns)
        return form_by_header(source, find, header=layout.header)
    if not is_text(source):
        kind = "a folder" if source.files else "an array of NumPy" if is_array(source) else "JSON"
        raise InputError(f"columns are named, but this is {kind}", "Name columns of tables only.")
    found = form_by_header(source, partial(form_of_named_columns, layout=layout), header=layout.header)
    if found and found[0].format == "columns" and layout.header:
        return form_by_rows(source, asked, known, sample=found[0].sample) or found
    return found


_GO_COLUMNS = {b"gaf1": (15, 2, 5, 4), b"gaf2": (17, 2, 5, 4), b"gpa1": (12, 2, 4, 3), b"gpa2": (12, 1, 4, 2)}
"""Columns of annotations of genes: how many, and those of the gene product, the term and NOT."""


def _annotations(source: LabelSource, asked: str | None) -> FoundFormat:
    """Recognise annotations of genes by their first line."""
    version = _GO_VERSION.match(source.data)
    if version is None or asked not in {None, "long"}:
        return None
    kind = f"{'GAF' if version[1] == b'gaf' else 'GPAD'} {(version[2] + version[3]).decode()}"
    known = _GO_COLUMNS.get(version[1] + version[2])
    if known is None:
        remedy = "Name its columns (--input-format long --no-header --sample-column 2 --concept-column 5)."
        raise InputError(f"this is {kind}, whose columns are not known", remedy)
    width, sample, concept, negation = known
    layout = Layout(sample_column=sample, concept_column=concept, negation_column=negation)

    def form_of(header: Sequence[str], _: str | None) -> Recognised | None:
        if len(header) != width:
            fields = pluralise(len(header), "field")
            problem = f"this is {kind}, which has {width} columns, but the first row has {fields}"
            raise InputError(problem, "Separate all columns by tabs, empty ones too.")
        form = form_of_named_columns(header, "\t", layout)
        return form and replace(form, words=f"{kind} ({{roles}}{{unused}})")

    return form_by_header(source, form_of, header=False)


def _below_remarks(source: LabelSource) -> tuple[LabelSource, list[bytes]]:
    """Rows below the remarks before a table, and the remarks."""
    remarks = _REMARKS.match(source.data)
    if remarks is None or remarks.end() == len(source.data):
        return source, []
    lines = remarks[0].splitlines()
    return replace(source, begin=remarks.end(), line=1 + len(lines)), lines


def titles_of(source: LabelSource) -> tuple[str, ...]:
    """Titles of the columns of a table, or the keys of JSON."""
    if is_parquet(source):
        return tuple(kinds_of(source))
    if source.files or is_array(source):
        return ()
    if is_json(source.data):
        return tuple({key.decode() for key in _KEY.findall(source.data)})
    below, remarks = _below_remarks(source)
    head = remarks[-1].decode().lstrip("#!").split(below.delimiter) if remarks else []
    return (*below.first(below.delimiter), *map(str.strip, head))


def remarks_before(source: LabelSource, rows: LabelSource) -> int:
    """Count the remarks before the rows of a table that are not its header."""
    below, lines = _below_remarks(source)
    if rows.begin < below.begin:
        return 0
    return len(lines) - bool(lines and rows.begin == below.begin and rows.header)


def form_by_header(
    source: LabelSource, form_of: Callable[[Sequence[str], str | None], Form | None], *, header: bool = True
) -> tuple[Form, LabelSource] | None:
    """Format of a table by its header, or by the last remark before the rows; and the rows below.

    Without a header the columns have numbers for titles.
    """
    rows, lines = _below_remarks(source)
    refused = None
    if not header:
        width = len(rows.first(rows.delimiter))
        form = form_of([str(number) for number in range(1, width + 1)], rows.delimiter)
        return None if form is None else (form, rows)
    if lines:
        head = LabelSource(source.where, lines[-1].lstrip(b"#!"), source.digest, line=len(lines))
        try:
            form = _form(head, form_of) if rows.delimiter == head.delimiter else None
        except InputError as error:  # a remark may name none of the columns that the caller names
            form, refused = None, error if _usual_titles(head) > _usual_titles(rows) else None
        if form is not None:
            return form, replace(rows, header=tuple(lines[-1].decode().split(head.delimiter)))
    with nullcontext() if refused is None else suppress(InputError):
        form = _form(rows, form_of)
        if form is not None:
            return form, rows.without_header(rows.delimiter)
    if refused is not None:
        raise refused
    return None


def _usual_titles(source: LabelSource) -> int:
    """Count the usual titles of columns in the first row."""
    return sum(normalise_title(title) in _TITLES for title in source.first(source.delimiter))


def _form(source: LabelSource, form_of: Callable[[Sequence[str], str | None], Form | None]) -> Form | None:
    delimiter = source.delimiter
    if delimiter is None:
        return None
    header = source.first(delimiter)
    if len(header) > MOST_COLUMNS:
        raise InputError(
            f"the first row has {len(header):,} fields, more than {MOST_COLUMNS:,}",
            "Write one label in each row ('sample,concept'), and end each row with a newline.",
        )
    try:
        return form_of(header, delimiter)
    except InputError as error:
        error.row = source.line
        raise


def _cafa(source: LabelSource, asked: str | None) -> FoundFormat:
    head = _CAFA_HEAD.match(source.data)
    begin = 0 if head is None else head.end()
    if asked not in {None, "cafa"} or begin == len(source.data):
        return None
    line = 1 + len(source.data[:begin].splitlines())
    rows = without_end(replace(source, begin=begin, line=line))
    if not rows.data[begin:].strip():
        return None
    delimiter = "\t" if rows.delimiter == "\t" else None
    fields = rows.first(delimiter)
    score = parse_number(fields[2]) if len(fields) == len(_CAFA) else None
    if len(fields) not in {2, len(_CAFA)} or (len(fields) == len(_CAFA) and score is None):
        return None
    if asked is None and begin == 0 and not _CURIE.fullmatch(fields[1].strip()):
        return None
    header = _CAFA[: len(fields)]
    return Recognised("cafa", delimiter, header, concept=1, score=None if score is None else 2), rows


def without_end(rows: LabelSource) -> LabelSource:
    """Leave out the line END with which files of CAFA's format end."""
    end = _CAFA_END.search(rows.data, max(rows.begin, len(rows.data) - 100))
    return rows if end is None else replace(rows, data=rows.data[: end.start()])


def cut_off_error(last: LabelSource) -> InputError:
    """Error for a file in CAFA's format whose last row shows that the file is cut off."""
    row = last.line - 1 + len(last.data.rstrip().splitlines())
    return InputError(
        "this file of CAFA's format begins with AUTHOR, MODEL or KEYWORDS but does not end with END: "
        "it is probably cut off after this row",
        "Fetch it again; if it is complete, add a last line END.",
        row=row,
    )


def _annif(source: LabelSource, asked: str | None) -> FoundFormat:
    is_it = asked == "annif" or (asked is None and is_annif(source))
    return (Recognised("annif"), source) if is_it else None


def _imageclef(source: LabelSource, asked: str | None) -> FoundFormat:
    if asked not in {None, "imageclef"}:
        return None
    for sign in dict.fromkeys((source.delimiter, None)):
        name, *values = source.first(sign)
        numbers = values and all(parse_number(value) is not None for value in values)
        if numbers and normalise_title(name) not in SAMPLE:
            return Recognised("imageclef", sign, values=len(values)), source
    return None


class LabelFileFormat(NamedTuple):
    """A format of label files, declared in one place.

    `words` is what messages call it; names in braces stand for what was found, see `Recognised.__str__`.
    `sniff` gets a source and the format that is asked for; it gives the format and the rows below the header,
    or None.
    `lines`: a wrong line may be left out; `table`: rows have delimited
    fields; `more`: a file holds more than labels.
    """

    words: str
    sniff: Sniff
    decode: Callable[[LabelSource, Recognised, DecoderOptions], Statements]
    lines: bool = True
    table: bool = True
    more: bool = False


_LEVELS = "{kind} with a column for each level of a path ({levels}{unused})"

LABEL_FORMATS: Mapping[str, LabelFileFormat] = MappingProxyType(
    {
        **{
            name: LabelFileFormat(tool.words, _tool, from_tool, lines=False, table=False, more=True)
            for name, tool in TOOLS.items()
        },
        "array": LabelFileFormat(
            "an array of NumPy{for_concepts}", _binary, from_array, lines=False, table=False
        ),
        "arff": LabelFileFormat("ARFF with a hierarchical class", _arff, from_arff, table=False, more=True),
        "json": LabelFileFormat("JSON ({records})", _json, from_json, lines=False, table=False),
        "jsonl": LabelFileFormat("JSON Lines ({keys})", _json, from_json_lines, table=False),
        "wide": LabelFileFormat("wide {kind} ({columns}{separated}{unused})", _headed, from_wide),
        "long": LabelFileFormat("long {kind} ({columns}{separated}{unused})", _headed, from_long),
        "columns": LabelFileFormat("{kind}{for_concepts}{unused}", _headed, from_columns),
        "paths": LabelFileFormat(_LEVELS, lambda *_: None, from_levels, table=False, more=True),
        "cafa": LabelFileFormat("CAFA {kind} ({titles})", _cafa, from_long),
        "annif": LabelFileFormat("subjects as Annif writes them", _annif, from_annif, table=False, more=True),
        "imageclef": LabelFileFormat(
            "ImageCLEF {kind} (a name and {values} values in each line)", _imageclef, from_imageclef
        ),
    }
)
"""All formats, each declared here; the first whose `sniff` finds something counts."""


def is_table(form: Recognised) -> bool:
    """Whether a file is text with one row per sample or label, and nothing else."""
    return form.delimiter != PARQUET and LABEL_FORMATS[form.format].table and not form.json_cells


def parse(rows: LabelSource, form: Recognised, wanted: DecoderOptions) -> Statements:
    """Decode a label file without resolving names."""
    with located(rows.where):
        if not wanted.scores and {*map(str.lower, form.header)} >= _OPEN_IMAGES:
            return _verified_present(parse(rows, form, replace(wanted, scores=True)))
        try:
            refuse_other_kind(form, wanted)
            if form.delimiter == PARQUET:
                found = from_table(table_of(rows, form), form, wanted, rows)
            else:
                found = LABEL_FORMATS[form.format].decode(rows, form, wanted)
        except InputError as error:
            if not (wanted.mixed and error.remedy.startswith(LABELS_NOT_SCORES)):
                raise
            return parse(rows, form, replace(wanted, scores=False))
        return without_padding(found) if form.path else found


_OPEN_IMAGES = {"imageid", "source", "labelname", "confidence"}


def _verified_present(found: Statements) -> Statements:
    """Labels that people verified to be present in Open Images: they have the confidences 1 and 0."""
    values = np.asarray(found.value)
    if not np.isin(values, (0, 1)).all():
        raise InputError(
            "the confidences are scores, not only 0 and 1 as of verified labels", THRESHOLD_NEEDED
        )
    ledger = replace(found.ledger, negated=int((values == 0).sum()))
    return replace(found.select(values == 1), value=None, ledger=ledger)


def parse_tolerantly(
    rows: LabelSource, form: Recognised, wanted: DecoderOptions
) -> tuple[Statements | None, list[InputError]]:
    """Decode a label file without the rows that are refused, and give the error of each.

    All is decoded again without the refused rows, until no row is refused.
    """
    by_rows = not (form.delimiter == PARQUET or rows.files or not LABEL_FORMATS[form.format].lines)
    faults: dict[int, InputError] = {}
    rows = replace(rows, faults=faults if by_rows else None)
    while True:
        known = len(faults)
        try:
            entries = parse(rows, form, wanted)
        except InputError as error:
            if by_rows and error.row is not None and error.row >= rows.line:
                faults.setdefault(error.row, error)
            if len(faults) == known or len(faults) >= MOST:
                lost = faults and error.problem.startswith(NO_ROW)
                return None, [*faults.values(), *([] if lost else [error])]
        else:
            if len(faults) == known:
                return entries, list(faults.values())


def refuse_other_kind(form: Recognised, wanted: DecoderOptions) -> None:
    """Refuse scores where labels are wanted, the other way round, and sample weights among concepts."""
    own = next((title for title in form.header if normalise_title(title) in OWN_SAMPLE_WEIGHT), None)
    if form.format == "columns" and own is not None:
        raise InputError(
            f"column {own!r} holds the weights of samples, but every column is a concept here",
            "Move it to a table of its own, sample,weight, and name this by --sample-weights FILE.",
        )
    named = sample_titles(form.header) if form.format == "columns" and form.unused else []
    if len(named) > 1:
        raise InputError(
            f"the columns {enumerate_some((form.header[0], *named))} may hold the samples",
            "Call the first column 'id' if it does; else take it out (of pandas: to_csv(path, index=False)).",
        )
    if form.score is not None and not wanted.scores:
        raise InputError(f"this is {form}: scores, not labels", THRESHOLD_NEEDED)
    unscored = form.format in {"wide", "long", "cafa", "paths"} and form.score is None
    verified = form.negation is not None and wanted.words is not None
    if wanted.scores and unscored and not verified:
        raise InputError(f"this is {form}: labels, not scores", LABELS_NOT_SCORES)
