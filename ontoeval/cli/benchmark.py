"""``ontoeval run``, ``verify``, ``init`` and ``demo``: benchmark files and their folders of results."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast, get_args

from ontoeval.benchmarks.benchmark_file import (
    BENCHMARK_FILE,
    Part,
    benchmark_of,
    naming_keys,
    read_benchmark,
    template,
    to_toml,
)
from ontoeval.benchmarks.dataset import Dataset
from ontoeval.benchmarks.destinations import SCORE_FILES, Destinations
from ontoeval.benchmarks.parted_runs import PartsOptions
from ontoeval.benchmarks.results import verify, write_results
from ontoeval.benchmarks.runs import score_runs
from ontoeval.benchmarks.scoring_options import Output, ScoringOptions, Verbose, output_option
from ontoeval.cli.exit_codes import end_with_findings
from ontoeval.cli.limits import FailUnder, RunsFormat, check_limits, competing, limits_of, metrics_text
from ontoeval.errors import InputError, OntoevalError, ParameterError, enumerate_some, pluralise
from ontoeval.labels.reading_options import ReadingOptions
from ontoeval.ontology.file_formats import Direction
from ontoeval.options import Opt
from ontoeval.plumbing.files import real_path, short_names
from ontoeval.plumbing.writing import check_folder_name, write_all

if TYPE_CHECKING:
    from ontoeval.benchmarks.runs import ComparedRuns

Trust = Annotated[
    bool,
    Opt(
        "Import the modules of measures that the file names as module:Class. This runs code of the "
        "file's author."
    ),
]


def run(
    cut: PartsOptions,
    file: Annotated[
        Path, Opt(f"The benchmark file, or its folder; by default {BENCHMARK_FILE}.", positional=True)
    ] = Path(BENCHMARK_FILE),
    *,
    out_dir: Annotated[
        Path | None,
        output_option(
            "Write the results into this folder; by default the one that the file names.",
            metavar="FOLDER",
            flags=("--out", "-o"),
        ),
    ] = None,
    part: Annotated[
        Part | None,
        output_option(
            "Compute only this part: the comparison, or the study of the section [study]. The folder then "
            "holds nothing else. By default both."
        ),
    ] = None,
    trust: Trust = False,
    output: RunsFormat = "table",
    fail_under: FailUnder = (),
    verbose: Verbose = False,
) -> None:
    """Run a benchmark file, and write a folder of results with its recipe."""
    from ontoeval.cli.scoring import present_study
    from ontoeval.cli.terminal import emit, out, present_runs, progress, tell, warn
    from ontoeval.reports.terminal import join_lines, paragraphs

    limits = limits_of(fail_under)
    if out_dir is not None:
        check_folder_name("--out", out_dir)
    if part == "study" and (limits or output == "metrics"):
        raise ParameterError("--part", part, "the comparison too, which has the scores of runs")
    benchmark = read_benchmark(file, out=out_dir, trust=trust).select_part(part)
    warn(cut.leftovers())
    results = write_results(benchmark, progress, cut)
    where = os.path.relpath(benchmark.results)
    summary = f"All results are in {where}; `ontoeval verify {where}` repeats them."
    compared, studied = results.compared, results.studied
    if output == "metrics":
        emit(metrics_text(competing(cast("ComparedRuns", compared).comparison)))
    else:
        if compared is not None:
            whole = output == "table" or not compared.sliced
            board = compared.board if whole else compared.board_of_parts
            present_runs(compared, board, output, verbose=verbose)
        if compared is not None and compared.sliced:
            summary = f"{summary} leaderboard-by.csv has those of {pluralise(len(compared.sliced), 'part')}."
        if studied is not None and compared is None:
            present_study(studied, output, verbose=verbose)
        elif studied is not None:
            tell(["", *studied.verdict.split("\n")], output)
    if output == "table":
        out.print(join_lines(paragraphs(["", summary], out.width, style="bold", indent=2)), soft_wrap=True)
    if compared is not None:
        check_limits(limits, competing(compared.comparison))


def verify_results(
    folder: Annotated[
        Path,
        Opt(
            "Folder of results of `ontoeval run`, or of `ontoeval study --out`; or its recipe.json.",
            metavar="FOLDER",
            positional=True,
        ),
    ],
    *,
    source: Annotated[
        Path | None,
        Opt(
            "The benchmark file or its folder, where it was moved; by default where the results place it.",
            metavar="PATH",
            flags=("--from",),
        ),
    ] = None,
    trust: Trust = False,
    output: Output = "table",
) -> None:
    """Compute results again by their recipe, and compare.

    The exit code is 1 where an input has changed, or a result does not hold.
    """
    from ontoeval.cli.terminal import progress, show

    found = verify(folder, source=source, trust=trust, progress=progress)
    show(found.table(), output, verified=found.holds)
    if not found.holds:
        end_with_findings()


_ONTOLOGIES = frozenset({".owl", ".ttl", ".obo", ".rdf", ".skos"})

_NAMES: Mapping[str, Collection[str]] = {
    "truth": ("truth", "gold", "ground_truth", "groundtruth", "reference"),
    "runs": ("runs", "submissions", "predictions"),
    "ontology": ("ontology", "hierarchy", "taxonomy"),
    "concepts": ("concepts", "classes"),
    "concept_map": ("concept_map", "label_map"),
    "agreement": ("agreement",),
    "names": ("names", "teams"),
}
"""Names by which `init` knows the files of a benchmark, without suffixes."""


_BENCHMARK: dict[str, object] = {
    "truth": "truth.csv",
    "runs": ["runs"],
    "ontology": "photo",
    "agreement": "agreement.csv",
    "out": "comparison",
}
"""The demo's benchmark file; the folder of the scores is taken."""


