"""``ontoeval rank``: runs over several data sets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from ontoeval.cli.terminal import Format, show, tell
from ontoeval.errors import InputError, MeasureError, ParameterError

Best = Literal["highest", "lowest"]


def rank(
    results: Annotated[
        list[Path],
        typer.Argument(
            metavar="RESULTS...",
            help="One for each data set: a folder that `ontoeval score -o` or `ontoeval compare -o` has "
            "written, or a CSV file with a column run and one for each measure.",
        ),
    ],
    *,
    measure: Annotated[
        str | None,
        typer.Option(
            "--measure",
            "-m",
            metavar="NOTATION",
            help="Which measure; by default the first of the first table.",
        ),
    ] = None,
    best: Annotated[
        Best | None,
        typer.Option(help="Which scores are best, of a measure that ontoeval does not know."),
    ] = None,
    alpha: Annotated[float, typer.Option(metavar="NUMBER", help="Level of the critical difference.")] = 0.05,
    pairs: Annotated[bool, typer.Option("--pairs", help="Print all pairs of runs instead.")] = False,
    conover: Annotated[
        bool,
        typer.Option("--conover", help="With --pairs, Conover's test as well; it needs the extra study."),
    ] = False,
    control: Annotated[
        str | None,
        typer.Option(
            metavar="RUN",
            help="Compare all runs with this one instead, which was chosen beforehand; it needs the extra "
            "study.",
        ),
    ] = None,
    output: Annotated[Format, typer.Option("--format", help="How to print the table.")] = "table",
) -> None:
    """Rank runs over several data sets: Friedman's test, and groups that do not differ by Nemenyi's."""
    from ontoeval.data_sets import friedman
    from ontoeval.io.leaderboards import data_sets_of, read_leaderboard, shared_runs
    from ontoeval.report import data_sets as tables

    if conover and not pairs:
        raise ParameterError("--conover", conover, "--pairs beside it")
    if pairs and control is not None:
        raise ParameterError("--control", control, "no --pairs beside it")
    scores: dict[str, dict[str, float]] = {}
    for name, path in zip(data_sets_of(results), results, strict=True):
        if name in scores:
            raise InputError("these results are named twice", "Name each data set once.", where=path)
        title, scores[name] = read_leaderboard(path, measure)
        measure = measure or title
    everywhere, elsewhere = shared_runs(scores)
    test = friedman(scores, runs=everywhere, best=best or _best(measure or ""), alpha=alpha)
    if control is not None:
        table = tables.against(test, control)
    else:
        table = tables.pairs(test, conover=conover) if pairs else tables.mean_ranks(test)
    remarks = [f"measure: {measure}"]
    if elsewhere:
        remarks.append(f"left out, since they are not on all data sets: {', '.join(elsewhere)}")
    show(table, output, inputs=remarks)
    tell([*(table.notes if output == "csv" else ()), *remarks], output)


def _best(measure: str) -> Best:
    """Tell which scores of a measure are best, if it is one of ours."""
    from ontoeval.measures.catalogue import parse
    from ontoeval.report.results import best_end

    try:
        found: Best | None = best_end(parse(measure))
    except MeasureError:
        found = None
    if found is None:
        raise ParameterError("--best", found, f"highest or lowest, which {measure!r} does not tell")
    return found
