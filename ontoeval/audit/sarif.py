"""SARIF: findings for tools that show those of any checker."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from ontoeval._version import __version__
from ontoeval.audit.findings import Finding, Findings, Rule

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

MOST_NAMED = 100
"""How many concepts of a finding are named as places."""

MOST_LINES = 20
"""How many lines of the file are: a log is read by people, and one finding may be seen in a million."""


def sarif(findings: Findings, rules: Mapping[str, Rule], source: str) -> dict[str, Any]:
    """Write findings as a log of SARIF 2.1.0.

    Parameters
    ----------
    findings
        The findings.
    rules
        The rules by name; those that are not among them are named, but not described.
    source
        The file that they are about.

    Returns
    -------
    dict
        What JSON is to hold.

    Examples
    --------
    >>> log = sarif(Findings([Finding("rare", "note", ("a",), 1)]), {}, "truth.csv")
    >>> log["version"], log["runs"][0]["results"][0]["ruleId"]
    ('2.1.0', 'rare')
    """
    shown = findings.gathered
    used = list(dict.fromkeys(finding.rule for finding in shown))
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "ontoeval",
                        "version": __version__,
                        "rules": [_rule(name, rules) for name in used],
                    }
                },
                "results": [
                    _result(finding, used.index(finding.rule), source, findings.seen_in(finding, MOST_LINES))
                    for finding in shown
                ],
            }
        ],
    }


def _rule(name: str, rules: Mapping[str, Rule]) -> dict[str, Any]:
    if name not in rules:
        return {"id": name}
    rule = rules[name]
    return {
        "id": name,
        "shortDescription": {"text": rule.description},
        "defaultConfiguration": {"level": rule.severity},
    }


def _result(finding: Finding, rule: int, source: str, lines: tuple[int, ...]) -> dict[str, Any]:
    text = " ".join(filter(None, (finding.explanation or finding.rule, finding.fix)))
    artifact = {"uri": quote(source.replace("\\", "/"))}
    return {
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "level": finding.severity,
        "message": {"text": text},
        "locations": [
            {
                "physicalLocation": {"artifactLocation": artifact, "region": {"startLine": line}},
                **({"logicalLocations": list(_logical(finding))} if number == 0 else {}),
            }
            for number, line in enumerate(lines or (1,))
        ],
        # What stays the same while the file changes around it.
        "partialFingerprints": {"finding/v1": sha256("\0".join(_same(finding)).encode()).hexdigest()},
        "properties": {
            "concepts": list(finding.concepts),
            "count": finding.count,
            "total": finding.total,
            "samples": list(finding.samples),
            "fixable": finding.fixable,
        },
    }


def _same(finding: Finding) -> tuple[str, ...]:
    """Say what makes it the same finding: its key; and its concepts, unless these are a list that changes."""
    return finding.key if finding.lists else (*finding.key, "", *finding.concepts)


def _logical(finding: Finding) -> Iterable[dict[str, str]]:
    for kind, names in (("concept", finding.concepts[:MOST_NAMED]), ("sample", finding.samples)):
        for name in names:
            yield {"name": name, "kind": kind}