def demo(
    out_dir: Annotated[
        Path,
        Opt("Folder for the benchmark's files and the results.", metavar="FOLDER", flags=("--out", "-o")),
    ] = Path("ontoeval-demo"),
) -> None:
    """Score the shipped photo benchmark: synthetic truth, four runs and an agreement table."""
    from ontoeval.cli.terminal import out, present_runs, progress
    from ontoeval.ontology import ontologies
    from ontoeval.reports.terminal import join_lines, paragraphs

    check_folder_name("--out", out_dir)
    source = ontologies.benchmark()
    files = [source / "truth.csv", source / "agreement.csv", *sorted((source / "runs").glob("*.csv"))]
    copies = {out_dir / file.relative_to(source): file.read_text(encoding="utf-8") for file in files}
    copies[out_dir / BENCHMARK_FILE] = template(_BENCHMARK)
    for path, text in copies.items():
        if path.exists() and path.read_text(encoding="utf-8", errors="replace") != text:
            raise InputError(
                "another file of this name is there already", "Name an empty folder with --out.", where=path
            )
    write_all(copies)
    scoring = ScoringOptions(
        truth=out_dir / "truth.csv",
        runs=tuple(path for path in copies if path.parent.name == "runs"),
        agreement=out_dir / "agreement.csv",
        reading=ReadingOptions(ontology=str(ontologies.path("photo"))),
    )
    with progress("Scoring, comparing and drawing", 3) as step:
        result = score_runs(scoring)
        step()
        report, page, seen = _demo_page(result.dataset, out_dir)
        step()
        Destinations(out_dir / "results", SCORE_FILES, report).write(result.texts, public=False, page=page)
    present_runs(result, result.board, "table")
    where = f"All of these data are synthetic. Data and results are in {out_dir}"
    own = ["", "With files of your own:", "ontoeval compare TRUTH RUNS --ontology FILE --report page.html"]
    out.print(join_lines(paragraphs(["", where], out.width, style="bold", indent=2)), soft_wrap=True)
    out.print(join_lines(paragraphs([*seen, *own], out.width, indent=2)), soft_wrap=True)


def _demo_page(dataset: Dataset, folder: Path) -> tuple[Path, Callable[[], str], list[str]]:
    """Make the page of the demo: its path, its text, and what to see in it."""
    from ontoeval.comparison.baselines import USUAL_BASELINES
    from ontoeval.comparison.plan import Plan
    from ontoeval.reports.verdicts import best_run

    found = dataset.compare(Plan(), baselines=USUAL_BASELINES)

    def with_scores(measure: str, *runs: str) -> str:
        scores = [f"{found.scores[found.runs.index(run), found.column(measure)]:.4f}" for run in runs]
        return f"{measure} ({' and '.join(scores)})"

    path = folder / "report.html"
    good, poor = (with_scores(measure, "over-labelling") for measure in ("hF", "OS"))
    alike, apart = (with_scores(measure, "near-miss", "noisy") for measure in ("F", "OS"))
    tells = "the ontology tells near errors from far ones"
    breaks = "it breaks rules of the ontology, which only OS penalises"
    seen = [
        f"Open {path} in a browser. What to see in it:",
        best_run(found),
        f"'near-miss' and 'noisy' are close by {alike}, and far apart by {apart}: {tells}.",
        f"'over-labelling' is second by {good} and last by {poor}: {breaks}.",
    ]
    return path, partial(found.report, title="Demo: photo benchmark"), seen


