"""Validation: what an entrant can know about a run before the deadline, without the truth."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Unpack, get_args

import numpy as np
from numpy.typing import NDArray

from ontoeval.audit.constraints import questioned
from ontoeval.audit.finding import Finding, Rule
from ontoeval.audit.findings import Findings
from ontoeval.concepts.violations import rule_book
from ontoeval.core.choices import Axioms, Missing
from ontoeval.core.constraints import Exclusion
from ontoeval.core.csr import row_of_entries
from ontoeval.core.files import FilePath
from ontoeval.core.frames import is_frame
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.limits import reading_at_most
from ontoeval.core.vocabulary import refuse_alike
from ontoeval.errors import CORRECT, AmbiguousNameError, InputError, UnknownConceptError, one_of
from ontoeval.labels.formats import Recognised
from ontoeval.labels.mending import parse_what_can_be
from ontoeval.labels.reading import LabelOptions, Reading, read_samples
from ontoeval.labels.recognition import recognised
from ontoeval.labels.resolved import Contents, contents_of
from ontoeval.labels.sources import Source, read_label_source
from ontoeval.labels.statements import Statements
from ontoeval.ontology.model import Ontology

Kind = Literal["labels", "scores"]

RULES = (
    Rule("format", "error", "The file cannot be read: its format, or something that lies in no single row."),
    Rule("row", "error", "A row that cannot be read: it is malformed, repeats a sample, or has no number."),
    Rule("unknown-concept", "error", "A label that is no concept."),
    Rule("ambiguous-concept", "error", "A label that may mean several concepts."),
    Rule("abstract-concept", "error", "A concept that is never a label."),
    Rule("two-scores", "error", "A sample with two scores for one concept."),
    Rule("scores", "error", "Scores without a threshold, where label sets are measured."),
    Rule("missing-samples", "error", "Samples of the list that have no row in the run."),
    Rule("unknown-samples", "error", "Samples of the run that are not on the list."),
    Rule("exclusion", "warning", "Labels that exclude each other."),
    Rule("requirement", "warning", "A label without another that it requires."),
    Rule("score-range", "warning", "Scores below 0 or above 1."),
    Rule("empty-set", "note", "Samples without any label."),
    Rule("not-closed", "note", "Label sets that lack ancestors of their labels."),
    Rule("repeated-label", "note", "Labels given twice to a sample, which changes nothing."),
    Rule("stands-for", "note", "Labels that are no names of concepts, but are translated to some."),
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
    axioms: Axioms = "all",
    **options: Unpack[LabelOptions],
) -> Findings:
    """Check a run as far as that is possible without the truth: all that is wrong, not only the first.

    Parameters
    ----------
    run
        A file of labels or scores; or what was read of one; or a data frame.
    ontology
        Tells which concepts may be labels, and which rules hold between them.
    samples
        Which samples the run must speak of: their identifiers, or a file of them, see `read_samples`.
    missing
        What is done with samples that only one side has when runs are scored: "refuse" makes them errors,
        "empty" remarks.
    scores
        Whether measures of scores are computed, which need no threshold, and no label sets.
    axioms
        Which rules of the ontology are remarked on where a run breaks them: exclusions and requirements
        ("all"), "exclusions", or none ("off").
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
    one_of("axioms", axioms, get_args(Axioms))
    if is_frame(run):
        run = LabelScores.from_frame(run) if scores else LabelSets.from_frame(run)
    wanted = None if samples is None else read_samples(samples)
    reading = Reading.of(ontology, options)
    try:
        with reading_at_most(options.get("max_bytes")):
            written, found = _written(run, reading, scores=scores)
    except InputError as error:
        return Findings([_finding("format", explanation=str(error))], facts=_facts(run))
    if written is None:
        return Findings(found, facts=_facts(run))
    off = {"all": (), "exclusions": ("requirement",), "off": ("requirement", "exclusion")}[axioms]
    checked = _checked(written, reading, ontology, scores=scores)
    found += [finding for finding in checked if finding.rule not in off]
    if wanted is not None:
        found += _of_samples(written.entries.samples, wanted, _leniently(missing == "empty"))
    facts = {**_facts(run), "format": str(written.form), "samples": len(written.entries.samples)}
    return Findings(found, facts=facts)


