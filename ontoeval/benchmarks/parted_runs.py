"""Runs of which the label files are larger than memory: scored and compared in parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ontoeval.benchmarks.dataset import Dataset, described, read_hierarchy
from ontoeval.benchmarks.inputs import withholding
from ontoeval.benchmarks.scoring_options import ComparisonOptions, ScoringOptions
from ontoeval.errors import ParameterError
from ontoeval.labels.formats import label_option
from ontoeval.options import flag
from ontoeval.plumbing.checks import requires
from ontoeval.plumbing.processes import Workers, in_processes, is_client

if TYPE_CHECKING:
    from ontoeval.comparison.plan import Plan, Progress
    from ontoeval.comparison.result import Comparison
    from ontoeval.core.resampling import Bootstrap
    from ontoeval.evaluation.alignment import SideOptions
    from ontoeval.evaluation.scoring import Evaluation
    from ontoeval.labels.scored_parts import PartJob, PartReading

AUTO = "auto"

MOST_PARTS = 200
"""Most parts: while a file is cut, each is an open file."""

PART = 2**25
"""Bytes of the largest file in a part, where the number of parts is not given."""


@dataclass(frozen=True, kw_only=True)
class PartsOptions:
    """Whether label files are cut into parts, where these lie, and who scores them."""

    parts: Annotated[
        str | None,
        label_option(
            "Cut the label files by sample into this many parts on disk, or auto, and score one after the "
            "other: for files larger than memory. --workers are then processes. Needs the extra 'arrow'.",
            metavar="NUMBER|auto",
        ),
    ] = None
    scheduler: Annotated[
        str | None,
        label_option(
            "Address of a Dask scheduler, such as tcp://host:8786, whose workers score the parts. Needs "
            "--parts, and a --scratch folder that all workers can read.",
            metavar="ADDRESS",
        ),
    ] = None
    scratch: Annotated[
        Path | None,
        label_option(
            "Folder for the parts, which take the disk of the unpacked files, or four times that of Parquet, "
            "and are removed in the end; by default the system's for temporary files.",
            metavar="FOLDER",
        ),
    ] = None

    def __post_init__(self) -> None:
        """Refuse options of parts without parts, and numbers that are none."""
        if self.parts is None:
            for name in ("scheduler", "scratch"):
                if (value := getattr(self, name)) is not None:
                    raise ParameterError(flag(name), str(value), "--parts beside it, such as --parts auto")
        elif self.parts != AUTO and not (self.parts.isdecimal() and 1 <= int(self.parts) <= MOST_PARTS):
            raise ParameterError("--parts", self.parts, f"'auto', or a number from 1 to {MOST_PARTS}")

    def check(self, scoring: ScoringOptions, **others: object) -> None:
        """Refuse options and measures that need all samples at once."""
        from ontoeval.evaluation.parts import measures_in_parts

        names = ("sample_weights", "groups", "known", "negative", "decode")
        given = {name: getattr(scoring, name) for name in names} | others
        if self.parts is not None and (option := next((name for name in given if given[name]), None)):
            expected = f"no {flag(option)} beside it, which needs all samples at once"
            raise ParameterError("--parts", self.parts, expected)
        if self.parts is not None and scoring.chosen_measures:
            measures_in_parts(scoring.chosen_measures)

    def check_comparison(self, options: ComparisonOptions, **outputs: Path | None) -> None:
        """Refuse options of comparing that need all samples at once."""
        self.check(options.scoring, by=options.by, chance=options.chance, **outputs)

    def leftovers(self) -> list[str]:
        """Name the folders of parts that killed programs have left."""
        from ontoeval.plumbing.writing import scratch_of_killed_programs

        found = [] if self.parts is None else scratch_of_killed_programs(self.scratch)
        return [f"{folder}: parts that a killed program has left; remove this folder" for folder in found]

    def counted(self, scoring: ScoringOptions) -> PartsOptions:
        """Decide how many parts, by the largest file."""
        if self.parts != AUTO:
            return self
        from ontoeval.labels.splitting import size_of

        largest = max(map(size_of, (scoring.truth, *scoring.found_runs.paths)))
        return replace(self, parts=str(min(max(-(-largest // PART), 1), MOST_PARTS)))

    @contextmanager
    def place(self, needed: int) -> Iterator[tuple[Path, Workers | None]]:
        """Make a folder for the parts, and connect to the cluster if there is one, which must see it."""
        from ontoeval.plumbing.processes import connected, refuse_unfit_workers
        from ontoeval.plumbing.writing import scratch_folder

        cluster = nullcontext() if self.scheduler is None else connected(self.scheduler)
        with cluster as client, scratch_folder(self.scratch, needed) as folder:
            if client is not None:
                refuse_unfit_workers(client, folder)
            yield folder, client


WHOLE = PartsOptions()
"""Files are read whole."""


@dataclass(frozen=True, eq=False)
class PartedRuns:
    """Truth and runs that are scored in parts."""

    scoring: ScoringOptions
    how: PartsOptions

    def evaluate(self, progress: Progress) -> tuple[Dataset, dict[str, Evaluation]]:
        """Score every run."""
        dataset, found = self._evaluated(progress)
        return dataset, dict(zip(self.scoring.found_runs.names, found, strict=True))

    def compare(
        self, plan: Plan, baselines: Sequence[str] | None, progress: Progress
    ) -> tuple[Dataset, Comparison]:
        """Compare the runs, by resamples of each part."""
        from ontoeval.comparison import resampled_totals as resampled
        from ontoeval.comparison.baselines import chosen_baselines

        names = self.scoring.found_runs.names
        kinds, remarks = resampled.constant_baselines(baselines, names), list[str]()
        dataset, found = self._evaluated(progress, resampled.poisson(plan), kinds)
        if others := [kind for kind in chosen_baselines(baselines, names) if kind not in kinds]:
            remarks.append(f"Baselines that need all samples at once are not shown: {', '.join(others)}.")
        every = dict(zip((*names, *kinds), found, strict=True))
        compared = resampled.comparison_of_totals(every, plan, baselines=kinds)
        dataset = replace(dataset, remarks=(*dataset.remarks, *remarks), brief=(*dataset.brief, *remarks))
        return dataset, replace(compared, public=dataset.public, ranking=dataset.ranking)

    def _evaluated(
        self, progress: Progress, bootstrap: Bootstrap | None = None, kinds: Sequence[str] = ()
    ) -> tuple[Dataset, list[Evaluation]]:
        """Score the runs, and constant baselines behind them."""
        from ontoeval.evaluation.alignment import SideOptions
        from ontoeval.labels.reading import LabelFileReader
        from ontoeval.labels.scored_parts import PartReading
        from ontoeval.labels.splitting import size_of, split

        requires("pyarrow", "arrow", "Scoring in parts (--parts)")
        scoring, runs = self.scoring, self.scoring.found_runs
        reader, hierarchy, agreement, of_weights = read_hierarchy(scoring)
        labels: Any = {"only": scoring.only, "outside": scoring.outside}
        how = SideOptions(hierarchy, scoring.missing, agreement=agreement, **labels)
        paths, parts = (scoring.truth, *runs.paths), int(self.how.counted(scoring).parts or 1)
        options = (reader.reading.of_truth, *[reader.run_reading] * len(runs.paths))
        readers = [LabelFileReader.from_options(reader.ontology, one) for one in options]
        where, problem = ", ".join(map(str, runs.paths)), "these runs cannot be scored against the truth"
        place = self.how.place(sum(map(size_of, paths)))
        with place as (folder, workers), withholding(where, problem, public=reader.public):
            cutting, files = partial(split, paths, readers, folder, parts), []
            alone = 1 if is_client(workers) else workers  # a cluster need not see the files
            with progress("Cutting, files", len(paths)) as step, in_processes(cutting, alone) as each:
                for file in each(range(len(paths))):
                    files.append(file)
                    step()
            job = self._job(PartReading(files, readers, parts), how, bootstrap, kinds, workers)
            with progress("Scoring, parts", parts) as step:
                reported, found = job.done(workers, step)
        reader.sample_weights(None, reported[0])
        both = described(scoring, reader, reported, of_weights, found.unmatched)
        sets: Any = reported[0].sets
        dataset = Dataset(sets, {}, runs, hierarchy, {}, *both, scoring.public, scoring.ranking)
        return dataset, job.evaluations(reported, found)

    def _job(
        self,
        reading: PartReading,
        how: SideOptions,
        bootstrap: Bootstrap | None,
        kinds: Sequence[str],
        workers: Workers | None,
    ) -> PartJob:
        """Plan what is done with each part; for the baseline prior, read the parts of the truth once more."""
        from ontoeval.comparison import resampled_totals as resampled
        from ontoeval.evaluation.parts import PartScoring
        from ontoeval.labels.scored_parts import PartJob

        reading, vocabulary = reading.resolved(workers)
        scoring = PartScoring.from_options(how, self.scoring.measures_over(how.hierarchy), vocabulary)
        if bootstrap is not None:
            number = len(reading.files) - 1 + len(kinds)
            resampled.refuse_many_resamples(scoring.empty, bootstrap.resamples, number)
        job = PartJob(reading, scoring)
        shares = job.shares(workers) if "prior" in kinds else None
        names = scoring.empty.vocabulary
        marks = tuple(resampled.constant_labels(kind, names, shares) for kind in kinds)
        return replace(job, scoring=replace(scoring, bootstrap=bootstrap, constant=marks))
