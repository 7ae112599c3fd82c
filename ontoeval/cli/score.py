"""``ontoeval score``: runs against the truth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ontoeval.cli.option_table import output_option
from ontoeval.cli.options import reads_runs
from ontoeval.cli.reports import Verbose
from ontoeval.cli.runs import Runs
from ontoeval.cli.terminal import Format, present, progress, warn
from ontoeval.cli.wanted import Wanted
from ontoeval.core.writing import Folder, apart, tells_the_truth, write_all
from ontoeval.errors import ParameterError

if TYPE_CHECKING:
    from ontoeval.evaluation.scoring import Evaluation
    from ontoeval.core.table import Table

RESULT_FILES = (
    "leaderboard.csv",
    "leaderboard.json",
    "leaderboard.tex",
    "per_sample.csv",
    "per_concept.csv",
    "recipe.txt",
)
"""What a folder of results may hold."""


@reads_runs
def score(
    *,
    wanted: Wanted,
    output: Annotated[Format, output_option("--format", help="How to print the leaderboard.")] = "table",
    per_sample: Annotated[
        Path | None,
        output_option(metavar="FILE", help="Write the scores of every sample to this file, as CSV."),
    ] = None,
    per_concept: Annotated[
        Path | None,
        output_option(metavar="FILE", help="Write counts, P, R and F of every concept to this file, as CSV."),
    ] = None,
    out_dir: Annotated[
        Path | None, output_option("--out", "-o", metavar="FOLDER", help="Write everything into this folder.")
    ] = None,
    verbose: Verbose = False,
) -> None:
    """Score one or more runs against the truth."""
    files = {
        path: name
        for path, name in ((per_sample, "per_sample.csv"), (per_concept, "per_concept.csv"))
        if path is not None
    }
    if wanted.public and files:
        option = "--per-sample" if per_sample else "--per-concept"
        raise ParameterError(option, str(next(iter(files))), "no --public beside it: these tell the truth")
    apart(
        {"--per-sample": per_sample, "--per-concept": per_concept},
        wanted.places,
        folders={"--out": (out_dir, RESULT_FILES)},
        runs=wanted.runs.takes,
    )
    result = scored(wanted)
    if per_concept is not None and all(one.sets is None for one in result.results.values()):
        raise ParameterError("--per-concept", str(per_concept), "a --threshold beside it, for runs of scores")
    remarks = write_results(result, files, out_dir)
    show_scores(result, output, verbose=verbose)
    warn(remarks)


@dataclass(frozen=True)
class Scored:
    """What `scored` makes of runs."""

    results: Mapping[str, Evaluation]
    runs: Runs
    remarks: tuple[str, ...]
    read: tuple[str, ...]
    public: bool = False

    @property
    def board(self) -> Table:
        """The leaderboard; its notes speak of the truth."""
        from ontoeval.reports.results import leaderboard

        board = self.runs.with_teams(leaderboard(self.results))
        return replace(board, notes=()) if self.public else board

    @property
    def captioned(self) -> Table:
        """The leaderboard with all that a paper should say of it: version and digests, too."""
        from ontoeval.reports.evaluation import captioned

        first = next(iter(self.results.values()))
        return captioned(self.board, first.signature, first.totals.measures.values())

    @property
    def recipe(self) -> dict[str, Any]:
        """How the scores came about, as JSON holds it."""
        signature = next(iter(self.results.values())).signature
        return {"inputs": list(self.remarks), "recipe": signature.splitlines()}

    @property
    def brief(self) -> dict[str, list[str]]:
        """The same in short, for a terminal."""
        from ontoeval.reports.evaluation import short_recipe

        first = next(iter(self.results.values()))
        return {"inputs": list(self.read), "recipe": short_recipe(first.signature, first, self.board.notes)}


def scored(wanted: Wanted) -> Scored:
    """Evaluate every run."""
    with progress("Scoring", 2 * len(wanted.runs.paths) + 1) as step:
        material = wanted.read(step)
        results = material.evaluate(step)
    return Scored(results, material.runs, material.remarks, material.brief, material.public)


def show_scores(scored: Scored, output: Format, *, verbose: bool = False) -> None:
    """Print the leaderboard, and with a table how it came about."""
    board = scored.captioned if output == "latex" else scored.board
    present([board], output, scored.recipe, None if verbose else scored.brief)


def write_results(scored: Scored, wanted: Mapping[Path, str], folder: Path | None = None) -> list[str]:
    """Make all files that are wanted, then write them."""
    from ontoeval.confusion.one_vs_rest import counts_of
    from ontoeval.reports import results as tables
    from ontoeval.reports.formats import to_csv, to_json, to_latex

    results, board, recipe = scored.results, scored.board, scored.recipe
    sets = {run: result.sets for run, result in results.items() if result.sets is not None}
    makers = {
        "leaderboard.csv": lambda: to_csv(board),
        "leaderboard.json": lambda: to_json(board, **recipe),
        "leaderboard.tex": lambda: to_latex(scored.captioned),
        "per_sample.csv": lambda: to_csv(scored.runs.with_teams(tables.per_sample(results))),
        "per_concept.csv": lambda: to_csv(
            scored.runs.with_teams(tables.per_concept({run: counts_of(batch) for run, batch in sets.items()}))
        ),
        "recipe.txt": lambda: "".join(
            f"{line}\n" for lines in (recipe["inputs"], board.notes, recipe["recipe"]) for line in lines
        ),
    }
    if not sets:  # scores alone: nothing to count
        del makers["per_concept.csv"]
    if scored.public:
        makers = {name: maker for name, maker in makers.items() if not tells_the_truth(name)}
    folders = []
    if folder is not None:
        wanted = {**wanted, **{folder / name: name for name in RESULT_FILES}}
        folders = [Folder(folder, RESULT_FILES.__contains__)]
    contents = {path: makers[name]() for path, name in wanted.items() if name in makers}
    return write_all(contents, folders=folders, public=scored.public)
