"""``ontoeval demo``: the shipped benchmark, from label files to a leaderboard."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from ontoeval.cli.inputs import Inputs
from ontoeval.cli.runs import runs_of
from ontoeval.cli.score import RESULT_FILES, scored, show_scores, write_results
from ontoeval.cli.terminal import out, write_all
from ontoeval.errors import InputError

MEASURES = ("OS", "OS(penalise='none')", "F", "F(average='macro')", "P", "R", "Jaccard", "ExactMatch")


def demo(
    out_dir: Annotated[
        Path,
        typer.Option(
            "--out", "-o", metavar="FOLDER", help="Folder for the benchmark's files and the results."
        ),
    ] = Path("ontoeval-demo"),
) -> None:
    """Score the shipped photo benchmark: synthetic truth, four runs and an agreement table."""
    from ontoeval import ontologies
    from ontoeval.ontology import read_ontology

    source = ontologies.benchmark()
    files = [source / "truth.csv", source / "agreement.csv", *sorted((source / "runs").glob("*.csv"))]
    copies = {out_dir / file.relative_to(source): file.read_text(encoding="utf-8") for file in files}
    for path, text in copies.items():
        if path.exists() and path.read_text(encoding="utf-8", errors="replace") != text:
            raise InputError(
                "another file of this name is there already", "Name an empty folder with --out.", where=path
            )
    write_all(copies)
    runs = [path for path in copies if path.parent.name == "runs"]
    inputs = Inputs(read_ontology(ontologies.path("photo")), {})
    agreement = (out_dir / "agreement.csv", None)
    result = scored(inputs, out_dir / "truth.csv", runs_of(runs), measures=MEASURES, agreement=agreement)
    write_results(result, {out_dir / "results" / name: name for name in RESULT_FILES})
    show_scores(result, "table")
    out.print(Text(f"\n  All of these data are synthetic. Data and results are in {out_dir}", style="bold"))
