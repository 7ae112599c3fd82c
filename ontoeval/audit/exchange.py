"""Files of an audit: severities of rules, baselines of accepted findings, and SARIF for other tools."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args
from urllib.parse import quote

import msgspec
import numpy as np

from ontoeval._version import __version__
from ontoeval.audit.choices import Axioms
from ontoeval.audit.findings import EXAMPLES, SEVERITIES, AuditRule, Finding, Findings, Severities
from ontoeval.errors import InputError, did_you_mean, enumerate_some, located, one_of
from ontoeval.plumbing.files import FilePath, read_file
from ontoeval.plumbing.toml_text import load_toml

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

MOST_NAMED = 100
"""Most concepts of a finding that are named as places."""

MOST_LINES = 20
"""Most lines of a finding in the log, which people read."""

Accepted = Mapping[tuple[str, ...], AbstractSet[str]]
"""The cases that a baseline accepts, by the key of their finding."""


class Settings(NamedTuple):
    """A file of rules: other severities, and which rules of the ontology apply."""

    severities: Severities = MappingProxyType({})
    axioms: Axioms | None = None


def check_severities(severities: Severities, rules: Iterable[str]) -> None:
    """Raise ParameterError for an unknown rule or severity."""
    known = tuple(rules)
    for rule, severity in severities.items():
        one_of("severities", rule, known)
        one_of(f"severities[{rule!r}]", severity, (*SEVERITIES, "off"))


def with_severities(found: Iterable[Finding], severities: Severities) -> list[Finding]:
    """Give findings the severities of a file of rules; those of rules that are off are left out."""
    kept = []
    for finding in found:
        severity = severities.get(finding.rule, finding.severity)
        if severity != "off":
            kept.append(finding if severity == finding.severity else replace(finding, severity=severity))
    return kept


def read_settings(
    path: FilePath, rules: Mapping[str, AuditRule], others: Mapping[str, AuditRule] = MappingProxyType({})
) -> Settings:
    """Read the table [rules] of a TOML file, which may name rules of other audits too."""
    file = read_file(path)
    with located(file.where):
        content = load_toml(file.data)
        given = content.pop("rules", None)
        if not isinstance(given, dict) or content.keys() - {"reading", "audit"}:
            remedy = 'Write, for example: [rules], and below it same-labels = "off".'
            raise InputError("a file of rules holds one table [rules], and nothing else", remedy)
        axioms = given.pop("axioms", None)
        if axioms not in (None, *get_args(Axioms)):
            choices = f"Write one of {', '.join(map(repr, get_args(Axioms)))}."
            raise InputError(f"axioms is {axioms!r}", choices)
        known = {**rules, **others}
        for name, severity in given.items():
            if name not in known:
                raise InputError(
                    f"there is no rule {name!r}{did_you_mean(name, (*known, 'axioms'))}",
                    f"The rules are {', '.join(rules)}; the key 'axioms' chooses the rules of the ontology.",
                )
            if severity not in (*SEVERITIES, "off"):
                choices = f'Write one of {", ".join(SEVERITIES)} and "off".'
                raise InputError(f"the rule {name!r} has the severity {severity!r}", choices)
    return Settings({name: severity for name, severity in given.items() if name in rules}, axioms)


class _Accepted(msgspec.Struct):
    key: list[str]
    cases: list[str]


class _Baseline(msgspec.Struct):
    version: Literal[2]
    accepted: list[_Accepted]


def baseline(findings: Findings, samples: Sequence[str]) -> str:
    """Write findings as a baseline of accepted ones."""
    # Sorted, so that baselines of two versions differ little even if the order of rows changes.
    kept = sorted((list(one.key), sorted(_cases(one, samples))) for one in findings)
    accepted = [{"key": key, "cases": cases} for key, cases in kept]
    return json.dumps({"version": 2, "accepted": accepted}, ensure_ascii=False, indent=1) + "\n"


def read_baseline(path: FilePath) -> Accepted:
    """Read which findings are accepted."""
    file = read_file(path)
    try:
        content = msgspec.json.decode(file.data, type=_Baseline)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        problem = "this is no baseline of findings, or one of another version"
        raise InputError(problem, "Write one with --write-baseline FILE.", where=file.where) from error
    accepted: dict[tuple[str, ...], set[str]] = {}
    for entry in content.accepted:
        accepted.setdefault(tuple(entry.key), set()).update(entry.cases)
    return accepted


def new_findings(found: Iterable[Finding], accepted: Accepted, samples: Sequence[str]) -> list[Finding]:
    """Leave out the findings that a baseline accepts.

    A finding is accepted where the baseline has one with the same key and with all its cases: its samples,
    or the concepts, links or rules that show it. One that is accepted in part keeps its new samples, or
    the new concepts of a list.
    """
    kept = []
    for finding in found:
        known = accepted.get(finding.key)
        cases = _cases(finding, samples)
        new = cases if known is None else [case for case in cases if case not in known]
        if known is None or len(new) == len(cases) > 0:
            kept.append(finding)
        elif new:
            kept.append(_new_cases(finding, known, new, samples))
    return kept


def _new_cases(finding: Finding, known: AbstractSet[str], new: list[str], samples: Sequence[str]) -> Finding:
    """Keep the cases of a finding that the baseline lacks."""
    if finding.cases and not finding.lists:
        return finding
    what, every = ("concepts", len(finding.cases)) if finding.lists else ("samples", finding.rows.size)
    accepted = f"Accepted: {every - len(new):,} of {every:,} {what}; new: {enumerate_some(new)}."
    text = f"{finding.explanation} {accepted}"
    if not finding.lists:
        fresh = [row for row in finding.rows.tolist() if samples[row] not in known]
        rows, some = np.array(fresh, dtype=np.intp), tuple(new[:EXAMPLES])
        return replace(finding, count=rows.size, samples=some, explanation=text, rows=rows, line=None)
    told_of = [case not in known for case in finding.cases]
    # Where each concept has a sample, in the same order.
    rows = finding.rows[told_of] if finding.rows.size == len(told_of) else finding.rows[:0]
    some = tuple(dict.fromkeys(samples[row] for row in rows.tolist()))[:EXAMPLES]
    names = tuple(new)
    return replace(
        finding, concepts=names, cases=names, count=len(new), samples=some, explanation=text, rows=rows
    )


def _cases(finding: Finding, samples: Sequence[str]) -> list[str]:
    return list(finding.cases) or [samples[row] for row in finding.rows.tolist()]


def sarif(findings: Findings, rules: Mapping[str, AuditRule], source: str) -> dict[str, Any]:
    """Write findings about a file as a log of SARIF 2.1.0, in which rules without a description are named."""
    shown = findings.gathered
    used = list(dict.fromkeys(finding.rule for finding in shown))
    driver = {"name": "ontoeval", "version": __version__, "rules": [_rule(name, rules) for name in used]}
    if manual := _manual():
        driver["informationUri"] = manual
    results = [
        _result(finding, used.index(finding.rule), source, lines_showing(findings, finding, MOST_LINES))
        for finding in shown
    ]
    runs = [{"tool": {"driver": driver}, "results": results}]
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": runs}


def lines_showing(findings: Findings, finding: Finding, most: int) -> tuple[int, ...]:
    """List lines of the file: first where a label is first met, if known, then where samples begin."""
    if findings.lines is not None:
        return findings.lines.lines_of(finding, most)
    return () if finding.line is None else (finding.line,)


def _manual() -> str:
    """Address of the manual, which the distribution names; "" where it names none."""
    with suppress(PackageNotFoundError):
        urls = metadata("ontoeval-metrics").get_all("Project-URL") or []
        named = (url.partition(", ")[2] for url in urls if url.startswith("Documentation, "))
        return next(named, "")
    return ""


def _rule(name: str, rules: Mapping[str, AuditRule]) -> dict[str, Any]:
    if name not in rules:
        return {"id": name}
    rule, manual = rules[name], _manual()
    remedy = rule.fix or (*rule.common, rule.description)[-1]
    return {
        "id": name,
        **({"helpUri": f"{manual}audit.html"} if manual else {}),
        "shortDescription": {"text": rule.description},
        "fullDescription": {"text": " ".join(dict.fromkeys((rule.description, *rule.common[:1])))},
        "help": {"text": remedy, "markdown": f"**{name}**: {rule.description}\n\n{remedy}"},
        "defaultConfiguration": {"level": rule.severity},
    }


def _uri(source: str) -> str:
    """Address of a file: below the current folder relative to it, as programs resolve it; else absolute."""
    path = Path(source).resolve()
    return (
        quote(path.relative_to(Path.cwd()).as_posix()) if path.is_relative_to(Path.cwd()) else path.as_uri()
    )


def _result(finding: Finding, rule: int, source: str, lines: tuple[int, ...]) -> dict[str, Any]:
    text = " ".join(filter(None, (finding.explanation or finding.rule, finding.fix)))
    # Its identity: the key; and its concepts, unless these are a list that changes.
    same = finding.key if finding.lists else (*finding.key, "", *finding.concepts)
    kinds = (("concept", finding.concepts[:MOST_NAMED]), ("sample", finding.samples))
    logical = [{"name": name, "kind": kind} for kind, names in kinds for name in names]
    artifact, identity = {"uri": _uri(source)}, sha256("\0".join(same).encode()).hexdigest()
    return {
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "level": finding.severity,
        "message": {"text": text},
        "locations": [
            {
                "physicalLocation": {"artifactLocation": artifact, "region": {"startLine": line}},
                **({"logicalLocations": logical} if number == 0 else {}),
            }
            for number, line in enumerate(lines or (1,))
        ],
        # The same for all versions of the file.
        "partialFingerprints": {"finding/v1": identity, "primaryLocationLineHash": f"{identity[:16]}:1"},
    }
