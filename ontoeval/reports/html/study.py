"""The report of a study: what many runs tell of the measures that they are scored by."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ontoeval.comparison.study import Study
from ontoeval.reports.html.page import Section, report_page
from ontoeval.reports.html.sections.changes import behaviour, sensitivity
from ontoeval.reports.html.sections.leaderboard import leaderboard
from ontoeval.reports.html.sections.rankings import agreement, power, stability, winners
from ontoeval.reports.table import written

SECTIONS: Mapping[str, Callable[[Study], Section | None]] = {
    "agreement": agreement,
    "power": power,
    "stability": stability,
    "winners": winners,
    "sensitivity": sensitivity,
    "behaviour": behaviour,
}
"""What makes each section behind the scores; the recipe ends the page."""


def study_report(
    study: Study, *, title: str = "Study of measures", teams: Mapping[str, str] | None = None
) -> str:
    """Write the report of a study: one HTML page that needs nothing else."""
    scores = leaderboard(study.comparison, teams, pairs=False)
    made = [scores, *(make(study) for make in SECTIONS.values())]
    facts = [
        ("measures", f"{len(study.entrants.measures):,}"),
        ("runs", f"{len(study.entrants):,}"),
        ("pairs of runs", f"{study.power.pairs:,}"),
        ("samples", f"{len(study.comparison.first.samples):,}"),
    ]
    recipe = [*study.signature.splitlines(), *study.notes]
    return report_page(
        title,
        [section for section in made if section is not None],
        [written(line) for line in recipe],
        facts=facts,
    )
