"""``ontoeval demo``: the shipped benchmark, from label files to a leaderboard."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from ontoeval.cli.asked import Asked
from ontoeval.cli.benchmark_file import FILE
from ontoeval.cli.init import template
from ontoeval.cli.score import RESULT_FILES, scored, show_scores, write_results
from ontoeval.cli.terminal import out
from ontoeval.cli.wanted import Wanted
from ontoeval.core.writing import write_all
from ontoeval.errors import InputError

MEASURES = ("OS", "OS(penalise='none')", "F", "F(average='macro')", "P", "R", "Jaccard", "ExactMatch")

_BENCHMARK: dict[str, object] = {
    "truth": "truth.csv",
    "runs": ["runs"],
    "ontology": "photo",
    "agreement": "agreement.csv",
    "measures": list(MEASURES),
    "out": "comparison",
}
"""What its benchmark file says; the folder of the scores is taken."""


def demo(
    out_dir: Annotated[
        Path,
        typer.Option(
            "--out", "-o", metavar="FOLDER", help="Folder for the benchmark's files and the results."
        ),
    ] = Path("ontoeval-demo"),
) -> None:
    """Score the shipped photo benchmark: synthetic truth, four runs and an agreement table."""
    from ontoeval.measures.catalogue import measures_of
    from ontoeval.ontology import ontologies

    source = ontologies.benchmark()
    files = [source / "truth.csv", source / "agreement.csv", *sorted((source / "runs").glob("*.csv"))]
    copies = {out_dir / file.relative_to(source): file.read_text(encoding="utf-8") for file in files}
    copies[out_dir / FILE] = template(_BENCHMARK)
    for path, text in copies.items():
        if path.exists() and path.read_text(encoding="utf-8", errors="replace") != text:
            raise InputError(
                "another file of this name is there already", "Name an empty folder with --out.", where=path
            )
    write_all(copies)
    runs = tuple(path for path in copies if path.parent.name == "runs")
    wanted = Wanted(
        Asked(ontologies.path("photo"), {}, {}),
        out_dir / "truth.csv",
        runs,
        tuple(measures_of(MEASURES).values()),
        agreement=(out_dir / "agreement.csv", None),
    )
    result = scored(wanted)
    write_results(result, {out_dir / "results" / name: name for name in RESULT_FILES})
    show_scores(result, "table")
    out.print(Text(f"\n  All of these data are synthetic. Data and results are in {out_dir}", style="bold"))
