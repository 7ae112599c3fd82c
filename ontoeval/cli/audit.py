"""``ontoeval audit`` and ``validate``: errors in label files, ontologies and runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated

from ontoeval.audit.choices import Axioms, ConventionAsked, Severity
from ontoeval.benchmarks.inputs import FileKind, files_of, kinds_at, read_draft, reader_of
from ontoeval.benchmarks.scoring_options import (
    RUNS,
    Format,
    Images,
    Negative,
    Output,
    PageOptions,
    output_option,
    runs_of,
)
from ontoeval.cli.commands import Given, made_of
from ontoeval.cli.exit_codes import end_with_findings
from ontoeval.core.choices import Missing, ScoreRepeats
from ontoeval.core.table import Column, Table
from ontoeval.errors import InputError, ParameterError, pluralise
from ontoeval.labels.formats import Layout
from ontoeval.labels.reading_options import Absent, ReadingOptions, Unknown
from ontoeval.options import Opt, filled, flag
from ontoeval.plumbing.files import real_path
from ontoeval.plumbing.writing import FileContent, check_table_name, ending, refuse_overlaps, write_all

if TYPE_CHECKING:
    from ontoeval.audit.exchange import Accepted, Settings
    from ontoeval.audit.findings import AuditRule, Findings


@dataclass(frozen=True, kw_only=True)
class FindingOptions(PageOptions):
    """How findings are shown, kept, accepted, and made to fail."""

    rules: Annotated[
        Path | None,
        Opt(
            "TOML with a table [rules]: a severity (error, warning, note or off) for rules, and axioms.",
            brief=True,
        ),
    ] = None
    fail_on: Annotated[
        Severity | None,
        Opt("End with exit code 1 where a finding has this severity, or a worse one.", brief=True),
    ] = None
    baseline: Annotated[
        Path | None,
        Opt("File of accepted findings: only new ones are reported. --write-baseline makes it.", brief=True),
    ] = None
    write_baseline: Annotated[
        Path | None, output_option("Write all findings to this file, for --baseline.")
    ] = None
    sarif: Annotated[Path | None, output_option("Write the findings as SARIF too.", brief=True)] = None
    most: Annotated[int, output_option("How many findings of each kind are shown at most.", least=1)] = 5
    images: Images = None
    output: Output = "table"

    def check(
        self, read: Iterable[Path | None], written: Mapping[str, Path | None] = MappingProxyType({})
    ) -> None:
        """Refuse outputs that are an input, or another output."""
        self.check_page()
        if self.write_baseline is not None and written.get("--fix") is not None:
            expected = "no --fix beside it: it would accept what the copy corrects"
            raise ParameterError("--write-baseline", str(self.write_baseline), expected)
        own = {"--write-baseline": self.write_baseline, "--sarif": self.sarif, "--report": self.report}
        baseline = None if self._anew else self.baseline
        refuse_overlaps({**written, **own}, (*read, self.rules, baseline))

    @property
    def _anew(self) -> bool:
        """Whether the file of accepted findings is written, not read."""
        both = (self.baseline, self.write_baseline)
        return None not in both and len({real_path(path) for path in both if path}) == 1

    def settings(self, known: Mapping[str, AuditRule]) -> Settings:
        """Read the file of rules, if any, which both commands may share."""
        from ontoeval.audit.exchange import Settings, read_settings
        from ontoeval.reports.audit import RULES

        return Settings() if self.rules is None else read_settings(self.rules, known, RULES)

    @cached_property
    def accepted(self) -> Accepted | None:
        """Read the accepted findings, before anything is written."""
        from ontoeval.audit.exchange import read_baseline

        return None if self.baseline is None or self._anew else read_baseline(self.baseline)

    def report_findings(
        self,
        findings: Findings,
        source: str,
        rules: Mapping[str, AuditRule],
        *,
        samples: Sequence[str] = (),
        files: Mapping[Path, FileContent] = MappingProxyType({}),
        remarks: Iterable[str] = (),
    ) -> None:
        """Show the findings that are not accepted, write all files or none, and end as `fail_on` demands."""
        from ontoeval.audit.exchange import baseline as as_baseline
        from ontoeval.audit.exchange import new_findings
        from ontoeval.audit.exchange import sarif as as_sarif
        from ontoeval.cli.terminal import show, tell
        from ontoeval.reports.audit import shape_table, totals
        from ontoeval.reports.formats import as_json

        contents: dict[Path, FileContent] = {**files}
        if self.write_baseline is not None:
            contents[self.write_baseline] = as_baseline(findings, samples)
            remarks = [*remarks, f"{self.write_baseline}: accepts all {pluralise(len(findings), 'finding')}"]
        if self.accepted is not None:
            new = new_findings(findings, self.accepted, samples)
            count = len(findings) - len(new)
            findings = replace(findings, found=new, facts={**findings.facts, "accepted": count})
            remarks = [*remarks, f"{self.baseline}: accepts {pluralise(count, 'finding')}, not told again"]
        if self.sarif is not None:
            contents[self.sarif] = as_json(as_sarif(findings, rules, source))
        if self.report is not None:
            about = {"title": f"Audit of {Path(source).name}", **self.about}
            contents[self.report] = findings.report(folder=self.report.parent, **about)
        write_all(contents)
        _show(findings, f"Audit of {source}", self.output, self.most)
        tell(remarks, self.output)
        if self.output == "table" and "shape" in findings.facts:
            show(shape_table(findings), self.output)
        if self.fail_on is not None and findings.fails(self.fail_on):
            problem = f"the audit has {totals(findings).rstrip('.')} (--fail-on {self.fail_on})"
            remedy = "Correct the file, or accept findings with --write-baseline FILE and --baseline FILE."
            end_with_findings(InputError(problem, remedy, where=source))


@dataclass(frozen=True, kw_only=True)
class RefusedOptions:
    """Options that change labels while they are read: hidden, and refused."""

    unknown: Annotated[Unknown, Opt("", hidden=True)] = "error"
    na: Annotated[Absent, Opt("", hidden=True)] = "error"
    close: Annotated[bool, Opt("", hidden=True)] = False
    repeats: Annotated[ScoreRepeats | None, Opt("", hidden=True)] = None

    def refuse(self, why: str) -> None:
        """Refuse a command line that has one of these options, and say why."""
        for name, value in vars(self).items():
            if value not in {None, False, "error"}:
                raise ParameterError(flag(name), value, f"nothing: {why}")


@dataclass(frozen=True, kw_only=True)
class SuspectOptions:
    """A model's scores, and where the labels that they contradict are listed."""

    scores: Annotated[
        Path | None,
        Opt(
            "File of a model's probabilities of the labels of all samples: report labels that the "
            "probabilities contradict. The model must not have seen the labels (cross-validation).",
            panel="Labels",
            brief=True,
        ),
    ] = None
    suspects: Annotated[
        Path | None,
        output_option(
            "Write all likely label errors by --scores as CSV, the likeliest first; without scores those "
            "near the name of a concept, as a --concept-map to be checked.",
            metavar="FILE",
        ),
    ] = None
    confirmed: Annotated[
        Path | None,
        Opt(
            "Table of --suspects by scores, without the rows that are wrong: --fix corrects the others that "
            "it marks as shown.",
            panel="Labels",
        ),
    ] = None


