"""``ontoeval study``: what many runs tell of the measures that they are scored by."""

from __future__ import annotations

import inspect
import json
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontoeval.cli.option_table import OPTIONS, output_option
from ontoeval.cli.options import reads_runs, taking
from ontoeval.cli.outputs import figures_in
from ontoeval.cli.planned import Planned, planned
from ontoeval.cli.reports import Report, Verbose
from ontoeval.cli.terminal import Format, emit, present, progress, warn
from ontoeval.comparison.perturbations import PERTURBATIONS
from ontoeval.core.checks import share
from ontoeval.core.writing import Content, Folder, apart, write_all
from ontoeval.errors import ParameterError, one_of
from ontoeval.reports.kinds import check_figures, check_report

if TYPE_CHECKING:
    from ontoeval.cli.wanted import Wanted
    from ontoeval.comparison.sensitivity import Changes
    from ontoeval.core.table import Table

STUDY = "Study"
"""Under which heading the help lists its own options."""

MAIN = ("clusters", "power", "stability", "winners", "changes", "behaviour")
"""What is printed beside the first agreement, if nothing else is asked for."""

NEEDED = {"a hierarchy": "--ontology FILE", "the annotators' agreement": "--agreement FILE"}
"""How what a change needs is given."""


def _plan_alone() -> Any:  # noqa: ANN401 - a maker of options
    """Take the options of a comparison without those that say what else is compared."""
    signature = inspect.signature(planned, eval_str=True)
    others = {"baselines", "no_baseline", "chance", "by"}

    @wraps(planned)
    def maker(**given: Any) -> Planned:  # noqa: ANN401 - as various as the options
        return planned(**given)

    kept = [one for name, one in signature.parameters.items() if name not in others]
    maker.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
    return maker


def study(
    *,
    planned: Planned,
    correlations: Annotated[
        list[str] | None,
        typer.Option(
            "--correlation",
            metavar="NAME",
            help="How rankings are compared: tau_b, tau_ap_b, weighted_tau, spearman, rbo or ks; can be "
            "repeated, and the first makes the table. By default all but weighted_tau.",
            rich_help_panel=STUDY,
        ),
    ] = None,
    kinds: Annotated[
        list[str] | None,
        typer.Option(
            "--kind",
            metavar="NAME",
            help=f"How labels are changed to see what measures make of it: {', '.join(PERTURBATIONS)}; can "
            "be repeated. By default all that can be.",
            rich_help_panel=STUDY,
        ),
    ] = None,
    rates: Annotated[
        list[float] | None,
        typer.Option(
            "--rate",
            metavar="NUMBER",
            help="How much is changed, from 0 to 1; can be repeated. By default 0.05, 0.1, 0.2 and 0.4.",
            rich_help_panel=STUDY,
        ),
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            min=1,
            help="Most samples on which changes are tried; by default 1000.",
            rich_help_panel=STUDY,
        ),
    ] = None,
    no_changes: Annotated[
        bool,
        typer.Option(
            "--no-changes", help="Try no changes, which are most of the work.", rich_help_panel=STUDY
        ),
    ] = False,
    table: Annotated[
        list[str] | None,
        output_option(
            "--table",
            metavar="NAME",
            help="Table to print, such as agreement-rbo, swaps or sensitivity; can be repeated.",
        ),
    ] = None,
    output: Annotated[Format, output_option("--format", help="How to print tables.")] = "table",
    out_dir: Annotated[
        Path | None, output_option("--out", "-o", metavar="FOLDER", help="Write all tables into this folder.")
    ] = None,
    report: Report = None,
    figures: Annotated[Path | None, OPTIONS["figures"]] = None,
    verbose: Verbose = False,
) -> None:
    """Study measures over many runs: do they rank alike, tell runs apart, stay where little changes."""
    from ontoeval.comparison.study import USUAL_CORRELATIONS, correlations_of, study_of, study_steps
    from ontoeval.reports.evaluation import short_recipe
    from ontoeval.reports.study import AGREEMENT, LEADERBOARD, MAKERS, NOT_ALWAYS

    # What cannot be had is refused before an hour of work.
    chosen = correlations_of(correlations or USUAL_CORRELATIONS, "--correlation")
    changes = _changes(planned.wanted, kinds, rates, samples, without=no_changes)
    lacking = {"sensitivity", "changes"} if no_changes else set()
    lacking |= {"behaviour", "counterexamples"} if planned.wanted.asked.file is None else set()
    sometimes = [name for name in NOT_ALWAYS if name not in lacking]
    known = (*(f"{AGREEMENT}{one}" for one in chosen), *MAKERS, *sometimes)
    for name in table or ():
        one_of("--table", name, known)
    if output == "csv" and len(table or ()) > 1:
        raise ParameterError("--table", table, "one table for --format csv; --out writes a file for each")
    work: dict[str, Any] = {"correlations": chosen, "changes": changes}
    runs = planned.wanted.runs
    check_report(report)
    check_figures(figures)
    names = _names()
    folders = {"--out": (out_dir, names), "--figures": (figures, ())}
    apart({"--report": report}, planned.wanted.places, folders=folders, runs=runs.takes)
    with progress("Reading", len(runs.paths) + 1) as step:
        material = planned.wanted.read(step)
    number = study_steps(planned.plan, len(runs.paths), material.hierarchy, **work)
    with progress("Studying", number) as step:
        compared = material.compare(planned.plan, step=step)
        with material.unsaid():
            found = study_of(compared, step=step, **work)
    tables = found.tables()
    tables[LEADERBOARD] = material.runs.with_teams(tables[LEADERBOARD])
    recipe = {
        "inputs": list(material.remarks),
        "notes": found.notes,
        "recipe": found.signature.splitlines(),
    }
    contents: dict[Path, Content] = {}
    written: list[Folder] = []
    if out_dir is not None:
        contents |= {out_dir / name: text for name, text in _texts(tables, recipe).items()}
        written.append(Folder(out_dir, names.__contains__))
    if report is not None:
        contents[report] = found.report(teams=material.runs.by_team)
    if figures is not None:
        drawn, there = figures_in(figures, found)
        contents |= drawn
        written.append(there)
    remarks = write_all(contents, folders=written, public=compared.public)
    main = (f"{AGREEMENT}{chosen[0]}", *MAIN)
    usual = {"json": tuple(tables), "csv": ("agreements",)}.get(output, main)
    shown = {name: tables[name] for name in table or usual if name in tables}
    told = [note for one in shown.values() for note in one.notes]
    brief = {
        **recipe,
        "inputs": list(material.brief),
        "recipe": short_recipe(found.signature, compared.first, told),
    }
    _show(shown, output, recipe, None if verbose else brief)
    warn(remarks)


