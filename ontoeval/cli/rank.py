"""``ontoeval rank``: runs over several data sets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ontoeval.cli.options import Output, OutputFolder, output_option
from ontoeval.cli.scoring import figures_in
from ontoeval.core.checks import Best, between
from ontoeval.core.writing import Content, apart, write_all
from ontoeval.errors import InputError, MeasureError, ParameterError, one_of
from ontoeval.options import Opt
from ontoeval.reports.kinds import check_figures

if TYPE_CHECKING:
    from ontoeval.comparison.data_sets import FriedmanTest

TABLES = ("ranks.csv", "ranks.json", "ranks.tex", "ranks.md", "pairs.csv", "recipe.txt")
"""Files of a folder of results."""


def rank(
    results: Annotated[
        tuple[Path, ...],
        Opt(
            "One for each data set: a folder that `ontoeval score -o`, `compare -o` or `study -o` has "
            "written, or a CSV file with a column run and one for each measure.",
            metavar="RESULTS",
            positional=True,
        ),
    ],
    *,
    measure: Annotated[
        str | None,
        Opt(
            "The measure; by default the first of the first table.",
            metavar="NOTATION",
            flags=("--measure", "-m"),
        ),
    ] = None,
    best: Annotated[
        Best | None, Opt("Which scores are best, of a measure that ontoeval does not know.")
    ] = None,
    alpha: Annotated[float, Opt("Level of the critical difference.")] = 0.05,
    pairs: Annotated[bool, output_option("Print all pairs of runs instead.")] = False,
    conover: Annotated[bool, Opt("With --pairs, Conover's test as well; it needs the extra study.")] = False,
    control: Annotated[
        str | None,
        Opt(
            "Compare all runs with this one instead, which was chosen beforehand; it needs the extra study.",
            metavar="RUN",
        ),
    ] = None,
    output: Output = "table",
    out_dir: OutputFolder = None,
    figures: Annotated[
        Path | None,
        output_option(
            "Write a diagram of critical differences into this folder, as PDF, SVG and PNG.", metavar="FOLDER"
        ),
    ] = None,
) -> None:
    """Rank runs over several data sets: Friedman's test, and groups that do not differ by Nemenyi's."""
    from ontoeval.cli.terminal import present
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
    results: Sequence[Path], measure: str | None
) -> tuple[str, dict[str, dict[str, float]], tuple[str, ...], list[str]]:
    """Read the measure, the scores on each data set, the runs on all data sets, and remarks."""
    from ontoeval.labels.leaderboards import data_sets_of, read_leaderboard, runs_everywhere

    scores: dict[str, dict[str, float]] = {}
    baselines: dict[str, None] = {}
    for name, path in zip(data_sets_of(list(results)), results, strict=True):
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
    """Find which scores of a measure are best: known of our measures, given of others."""
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
    """Make the files of a folder of results."""
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