def _show(findings: Findings, title: str, output: Format, most: int) -> None:
    from ontoeval.cli.terminal import out, show
    from ontoeval.reports import audit as tables
    from ontoeval.reports.audit import findings_in_words
    from ontoeval.reports.formats import as_json

    if output == "json":
        out.file.write(as_json(findings.content))
    elif output == "table":
        out.print(findings_in_words(findings, title=title, most=most, width=out.width))
        for make in (tables.rules_table, tables.samples_table):
            if (table := make(findings)).rows:
                show(table, output)
    else:
        show(tables.findings_table(findings, title=title, every=output == "csv"), output)


KindAsked = Annotated[
    FileKind | None, Opt("What the files hold: labels, or an ontology each; by default recognised.")
]

LABELS = partial(Opt, panel="Labels")

_HOLDS: Mapping[FileKind, str] = {"labels": "holds labels", "ontology": "is an ontology"}


def kind_of(given: Given, kind: FileKind | None, *names: str) -> FileKind:
    """Recognise whether files hold labels or ontologies; the first ontology is the one that is read."""
    files, beside = [given.values[name] for name in names], {one: _foreign(given, one) for one in _HOLDS}
    why = f"--kind is {kind}"
    if kind is None:
        own = "ontology_format" in given.typed and given.values["ontology"] is None
        layout = filled(Layout, given.values).with_optional("value_column", "negation_column")
        syntax = given.values["ontology_format"] if own else None
        found = []
        for file in files:
            try:
                found.append(kinds_at(file, layout, syntax))
            except InputError:
                if given.values["ontology"] is None:
                    raise
                found.append({"labels": "a file beside an ontology, whose concepts show its columns"})
        shared = [one for one in _HOLDS if all(one in each for each in found)]
        told = [one for one in shared if not beside[one]]
        if not shared:
            both = [f"{file} {_holds(each)}" for file, each in zip(files, found, strict=True)]
            raise InputError(" and ".join(both), "Name two label files, or two versions of an ontology.")
        if len(shared) > 1 and len(told) != 1:
            file, each = next(pair for pair in zip(files, found, strict=True) if len(pair[1]) > 1)
            problem = f"this may be labels ({each['labels']}) or an ontology ({each['ontology']})"
            raise InputError(problem, "Pass --kind labels or --kind ontology.", where=file)
        kind = (told if len(shared) > 1 else shared)[0]
        why = f"{files[0]} {_holds({kind: found[0][kind]})}"
    if kind == "ontology" and "labels" in given.values:
        both = [name for name in beside[kind] if name in given.parts[kind].keys() - {"ontology"}]
        given.refuse(both, f"a --labels beside it, since {why}")
    given.refuse(beside[kind], f"{'labels' if kind == 'ontology' else 'an ontology'}, but {why}")
    if kind == "ontology":
        given.values["ontology"] = str(files[0])
    return kind


