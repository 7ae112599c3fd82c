"""The report of a comparison of runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ontoeval.comparison import Comparison
from ontoeval.errors import one_of
from ontoeval.files import FilePath
from ontoeval.report.html.images import Pictures, pictures
from ontoeval.report.html.page import Section, report_page
from ontoeval.report.html.sections.concepts import concepts
from ontoeval.report.html.sections.confusion import confusion
from ontoeval.report.html.sections.distributions import spread
from ontoeval.report.html.sections.leaderboard import leaderboard
from ontoeval.report.html.sections.measures import agreement_of_measures
from ontoeval.report.html.sections.worst import worst
from ontoeval.report.table import written

SECTIONS: Mapping[str, Callable[[Comparison, Pictures], Section | None]] = {
    "leaderboard": lambda comparison, _: leaderboard(comparison),
    "samples": lambda comparison, _: spread(comparison),
    "concepts": lambda comparison, _: concepts(comparison),
    "confusion": lambda comparison, _: confusion(comparison),
    "worst": worst,
    "measures": lambda comparison, _: agreement_of_measures(comparison),
}
"""What makes each section; the recipe ends every page."""

PUBLIC = ("leaderboard", "samples", "measures")
"""Sections that tell nothing of the truth of a single sample or concept."""


def comparison_report(
    comparison: Comparison,
    *,
    title: str = "Comparison of runs",
    teams: Mapping[str, str] | None = None,
    images: FilePath | None = None,
    folder: FilePath = ".",
    sections: Sequence[str] = tuple(SECTIONS),
) -> str:
    """Write the report of a comparison: one HTML page that needs nothing else.

    Parameters
    ----------
    comparison
        Of the runs.
    title
        Heading of the page.
    teams
        Who made each run, where that is known.
    images
        Pictures of the samples: a folder of files that are called like them, or an address such as
        "https://example.org/{sample}.jpg", from which a picture is loaded when a reader asks for it.
    folder
        The folder that the page will lie in: links to pictures start there.
    sections
        Which sections, of `SECTIONS`; those of `PUBLIC` tell nothing of the truth of a sample.

    Returns
    -------
    str
        HTML. It is the same for the same comparison. Sections without anything to show are left out.

    Raises
    ------
    InputError
        If there is no such folder of pictures.
    ParameterError
        If there is no such section, or the address of pictures is none.
    MissingExtraError
        If jinja2 or plotly is not installed.
    """
    for key in sections:
        one_of("sections", key, tuple(SECTIONS))
    found = pictures(images, folder)
    made = [
        leaderboard(comparison, teams) if key == "leaderboard" else SECTIONS[key](comparison, found)
        for key in sections
    ]
    first = next(iter(comparison.evaluations.values()))
    # Baselines are no winners: they have no rank.
    winners = [run for run in comparison.order() if comparison.ranks[run, 0] == 1]
    facts = [
        *((f"best by {next(iter(comparison.measures))}", comparison.runs[run]) for run in winners[:1]),
        ("runs", f"{len(comparison.runs) - len(comparison.baselines):,}"),
        ("measures", f"{len(comparison.measures):,}"),
        ("samples", f"{first.totals.samples:,}"),
        ("labels", f"{len(first.totals.vocabulary):,}"),
    ]
    return report_page(
        title,
        [section for section in made if section is not None],
        [written(line) for line in comparison.signature.splitlines()],
        facts=facts,
        pictures=found.sources,
    )