study = reads_runs(taking(study, planned=_plan_alone()))


def _changes(
    wanted: Wanted,
    kinds: list[str] | None,
    rates: list[float] | None,
    samples: int | None,
    *,
    without: bool,
) -> Changes | None:
    """Tell what is changed, and refuse what cannot be changed with what is given."""
    from ontoeval.comparison.sensitivity import Changes, lacking

    given = {"--kind": kinds, "--rate": rates, "--samples": samples}
    given = {name: value for name, value in given.items() if value not in (None, [])}
    if without:
        for name, value in given.items():
            raise ParameterError(name, value, "no --no-changes beside it")
        return None
    for rate in rates or ():
        share("--rate", rate)
    hierarchy, agreement = wanted.asked.file is not None, wanted.agreement != (None, None)
    for kind in kinds or ():
        one_of("--kind", kind, tuple(PERTURBATIONS))
        need = lacking(kind, hierarchy=hierarchy, agreement=agreement)
        if need:
            raise ParameterError("--kind", kind, f"{NEEDED[need]} beside it: {need}")
    names = {"--kind": "kinds", "--rate": "rates", "--samples": "samples"}
    return Changes(**{names[name]: value for name, value in given.items()})  # type: ignore[arg-type]


def _show(
    tables: dict[str, Table],
    output: Format,
    recipe: dict[str, list[str]],
    brief: dict[str, list[str]] | None,
) -> None:
    """Print tables, and how they came about."""
    if output == "json":
        emit(_as_json(tables, recipe))
    else:
        present(list(tables.values()), output, recipe, brief)


def _names() -> list[str]:
    """List what a folder of results may hold."""
    from ontoeval.comparison.rank_correlation import CORRELATIONS
    from ontoeval.reports.study import AGREEMENT, MAKERS, NOT_ALWAYS

    tables = [*(f"{AGREEMENT}{one}" for one in CORRELATIONS), *MAKERS, *NOT_ALWAYS]
    return [*(f"{name}.csv" for name in tables), "study.json", "recipe.txt"]


def _texts(tables: dict[str, Table], recipe: dict[str, list[str]]) -> dict[str, str]:
    """Write everything: the texts of a folder by the names of the files."""
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
