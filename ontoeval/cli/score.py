"""``ontoeval score``: runs against the truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from ontoeval.cli.inputs import Inputs, remarks_on_missing
from ontoeval.cli.options import reads_labels
from ontoeval.cli.public import Public, refuse_other_samples, refuse_unless_public_concepts, withholding
from ontoeval.cli.runs import RunNames, RunPaths, Runs, runs_of
from ontoeval.cli.terminal import Format, progress, show, tell, write_all
from ontoeval.errors import ParameterError
from ontoeval.presets import PRESETS
from ontoeval.presets import preset as preset_by_name

if TYPE_CHECKING:
    from ontoeval.evaluation import Evaluation
    from ontoeval.labels import LabelSets
    from ontoeval.report.table import Table
    from ontoeval.scores import LabelScores

RESULT_FILES = (
    "leaderboard.csv",
    "leaderboard.json",
    "leaderboard.tex",
    "per_sample.csv",
    "per_concept.csv",
    "recipe.txt",
)
"""What a folder of results holds."""


@reads_labels
def score(  # noqa: PLR0913 - one for each option
    truth: Annotated[Path, typer.Argument(help="File of the true labels.")],
    runs: RunPaths,
    *,
    inputs: Inputs,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            "-m",
            metavar="NOTATION",
            help="Measure in its notation, see `ontoeval measures`, or one of your own, "
            "package.module:Measure; can be repeated. By default the usual flat ones, and with an ontology "
            "OS before them.",
        ),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"Measures and conventions of a field: {', '.join(PRESETS)}. Further -m come after them; "
            "`ontoeval measures --preset NAME` says what they are.",
        ),
    ] = None,
    agreement: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="File of the annotators' agreement on each concept, in [0, 1]: concept,agreement.",
        ),
    ] = None,
    agreement_default: Annotated[
        float | None,
        typer.Option(metavar="NUMBER", help="Agreement on concepts that the agreement file does not name."),
    ] = None,
    weights: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=FILE",
            help="File of what each concept counts for, those that are no labels too: concept,weight. "
            "Measures find it by its name: hF(weight='NAME'). Can be repeated.",
        ),
    ] = None,
    information_from: Annotated[
        Path | None,
        typer.Option(
            metavar="LABELS",
            help="File of annotations, not those that are scored, which information content ('ic') and "
            "accretion ('ia') are estimated from: hF(weight='ia'), OS(cost='lin(ic)'), ICM.",
        ),
    ] = None,
    missing: Annotated[
        Literal["refuse", "empty"],
        typer.Option(help="What to do with samples that only one file has; 'empty' counts them unlabelled."),
    ] = "refuse",
    names: RunNames = None,
    public: Public = False,
    output: Annotated[Format, typer.Option("--format", help="How to print the leaderboard.")] = "table",
    per_sample: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the scores of every sample to this file, as CSV."),
    ] = None,
    per_concept: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write counts, P, R and F of every concept to this file, as CSV."),
    ] = None,
    out_dir: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FOLDER", help="Write everything into this folder.")
    ] = None,
) -> None:
    """Score one or more runs against the truth."""
    named = None if preset is None else preset_by_name(preset)
    if public:
        refuse_unless_public_concepts(inputs)
        for option, path in (("--per-sample", per_sample), ("--per-concept", per_concept)):
            if path is not None:
                raise ParameterError(option, str(path), "no --public beside it: these tell the truth")
    found = runs_of(
        runs, names=names, beside=[truth, agreement], input_format=inputs.reading.get("input_format")
    )
    result = scored(
        replace(inputs, public=public),
        truth,
        found,
        measures=[*(named.measures if named else ()), *(measure or ())],
        agreement=(agreement, agreement_default),
        weights=(weights or (), information_from),
        missing=missing,
    )
    wanted = {
        path: name
        for path, name in ((per_sample, "per_sample.csv"), (per_concept, "per_concept.csv"))
        if path is not None
    }
    if named is not None:
        result = replace(
            result, remarks=(*result.remarks, f"Preset {preset}: {named.title}", *named.conventions)
        )
    if per_concept is not None and all(one.sets is None for one in result.results.values()):
        raise ParameterError("--per-concept", str(per_concept), "a --threshold beside it, for runs of scores")
    if out_dir is not None:
        wanted |= {out_dir / name: name for name in RESULT_FILES}
    write_results(result, wanted)
    show_scores(result, output)


@dataclass(frozen=True)
class Scored:
    """What `scored` makes of runs.

    Parameters
    ----------
    results
        One evaluation per run, by its name.
    runs
        The runs.
    remarks
        How the files were read.
    public
        Whether nothing may be said of the truth but the scores.
    """

    results: Mapping[str, Evaluation]
    runs: Runs
    remarks: tuple[str, ...]
    public: bool = False

    @property
    def board(self) -> Table:
        """The leaderboard; its notes speak of the truth."""
        from ontoeval.report.results import leaderboard

        board = self.runs.with_teams(leaderboard(self.results))
        return replace(board, notes=()) if self.public else board

    @property
    def recipe(self) -> dict[str, Any]:
        """How the scores came about, as JSON holds it."""
        signature = next(iter(self.results.values())).signature
        return {"inputs": list(self.remarks), "recipe": signature.splitlines()}


def scored(
    inputs: Inputs,
    truth: Path,
    runs: Runs,
    *,
    measures: Sequence[str] | None = None,
    agreement: tuple[Path | None, float | None] = (None, None),
    weights: tuple[Sequence[str], Path | None] = ((), None),
    missing: Literal["refuse", "empty"] = "refuse",
) -> Scored:
    """Evaluate every run.

    Parameters
    ----------
    inputs
        How files are read.
    truth
        File of the true labels.
    runs
        The runs.
    measures
        Notations; by default the usual ones.
    agreement
        File of the agreement, and the default of concepts that it does not name.
    weights
        Files of weights with their names, and of annotations that information is estimated from.
    missing
        What to do with samples that only one file has.

    Returns
    -------
    Scored
        One evaluation per run, and how the files were read.
    """
    from ontoeval.evaluation import evaluate
    from ontoeval.measures.base import fact
    from ontoeval.measures.catalogue import measures_of

    # A misspelt measure is refused before an hour of reading.
    chosen = None if not measures else list(measures_of(measures).values())
    of_scores = any(fact(one, "takes") == "scores" for one in chosen or ())
    results: dict[str, Evaluation] = {}
    with progress("Scoring", 2 * len(runs.paths) + 1) as step:
        agreed = inputs.agreement(*agreement)
        hierarchy, told = inputs.known(*weights)
        predictions: list[LabelSets | LabelScores]
        if of_scores:
            first, others = inputs.scores(truth, *runs.paths, step=step)
            remarks = [*runs.remarks, *inputs.remarks([first, *others]), *told]
            true, predictions = first.sets, [file.scores for file in others]
        else:
            files = inputs.labels(truth, *runs.paths, step=step)
            remarks = [*runs.remarks, *inputs.remarks(files), *told, *inputs.unclosed(files)]
            true, predictions = files[0].sets, [file.sets for file in files[1:]]
        for path, name, prediction in zip(runs.paths, runs.names, predictions, strict=True):
            if inputs.public and missing == "refuse":
                refuse_other_samples(path, true, prediction)
            threshold = inputs.threshold if of_scores else None
            with withholding(path, "this run cannot be scored against the truth", public=inputs.public):
                results[name] = evaluate(
                    true,
                    prediction,
                    hierarchy=hierarchy,
                    agreement=agreed,
                    measures=chosen,
                    threshold=threshold,
                    missing=missing,
                )
            remarks += remarks_on_missing(path, true, prediction)
            step()
    return Scored(results, runs, tuple(remarks), inputs.public)


def show_scores(scored: Scored, output: Format) -> None:
    """Print the leaderboard, and with a table how it came about.

    Parameters
    ----------
    scored
        The runs with their scores.
    output
        The format.
    """
    board, recipe = scored.board, scored.recipe
    show(board, output, **recipe)
    if output == "table":
        tell([*recipe["inputs"], *recipe["recipe"]], output)
    else:  # CSV has no place for notes, and nowhere is it silent what was left out
        tell([*(board.notes if output == "csv" else ()), *recipe["inputs"]], output)


def write_results(scored: Scored, wanted: Mapping[Path, str]) -> None:
    """Make all files that are wanted, then write them.

    Parameters
    ----------
    scored
        The runs with their scores.
    wanted
        What is to be written where: names out of `RESULT_FILES`. Those that tell the truth are left out
        where that is not public.
    """
    from ontoeval.concept_counts import counts_of
    from ontoeval.report import results as tables
    from ontoeval.report.formats import to_csv, to_json, to_latex

    results, board, recipe = scored.results, scored.board, scored.recipe
    sets = {run: result.sets for run, result in results.items() if result.sets is not None}
    makers = {
        "leaderboard.csv": lambda: to_csv(board),
        "leaderboard.json": lambda: to_json(board, **recipe),
        "leaderboard.tex": lambda: to_latex(board),
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
        makers = {name: maker for name, maker in makers.items() if not name.startswith("per_")}
    write_all({path: makers[name]() for path, name in wanted.items() if name in makers})