def _holds(found: Mapping[FileKind, str]) -> str:
    return " or ".join(f"{_HOLDS[kind]} ({words})" for kind, words in found.items())


def _foreign(given: Given, kind: FileKind) -> list[str]:
    """List the options of the command line that a kind does not have, or not without another file."""
    options, lacking = given.parts[kind], {"ontology"} if kind == "ontology" else set()
    other, panel = ("labels", "Label files") if kind == "ontology" else ("ontology", "Ontology")
    if not given.values.get(other):
        lacking |= {name for name, one in options.items() if one.opt.panel == panel}
        lacking -= {"concepts", "concept_map"}  # these translate each other
    return [name for name in given.values if name in given.typed and (name in lacking or name not in options)]


ACCEPT_LOSSES = LABELS(
    "Write a table of labels alone where the format of the file cannot be kept, and list what is not in it."
)

_FILE = Opt(
    "Label file, or ontology: its file, or the name of a shipped one.", metavar="FILE", positional=True
)


def audit_labels(
    file: Annotated[Path, _FILE],
    reading: ReadingOptions,
    unchanged: RefusedOptions,
    showing: FindingOptions,
    model: SuspectOptions,
    *,
    convention: Annotated[
        ConventionAsked,
        LABELS(
            "Whether samples have the ancestors of their labels (closed), lack them (most-specific), or "
            "either (mixed); by default inferred for each ancestor."
        ),
    ] = "infer",
    axioms: Annotated[
        Axioms | None,
        LABELS(
            "Rules of the ontology that labels must keep: exclusions and requirements (all), "
            "exclusions, or none (off). [default: all, or as in --rules]"
        ),
    ] = None,
    negative: Annotated[
        Negative | None, LABELS("The file holds verified labels, and this number marks an absent one.")
    ] = None,
    fix: Annotated[
        Path | None, output_option("Write a corrected copy, and beside it the log of changes.", brief=True)
    ] = None,
    log: Annotated[
        Path | None,
        output_option("Write the log of changes to this file; by default the copy's name and .log.csv."),
    ] = None,
    accept_losses: Annotated[bool, ACCEPT_LOSSES] = False,
    threshold: Annotated[
        str | None, Opt("Least score that makes a label.", metavar="NUMBER", panel="Label files")
    ] = None,
) -> None:
    """Find errors in a label file, by its ontology if there is one."""
    from ontoeval.audit.label_names import misspelt_table
    from ontoeval.audit.labels import RULES, AuditOptions, label_findings, resolve_labels
    from ontoeval.audit.suspects import suspects_table
    from ontoeval.cli.terminal import progress
    from ontoeval.reports.audit import CHANGED
    from ontoeval.reports.formats import to_csv

    del threshold  # among the options of reading
    unchanged.refuse("an audit takes the labels as they are")
    for option, path in (("--log", log), ("--confirmed", model.confirmed)):
        if path is not None and fix is None:
            raise ParameterError(option, str(path), "a --fix beside it")
    if fix is not None:
        if reading.ontology is None:
            raise ParameterError("--fix", str(fix), "an --ontology beside it, by which labels are corrected")
        if ending(fix) != ending(file) or not fix.name:
            check_table_name("--fix", fix, tabs=True)
        log = log or fix.with_name(f"{fix.name}.log.csv")
    settings = showing.settings(RULES)
    reader = reader_of(reading)
    showing.check(
        (file, model.scores, model.confirmed, *files_of(reading).values()),
        {"--fix": fix, "--log": log, "--suspects": model.suspects},
    )
    with progress("Auditing", 2) as step:
        subject = resolve_labels(
            file,
            reader.ontology,
            AuditOptions(
                convention=convention,
                axioms=axioms or settings.axioms or "all",
                negative=None if negative is None else (0 if negative == "0" else -1),
                scores=model.scores,
                reading=reader.reading,
            ),
            keep=fix is not None,
        )
        step()
        findings = label_findings(subject, severities=settings.severities)
        step()
    remarks = [*reader.remarks([]), f"{file}: {subject.raw.form}; {subject.ancestors_judged}"]
    remarks += [f"{file}: {note}" for note in subject.raw.ledger.notes]
    files: dict[Path, FileContent] = {}
    if model.suspects is not None:
        files[model.suspects] = to_csv((suspects_table if model.scores else misspelt_table)(subject))
    if fix is not None and log is not None:
        from ontoeval.audit.corrections import correct_resolved

        correction = correct_resolved(
            subject,
            severities=settings.severities,
            accepted=showing.accepted or {},
            separator=reading.labels.layout.separator,
            confirmed=model.confirmed,
        )
        files |= correction.writers(fix, log, accept_losses=accept_losses)
        findings = replace(findings, facts={**findings.facts, CHANGED: correction.changed})
        count = pluralise(len(correction.changes), "change")
        replaces = "; it takes the place of the file that was there" * fix.exists()
        remarks.append(f"{fix}: corrected copy, {correction.how}, {count}: {log}{replaces}")
    showing.report_findings(
        findings, str(file), RULES, samples=subject.raw.samples, files=files, remarks=remarks
    )


