"""Runs that have been scored or compared, with the files of their results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ontoeval.benchmarks.dataset import RunLeaderboard, read_dataset
from ontoeval.benchmarks.parted_runs import WHOLE, PartedRuns, PartsOptions
from ontoeval.benchmarks.scoring_options import ComparisonOptions, Runs, ScoringOptions
from ontoeval.comparison.plan import Progress, silent
from ontoeval.errors import enumerate_some, pluralise

if TYPE_CHECKING:
    from ontoeval.comparison.result import Comparison
    from ontoeval.core.batch import Batch
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
        from ontoeval.reports.scores import page_of_runs

        one, teams = self.dataset, self.dataset.runs.by_team
        return page_of_runs(self.results, teams=teams, public=one.public, ranking=one.ranking, **about)

    def per_sample(self) -> str:
        """Write the scores of every sample."""
        from ontoeval.reports import evaluation as tables
        from ontoeval.reports.formats import to_csv

        return to_csv(self.dataset.runs.with_teams(tables.per_sample(self.results)))

    def per_concept(self) -> str:
        """Write the counts of every concept."""
        from ontoeval.confusion.one_vs_rest import counts_of
        from ontoeval.reports import evaluation as tables
        from ontoeval.reports.formats import to_csv

        counts = {run: counts_of(batch) for run, batch in self.sets.items()}
        return to_csv(self.dataset.runs.with_teams(tables.per_concept(counts)))

    def texts(self) -> dict[str, str]:
        """Make the files of a folder of results, without those that reveal a truth that is not public."""
        texts = super().texts()
        if not self.dataset.public and self.first.batch is not None:
            texts["per_sample.csv"] = self.per_sample()
            if self.sets:
                texts["per_concept.csv"] = self.per_concept()
        return texts


def score_runs(
    scoring: ScoringOptions, progress: Progress = silent, parts: PartsOptions = WHOLE
) -> ScoredRuns:
    """Read all files, whole or in parts, and evaluate every run."""
    from ontoeval.reports.evaluation import leaderboard

    if parts.parts is not None:
        dataset, results = PartedRuns(scoring, parts).evaluate(progress)
    else:
        with progress("Scoring", 2 * len(scoring.found_runs.paths) + 1) as step:
            dataset = read_dataset(scoring, step, soft=True)
            results = dataset.evaluate(step)
    board, first = dataset.runs.with_teams(leaderboard(results)), next(iter(results.values()))
    if dataset.public:  # its notes are on the truth
        board = replace(board, notes=())
    if len(results) > 1:
        from ontoeval.reports.verdicts import of_scores

        board = replace(board, head=" ".join(filter(None, [board.head, of_scores(results, dataset.ranking)])))
    return ScoredRuns(dataset, first, first.signature, board, results)


@dataclass(frozen=True, eq=False)
class ComparedRuns(RunLeaderboard):
    """Runs that have been compared, as a whole and in parts."""

    comparison: Comparison
    sliced: Mapping[tuple[str, str], Comparison]

    @property
    def methods(self) -> Sequence[str]:
        """Notes on how intervals and tests are computed."""
        return self.comparison.lines

    @property
    def parts(self) -> dict[tuple[str, str], Comparison]:
        """The comparison of everything, and those of the parts."""
        return {("", "all"): self.comparison, **self.sliced}

    @cached_property
    def board_of_parts(self) -> Table:
        """The leaderboards of everything and of the parts, one below the other."""
        from ontoeval.comparison.result import behind_baselines
        from ontoeval.reports.comparison import by_part, leaderboard

        board = by_part("Leaderboards", {key: leaderboard(one) for key, one in self.parts.items()})
        behind = [part for (_, part), one in self.sliced.items() if behind_baselines(one)]
        if behind:
            lead = f"In {len(behind):,} of {pluralise(len(self.sliced), 'part')}"
            where = f"{lead} some runs do not beat the best baseline: {enumerate_some(behind)}."
            board = replace(board, head=f"{board.head} {where}")
        return self.dataset.runs.with_teams(board)

    def pairs(self, *, by_parts: bool) -> Table:
        """List the differences of all pairs of runs; in all parts, one below the other."""
        from ontoeval.reports.comparison import by_part, pairs_table

        table, with_teams = pairs_table(self.comparison), self.dataset.runs.with_teams
        if by_parts:
            tables = {key: pairs_table(comparison) for key, comparison in self.parts.items()}
            table = by_part("Differences of runs", tables)
        return with_teams(with_teams(table), "other")

    def texts(self) -> dict[str, str]:
        """Make the files of a folder of results."""
        from ontoeval.reports.comparison import long_table
        from ontoeval.reports.formats import to_csv, to_markdown

        texts = super().texts() | {
            "leaderboard.md": to_markdown(self.board),
            "scores.csv": to_csv(self.dataset.runs.with_teams(long_table(self.comparison))),
            "pairs.csv": to_csv(self.pairs(by_parts=False)),
        }
        return texts | ({"leaderboard-by.csv": to_csv(self.board_of_parts)} if self.sliced else {})


def _board(runs: Runs, comparison: Comparison) -> Table:
    """Rank the runs, or the systems of which they are seeds."""
    from ontoeval.comparison.seeds import scores_of_systems
    from ontoeval.reports.comparison import leaderboard

    if runs.systems:
        return scores_of_systems(comparison, runs.by_system)
    return runs.with_teams(leaderboard(comparison))


def compare_runs(
    options: ComparisonOptions, progress: Progress = silent, parts: PartsOptions = WHOLE
) -> ComparedRuns:
    """Read all files, whole or in parts, and compare the runs."""
    if parts.parts is not None:
        parted = PartedRuns(options.scoring, parts)
        dataset, found = parted.compare(options.plan, options.baseline_kinds, progress)
        board = _board(dataset.runs, found)
        return ComparedRuns(dataset, found.first, found.signature, board, found, {})
    with progress("Reading", len(options.scoring.found_runs.paths) + 1) as step:
        dataset = read_dataset(options.scoring, step, soft=not options.by)
    slices = dataset.slices(options.by)
    cuts = {(title, part.name): part for title, cut in slices.items() for part in cut}
    how: dict[str, Any] = {"baselines": options.baseline_kinds, "chance": options.chance}
    whole, sliced = dataset.compare(options.plan, **how, progress=progress), {}
    with progress("Comparing parts", len(cuts)) if cuts else silent("", 0) as step:
        for key, part in cuts.items():
            found = dataset.sliced(part).compare(options.plan, **how)
            # What is told of the whole is not told again.
            reasons = {kind: why for kind, why in found.left_out.items() if kind not in whole.left_out}
            sliced[key] = replace(found, left_out=reasons)
            step()
    board = _board(dataset.runs, whole)
    return ComparedRuns(
        dataset.with_slice_remarks(slices), whole.first, whole.signature, board, whole, sliced
    )
