"""Material: truth and runs as they were read, from which everything else is computed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ontoeval.cli.inputs import Inputs, remarks_on_missing
from ontoeval.cli.public import refuse_other_samples, withholding
from ontoeval.cli.runs import Runs
from ontoeval.cli.wanted import Wanted
from ontoeval.core.choices import Missing
from ontoeval.core.named_matrix import only_samples
from ontoeval.core.vocabulary import refuse_alike
from ontoeval.errors import InputError, listed

if TYPE_CHECKING:
    from ontoeval.comparison.plan import Plan
    from ontoeval.comparison.result import Comparison
    from ontoeval.core.hierarchy import Hierarchy
    from ontoeval.core.label_scores import LabelScores
    from ontoeval.core.label_sets import LabelSets
    from ontoeval.evaluation.scoring import Evaluation
    from ontoeval.evaluation.slices import Slice

_UNFIT = "this run cannot be scored against the truth"

_OWN_INFORMATION = (
    "information content and accretion come from the truth that is scored: they change with it, and are not "
    "those of any other truth"
)


@dataclass(frozen=True, eq=False)
class Material:
    """Truth and runs, and by what they are to be scored."""

    truth: LabelSets
    predictions: Mapping[str, LabelSets | LabelScores]
    runs: Runs
    hierarchy: Hierarchy | None
    agreement: Mapping[str, float] | None
    measures: tuple[Any, ...]
    threshold: float | Mapping[str, float] | None
    missing: Missing
    remarks: tuple[str, ...]
    brief: tuple[str, ...]
    public: bool

    @property
    def options(self) -> dict[str, Any]:
        """What `evaluate`, `compare` and `study` take by name."""
        return {
            "hierarchy": self.hierarchy,
            "agreement": self.agreement,
            "measures": list(self.measures) or None,
            "threshold": self.threshold,
            "missing": self.missing,
        }

    def evaluate(self, step: Callable[[], None] = lambda: None) -> dict[str, Evaluation]:
        """Score every run."""
        from ontoeval.evaluation.scoring import evaluate

        results: dict[str, Evaluation] = {}
        for path, (name, prediction) in zip(self.runs.paths, self.predictions.items(), strict=True):
            with withholding(path, _UNFIT, public=self.public):
                results[name] = evaluate(self.truth, prediction, **self.options)
            step()
        return results

    def compare(
        self,
        plan: Plan,
        *,
        baselines: Sequence[str] | None = (),
        chance: bool = False,
        step: Callable[[], None] = lambda: None,
    ) -> Comparison:
        """Compare the runs."""
        from ontoeval.comparison.runs import compare

        with self.unsaid():
            compared = compare(
                self.truth,
                self.predictions,
                plan=plan,
                baselines=baselines,
                chance=chance,
                step=step,
                **self.options,
            )
        return replace(compared, public=self.public)

    @contextmanager
    def unsaid(self) -> Iterator[None]:
        """Let no error say what the truth holds, where that is not public."""
        with withholding(self._where, "these runs cannot be scored against the truth", public=self.public):
            yield

    @cached_property
    def _where(self) -> str:
        return ", ".join(str(path) for path in self.runs.paths)

    def sliced(self, part: Slice) -> Material:
        """Keep some of the samples, or some of the labels."""
        hierarchy = None if self.hierarchy is None else part.within(self.hierarchy)
        predictions = {name: part.of(prediction) for name, prediction in self.predictions.items()}
        return replace(self, truth=part.of(self.truth), predictions=predictions, hierarchy=hierarchy)


def read_material(wanted: Wanted, inputs: Inputs, step: Callable[[], None] = lambda: None) -> Material:
    """Read truth and runs, and all that they are scored by."""
    from ontoeval.measures.base import info

    runs = wanted.runs
    agreement = inputs.agreement(*wanted.agreement)
    hierarchy, others = inputs.known(*wanted.weights)
    of_scores = any(info(measure, "takes") == "scores" for measure in wanted.measures)
    predictions: list[LabelSets | LabelScores]
    if of_scores:
        first, of_runs = inputs.scores(wanted.truth, *runs.paths, step=step)
        predictions = [file.scores for file in of_runs]
        full, brief = ([*inputs.remarks([first, *of_runs], brief=one), *others] for one in (False, True))
    else:
        first, *files = read = inputs.labels(wanted.truth, *runs.paths, step=step)
        predictions = [file.sets for file in files]
        full, brief = (
            [*inputs.remarks(read, brief=one), *others, *inputs.unclosed(read, brief=one)]
            for one in (False, True)
        )
    remarks: list[str] = []
    for path, prediction in zip(runs.paths, predictions, strict=True):
        if wanted.missing == "refuse":
            _refuse_others(path, first.sets, prediction, public=wanted.public)
        if wanted.missing == "empty":
            remarks += remarks_on_missing(path, first.sets, prediction)
    corpus = wanted.weights[1]
    if corpus is not None and corpus.resolve() == wanted.truth.resolve():
        remarks += [f"{corpus}: {_OWN_INFORMATION}"]
    if wanted.preset is not None:
        name, preset = wanted.preset
        remarks += [f"Preset {name}: {preset.title}", *preset.conventions]
    if hierarchy is not None and wanted.folder is not None:
        sources = {what: wanted.told(source) for what, source in hierarchy.sources.items()}
        hierarchy = replace(hierarchy, sources=sources)
    return Material(
        first.sets,
        dict(zip(runs.names, predictions, strict=True)),
        runs,
        hierarchy,
        agreement,
        wanted.measures,
        inputs.threshold if of_scores else None,
        wanted.missing,
        tuple(map(wanted.told, (*runs.remarks, *full, *remarks))),
        tuple(map(wanted.told, (*runs.remarks, *brief, *remarks))),
        wanted.public,
    )


def _refuse_others(path: Path, truth: LabelSets, run: LabelSets | LabelScores, *, public: bool) -> None:
    """Say which run has other samples than the truth, before hours are spent on the others."""
    if public:
        refuse_other_samples(path, truth, run)
    only = only_samples(truth, run)
    refuse_alike(chain(*only), what="sample", where=path)
    sides = zip(("truth", "prediction"), only, strict=True)
    parts = [f"{len(names):,} only in the {side} ({listed(names)})" for side, names in sides if names]
    if parts:
        remedy = "Add what is missing, or pass --missing empty to count it as empty."
        raise InputError(
            f"truth and prediction differ in their samples: {'; '.join(parts)}", remedy, where=path
        )