def audit_ontology(file: Annotated[Path, _FILE], reading: ReadingOptions, showing: FindingOptions) -> None:
    """Find errors in an ontology: in links, rules and names."""
    from ontoeval.audit.ontology import RULES, audit_ontology
    from ontoeval.cli.terminal import progress
    from ontoeval.ontology.reading import ontology_file

    severities = showing.settings(RULES).severities
    showing.check(files_of(reading).values())
    with progress("Auditing", 2) as step:
        draft = read_draft(reading, annotated=True)
        assert draft is not None  # noqa: S101 - FILE is not optional
        step()
        findings = audit_ontology(draft, severities=severities)
        step()
    remarks = findings.facts.get("notes", ())
    showing.report_findings(findings, str(ontology_file(str(file))), RULES, remarks=remarks)


@made_of(labels=audit_labels, ontology=audit_ontology)
def audit(given: Given, *, kind: KindAsked = None) -> FileKind:
    """Find errors in labels, by their ontology if there is one, or in an ontology: links, rules, names."""
    return kind_of(given, kind, "file")


def validate(
    runs: Annotated[tuple[Path, ...], RUNS],
    reading: ReadingOptions,
    *,
    samples: Annotated[
        Path | None,
        Opt(
            "File of the samples that runs must have: an identifier in each line, a table with a column of "
            "identifiers, or any label file.",
            brief=True,
        ),
    ] = None,
    missing: Annotated[
        Missing,
        Opt(
            "Runs that lack samples or have others: refuse them, or (empty) only remark on them.", brief=True
        ),
    ] = "refuse",
    scores: Annotated[
        bool, Opt("Check runs as files of scores, which need no --threshold.", brief=True)
    ] = False,
    top: Annotated[
        int,
        output_option(
            "How many findings of each kind are printed at most for a run; other formats hold all.",
            flags=("--top", "--most"),
            least=1,
        ),
    ] = 5,
    output: Output = "table",
) -> None:
    """Check runs without the truth, and list all errors, not only the first.

    The exit code is 1 where a run would be refused, and 0 where there are only remarks.
    """
    from ontoeval.audit.validation import run_findings
    from ontoeval.cli.terminal import out, progress, show, tell
    from ontoeval.labels.reading import read_samples
    from ontoeval.reports.audit import findings_in_words, findings_table

    reader = reader_of(reading)
    found = runs_of(runs, beside=[samples], input_format=reading.labels.layout.input_format)
    wanted = None if samples is None else read_samples(samples)
    check = partial(run_findings, samples=wanted, missing=missing, scores=scores)
    results: dict[str, Findings] = {}
    with progress("Checking", len(found.paths)) as step:
        for name, path in zip(found.names, found.paths, strict=True):
            results[name] = check(path, reader.ontology, replace(reader.reading, mixed=len(found.paths) > 1))
            step()
    refused = {name: findings.fails("error") for name, findings in results.items()}
    lines = [*found.remarks, *(_verdict(one, titled=output == "table") for one in results.values())]
    arrays = None if reader.ontology is None else reader.ontology.arrays
    if arrays is not None and (arrays.exclusions or arrays.requirements):
        lines.append("Rules between labels are not checked: see `ontoeval audit RUN --ontology ONTOLOGY`.")
    if output == "table":
        for name, findings in results.items():
            title = f"{name} would be {'refused' if refused[name] else 'accepted'}"
            out.print(findings_in_words(findings, title=title, most=top, width=out.width))
        out.print()
    else:
        contents = [
            {"run": name, "refused": refused[name], **findings.content} for name, findings in results.items()
        ]
        tables = {name: findings_table(findings) for name, findings in results.items()}
        columns = (Column("run"), *tables[found.names[0]].columns)
        rows = tuple((name, *row) for name, table in tables.items() for row in table.rows)
        show(Table("What is wrong with the runs", columns, rows), output, inputs=lines, runs=contents)
    tell(lines, output)
    if any(refused.values()):
        end_with_findings()


def _verdict(findings: Findings, *, titled: bool) -> str:
    facts = findings.facts
    read = f": {facts['format']}; {pluralise(facts['samples'], 'sample')}" if "format" in facts else ""
    errors = sum(finding.severity == "error" for finding in findings)
    verdict = f"would be refused, {pluralise(errors, 'error')}" if errors else "would be accepted"
    return f"{facts['run']}{read}{f'; {verdict}' * (not titled)}"