def init(
    folder: Annotated[
        Path, Opt("Folder for the benchmark file.", metavar="FOLDER", positional=True)
    ] = Path(),
) -> None:
    """Write a commented benchmark file, filling in what lies beside it; nothing is overwritten."""
    from ontoeval.cli.terminal import tell

    path = folder / BENCHMARK_FILE
    if path.exists():
        raise InputError("this file is there already", "Edit it, or name another folder.", where=path)
    found, lines = _guess_files(folder)
    # It weights the score of an ontology.
    if "ontology" not in found and (agreement := found.pop("agreement", None)) is not None:
        lines.append(
            f"agreement = {to_toml(agreement)} is left out: it needs an ontology, and none was found"
        )
    if "ontology" in found and (direction := _direction(folder / found["ontology"])) is not None:
        found["direction"] = direction
        lines.append("The hierarchy does not name the ends of its links; only in this direction it is a tree")
    lacking, ready = " and ".join(key for key in ("truth", "runs") if key not in found), True
    if not lacking:
        found, remarks, ready = _tried(found, path)
        lines += remarks
    write_all({path: template(found)})
    lines = [*(f"{key} = {to_toml(value)}" for key, value in found.items()), *lines]
    first = f"put {lacking} in their places, then " if lacking else ""
    told = f"{first}`ontoeval run {path}` runs the benchmark" if ready else "mend what is below, then run it"
    tell([f"{path} is written; {told}", *lines], "table")


def _guess_files(folder: Path) -> tuple[dict[str, Any], list[str]]:
    """Guess the key of each file from its name; of several candidates none, with a remark."""
    paths = sorted(folder.iterdir()) if folder.is_dir() else []
    found, remarks, named = dict[str, Any](), list[str](), set[str]()
    for key, names in _NAMES.items():
        fitting = [path.name for path in paths if _has_role(path, key, names)]
        named |= {*fitting}
        if len(fitting) == 1:
            found[key] = fitting if key == "runs" else fitting[0]
        elif fitting:
            remarks.append(f"{key} is left open: it may be {enumerate_some(fitting)}")
    others = [path.name for path in paths if path.suffix in {".csv", ".tsv"} and path.name not in named]
    if others and "ontology" not in found:
        remarks.append(f"Not used: {enumerate_some(others)}; if one is the ontology, write ontology = NAME")
    return found, remarks


def _has_role(path: Path, key: str, names: Collection[str]) -> bool:
    """Whether a file, or the folder of the runs, has one of the names, or an ontology the suffix of one."""
    name = short_names([path])[0].lower().replace("-", "_")
    of_ontology = key == "ontology" and path.suffix.lower() in _ONTOLOGIES
    return path.is_dir() == (key == "runs") and (name in names or of_ontology)


def _direction(path: Path) -> Direction | None:
    """Find the one direction of the links that gives each concept one parent, where the file names none."""
    from ontoeval.ontology.reading import read_ontology

    trees = list[Direction]()
    for direction in (None, *get_args(Direction)):
        try:
            graph = read_ontology(path, direction=direction).graph
        except OntoevalError:
            continue
        if direction is None:
            return None
        trees += [direction] * all(degree < 2 for _, degree in graph.in_degree())  # noqa: PLR2004 - parents
    return trees[0] if len(trees) == 1 else None


def _tried(found: dict[str, Any], path: Path) -> tuple[dict[str, Any], list[str], bool]:
    """Read the files as the benchmark would, missing samples as empty; with remarks, and whether it runs."""
    from ontoeval.benchmarks.dataset import read_dataset
    from ontoeval.cli.terminal import progress

    reasons: list[OntoevalError] = []
    for more in ({}, {"missing": "empty"}):
        try:
            scoring = benchmark_of(template(found | more), path).options.scoring
            with naming_keys(path), progress("Reading", 2 * len(scoring.found_runs.paths) + 1) as step:
                read_dataset(scoring, step)
        except OntoevalError as error:
            reasons.append(error)
        else:
            told = [f"Missing samples count as empty: {getattr(one, 'problem', one)}" for one in reasons]
            return found | more, told, True
    # Paths are shown as the file writes them.
    reason = str(reasons[0]).replace(f"{real_path(path.parent)}{os.sep}", "")
    return found, [f"It does not run yet: {reason}"], False
