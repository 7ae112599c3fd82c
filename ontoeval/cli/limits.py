"""Limits that scores must keep, and scores as flat JSON: what continuous integration reads."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Annotated, Literal

from ontoeval.benchmarks.scoring_options import output_option
from ontoeval.errors import InputError, ParameterError

if TYPE_CHECKING:
    from ontoeval.benchmarks.scoring_options import ScoringOptions
    from ontoeval.comparison.result import Comparison
    from ontoeval.evaluation.scoring import Evaluation

RunsFormat = Annotated[
    Literal["table", "csv", "json", "latex", "markdown", "metrics"],
    output_option(
        "How to print results; metrics: flat JSON, a number for each measure (of several runs "
        "RUN/MEASURE), which DVC and other programs read.",
        flags=("--format",),
        brief=True,
    ),
]

FailUnder = Annotated[
    tuple[str, ...],
    output_option(
        "End with exit code 1 where a run's score is worse than this, or undefined: --fail-under F=0.8. Of a "
        "measure whose low values are good: where it is above. Can be repeated.",
        metavar="MEASURE=LIMIT",
    ),
]


_LIMIT = re.compile(r"(.+?)\s*([<>=≤≥]+)\s*([^<>=≤≥]+)")


def limits_of(texts: Sequence[str], scoring: ScoringOptions | None = None) -> list[tuple[str, float]]:
    """Read limits, of measures that are asked for, before anything else is read."""
    from ontoeval.labels.cells import parse_number
    from ontoeval.measures.base import info
    from ontoeval.measures.catalogue import as_measure, name

    limits = []
    for text in texts:
        notation, equals, limit = found.groups() if (found := _LIMIT.fullmatch(text)) else ("", "", "")
        number = parse_number(limit)
        if equals != "=" or number is None:
            such = "such as F=0.8" if number is None else f"with one sign: write {notation}={limit}"
            raise ParameterError("--fail-under", text, f"a measure and a number, {such}")
        measure = as_measure(notation)
        low, high = info(measure, "bounds")
        if not low <= number <= high:
            within = f"a limit from {low:g} to {high:g}, as scores of {notation} are"
            raise ParameterError("--fail-under", text, f"{within}{', not percent' * (high == 1 < number)}")
        limits.append((notation, number))
    # By default measures depend on the ontology, and decoded ones have other names: these are checked later.
    if scoring and not scoring.decode and (scoring.measures or not scoring.reading.ontology):
        computed = list(map(name, scoring.measures_over(None)))
        for notation, _ in limits:
            _computed(notation, computed)
    return limits


def _computed(notation: str, computed: Collection[str]) -> str:
    from ontoeval.measures.catalogue import find_measure

    shown = notation if notation.isidentifier() else f'"{notation}"'
    return find_measure(notation, computed, f"of --fail-under was not computed: add -m {shown}")


def check_limits(limits: Sequence[tuple[str, float]], results: Mapping[str, Evaluation]) -> None:
    """End as failed checks do where a score is worse than its limit."""
    import numpy as np

    from ontoeval.cli.exit_codes import end_with_findings
    from ontoeval.core.resampling import ROUNDING
    from ontoeval.measures.base import info, shortfall

    failed = []
    for notation, limit in limits:
        for run, result in results.items():
            key = _computed(notation, result.scores)
            measure, score = result.totals.measures[key], result.scores[key]
            both = np.array([score, limit])
            away, most = shortfall(measure, both) if info(measure, "best") is not None else -both
            if not away <= most + ROUNDING:
                failed.append(f"{run}: {key} is {score:.4g}, and the limit is {limit:g}")
    if failed:
        end_with_findings(InputError("; ".join(failed), "See --fail-under."))


def competing(comparison: Comparison) -> dict[str, Evaluation]:
    """List the results of the runs, without baselines."""
    own = comparison.evaluations.items()
    return {run: one for run, one in own if run not in comparison.baselines}


def metrics_text(results: Mapping[str, Evaluation]) -> str:
    """Write the scores of runs as one flat object of JSON; undefined and infinite scores are null."""
    alone = len(results) == 1
    flat = {
        key if alone else f"{run}/{key}": score if isfinite(score) else None
        for run, result in results.items()
        for key, score in result.scores.items()
    }
    return f"{json.dumps(flat, indent=2)}\n"