@dataclass(frozen=True, eq=False)
class _Written:
    """What could be read of a run, before its labels are understood."""

    kind: Kind
    entries: Statements
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
        rule = "row" if in_row else "format"
        found.append(_finding(rule, explanation=f"{place}{error.problem}.", fix=error.remedy))
    return written, found


def _in_memory(run: LabelSets | LabelScores) -> _Written:
    row, code = row_of_entries(run.matrix).astype(np.int32), run.matrix.indices.astype(np.int32)
    scores = isinstance(run, LabelScores)
    names = run.vocabulary.concepts
    values = run.matrix.data if scores else None
    entries = Statements(run.samples, names, ("",) * len(names), row, code, values)
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
                refused = reading.repeats == "refuse"
                yield _finding(
                    "two-scores",
                    int(again.sum()),
                    _leniently(not refused),
                    samples=_some(contents.samples, contents.row[again]),
                    explanation="These samples have several scores for one concept."
                    if refused
                    else f"One score of each pair counts (--repeats {reading.repeats}).",
                    fix="Keep one score for each sample and concept, or pass --repeats max or first."
                    if refused
                    else "",
                )
                if refused:
                    written = replace(written, entries=entries.only(~again))
        yield from _of_contents(written, reading, ontology, wanted=scores)
    except InputError as error:
        yield _finding("format", explanation=f"{error.problem}.", fix=error.remedy)


def _understood(entries: Statements, reading: Reading) -> tuple[Statements, list[Finding]]:
    """Find the labels that are no concepts, and keep the others."""
    names = reading.names
    found: list[Finding] = []
    strict = replace(names, unknown="error")
    fine = np.ones(len(entries.spellings), dtype=bool)
    order = np.argsort(entries.concept, kind="stable")
    begin = np.searchsorted(entries.concept[order], np.arange(fine.size + 1))
    for code, (spelling, place) in enumerate(zip(entries.spellings, entries.places, strict=True)):
        concepts, _ = names.meaning(spelling)
        vocabulary = names.vocabulary
        fine[code] = len(concepts) == 1 and (vocabulary is None or concepts[0] in vocabulary)
        if fine[code]:
            continue
        drops = names.unknown == "drop" and (not concepts or (len(concepts) == 1 and names.chosen))
        fix: str | None = CORRECT
        rule, said = "unknown-concept", repr(spelling)
        if concepts or len(found) < _EXPLAINED:
            try:
                strict.columns([spelling], [place], "")
            except UnknownConceptError as error:
                said, fix = error.problem, error.remedy
            except AmbiguousNameError as error:
                rule, said, fix = "ambiguous-concept", str(error), None
            except InputError as error:
                rule, said, fix = "abstract-concept", f"{error.problem}.", error.remedy
        mine = entries.sample[order[begin[code] : begin[code + 1]]]
        found.append(
            _finding(
                rule,
                mine.size,
                _leniently(drops),
                concepts=(spelling,),
                samples=_some(entries.samples, mine),
                explanation=f"No concept: {said}." if rule == "unknown-concept" else said,
                fix=fix,
                common=("These labels are no concepts.", fix) if rule == "unknown-concept" else (),
                own=said,
            )
        )
    if fine.all():
        return entries, found
    return entries.spelt(fine), found


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
            said = f"The scores go from {scores.matrix.data.min():g} to {scores.matrix.data.max():g}."
            yield _finding("score-range", rows.size, samples=_some(scores.samples, rows), explanation=said)
        if reading.threshold is None:
            if not wanted:
                said = "The run holds scores, and measures of label sets need labels."
                fix = "Give a threshold (--threshold), or validate for measures of scores alone (--scores)."
                yield _finding("scores", len(scores), explanation=said, fix=fix)
            return
    file = reading.label_file(written.entries, written.form, written.source)
    sets = file.sets
    if file.repeated:
        said = "Labels are given twice to the same sample; each counts once."
        yield _finding("repeated-label", file.repeated, explanation=said)
    for text, (name, count) in file.translated.items():
        said = f"{text!r} is read as {name!r}."
        common = ("These labels are no names of concepts, and are translated.",)
        yield _finding("stands-for", count, concepts=(text,), explanation=said, common=common, own=said)
    empty = np.flatnonzero(sets.sizes == 0)
    if empty.size:
        said = f"The prediction for these samples is empty{_first(written, empty)}."
        yield _finding(
            "empty-set", empty.size, samples=_some(sets.samples, empty), total=len(sets), explanation=said
        )
    if ontology is not None:
        yield from _of_hierarchy(written, sets, ontology, closed=reading.hierarchy is not None)


