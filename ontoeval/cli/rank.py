"""``ontoeval rank``: runs over several data sets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ontoeval.cli.option_table import output_option
from ontoeval.cli.outputs import figures_in
from ontoeval.cli.terminal import Format, present
from ontoeval.core.checks import between
from ontoeval.core.choices import Best
from ontoeval.core.writing import Content, apart, write_all
from ontoeval.errors import InputError, MeasureError, ParameterError, one_of
from ontoeval.reports.kinds import check_figures

if TYPE_CHECKING:
    from ontoeval.comparison.data_sets import FriedmanTest

TABLES = ("ranks.csv", "ranks.json", "ranks.tex", "ranks.md", "pairs.csv", "recipe.txt")
"""What a folder of results holds."""


def rank(
    results: Annotated[
        list[Path],
        typer.Argument(
            metavar="RESULTS",
            help="One for each data set: a folder that `ontoeval score -o`, `compare -o` or `study -o` has "
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
    pairs: Annotated[bool, output_option("--pairs", help="Print all pairs of runs instead.")] = False,
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
    output: Annotated[Format, output_option("--format", help="How to print the table.")] = "table",
    out_dir: Annotated[
        Path | None,
        output_option("--out", "-o", metavar="FOLDER", help="Write the tables into this folder."),
    ] = None,
    figures: Annotated[
        Path | None,
        output_option(
            metavar="FOLDER",
            help="Write a diagram of critical differences into this folder, as PDF, SVG and PNG.",
        ),
    ] = None,
) -> None:
    """Rank runs over several data sets: Friedman's test, and groups that do not differ by Nemenyi's."""
    from ontoeval.comparison.data_sets import friedman
    from ontoeval.reports import data_sets as tables

    if conover and not pairs:
        raise ParameterError("--conover", conover, "--pairs beside it")
    if pairs and control is not None:
        raise ParameterError("--control", control, "no --pairs beside it")
    between("--alpha", alpha)
    check_figures(figures)
    apart({}, results, folders={"--out": (out_dir, TABLES), "--figures": (figures, ())})
    measure, scores, runs, remarks = _read(results, measure)
    test = friedman(scores, runs=runs, best=_best(measure, best), alpha=alpha)
    if control is not None:
        one_of("--control", control, test.runs)
        table = tables.against(test, control)
    else:
        table = tables.pairs(test, conover=conover) if pairs else tables.mean_ranks(test)
    contents: dict[Path, Content] = {}
    if out_dir is not None:
        contents |= {out_dir / name: text for name, text in _texts(test, remarks, conover=conover).items()}
    if figures is not None:
        contents |= figures_in(figures, test)[0]
    write_all(contents)
    present([table], output, {"inputs": remarks})


def _read(
    results: list[Path], measure: str | None
) -> tuple[str, dict[str, dict[str, float]], tuple[str, ...], list[str]]:
    """Read the measure, the scores on each data set, and the runs that are on all of them; with remarks."""
    from ontoeval.labels.leaderboards import data_sets_of, read_leaderboard, runs_everywhere

    scores: dict[str, dict[str, float]] = {}
    baselines: dict[str, None] = {}
    for name, path in zip(data_sets_of(results), results, strict=True):
        if name in scores:
            raise InputError("these results are named twice", "Name each data set once.", where=path)
        board = read_leaderboard(path, measure)
        measure, scores[name] = measure or board.measure, board.scores
        baselines |= dict.fromkeys(board.baselines)
    runs, elsewhere = runs_everywhere(scores)
    remarks = [f"measure: {measure}"]
    if baselines:
        remarks.append(f"baselines are left out: {', '.join(baselines)}")
    if elsewhere:
        remarks.append(f"left out, since they are not on all data sets: {', '.join(elsewhere)}")
    return measure or "", scores, runs, remarks


def _best(measure: str, best: Best | None) -> Best:
    """Tell which scores of a measure are best: of ours that is known."""
    from ontoeval.measures.catalogue import parse
    from ontoeval.reports.evaluation import best_end

    try:
        known: Best | None = best_end(parse(measure))
    except MeasureError:
        known = None
    if known is None and best is None:
        raise ParameterError("--best", best, f"highest or lowest, which {measure!r} does not tell")
    if known is not None and best not in {None, known}:
        raise ParameterError("--best", best, f"{known}, or nothing: so the scores of {measure!r} are best")
    return known or best or "highest"


def _texts(test: FriedmanTest, remarks: list[str], *, conover: bool) -> dict[str, str]:
    """Write everything: the texts of a folder by the names of the files."""
    from ontoeval.reports import data_sets as tables
    from ontoeval.reports.formats import to_csv, to_json, to_latex, to_markdown

    ranks = tables.mean_ranks(test)
    return {
        "ranks.csv": to_csv(ranks),
        "ranks.json": to_json(ranks, inputs=remarks),
        "ranks.tex": to_latex(ranks),
        "ranks.md": to_markdown(ranks),
        "pairs.csv": to_csv(tables.pairs(test, conover=conover)),
        "recipe.txt": "".join(f"{line}\n" for line in [*remarks, *ranks.notes]),
    }
