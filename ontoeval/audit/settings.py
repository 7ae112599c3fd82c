"""Settings: severities of rules from a file, and findings that a baseline file accepts."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from ontoeval.audit.finding import EXAMPLES, SEVERITIES, Findings, Rule, Severity
from ontoeval.errors import InputError, near
from ontoeval.files import FilePath, read_file

BASELINE = 1
"""Version of the format of baseline files."""


def read_severities(path: FilePath, rules: Mapping[str, Rule]) -> dict[str, Severity | Literal["off"]]:
    r"""Read severities of rules from a file.

    Parameters
    ----------
    path
        TOML with a table "rules": for each rule "error", "warning", "note" or "off".
    rules
        The rules that there are.

    Returns
    -------
    dict
        The severity of each rule that the file names.

    Raises
    ------
    InputError
        If it is no such file, or a rule or a severity is not known.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "rules.toml")
    >>> _ = path.write_text('[rules]\nrare = "off"\n')
    >>> read_severities(path, {"rare": Rule("rare", "note", "Rarely used.")})
    {'rare': 'off'}
    """
    file = read_file(path)
    try:
        content = tomllib.loads(file.data.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"this is no TOML: {error}", "Correct it.", where=file.where) from error
    given = content.pop("rules", None)
    if not isinstance(given, dict) or content:
        raise InputError(
            "rules are read from a table [rules], and nothing else",
            'Write, for example: [rules], and below it same-labels = "off".',
            where=file.where,
        )
    for name, severity in given.items():
        if name not in rules:
            raise InputError(
                f"there is no rule {name!r}{near(name, rules)}",
                f"The rules are {', '.join(rules)}.",
                where=file.where,
            )
        if severity not in (*SEVERITIES, "off"):
            raise InputError(
                f"the rule {name!r} has the severity {severity!r}",
                f'Write one of {", ".join(SEVERITIES)} and "off".',
                where=file.where,
            )
    return given


def baseline(findings: Findings, samples: Sequence[str]) -> str:
    """Write findings as a baseline: those that are accepted from now on.

    Parameters
    ----------
    findings
        The findings.
    samples
        Identifiers of all samples.

    Returns
    -------
    str
        JSON: for each finding its rule, its concepts, and all its samples.
    """
    accepted = [
        {
            "rule": finding.rule,
            "concepts": list(finding.concepts),
            "samples": [samples[row] for row in finding.rows.tolist()],
        }
        for finding in findings
    ]
    return json.dumps({"version": BASELINE, "accepted": accepted}, ensure_ascii=False, indent=1) + "\n"


def read_baseline(path: FilePath) -> list[dict[str, Any]]:
    """Read which findings are accepted.

    Parameters
    ----------
    path
        A file that `baseline` wrote.

    Returns
    -------
    list of dict
        Rule, concepts and samples of each.

    Raises
    ------
    InputError
        If it is no such file.
    """
    file = read_file(path)
    wrong = InputError(
        "this is no baseline of findings", "Write one with --write-baseline FILE.", where=file.where
    )
    try:
        content = json.loads(file.data.decode())
    except (ValueError, RecursionError) as error:
        raise wrong from error
    accepted = content.get("accepted") if isinstance(content, dict) else None
    if not isinstance(accepted, list) or content.get("version") != BASELINE or not all(map(_fits, accepted)):
        raise wrong
    return accepted


def new_findings(
    findings: Findings, accepted: Iterable[Mapping[str, Any]], samples: Sequence[str]
) -> Findings:
    """Leave out what a baseline accepts.

    A finding is accepted where the baseline has one of the same rule that names all its concepts, and
    of its samples those that this one names.

    Parameters
    ----------
    findings
        The findings.
    accepted
        What the baseline accepts.
    samples
        Identifiers of all samples.

    Returns
    -------
    Findings
        The findings that are new; of those that are so in part, what is new.
    """
    by_rule: dict[str, list[tuple[set[str], Sequence[str]]]] = {}
    for entry in accepted:
        by_rule.setdefault(entry["rule"], []).append((set(entry["concepts"]), entry["samples"]))
    kept = []
    for finding in findings:
        alike = [
            known for concepts, known in by_rule.get(finding.rule, ()) if concepts >= {*finding.concepts}
        ]
        known = {sample for some in alike for sample in some}
        rows = np.array([row for row in finding.rows.tolist() if samples[row] not in known], dtype=np.intp)
        if not alike or rows.size == finding.rows.size > 0:
            kept.append(finding)
        elif rows.size:
            old = f"Accepted: {finding.rows.size - rows.size:,} of {finding.rows.size:,} samples."
            kept.append(
                replace(
                    finding,
                    count=rows.size,
                    samples=tuple(samples[row] for row in rows[:EXAMPLES].tolist()),
                    explanation=f"{finding.explanation} {old}",
                    rows=rows,
                )
            )
    return findings.only(kept, accepted=len(findings) - len(kept))


def _fits(entry: object) -> bool:
    return (
        isinstance(entry, dict)
        and isinstance(entry.get("rule"), str)
        and all(
            isinstance(entry.get(key), list) and all(isinstance(text, str) for text in entry[key])
            for key in ("concepts", "samples")
        )
    )