def _first(written: _Written, rows: NDArray[Any]) -> str:
    """Say on which line of the file the first of some samples begins, if that is known."""
    starts = written.entries.starts
    return (
        "" if starts is None or not rows.size else f", first in row {min(int(starts[row]) for row in rows):,}"
    )


def _of_hierarchy(
    written: _Written, sets: LabelSets, ontology: Ontology, *, closed: bool
) -> Iterator[Finding]:
    hierarchy = ontology.hierarchy().with_labels(sets.vocabulary)
    open_sets = np.flatnonzero(sets.unclosed(hierarchy))
    if open_sets.size and not closed:
        yield _finding(
            "not-closed",
            open_sets.size,
            samples=_some(sets.samples, open_sets),
            total=len(sets),
            explanation=f"These label sets lack ancestors of their labels{_first(written, open_sets)}.",
            fix="If labels are meant to include their ancestors, --close adds them.",
        )
    book = rule_book(hierarchy)
    there = (sets.matrix @ book.sides).tocsc()
    sizes = np.diff(there.indptr)
    rarer = np.where(book.excludes, np.minimum(sizes[book.left], sizes[book.right]), len(sets))
    for number, (rule, applies, broken) in enumerate(book.breaches(sets.matrix)):
        if broken:
            excludes = isinstance(rule, Exclusion)
            rows = book.breaking(there, number)
            said = f"{rule}{_first(written, rows)}."
            common = "exclude each other" if excludes else "lack a label that the ontology requires"
            doubt = (
                "Most samples that these rules apply to break them, so the rules may not be meant for labels."
                if questioned(broken, min(applies, int(rarer[number])))
                else "At most half of the samples that a rule applies to break it: the labels may be wrong."
            )
            yield _finding(
                "exclusion" if excludes else "requirement",
                broken,
                concepts=(rule.first, rule.second) if isinstance(rule, Exclusion) else (rule.concept,),
                samples=_some(sets.samples, rows),
                total=applies,
                explanation=said,
                common=(f"Labels of one sample {common}. The run is accepted. {doubt}",),
                own=said,
            )


def _of_samples(
    samples: tuple[str, ...], wanted: tuple[str, ...], severity: Literal["warning", "error"]
) -> Iterator[Finding]:
    try:
        refuse_alike(sorted(set(samples) ^ set(wanted)), what="sample")
    except InputError as error:
        same = error.problem
        yield _finding("unknown-samples", explanation=f"{same}.", fix=error.remedy, common=(same,))
    for rule, names, others, said in (
        (
            "missing-samples",
            wanted,
            set(samples),
            ("These samples have no row in the run.", "Add a row for each, even if it predicts nothing."),
        ),
        (
            "unknown-samples",
            samples,
            set(wanted),
            ("The list of samples does not have these samples.", "Remove their rows."),
        ),
    ):
        lacking = tuple(name for name in names if name not in others)
        if lacking:
            explanation, fix = said
            yield _finding(
                rule,
                len(lacking),
                severity,
                samples=lacking,
                total=len(names),
                explanation=explanation,
                fix=fix,
            )


def _some(samples: tuple[str, ...], rows: NDArray[Any]) -> tuple[str, ...]:
    """Name samples by their positions, each once and in order."""
    return tuple(samples[row] for row in np.unique(rows).tolist())
