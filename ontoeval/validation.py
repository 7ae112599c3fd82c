"""Validation: what an entrant can know about a run before the deadline, without the truth."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Unpack, get_args

import numpy as np
from numpy.typing import NDArray

from ontoeval.audit.finding import Finding, Rule
from ontoeval.audit.findings import Findings
from ontoeval.choices import Missing
from ontoeval.constraints import Exclusion
from ontoeval.csr import row_of_entries
from ontoeval.errors import AmbiguousNameError, InputError, UnknownConceptError, one_of
from ontoeval.files import FilePath
from ontoeval.io.contents import Contents, contents_of
from ontoeval.io.entries import Entries
from ontoeval.io.formats import Recognised
from ontoeval.io.mending import parse_what_can_be
from ontoeval.io.opening import read_label_source
from ontoeval.io.reading import LabelOptions, Reading
from ontoeval.io.recognition import recognised
from ontoeval.io.samples import read_samples
from ontoeval.io.tables import Source
from ontoeval.labels import LabelSets
from ontoeval.limits import reading_at_most
from ontoeval.ontology.model import Ontology
from ontoeval.scores import LabelScores
from ontoeval.violations import rule_book

Kind = Literal["labels", "scores"]

RULES = (
    Rule("format", "error", "The file cannot be read: its format, or something that lies in no single row."),
    Rule("row", "error", "A row that cannot be read: it is malformed, repeats a sample, or has no number."),
    Rule("unknown-concept", "error", "A label that is no concept."),
    Rule("ambiguous-concept", "error", "A label that may mean several concepts."),
    Rule("abstract-concept", "error", "A concept that is never a label."),
    Rule("two-scores", "error", "A sample with two scores for one concept."),
    Rule("scores", "error", "Scores without a threshold, where label sets are measured."),
    Rule("missing-samples", "error", "Samples that the run must speak of, but does not."),
    Rule("unknown-samples", "error", "Samples that the run must not speak of."),
    Rule("exclusion", "warning", "Labels that exclude each other."),
    Rule("requirement", "warning", "A label without another that it requires."),
    Rule("score-range", "warning", "Scores below 0 or above 1."),
    Rule("empty-set", "note", "Samples without any label."),
    Rule("not-closed", "note", "Sets that lack ancestors of their labels."),
    Rule("repeated-label", "note", "Labels given twice to a sample, which changes nothing."),
    Rule("stands-for", "note", "Labels that are no names of concepts, but stand for some."),
)
"""What is looked for. With an error `score` would refuse the run; everything else is a remark."""

_SEVERITY = {rule.name: rule.severity for rule in RULES}

_EXPLAINED = 200
"""For how many labels that are no concepts it is said what may have been meant."""


def validate(
    run: FilePath | LabelSets | LabelScores,
    ontology: Ontology | None = None,
    *,
    samples: FilePath | Iterable[str] | None = None,
    missing: Missing = "refuse",
    scores: bool = False,
    **options: Unpack[LabelOptions],
) -> Findings:
    """Check a run as far as that is possible without the truth: all that is wrong, not only the first.

    Parameters
    ----------
    run
        A file of labels or scores; or what was read of one.
    ontology
        Tells which concepts may be labels, and which rules hold between them.
    samples
        Which samples the run must speak of: their identifiers, or a file of them, see `read_samples`.
    missing
        What is done with samples that only one side has when runs are scored: "refuse" makes them errors,
        "empty" remarks.
    scores
        Whether measures of scores are computed, which need no threshold, and no label sets.
    **options
        The options of `read_labels`, as runs will be read: labels that are unknown are remarks with
        unknown="drop".

    Returns
    -------
    Findings
        What was found: each with the name of a rule, a severity, the concepts or labels and the samples
        it is about, all of these, and an explanation. With an error the run would be refused.

    Raises
    ------
    InputError
        If the list of samples or of concepts cannot be used.
    ParameterError
        If an option has no such value.

    Examples
    --------
    >>> run = LabelSets.from_sets({"p1": ["sky"], "p3": []})
    >>> [(f.severity, f.rule, f.samples) for f in validate(run, samples=["p1", "p2", "p3"])]
    [('error', 'missing-samples', ('p2',)), ('note', 'empty-set', ('p3',))]
    """
    one_of("missing", missing, get_args(Missing))
    wanted = None if samples is None else read_samples(samples)
    reading = Reading.of(ontology, options)
    try:
        with reading_at_most(options.get("max_bytes")):
            written, found = _written(run, reading, scores=scores)
    except InputError as error:
        return Findings([_finding("format", explanation=str(error))], facts=_facts(run))
    if written is None:
        return Findings(found, facts=_facts(run))
    found += _checked(written, reading, ontology, scores=scores)
    if wanted is not None:
        found += _of_samples(written.entries.samples, wanted, _leniently(missing == "empty"))
    facts = {**_facts(run), "format": str(written.form), "samples": len(written.entries.samples)}
    return Findings(found, facts=facts)


@dataclass(frozen=True, eq=False)
class _Written:
    """What could be read of a run, before its labels are understood."""

    kind: Kind
    entries: Entries
    form: Recognised
    source: Source
    certain: bool = True


def _facts(run: object) -> dict[str, Any]:
    return {"run": os.fspath(run) if isinstance(run, str | os.PathLike) else "what was read of it"}


def _finding(rule: str, count: int = 1, severity: Any = None, **more: Any) -> Finding:  # noqa: ANN401 - as Finding has them
    return Finding(rule, severity or _SEVERITY[rule], more.pop("concepts", ()), count, **more)


def _leniently(lenient: bool) -> Literal["warning", "error"]:  # noqa: FBT001 - reads well
    return "warning" if lenient else "error"


def _written(
    run: FilePath | LabelSets | LabelScores, reading: Reading, *, scores: bool
) -> tuple[_Written | None, list[Finding]]:
    """Take the entries of a run; of scores and labels, what the file can be read as with fewer errors."""
    if isinstance(run, LabelSets | LabelScores):
        return _in_memory(run), []
    form, rows = recognised(read_label_source(run), reading.input_format)
    kinds: Sequence[Kind] = ("labels", "scores")
    if scores or form.has_scores or reading.threshold is not None:
        kinds = ("scores",)
    elif form.concept is not None:  # the header names labels alone
        kinds = ("labels",)
    best: tuple[_Written | None, list[InputError]] | None = None
    for kind in kinds:
        entries, refused = parse_what_can_be(rows, form, reading.wanted(scores=kind == "scores"))
        source = Source(rows.where, b"", rows.digest)
        certain = reading.input_format is not None
        written = None if entries is None else _Written(kind, entries, form, source, certain)
        if best is None or (written is not None, -len(refused)) > (best[0] is not None, -len(best[1])):
            best = written, refused
        if not refused:
            break
    written, refused = best or (None, [])
    found = []
    for error in sorted(refused, key=lambda error: error.row or math.inf):
        in_row = error.row is not None and error.row >= rows.line
        place = "" if error.row is None else f"row {error.row:,}: "
        found.append(
            _finding("row" if in_row else "format", explanation=f"{place}{error.problem}. {error.remedy}")
        )
    return written, found


def _in_memory(run: LabelSets | LabelScores) -> _Written:
    row, code = row_of_entries(run.matrix).astype(np.int32), run.matrix.indices.astype(np.int32)
    scores = isinstance(run, LabelScores)
    names = run.vocabulary.concepts
    values = run.matrix.data if scores else None
    entries = Entries(run.samples, names, ("",) * len(names), row, code, values)
    return _Written("scores" if scores else "labels", entries, Recognised("array"), Source("", b"", ""))


def _checked(
    written: _Written, reading: Reading, ontology: Ontology | None, *, scores: bool
) -> Iterator[Finding]:
    """Check labels, then what they are labels of."""
    entries, wrong = _understood(written.entries, reading)
    yield from wrong
    written = replace(written, entries=entries)
    try:
        contents = contents_of(
            entries, written.form, reading.names, written.source.where, certain=written.certain
        )
        if written.kind == "scores":
            again = _repeated(contents)
            if again.any():
                yield _finding(
                    "two-scores",
                    int(again.sum()),
                    samples=_some(contents.samples, contents.row[again]),
                    explanation="Keep one score for each sample and concept.",
                )
                written = replace(written, entries=_only(entries, ~again))
        yield from _of_contents(written, reading, ontology, wanted=scores)
    except InputError as error:
        yield _finding("format", explanation=f"{error.problem}. {error.remedy}")


def _understood(entries: Entries, reading: Reading) -> tuple[Entries, list[Finding]]:
    """Find the labels that are no concepts, and keep the others."""
    names = reading.names
    found: list[Finding] = []
    strict = replace(names, unknown="error")
    fine = np.ones(len(entries.spellings), dtype=bool)
    order = np.argsort(entries.code, kind="stable")
    begin = np.searchsorted(entries.code[order], np.arange(fine.size + 1))
    for code, (spelling, place) in enumerate(zip(entries.spellings, entries.places, strict=True)):
        concepts, _ = names.meaning(spelling)
        vocabulary = names.vocabulary
        fine[code] = len(concepts) == 1 and (vocabulary is None or concepts[0] in vocabulary)
        if fine[code]:
            continue
        drops = names.unknown == "drop" and (not concepts or (len(concepts) == 1 and names.chosen))
        rule, said = "unknown-concept", f"{spelling!r} is no concept."
        if concepts or len(found) < _EXPLAINED:
            try:
                strict.columns([spelling], [place], "")
            except UnknownConceptError as error:
                said = str(error)
            except AmbiguousNameError as error:
                rule, said = "ambiguous-concept", str(error)
            except InputError as error:
                rule, said = "abstract-concept", str(error)
        mine = entries.row[order[begin[code] : begin[code + 1]]]
        found.append(
            _finding(
                rule,
                mine.size,
                _leniently(drops),
                concepts=(spelling,),
                samples=_some(entries.samples, mine),
                explanation=said,
            )
        )
    if fine.all():
        return entries, found
    number = np.cumsum(fine) - 1
    kept = _only(entries, fine[entries.code])
    return (
        replace(
            kept,
            spellings=tuple(np.array(entries.spellings, dtype=object)[fine].tolist()),
            places=tuple(np.array(entries.places, dtype=object)[fine].tolist()),
            code=number[kept.code].astype(np.int32),
        ),
        found,
    )


def _only(entries: Entries, kept: NDArray[np.bool_]) -> Entries:
    return replace(
        entries,
        row=entries.row[kept],
        code=entries.code[kept],
        values=None if entries.values is None else entries.values[kept],
        lines=None if entries.lines is None else entries.lines[kept],
    )


def _repeated(contents: Contents) -> NDArray[np.bool_]:
    """Mark the scores for which there is another before."""
    cell = contents.row.astype(np.int64) * len(contents.vocabulary) + contents.column
    again = np.ones(cell.size, dtype=bool)
    again[np.unique(cell, return_index=True)[1]] = False
    return again


def _of_contents(
    written: _Written, reading: Reading, ontology: Ontology | None, *, wanted: bool
) -> Iterator[Finding]:
    if written.kind == "scores":
        scores = reading.score_file(written.entries, written.form, written.source).scores
        outside = (scores.matrix.data < 0) | (scores.matrix.data > 1)
        if outside.any():
            rows = row_of_entries(scores.matrix)[outside]
            said = f"From {scores.matrix.data.min():g} to {scores.matrix.data.max():g}."
            yield _finding("score-range", rows.size, samples=_some(scores.samples, rows), explanation=said)
        if reading.threshold is None:
            if not wanted:
                said = "Measures of label sets need a threshold (--threshold); others do not (--scores)."
                yield _finding("scores", len(scores), explanation=said)
            return
    file = reading.label_file(written.entries, written.form, written.source)
    sets = file.sets
    if file.repeated:
        yield _finding("repeated-label", file.repeated, explanation="They count once.")
    for text, (name, count) in file.translated.items():
        yield _finding("stands-for", count, concepts=(text,), explanation=f"Read as {name!r}.")
    empty = np.flatnonzero(sets.sizes == 0)
    if empty.size:
        said = "They are predicted to bear no label."
        yield _finding(
            "empty-set", empty.size, samples=_some(sets.samples, empty), total=len(sets), explanation=said
        )
    if ontology is not None:
        yield from _of_hierarchy(sets, ontology, closed=reading.hierarchy is not None)


def _of_hierarchy(sets: LabelSets, ontology: Ontology, *, closed: bool) -> Iterator[Finding]:
    hierarchy = ontology.hierarchy().with_labels(sets.vocabulary)
    open_sets = np.flatnonzero(sets.unclosed(hierarchy))
    if open_sets.size and not closed:
        yield _finding(
            "not-closed",
            open_sets.size,
            samples=_some(sets.samples, open_sets),
            total=len(sets),
            explanation="The ancestors of their labels are not among them (--close adds them).",
        )
    book = rule_book(hierarchy)
    there = (sets.matrix @ book.sides).tocsc()
    for number, (rule, applies, broken) in enumerate(book.breaches(sets.matrix)):
        if broken:
            excludes = isinstance(rule, Exclusion)
            yield _finding(
                "exclusion" if excludes else "requirement",
                broken,
                concepts=(rule.first, rule.second) if isinstance(rule, Exclusion) else (rule.concept,),
                samples=_some(sets.samples, book.breaking(there, number)),
                total=applies,
                explanation=f"{rule}.",
            )


def _of_samples(
    samples: tuple[str, ...], wanted: tuple[str, ...], severity: Literal["warning", "error"]
) -> Iterator[Finding]:
    for rule, names, others, said in (
        ("missing-samples", wanted, set(samples), "Add them, those without labels as well."),
        ("unknown-samples", samples, set(wanted), "They are not on the list of samples: leave them out."),
    ):
        lacking = tuple(name for name in names if name not in others)
        if lacking:
            yield _finding(rule, len(lacking), severity, samples=lacking, total=len(names), explanation=said)


def _some(samples: tuple[str, ...], rows: NDArray[Any]) -> tuple[str, ...]:
    """Name samples by their positions, each once and in order."""
    return tuple(samples[row] for row in np.unique(rows).tolist())
