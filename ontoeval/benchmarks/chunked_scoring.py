"""``score --chunk`` and ``compare --chunk``: label files larger than memory, read in chunks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from ontoeval.benchmarks.dataset import Dataset
from ontoeval.benchmarks.inputs import Reader, reader_of, withholding
from ontoeval.benchmarks.scoring_options import ScoringOptions
from ontoeval.errors import ParameterError

if TYPE_CHECKING:
    from ontoeval.comparison.plan import Plan, Progress
    from ontoeval.comparison.result import Comparison
    from ontoeval.core.scans import Scan
    from ontoeval.evaluation.portions import PortionScoring
    from ontoeval.evaluation.scoring import Evaluation
    from ontoeval.labels.resolved import LabelFile
    from ontoeval.plumbing.processes import Workers

_TESTED = (
    "Tested by the bootstrap, corrected by Holm: the randomisation test needs all samples at once, which "
    "--chunk does not read."
)


def refuse_beside_chunk(chunk: int, scoring: ScoringOptions, **others: object) -> None:
    """Refuse options that need all samples at once."""
    from ontoeval.measures.base import info
    from ontoeval.measures.catalogue import name

    given = {
        name: getattr(scoring, name) for name in ("sample_weights", "groups", "known", "negative")
    } | others
    for option, value in given.items():
        if value:
            flag = f"--{option.replace('_', '-')}"
            raise ParameterError("--chunk", chunk, f"no {flag} beside it, which needs all samples at once")
    if scoring.reading.ontology is None and scoring.reading.concepts is None:
        expected = "an --ontology or a list of --concepts beside it: all chunks need the same concepts"
        raise ParameterError("--chunk", chunk, expected)
    of_scores = [name(measure) for measure in scoring.chosen_measures if info(measure, "takes") == "scores"]
    if of_scores:
        expected = f"measures of label sets: those of scores ({', '.join(of_scores)}) need whole files"
        raise ParameterError("--chunk", chunk, expected)


@dataclass(frozen=True, eq=False)
class _ChunkedFile:
    """What is reported of a file that was read in chunks."""

    source: str
    format: Any
    counts: Mapping[str, int]

    @property
    def notes(self) -> list[str]:
        return [f"{self.source}: {count:,} {what}" for what, count in self.counts.items()]


@dataclass(frozen=True, eq=False)
class ScannedDataset:
    """Truth and runs that are read in chunks, and how they are scored."""

    options: ScoringOptions
    reader: Reader
    scans: Sequence[Scan]
    scoring: PortionScoring
    remarks: tuple[str, ...]
    workers: Workers | None = None

    @classmethod
    def from_options(
        cls, options: ScoringOptions, chunk: int, workers: Workers | None = None
    ) -> ScannedDataset:
        """Read the ontology and the beginnings of all label files."""
        from ontoeval.evaluation.alignment import SideOptions
        from ontoeval.evaluation.sample_join import scoring_of_parts
        from ontoeval.labels.scanned_files import scan_labels

        reader, runs = reader_of(options.reading, public=options.public), options.found_runs
        agreement = reader.agreement(options.agreement, options.agreement_default)
        hierarchy, of_weights = reader.weighted_hierarchy(options.weights, options.information_from)
        with withholding(options.truth, "the truth cannot be read as it is", public=options.public):
            truth = scan_labels(options.truth, reader.ontology, chunk=chunk, **reader.truth_options)
        predictions = (
            scan_labels(path, reader.ontology, chunk=chunk, **reader.run_options) for path in runs.paths
        )
        scans = [truth, *predictions]
        how = SideOptions(hierarchy, options.missing, agreement=agreement)
        named = dict(zip(runs.names, scans[1:], strict=True))
        scoring = scoring_of_parts(truth, named, how, list(options.chosen_measures) or None)
        reader.sample_weights(None, cast("LabelFile", _ChunkedFile(truth.where, truth.form, {})))
        preset = options.chosen_preset
        of_preset = () if preset is None else (f"Preset {options.preset}: {preset.title}", *preset.lines)
        return cls(options, reader, scans, scoring, (*of_weights, *of_preset), workers)

    def dataset(self, counts: Sequence[Counter[str]]) -> Dataset:
        """Describe what was read."""
        files: Any = [
            _ChunkedFile(scan.where, getattr(scan, "form", ""), count)
            for scan, count in zip(self.scans, counts, strict=True)
        ]
        options, runs = self.options, self.options.found_runs

        def remarks(*, brief: bool) -> tuple[str, ...]:
            of_files = self.reader.remarks(files, brief=brief)
            return tuple(map(options.without_folder, (*runs.remarks, *of_files, *self.remarks)))

        truth, *predictions = self.scans
        named: Any = dict(zip(runs.names, predictions, strict=True))
        both = remarks(brief=False), remarks(brief=True)
        return Dataset(cast("Any", truth), named, runs, self.scoring.hierarchy, {}, *both, options.public)

    def evaluate(self, progress: Progress) -> tuple[Dataset, dict[str, Evaluation]]:
        """Score every run."""
        from ontoeval.core.scans import percent_steps
        from ontoeval.evaluation.sample_join import totals_of_scans
        from ontoeval.evaluation.scoring import Evaluation

        with progress("Scoring, %", 100) as percent, self._withholding():
            step = percent_steps(percent, self.scans[0].size)
            found = totals_of_scans(self.scoring, self.scans, self.workers, step)
        names = self.options.found_runs.names
        results = {name: Evaluation(totals) for name, totals in zip(names, found.totals, strict=True)}
        return self.dataset(found.counts), results

    def compare(
        self, plan: Plan, baselines: Sequence[str] | None, progress: Progress
    ) -> tuple[Dataset, Comparison]:
        """Compare the runs."""
        from ontoeval.comparison.resampled_totals import plan_of_totals
        from ontoeval.comparison.scan_comparison import compare_parts

        (truth, *runs), changed = self.scans, self
        named = dict(zip(self.options.found_runs.names, runs, strict=True))
        if plan.test == "randomisation":
            correction = "holm" if plan.correction == "tukey" else plan.correction
            plan = replace(plan, test="bootstrap", correction=correction)
            changed = replace(self, remarks=(*self.remarks, *([_TESTED] if len(runs) > 1 else [])))
        plan = plan_of_totals(plan, {})
        with self._withholding():
            found, counts = compare_parts(self.scoring, truth, named, plan, baselines, self.workers, progress)
        return changed.dataset(counts), replace(found, public=self.options.public)

    def _withholding(self) -> AbstractContextManager[None]:
        paths = ", ".join(map(str, self.options.found_runs.paths))
        problem = "these runs cannot be scored against the truth"
        return withholding(paths, problem, public=self.options.public)
