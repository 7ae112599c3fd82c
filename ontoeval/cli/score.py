"""``ontoeval score`` and ``ontoeval demo``: runs, or those of the shipped benchmark, against the truth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ontoeval.cli.dataset import Shown, read_dataset
from ontoeval.cli.options import Output, ScoringOptions, Verbose, output_option
from ontoeval.core.writing import Folder, apart, tells_the_truth, write_all
from ontoeval.errors import InputError, ParameterError
from ontoeval.labels.options import ReadingOptions
from ontoeval.options import Opt

if TYPE_CHECKING:
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
    apart(options, scoring.places, folders=folders, runs=scoring.found.takes)
    result = scored(scoring)
    if per_concept is not None and all(one.sets is None for one in result.results.values()):
        raise ParameterError("--per-concept", str(per_concept), "a --threshold beside it, for runs of scores")
    files = {path: f"{option.removeprefix('--').replace('-', '_')}.csv" for option, path in given.items()}
    remarks = result.write(files, out_dir)
    result.show(result.board, output, verbose=verbose)
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
    result.show(result.board, "table")
    out.print(Text(f"\n  All of these data are synthetic. Data and results are in {out_dir}", style="bold"))


@dataclass(frozen=True, eq=False)
class Scored(Shown):
    """Runs that have been scored."""

    results: Mapping[str, Evaluation]

    def write(self, files: Mapping[Path, str], folder: Path | None = None) -> list[str]:
        """Make some of the results, or all in a folder, then write them."""
        from ontoeval.reports.formats import to_csv

        folders = []
        if folder is not None:
            files = {**files, **{folder / name: name for name in RESULT_FILES}}
            folders = [Folder(folder, RESULT_FILES.__contains__)]
        if not files:
            return []
        tables = self._tables()
        texts = self.texts() | {
            name: to_csv(self.dataset.runs.with_teams(tables[name]()))
            for name in files.values()
            if name in tables and not (self.dataset.public and tells_the_truth(name))
        }
        contents = {path: texts[name] for path, name in files.items() if name in texts}
        return write_all(contents, folders=folders, public=self.dataset.public)

    def _tables(self) -> dict[str, Callable[[], Table]]:
        """Map the names of the larger tables to their makers; of scores alone, nothing is counted."""
        from ontoeval.confusion.one_vs_rest import counts_of
        from ontoeval.reports.evaluation import per_concept, per_sample

        sets = {run: result.sets for run, result in self.results.items() if result.sets is not None}
        makers: dict[str, Callable[[], Table]] = {"per_sample.csv": partial(per_sample, self.results)}
        if sets:
            counts = {run: counts_of(batch) for run, batch in sets.items()}
            makers["per_concept.csv"] = partial(per_concept, counts)
        return makers


def scored(scoring: ScoringOptions) -> Scored:
    """Read all files and evaluate every run."""
    from ontoeval.cli.terminal import progress
    from ontoeval.reports.evaluation import leaderboard

    with progress("Scoring", 2 * len(scoring.found.paths) + 1) as step:
        dataset = read_dataset(scoring, step)
        results = dataset.evaluate(step)
    board, first = dataset.runs.with_teams(leaderboard(results)), next(iter(results.values()))
    if dataset.public:  # its notes are on the truth
        board = replace(board, notes=())
    return Scored(dataset, first, first.signature, board, results)
