"""``ontoeval study``: what many runs reveal of the measures that score them."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ontoeval.cli.comparison import figures_in
from ontoeval.cli.options import (
    Figures,
    Format,
    Output,
    OutputFolder,
    Report,
    ScoringOptions,
    Verbose,
    output_option,
)
from ontoeval.comparison.plan import Plan
from ontoeval.core.checks import unit_interval
from ontoeval.core.writing import Content, Folder, apart, write_all
from ontoeval.errors import ParameterError, one_of
from ontoeval.options import Opt
from ontoeval.reports.kinds import check_figures, check_report

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ontoeval.comparison.sensitivity import Changes
    from ontoeval.core.table import Table

_option = partial(Opt, panel="Study")

MAIN = ("clusters", "power", "stability", "winners", "changes", "behaviour")
"""Tables that are printed beside the first agreement, if no other is asked for."""

NEEDED = {"a hierarchy": "--ontology FILE", "the annotators' agreement": "--agreement FILE"}
"""Options that give what a change needs."""


def study(  # noqa: PLR0913 - one for each option
    scoring: ScoringOptions,
    plan: Plan,
    *,
    correlations: Annotated[
        tuple[str, ...],
        _option(
            "Coefficient that compares rankings: tau_b, tau_ap_b, weighted_tau, spearman, rbo or ks; "
            "can be repeated, and the first makes the table. By default all but weighted_tau.",
            flags=("--correlation",),
        ),
    ] = (),
    kinds: Annotated[
        tuple[str, ...],
        _option(
            "Change of labels that measures are tried on: drop, add, sibling, parent, random or annotator; "
            "can be repeated. By default all that the files allow.",
            flags=("--kind",),
        ),
    ] = (),
    rates: Annotated[
        tuple[float, ...],
        _option(
            "Share of labels that is changed, from 0 to 1; can be repeated. By default 0.05, 0.1, 0.2 "
            "and 0.4.",
            flags=("--rate",),
        ),
    ] = (),
    samples: Annotated[
        int | None,
        _option("Most samples on which changes are tried; by default 1000.", least=1),
    ] = None,
    no_changes: Annotated[bool, _option("Try no changes, which are most of the work.")] = False,
    table: Annotated[
        tuple[str, ...],
        output_option("Table to print, such as agreement-rbo, swaps or sensitivity; can be repeated."),
    ] = (),
    output: Output = "table",
    out_dir: OutputFolder = None,
    report: Report = None,
    figures: Figures = None,
    verbose: Verbose = False,
) -> None:
    """Study measures over many runs: whether they agree, discriminate, and remain stable."""
    from ontoeval.cli.dataset import read_dataset
    from ontoeval.cli.terminal import progress, warn
    from ontoeval.comparison.study import USUAL_CORRELATIONS, correlations_of, study_of, study_steps
    from ontoeval.reports.evaluation import short_recipe
    from ontoeval.reports.study import AGREEMENT, LEADERBOARD, MAKERS, NOT_ALWAYS

    # Refused before an hour of work.
    chosen = correlations_of(list(correlations) or USUAL_CORRELATIONS, "--correlation")
    changes = _changes(scoring, kinds, rates, samples, without=no_changes)
    lacking = {"sensitivity", "changes"} if no_changes else set()
    lacking |= {"behaviour", "counterexamples"} if scoring.reading.ontology is None else set()
    sometimes = [name for name in NOT_ALWAYS if name not in lacking]
    known = (*(f"{AGREEMENT}{one}" for one in chosen), *MAKERS, *sometimes)
    for name in table:
        one_of("--table", name, known)
    if output == "csv" and len(table) > 1:
        raise ParameterError(
            "--table", list(table), "one table for --format csv; --out writes a file for each"
        )
    work: dict[str, Any] = {"correlations": chosen, "changes": changes}
    check_report(report)
    check_figures(figures)
    folders = {"--out": (out_dir, _names()), "--figures": (figures, ())}
    apart({"--report": report}, scoring.places, folders=folders, runs=scoring.found.takes)
    with progress("Reading", len(scoring.found.paths) + 1) as step:
        dataset = read_dataset(scoring, step)
    number = study_steps(plan, len(dataset.predictions), dataset.hierarchy, **work)
    with progress("Studying", number) as step:
        compared = dataset.compare(plan, step=step)
        with dataset.withholding():
            found = study_of(compared, step=step, **work)
    tables = found.tables()
    tables[LEADERBOARD] = dataset.runs.with_teams(tables[LEADERBOARD])
    lines = found.signature.splitlines()
    recipe = {"inputs": list(dataset.remarks), "notes": found.notes, "recipe": lines}
    contents, written = dict[Path, Content](), list[Folder]()
    if out_dir is not None:
        contents |= {out_dir / name: text for name, text in _texts(tables, recipe).items()}
        written.append(Folder(out_dir, _names().__contains__))
    if report is not None:
        contents[report] = found.report(teams=dataset.runs.by_team)
    if figures is not None:
        drawn, there = figures_in(figures, found)
        contents |= drawn
        written.append(there)
    remarks = write_all(contents, folders=written, public=compared.public)
    usual = {"json": tuple(tables), "csv": ("agreements",)}.get(output, (f"{AGREEMENT}{chosen[0]}", *MAIN))
    shown = {name: tables[name] for name in table or usual if name in tables}
    told = [note for one in shown.values() for note in one.notes]
    short = short_recipe(found.signature, compared.first, told)
    brief = {**recipe, "inputs": list(dataset.brief), "recipe": short}
    _show(shown, output, recipe, None if verbose else brief)
    warn(remarks)


def _changes(
    scoring: ScoringOptions,
    kinds: Sequence[str],
    rates: Sequence[float],
    samples: int | None,
    *,
    without: bool,
) -> Changes | None:
    """Choose the changes to try; refuse those that need other files."""
    from ontoeval.comparison.perturbations import PERTURBATIONS
    from ontoeval.comparison.sensitivity import Changes, lacking

    given: dict[str, Any] = {"--kind": list(kinds), "--rate": list(rates), "--samples": samples}
    given = {name: value for name, value in given.items() if value not in (None, [])}
    if without:
        for name, value in given.items():
            raise ParameterError(name, value, "no --no-changes beside it")
        return None
    for rate in rates:
        unit_interval("--rate", rate)
    hierarchy, agreement = scoring.reading.ontology is not None, scoring.agreement is not None
    for kind in kinds:
        one_of("--kind", kind, tuple(PERTURBATIONS))
        need = lacking(kind, hierarchy=hierarchy, agreement=agreement)
        if need:
            raise ParameterError("--kind", kind, f"{NEEDED[need]} beside it: {need}")
    names = {"--kind": "kinds", "--rate": "rates", "--samples": "samples"}
    return Changes(**{names[name]: value for name, value in given.items()})


def _show(
    tables: dict[str, Table],
    output: Format,
    recipe: dict[str, list[str]],
    brief: dict[str, list[str]] | None,
) -> None:
    """Print tables and their recipe."""
    from ontoeval.cli.terminal import emit, present

    if output == "json":
        emit(_as_json(tables, recipe))
    else:
        present(list(tables.values()), output, recipe, brief)


def _names() -> list[str]:
    """List the files that a folder of results may hold."""
    from ontoeval.comparison.rank_correlation import CORRELATIONS
    from ontoeval.reports.study import AGREEMENT, MAKERS, NOT_ALWAYS

    tables = [*(f"{AGREEMENT}{one}" for one in CORRELATIONS), *MAKERS, *NOT_ALWAYS]
    return [*(f"{name}.csv" for name in tables), "study.json", "recipe.txt"]


def _texts(tables: dict[str, Table], recipe: dict[str, list[str]]) -> dict[str, str]:
    """Make the files of a folder of results."""
    from ontoeval.reports.formats import to_csv

    lines = [line for part in recipe.values() for line in part]
    for name, table in tables.items():
        lines += ["", f"{name}.csv: {table.title}", *table.notes]
    return {
        **{f"{name}.csv": to_csv(table) for name, table in tables.items()},
        "study.json": _as_json(tables, recipe),
        "recipe.txt": "".join(f"{line}\n" for line in lines),
    }


def _as_json(tables: dict[str, Table], recipe: dict[str, list[str]]) -> str:
    from ontoeval.reports.formats import as_json, to_json

    return as_json({"tables": {name: json.loads(to_json(table)) for name, table in tables.items()}, **recipe})
