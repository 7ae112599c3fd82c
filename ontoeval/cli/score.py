"""``ontoeval score``: runs against the truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from ontoeval.cli.inputs import Inputs, remarks_on_missing
from ontoeval.cli.options import reads_labels
from ontoeval.cli.terminal import Format, progress, show, tell, write_all
from ontoeval.errors import InputError, ParameterError
from ontoeval.presets import PRESETS
from ontoeval.presets import preset as preset_by_name

if TYPE_CHECKING:
    from ontoeval.evaluation import Evaluation
    from ontoeval.labels import LabelSets
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
    runs: Annotated[list[Path], typer.Argument(help="Files of predicted labels, one for each run.")],
    *,
    inputs: Inputs,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            "-m",
            metavar="NOTATION",
            help="Measure in its notation, see `ontoeval measures`; can be repeated. By default the usual "
            "flat ones, and with an ontology OS before them.",
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
    results, remarks = scored(
        inputs,
        truth,
        runs,
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
        remarks += [f"Preset {preset}: {named.title}", *named.conventions]
    if per_concept is not None and all(result.sets is None for result in results.values()):
        raise ParameterError("--per-concept", str(per_concept), "a --threshold beside it, for runs of scores")
    if out_dir is not None:
        wanted |= {out_dir / name: name for name in RESULT_FILES}
    write_results(results, remarks, wanted)
    show_scores(results, remarks, output)


def scored(
    inputs: Inputs,
    truth: Path,
    runs: Sequence[Path],
    *,
    measures: Sequence[str] | None = None,
    agreement: tuple[Path | None, float | None] = (None, None),
    weights: tuple[Sequence[str], Path | None] = ((), None),
    missing: Literal["refuse", "empty"] = "refuse",
) -> tuple[dict[str, Evaluation], list[str]]:
    """Evaluate every run.

    Parameters
    ----------
    inputs
        How files are read.
    truth
        File of the true labels.
    runs
        Files of the predicted labels.
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
    results : dict of str to Evaluation
        One evaluation per run.
    remarks : list of str
        How the files were read.

    Raises
    ------
    InputError
        If a run is named twice.
    """
    from ontoeval.evaluation import evaluate
    from ontoeval.measures.base import fact
    from ontoeval.measures.catalogue import measures_of
    from ontoeval.report.results import named_runs

    # A misspelt measure is refused before an hour of reading.
    chosen = None if not measures else list(measures_of(measures).values())
    of_scores = any(fact(one, "takes") == "scores" for one in chosen or ())
    results: dict[str, Evaluation] = {}
    with progress("Scoring", 2 * len(runs) + 1) as step:
        agreed = inputs.agreement(*agreement)
        hierarchy, told = inputs.known(*weights)
        predictions: list[LabelSets | LabelScores]
        if of_scores:
            first, others = inputs.scores(truth, *runs, step=step)
            remarks = [*inputs.remarks([first, *others]), *told]
            true, predictions = first.sets, [file.scores for file in others]
        else:
            files = inputs.labels(truth, *runs, step=step)
            remarks = [*inputs.remarks(files), *told, *inputs.unclosed(files)]
            true, predictions = files[0].sets, [file.sets for file in files[1:]]
        for path, name, prediction in zip(runs, named_runs(runs), predictions, strict=True):
            if name in results:
                raise InputError("this run is named twice", "Name each run once.", where=path)
            results[name] = evaluate(
                true,
                prediction,
                hierarchy=hierarchy,
                agreement=agreed,
                measures=chosen,
                threshold=inputs.threshold if of_scores else None,
                missing=missing,
            )
            remarks += remarks_on_missing(path, true, prediction)
            step()
    return results, remarks


def show_scores(results: Mapping[str, Evaluation], remarks: Sequence[str], output: Format) -> None:
    """Print the leaderboard, and with a table how it came about.

    Parameters
    ----------
    results
        One evaluation per run.
    remarks
        How the files were read.
    output
        The format.
    """
    from ontoeval.report.results import leaderboard

    board, recipe = leaderboard(results), _recipe(results, remarks)
    show(board, output, **recipe)
    if output == "table":
        tell([*recipe["inputs"], *recipe["recipe"]], output)
    else:  # CSV has no place for notes, and nowhere is it silent what was left out
        tell([*(board.notes if output == "csv" else ()), *recipe["inputs"]], output)


def write_results(
    results: Mapping[str, Evaluation], remarks: Sequence[str], wanted: Mapping[Path, str]
) -> None:
    """Make all files that are wanted, then write them.

    Parameters
    ----------
    results
        One evaluation per run.
    remarks
        How the files were read.
    wanted
        What is to be written where: names out of `RESULT_FILES`.
    """
    from ontoeval.concept_counts import counts_of
    from ontoeval.report import results as tables
    from ontoeval.report.formats import to_csv, to_json, to_latex

    recipe = _recipe(results, remarks)
    makers = {
        "leaderboard.csv": lambda: to_csv(tables.leaderboard(results)),
        "leaderboard.json": lambda: to_json(tables.leaderboard(results), **recipe),
        "leaderboard.tex": lambda: to_latex(tables.leaderboard(results)),
        "per_sample.csv": lambda: to_csv(tables.per_sample(results)),
        "per_concept.csv": lambda: to_csv(
            tables.per_concept({run: counts_of(r.sets) for run, r in results.items() if r.sets is not None})
        ),
        "recipe.txt": lambda: "".join(
            f"{line}\n"
            for lines in (recipe["inputs"], tables.leaderboard(results).notes, recipe["recipe"])
            for line in lines
        ),
    }
    if all(result.sets is None for result in results.values()):  # scores alone: nothing to count
        wanted = {path: name for path, name in wanted.items() if name != "per_concept.csv"}
    write_all({path: makers[name]() for path, name in wanted.items()})


def _recipe(results: Mapping[str, Evaluation], remarks: Sequence[str]) -> dict[str, Any]:
    return {"inputs": list(remarks), "recipe": next(iter(results.values())).signature.splitlines()}
