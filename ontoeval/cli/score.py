"""``ontoeval score`` and ``ontoeval demo``: runs, or those of the shipped benchmark, against the truth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ontoeval.cli.options import Format, Output, ScoringOptions, Verbose, output_option
from ontoeval.core.writing import Folder, refuse_overlaps, tells_the_truth, write_all
from ontoeval.errors import InputError, ParameterError
from ontoeval.labels.options import ReadingOptions
from ontoeval.options import Opt

if TYPE_CHECKING:
    from ontoeval.cli.dataset import Dataset
    from ontoeval.core.table import Table
    from ontoeval.evaluation.scoring import Evaluation

RESULT_FILES = (
    "leaderboard.csv",
    "leaderboard.json",
    "leaderboard.tex",
    "per_sample.csv",
    "per_concept.csv",
    "recipe.txt",
)
"""Files that a folder of results may hold."""

DEMO_MEASURES = ("OS", "OS(penalise='none')", "F", "F(average='macro')", "P", "R", "Jaccard", "ExactMatch")

_BENCHMARK: dict[str, object] = {
    "truth": "truth.csv",
    "runs": ["runs"],
    "ontology": "photo",
    "agreement": "agreement.csv",
    "measures": list(DEMO_MEASURES),
    "out": "comparison",
}
"""The demo's benchmark file; the folder of the scores is taken."""


def score(
    scoring: ScoringOptions,
    *,
    output: Output = "table",
    per_sample: Annotated[
        Path | None,
        output_option("Write the scores of every sample to this file, as CSV."),
    ] = None,
    per_concept: Annotated[
        Path | None,
        output_option("Write counts, P, R and F of every concept to this file, as CSV."),
    ] = None,
    out_dir: Annotated[
        Path | None,
        output_option("Write everything into this folder.", metavar="FOLDER", flags=("--out", "-o")),
    ] = None,
    verbose: Verbose = False,
) -> None:
    """Score one or more runs against the truth."""
    from ontoeval.cli.terminal import warn

    options = {"--per-sample": per_sample, "--per-concept": per_concept}
    given = {option: path for option, path in options.items() if path is not None}
    if scoring.public and given:
        option, path = next(iter(given.items()))
        raise ParameterError(option, str(path), "no --public beside it: these tell the truth")
    folders = {"--out": (out_dir, RESULT_FILES)}
    refuse_overlaps(options, scoring.places, folders=folders, runs=scoring.found.takes)
    result = scored(scoring)
    if per_concept is not None and all(one.sets is None for one in result.results.values()):
        raise ParameterError("--per-concept", str(per_concept), "a --threshold beside it, for runs of scores")
    files = {path: f"{option.removeprefix('--').replace('-', '_')}.csv" for option, path in given.items()}
    remarks = result.write(files, out_dir)
    result.show(output, verbose=verbose)
    warn(remarks)


def demo(
    out_dir: Annotated[
        Path,
        Opt("Folder for the benchmark's files and the results.", metavar="FOLDER", flags=("--out", "-o")),
    ] = Path("ontoeval-demo"),
) -> None:
    """Score the shipped photo benchmark: synthetic truth, four runs and an agreement table."""
    from rich.text import Text

    from ontoeval.cli.benchmark import FILE, template
    from ontoeval.cli.terminal import out
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
    scoring = ScoringOptions(
        truth=out_dir / "truth.csv",
        runs=tuple(path for path in copies if path.parent.name == "runs"),
        measures=DEMO_MEASURES,
        agreement=out_dir / "agreement.csv",
        reading=ReadingOptions(ontology=str(ontologies.path("photo"))),
    )
    result = scored(scoring)
    result.write({out_dir / "results" / name: name for name in RESULT_FILES})
    result.show("table")
    out.print(Text(f"\n  All of these data are synthetic. Data and results are in {out_dir}", style="bold"))


@dataclass(frozen=True)
class Scored:
    """Runs that have been scored."""

    dataset: Dataset
    results: Mapping[str, Evaluation]

    @property
    def board(self) -> Table:
        """The leaderboard, without the notes on a truth that is not public."""
        from ontoeval.reports.evaluation import leaderboard

        board = self.dataset.runs.with_teams(leaderboard(self.results))
        return replace(board, notes=()) if self.dataset.public else board

    @property
    def captioned(self) -> Table:
        """The leaderboard with the caption that a paper needs: version and digests, too."""
        from ontoeval.reports.evaluation import captioned

        first = next(iter(self.results.values()))
        return captioned(self.board, first.signature, first.totals.measures.values())

    @property
    def recipe(self) -> dict[str, Any]:
        """The recipe of the scores, as JSON holds it."""
        signature = next(iter(self.results.values())).signature
        return {"inputs": list(self.dataset.remarks), "recipe": signature.splitlines()}

    @property
    def brief(self) -> dict[str, list[str]]:
        """The recipe in short, for a terminal."""
        from ontoeval.reports.evaluation import short_recipe

        first = next(iter(self.results.values()))
        lines = short_recipe(first.signature, first, self.board.notes)
        return {"inputs": list(self.dataset.brief), "recipe": lines}

    def show(self, output: Format, *, verbose: bool = False) -> None:
        """Print the leaderboard, and with a table its recipe."""
        from ontoeval.cli.terminal import present

        board = self.captioned if output == "latex" else self.board
        present([board], output, self.recipe, None if verbose else self.brief)

    def write(self, files: Mapping[Path, str], folder: Path | None = None) -> list[str]:
        """Make some of the results, or all in a folder, then write them."""
        folders = []
        if folder is not None:
            files = {**files, **{folder / name: name for name in RESULT_FILES}}
            folders = [Folder(folder, RESULT_FILES.__contains__)]
        makers = self._makers()
        contents = {path: makers[name]() for path, name in files.items() if name in makers}
        return write_all(contents, folders=folders, public=self.dataset.public)

    def _makers(self) -> dict[str, Callable[[], str]]:
        """Map the names of all results that there are to their makers."""
        from ontoeval.confusion.one_vs_rest import counts_of
        from ontoeval.reports import evaluation as tables
        from ontoeval.reports.formats import to_csv, to_json, to_latex

        board, recipe, with_teams = self.board, self.recipe, self.dataset.runs.with_teams
        sets = {run: result.sets for run, result in self.results.items() if result.sets is not None}
        lines = [*recipe["inputs"], *board.notes, *recipe["recipe"]]
        makers: dict[str, Callable[[], str]] = {
            "leaderboard.csv": lambda: to_csv(board),
            "leaderboard.json": lambda: to_json(board, **recipe),
            "leaderboard.tex": lambda: to_latex(self.captioned),
            "per_sample.csv": lambda: to_csv(with_teams(tables.per_sample(self.results))),
            "per_concept.csv": lambda: to_csv(
                with_teams(tables.per_concept({run: counts_of(batch) for run, batch in sets.items()}))
            ),
            "recipe.txt": lambda: "".join(f"{line}\n" for line in lines),
        }
        if not sets:  # scores alone: nothing to count
            del makers["per_concept.csv"]
        if self.dataset.public:
            makers = {name: maker for name, maker in makers.items() if not tells_the_truth(name)}
        return makers


def scored(scoring: ScoringOptions) -> Scored:
    """Read all files and evaluate every run."""
    from ontoeval.cli.dataset import read_dataset
    from ontoeval.cli.terminal import progress

    with progress("Scoring", 2 * len(scoring.found.paths) + 1) as step:
        dataset = read_dataset(scoring, step)
        return Scored(dataset, dataset.evaluate(step))
