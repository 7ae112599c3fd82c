"""``ontoeval study``: compare the measures themselves over many runs."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from ontoeval.cli.dataset import as_lines, read_dataset
from ontoeval.cli.options import (
    Figures,
    Output,
    OutputFolder,
    PageOptions,
    ScoringOptions,
    Verbose,
    output_option,
)
from ontoeval.cli.scoring import Places
from ontoeval.comparison.plan import Plan
from ontoeval.errors import ParameterError, one_of
from ontoeval.options import Opt

if TYPE_CHECKING:
    from ontoeval.comparison.sensitivity import Changes
    from ontoeval.core.table import Table

_option = partial(Opt, panel="Study")

MAIN = ("clusters", "power", "stability", "winners", "changes", "behaviour")
"""Tables that are printed beside the first agreement, if no other is asked for."""

_FLAGS = {"kinds": "--kind", "rates": "--rate", "samples": "--samples"}

NEEDED = {"a hierarchy": "--ontology FILE", "the annotators' agreement": "--agreement FILE"}
"""Options that give what a change needs."""


def study(  # noqa: PLR0913 - one for each option
    scoring: ScoringOptions,
    plan: Plan,
    page: PageOptions,
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
    figures: Figures = None,
    verbose: Verbose = False,
) -> None:
    """Study measures over many runs: whether they agree, discriminate, and remain stable."""
    from ontoeval.cli.terminal import emit, present, progress, warn
    from ontoeval.comparison.study import USUAL_CORRELATIONS, correlations_of, study_of
    from ontoeval.reports.study import AGREEMENT, LEADERBOARD, MAKERS, NOT_ALWAYS

    # Refused before an hour of work.
    chosen = correlations_of(list(correlations) or USUAL_CORRELATIONS, "--correlation")
    given = {"kinds": kinds, "rates": rates, "samples": samples}
    changes = _changes(scoring, given, without=no_changes)
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
    places = Places(out_dir, _names(), page.report, figures)
    page.check_page()
    places.check(scoring.files.values(), scoring.found, {})
    with progress("Reading", len(scoring.found.paths) + 1) as step:
        dataset = read_dataset(scoring, step)
    compared = dataset.compare(plan, baselines=(), progress=progress)
    with dataset.withholding():
        found = study_of(compared, progress=progress, **work)
    tables = found.tables()
    tables[LEADERBOARD] = dataset.runs.with_teams(tables[LEADERBOARD])
    usual = {"json": tuple(tables), "csv": ("agreements",)}.get(output, (f"{AGREEMENT}{chosen[0]}", *MAIN))
    shown = {name: tables[name] for name in table or usual if name in tables}
    told = [note for one in shown.values() for note in one.notes]
    recipe, brief = dataset.recipes(found.signature, compared.first, told, notes=found.notes)
    write_page = partial(found.report, teams=dataset.runs.by_team, **page.about)
    texts = partial(_texts, tables, recipe)
    remarks = places.write(texts, page=write_page, result=found, public=compared.public)
    if output == "json":
        emit(_as_json(shown, recipe))
    else:
        present(list(shown.values()), output, recipe, None if verbose else brief)
    warn(remarks)


def _changes(scoring: ScoringOptions, given: dict[str, Any], *, without: bool) -> Changes | None:
    """Choose the changes to try; refuse those that need other files."""
    from ontoeval.comparison.sensitivity import Changes, lacking

    given = {name: value for name, value in given.items() if value}
    if without:
        for name, value in given.items():
            shown = list(value) if isinstance(value, tuple) else value
            raise ParameterError(_FLAGS[name], shown, "no --no-changes beside it")
        return None
    changes = Changes(**given)
    hierarchy, agreement = scoring.reading.ontology is not None, scoring.agreement is not None
    for kind in given.get("kinds", ()):
        need = lacking(kind, hierarchy=hierarchy, agreement=agreement)
        if need:
            raise ParameterError("--kind", kind, f"{NEEDED[need]} beside it: {need}")
    return changes


def _names() -> list[str]:
    from ontoeval.comparison.rank_correlation import CORRELATIONS
    from ontoeval.reports.study import AGREEMENT, MAKERS, NOT_ALWAYS

    tables = [*(f"{AGREEMENT}{one}" for one in CORRELATIONS), *MAKERS, *NOT_ALWAYS]
    return [*(f"{name}.csv" for name in tables), "study.json", "recipe.txt"]


def _texts(tables: dict[str, Table], recipe: dict[str, list[str]]) -> dict[str, str]:
    from ontoeval.reports.formats import to_csv

    lines = [line for part in recipe.values() for line in part]
    for name, table in tables.items():
        lines += ["", f"{name}.csv: {table.title}", *table.notes]
    texts = {f"{name}.csv": to_csv(table) for name, table in tables.items()}
    return {**texts, "study.json": _as_json(tables, recipe), "recipe.txt": as_lines(lines)}


def _as_json(tables: dict[str, Table], recipe: dict[str, list[str]]) -> str:
    from ontoeval.reports.formats import as_json, to_json

    return as_json({"tables": {name: json.loads(to_json(table)) for name, table in tables.items()}, **recipe})
