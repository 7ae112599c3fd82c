"""Runs that have been scored or compared, with the files of their results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ontoeval.benchmarks.dataset import Dataset, RunLeaderboard, read_dataset
from ontoeval.benchmarks.parted_runs import WHOLE, PartedRuns, PartsOptions
from ontoeval.benchmarks.scoring_options import ComparisonOptions, ScoringOptions
from ontoeval.comparison.plan import Progress, silent

if TYPE_CHECKING:
    from ontoeval.comparison.result import Comparison
    from ontoeval.core.batch import Batch
    from ontoeval.core.showing import FrameRows
    from ontoeval.core.table import Table
    from ontoeval.evaluation.scoring import Evaluation


@dataclass(frozen=True, eq=False)
class ScoredRuns(RunLeaderboard):
    """Runs that have been scored."""

    results: Mapping[str, Evaluation]

    @property
    def sets(self) -> dict[str, Batch]:
        """The label sets of the runs; of scores alone there are none, and nothing is counted."""
        return {run: result.sets for run, result in self.results.items() if result.sets is not None}

    def page(self, about: Mapping[str, Any]) -> str:
        """Write the page of all runs."""
        from ontoeval.reports.comparison import report
        from ontoeval.reports.verdicts import untested_comparison

        one = self.dataset
        runs = untested_comparison(self.results, one.ranking, public=one.public)
        of = next(iter(self.results)) if len(self.results) == 1 else "runs"
        how = {"title": f"Scores of {of}", "teams": one.runs.by_team, "inputs": one.remarks, **about}
        return report(runs, **how)

    def each(self, rows: FrameRows) -> Table:
        """List the scores of every sample, or the counts and scores of every concept."""
        from ontoeval.reports.notebook import ROWS

        return self.dataset.runs.with_teams(ROWS[rows](self.results))

    def texts(self) -> dict[str, str]:
        """Make the files of a folder of results, without those that reveal a truth that is not public."""
        from ontoeval.reports.formats import to_csv

        texts = super().texts()
        if not self.dataset.public and self.first.batch is not None:
            texts["per_sample.csv"] = to_csv(self.each("sample"))
            if self.sets:
                texts["per_concept.csv"] = to_csv(self.each("concept"))
        return texts


def score_runs(
    scoring: ScoringOptions,
    progress: Progress = silent,
    parts: PartsOptions = WHOLE,
    by: Sequence[str] = (),
    *,
    soft: bool = True,
) -> ScoredRuns:
    """Read all files, whole or in parts, and evaluate every run."""
    from ontoeval.evaluation.scoring import notes_in_public, signature_of
    from ontoeval.reports.evaluation import leaderboard

    if parts.parts is not None:
        dataset, results = PartedRuns(scoring, parts).evaluate(progress)
    else:
        with progress("Scoring", 2 * len(scoring.found_runs.paths) + 1) as step:
            dataset = read_dataset(scoring, step, by, soft=soft)
            results = dataset.evaluate(step)
    boards = [leaderboard(results)]
    if by:
        from ontoeval.reports.scores import boards_of_parts

        boards += filter(None, [boards_of_parts(results)])
    if dataset.public:  # other notes are on the truth
        boards = [replace(one, notes=tuple(notes_in_public(results))) for one in boards]
    if len(results) > 1:
        from ontoeval.reports.verdicts import of_scores

        said = of_scores(results, dataset.ranking)
        boards = [replace(one, head=" ".join(filter(None, [one.head, said]))) for one in boards]
    board, *below = map(dataset.runs.with_teams, boards)
    first = next(iter(results.values()))
    recipe = signature_of(first, public=dataset.public)
    return ScoredRuns(dataset, first, recipe, board, next(iter(below), None), results)


@dataclass(frozen=True, eq=False)
class ComparedRuns(RunLeaderboard):
    """Runs that have been compared, as a whole and in parts."""

    comparison: Comparison

    @property
    def methods(self) -> Sequence[str]:
        """Notes on how intervals and tests are computed."""
        return self.comparison.lines

    def pairs(self, *, by_parts: bool) -> Table:
        """List the differences of all pairs of runs; in all parts, one below the other."""
        from ontoeval.reports.comparison import pairs_table, tables_by_part

        table, with_teams = pairs_table(self.comparison), self.dataset.runs.with_teams
        if by_parts:
            table = tables_by_part("Differences of runs", self.comparison, pairs_table)
        return with_teams(with_teams(table), "other")

    def texts(self) -> dict[str, str]:
        """Make the files of a folder of results."""
        from ontoeval.reports.comparison import long_table
        from ontoeval.reports.formats import to_csv, to_markdown

        return super().texts() | {
            "leaderboard.md": to_markdown(self.board),
            "scores.csv": to_csv(self.dataset.runs.with_teams(long_table(self.comparison))),
            "pairs.csv": to_csv(self.pairs(by_parts=False)),
        }


def _with_boards(dataset: Dataset, comparison: Comparison) -> ComparedRuns:
    """Rank the runs, or the systems of which they are seeds, and the runs part by part."""
    from ontoeval.comparison.seeds import scores_of_systems
    from ontoeval.reports.comparison import boards_of_parts, leaderboard

    runs, first = dataset.runs, comparison.first
    own = scores_of_systems(comparison, runs.by_system) if runs.systems else None
    board = runs.with_teams(leaderboard(comparison)) if own is None else own
    below = runs.with_teams(boards_of_parts(comparison)) if comparison.parts else None
    return ComparedRuns(dataset, first, comparison.signature, board, below, comparison)


def compare_runs(
    options: ComparisonOptions, progress: Progress = silent, parts: PartsOptions = WHOLE
) -> ComparedRuns:
    """Read all files, whole or in parts, and compare the runs."""
    if parts.parts is not None:
        parted = PartedRuns(options.scoring, parts)
        dataset, found = parted.compare(options.plan, options.baseline_kinds, progress)
        return _with_boards(dataset, found)
    with progress("Reading", len(options.scoring.found_runs.paths) + 1) as step:
        dataset = read_dataset(options.scoring, step, options.by, soft=True)
    how: dict[str, Any] = {"baselines": options.baseline_kinds, "chance": options.chance}
    return _with_boards(dataset, dataset.compare(options.plan, **how, progress=progress))
