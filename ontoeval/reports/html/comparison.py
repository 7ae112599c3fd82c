"""The report of a comparison of runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ontoeval.comparison.result import Comparison
from ontoeval.core.files import FilePath
from ontoeval.errors import one_of
from ontoeval.reports.html.images import Pictures, pictures
from ontoeval.reports.html.page import Section, report_page
from ontoeval.reports.html.sections.concepts import concepts
from ontoeval.reports.html.sections.confusion import confusion
from ontoeval.reports.html.sections.distributions import spread
from ontoeval.reports.html.sections.leaderboard import leaderboard
from ontoeval.reports.html.sections.measures import agreement_of_measures
from ontoeval.reports.html.sections.parts import Parts
from ontoeval.reports.html.sections.parts import parts as parts_of
from ontoeval.reports.html.sections.worst import worst
from ontoeval.reports.table import written


@dataclass(frozen=True)
class Shown:
    """What the sections are made of."""

    comparison: Comparison
    pictures: Pictures
    teams: Mapping[str, str]
    parts: Parts


SECTIONS: Mapping[str, Callable[[Shown], Section | None]] = {
    "leaderboard": lambda shown: leaderboard(shown.comparison, shown.teams),
    "parts": lambda shown: parts_of(shown.comparison, shown.parts, shown.teams),
    "samples": lambda shown: spread(shown.comparison),
    "concepts": lambda shown: concepts(shown.comparison),
    "confusion": lambda shown: confusion(shown.comparison),
    "worst": lambda shown: worst(shown.comparison, shown.pictures),
    "measures": lambda shown: agreement_of_measures(shown.comparison),
}
"""What makes each section; the recipe ends every page."""

PUBLIC = ("leaderboard", "parts", "samples", "measures")
"""Sections that tell nothing of the truth of a single sample or concept."""


def comparison_report(
    comparison: Comparison,
    *,
    title: str = "Comparison of runs",
    teams: Mapping[str, str] | None = None,
    parts: Parts | None = None,
    images: FilePath | None = None,
    folder: FilePath = ".",
    sections: Sequence[str] = tuple(SECTIONS),
) -> str:
    """Write the report of a comparison: one HTML page that needs nothing else."""
    for key in sections:
        one_of("sections", key, tuple(SECTIONS))
    found = pictures(images, folder)
    shown = Shown(comparison, found, teams or {}, parts or {})
    made = [SECTIONS[key](shown) for key in sections]
    # Baselines are no winners: they have no rank.
    winners = [run for run in comparison.order() if comparison.ranks[run, 0] == 1]
    facts = [
        *((f"best by {next(iter(comparison.measures))}", comparison.runs[run]) for run in winners[:1]),
        ("runs", f"{comparison.competing.sum():,}"),
        ("measures", f"{len(comparison.measures):,}"),
        ("samples", f"{comparison.first.totals.samples:,}"),
        ("labels", f"{len(comparison.first.totals.vocabulary):,}"),
    ]
    return report_page(
        title,
        [section for section in made if section is not None],
        [written(line) for line in comparison.signature.splitlines()],
        facts=facts,
        head=comparison.against_baselines,
        pictures=found.sources,
    )
