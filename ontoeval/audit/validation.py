"""Validation of a run without the truth, before a deadline."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from ontoeval.audit.findings import Finding, Findings, rules_of
from ontoeval.core.choices import Missing, ScoreRepeats
from ontoeval.core.graphs import AnyOntology, front_door
from ontoeval.core.vocabulary import NOTHING, refuse_alike
from ontoeval.errors import AmbiguousNameError, InputError, UnknownConceptError, one_of
from ontoeval.labels.formats import ColumnNames, Layout, Recognised
from ontoeval.labels.name_resolution import MANY_UNKNOWN, UNKNOWN_REMEDY, WRONG_FILE, Names
from ontoeval.labels.reading import LabelFileReader, read_samples
from ontoeval.labels.reading_options import Absent, AnyThreshold, LabelReading, NameOptions, Unknown
from ontoeval.labels.recognition import parse_tolerantly, recognised
from ontoeval.labels.resolved import contents_of
from ontoeval.labels.sources import LabelSource, read_label_source
from ontoeval.labels.statements import Statements
from ontoeval.ontology.model import Ontology
from ontoeval.plumbing.files import FilePath, reading_at_most
from ontoeval.plumbing.sparse import row_of_entries

RunKind = Literal["labels", "scores"]

RULES = rules_of("run")
"""The rules of a validation. With an error `score` would refuse the run; all others are remarks."""

_EXPLAINED = 200
"""Most unknown labels that are reported with near names."""


@front_door
def validate(  # noqa: PLR0913 - each is an option
    run: FilePath,
    ontology: AnyOntology | None = None,
    *,
    samples: FilePath | Iterable[str] | None = None,
    missing: Missing = "refuse",
    scores: bool = False,
    concepts: FilePath | Iterable[str] | None = None,
    concept_map: FilePath | Mapping[str, str] | None = None,
    input_format: str | None = None,
    sample_column: ColumnNames = None,
    concept_column: ColumnNames = None,
    value_column: ColumnNames = None,
    negation_column: ColumnNames = None,
    header: bool = True,
    separator: str | None = None,
    unknown: Unknown = "error",
    na: Absent = "error",
    threshold: AnyThreshold | None = None,
    close: bool = False,
    repeats: ScoreRepeats = "refuse",
    max_bytes: int | None = None,
) -> Findings:
    r"""Check a run without the truth: report all that is wrong, not only the first.

    Parameters
    ----------
    run
        A file of labels or scores.
    ontology
        The ontology, for its concepts; what labels break of it is found by `audit_labels`.
    samples
        The samples that the run must have: their identifiers, or a file of them, see `read_samples`.
    missing
        Whether missing samples are errors ("refuse") or remarks ("empty").
    scores
        Whether the run is for measures of scores, which need no threshold and no label sets.
    concepts, concept_map, input_format
        As runs will be read; see `read_labels`.
    sample_column, concept_column, value_column, negation_column, header, separator
        The columns of a table; see `read_labels`.
    unknown
        "error", or "drop": unknown labels are remarks.
    na, threshold, close, repeats, max_bytes
        As runs will be read; see `read_labels`.

    Returns
    -------
    Findings
        What was found; with an error the run would be refused.

    Raises
    ------
    InputError
        If the list of samples or of concepts cannot be used.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> run = pathlib.Path(tempfile.mkdtemp(), "run.csv")
    >>> _ = run.write_text("id,labels\np1,sky\np3,\n")
    >>> findings = validate(run, samples=["p1", "p2", "p3"])
    >>> [(finding.severity, finding.rule, finding.samples) for finding in findings]
    [('error', 'missing-samples', ('p2',)), ('note', 'empty-set', ('p3',))]
    """
    columns = sample_column, concept_column, value_column, negation_column
    names = NameOptions(concepts, concept_map, unknown, na)
    layout = Layout(input_format, *columns, header=header, separator=separator)
    reading = LabelReading(names, layout, threshold, repeats, close=close, max_bytes=max_bytes)
    return run_findings(run, ontology, reading, samples=samples, missing=missing, scores=scores)


def run_findings(
    run: FilePath,
    ontology: Ontology | None,
    reading: LabelReading,
    *,
    samples: FilePath | Iterable[str] | None,
    missing: Missing,
    scores: bool,
) -> Findings:
    """Check a run as `validate` does."""
    one_of("missing", missing, get_args(Missing))
    wanted = None if samples is None else read_samples(samples)
    reader = LabelFileReader.from_options(ontology, reading)
    facts = {"run": str(run)}
    try:
        with reading_at_most(reading.max_bytes):
            content, found = _read(run, reader, scores=scores)
    except InputError as error:
        return Findings([RULES["format"].make_finding((), 1, {"problem": error})], facts=facts)
    if content is None:
        return Findings(found, facts=facts)
    found += _content_findings(content, reader, scores=scores)
    names = content.entries.samples
    if wanted is not None:
        found += _sample_findings(names, wanted, {"severity": "warning"} if missing == "empty" else {})
    unchecked = "; names of labels are not checked: give an ontology or --concepts"
    form = f"{content.form}{unchecked * (reader.names.vocabulary is None)}"
    form = "; ".join([form, *content.entries.ledger.notes])
    return Findings(found, facts={**facts, "format": form, "samples": len(names)})


class _Content(NamedTuple):
    """The readable part of a run, before its labels are resolved."""

    entries: Statements
    form: Recognised
    source: LabelSource

    @property
    def kind(self) -> RunKind:
        return "labels" if self.entries.value is None else "scores"


def _read(run: FilePath, reading: LabelFileReader, *, scores: bool) -> tuple[_Content | None, list[Finding]]:
    """Read a run as scores or as labels, whichever gives fewer errors."""
    form, rows = recognised(read_label_source(run), reading.layout, known=reading.names.known)
    kinds: Sequence[RunKind] = ("labels", "scores")
    if scores or form.score is not None or reading.options.threshold is not None:
        kinds = ("scores",)
    elif form.concept is not None:  # the header names labels alone
        kinds = ("labels",)
    best: tuple[_Content | None, list[InputError]] | None = None
    for kind in kinds:
        entries, refused = parse_tolerantly(rows, form, reading.decoder_options(scores=kind == "scores"))
        source = LabelSource(rows.where, b"", rows.digest)
        content = None if entries is None else _Content(entries, form, source)
        if best is None or (content is not None, -len(refused)) > (best[0] is not None, -len(best[1])):
            best = content, refused
        if not refused:
            break
    content, refused = best or (None, [])
    found = []
    for error in sorted(refused, key=lambda error: error.row or math.inf):
        rule = "row" if error.row is not None and error.row >= rows.line else "format"
        place = "" if error.row is None else f"row {error.row:,}: "
        words = {"problem": f"{place}{error.problem}."}
        found.append(RULES[rule].make_finding((), 1, words, fix=error.remedy))
    return content, found


def _content_findings(content: _Content, reading: LabelFileReader, *, scores: bool) -> Iterator[Finding]:
    """Check labels, then samples."""
    entries, wrong = _without_unknown(content.entries, reading.names)
    yield from wrong
    try:
        if content.kind == "scores":
            where = content.source.where
            resolved = contents_of(entries, content.form, reading.names, where, layout=reading.layout)
            order, repeated = resolved.repeats_of_pairs
            again = np.zeros(order.size, dtype=bool)
            again[order[repeated]] = True
            if again.any():
                statements = resolved.statements
                samples = _sample_names(statements.samples, statements.sample[again])
                kept = f"One score of each pair counts (--repeats {reading.repeats})."
                remark: dict[str, Any] = {"severity": "warning", "explanation": kept, "fix": ""}
                refused = reading.repeats == "refuse"
                yield RULES["two-scores"].make_finding(
                    (), int(again.sum()), samples=samples, **({} if refused else remark)
                )
                entries = entries.select(~again) if refused else entries
        content = content._replace(entries=entries)
        if content.kind == "scores":
            yield from _score_findings(content, reading, scores=scores)
        if content.kind == "labels" or reading.options.threshold is not None:
            sets = reading.label_file(content.entries, content.form, content.source).sets
            rows = np.flatnonzero(sets.sizes == 0)
            if rows.size:
                fields: dict[str, Any] = {"samples": _sample_names(sets.samples, rows), "total": len(sets)}
                yield RULES["empty-set"].make_finding((), rows.size, **fields)
    except InputError as error:
        yield RULES["format"].make_finding((), 1, {"problem": f"{error.problem}."}, fix=error.remedy)


def _without_unknown(entries: Statements, names: Names) -> tuple[Statements, list[Finding]]:
    """Find the labels that are no concepts, and keep the others."""
    found: list[Finding] = []
    fine = np.ones(len(entries.spellings), dtype=bool)
    order = np.argsort(entries.concept, kind="stable")
    begin = np.searchsorted(entries.concept[order], np.arange(fine.size + 1))
    for code, (spelling, place) in enumerate(zip(entries.spellings, entries.places, strict=True)):
        concepts, _ = names.meaning(spelling)
        fine[code] = len(concepts) == 1 and (names.vocabulary is None or concepts[0] in names.vocabulary)
        if fine[code]:
            continue
        explained = bool(concepts) or len(found) < _EXPLAINED
        rule, problem, fix = (
            _explain_label(names, spelling, place) if explained else _unknown_labels(spelling)
        )
        drops = names.unknown == "drop" and (not concepts or (len(concepts) == 1 and names.chosen))
        drops |= names.na == "empty" and spelling in NOTHING
        rows = entries.sample[order[begin[code] : begin[code + 1]]]
        common = ("These labels are no concepts.", fix) if rule == "unknown-concept" else ()
        fields: dict[str, Any] = {"severity": "warning"} if drops else {}
        fields |= {"samples": _sample_names(entries.samples, rows), "fix": fix, "common": common}
        found.append(RULES[rule].make_finding((spelling,), rows.size, {"problem": problem}, **fields))
    if fine.all():
        return entries, found
    if fine.size >= MANY_UNKNOWN and not fine.any():
        whole = f"None of the {fine.size:,} labels is a concept. {WRONG_FILE}"
        found = [replace(one, common=(whole, *one.common[1:])) if one.common else one for one in found]
    return entries.select_spellings(fine), found


def _explain_label(names: Names, spelling: str, place: str) -> tuple[str, str, str | None]:
    """Rule that a label breaks, explanation and fix."""
    try:
        replace(names, unknown="error").columns([spelling], [place], "")
    except UnknownConceptError as error:
        return "unknown-concept", error.problem, error.remedy
    except AmbiguousNameError as error:
        return "ambiguous-concept", str(error), None
    except InputError as error:
        if spelling in NOTHING:
            return "unknown-concept", repr(spelling), error.remedy
        return "abstract-concept", f"{error.problem}.", error.remedy
    return _unknown_labels(spelling)


def _unknown_labels(spelling: str) -> tuple[str, str, str | None]:
    return "unknown-concept", repr(spelling), UNKNOWN_REMEDY


def _score_findings(content: _Content, reading: LabelFileReader, *, scores: bool) -> Iterator[Finding]:
    found = reading.score_file(content.entries, content.form, content.source).scores
    values = found.matrix.data
    outside = (values < 0) | (values > 1)
    if outside.any():
        samples = _sample_names(found.samples, row_of_entries(found.matrix)[outside])
        words = {"least": values.min(), "most": values.max()}
        yield RULES["score-range"].make_finding((), int(outside.sum()), words, samples=samples)
    if reading.options.threshold is None and not scores:
        yield RULES["scores"].make_finding((), len(found))


def _sample_findings(
    samples: tuple[str, ...], wanted: tuple[str, ...], graded: dict[str, Any]
) -> Iterator[Finding]:
    try:
        refuse_alike(sorted(set(samples) ^ set(wanted)), what="sample")
    except InputError as error:
        problem = error.problem
        yield RULES["unknown-samples"].make_finding(
            (), 1, explanation=f"{problem}.", fix=error.remedy, common=(problem,)
        )
    for rule, names, others in (
        ("missing-samples", wanted, set(samples)),
        ("unknown-samples", samples, set(wanted)),
    ):
        if lacking := tuple(name for name in names if name not in others):
            yield RULES[rule].make_finding((), len(lacking), samples=lacking, total=len(names), **graded)


def _sample_names(samples: tuple[str, ...], rows: NDArray[Any]) -> tuple[str, ...]:
    """Name samples by their positions, each once and in order."""
    return tuple(samples[row] for row in np.unique(rows).tolist())
