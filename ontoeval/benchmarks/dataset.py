"""Truth and runs as read, whole or in groups: the input of all scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ontoeval.benchmarks.inputs import content_of, reader_of, withholding
from ontoeval.benchmarks.scoring_options import Runs, ScoringOptions
from ontoeval.errors import InputError, ParameterError, pluralise
from ontoeval.plumbing.files import real_path

if TYPE_CHECKING:
    from ontoeval.benchmarks.inputs import Reader
    from ontoeval.comparison.plan import Plan
    from ontoeval.comparison.result import Comparison, RankedBy
    from ontoeval.core.hierarchy import Hierarchy
    from ontoeval.core.label_scores import LabelScores
    from ontoeval.core.label_sets import LabelSets
    from ontoeval.core.table import Table
    from ontoeval.core.verified import VerifiedLabels
    from ontoeval.evaluation.parts import UnmatchedSamples
    from ontoeval.evaluation.scoring import Evaluation
    from ontoeval.evaluation.slices import Cuts
    from ontoeval.labels.resolved import LabelFile

_OWN_INFORMATION = (
    "information content, accretion and propensities come from the truth that is scored: they change with "
    "it, and are not those of any other truth"
)


@dataclass(frozen=True, eq=False)
class Dataset:
    """Truth, runs and options of scoring; errors reveal nothing of a truth that is not public."""

    truth: LabelSets | VerifiedLabels
    predictions: Mapping[str, LabelSets | LabelScores]
    runs: Runs
    hierarchy: Hierarchy | None
    how: Mapping[str, Any]
    remarks: tuple[str, ...]
    brief: tuple[str, ...]
    public: bool
    ranking: RankedBy

    def evaluate(self, step: Callable[[], None] = lambda: None) -> dict[str, Evaluation]:
        """Score every run."""
        from ontoeval.evaluation.scoring import evaluate
        from ontoeval.plumbing.workers import mapped

        def scored(run: tuple[Path, LabelSets | LabelScores]) -> Evaluation:
            path, prediction = run
            with withholding(path, "this run cannot be scored against the truth", public=self.public):
                return evaluate(self.truth, prediction, hierarchy=self.hierarchy, **self.how)

        results: dict[str, Evaluation] = {}
        runs = list(zip(self.runs.paths, self.predictions.values(), strict=True))
        for name, found in zip(self.predictions, mapped(scored, runs), strict=True):
            results[name] = found
            step()
        return results

    def compare(self, plan: Plan, **how: object) -> Comparison:
        """Compare the runs."""
        from ontoeval.comparison.runs import compare

        given: dict[str, Any] = {"plan": plan, "hierarchy": self.hierarchy, **how, **self.how}
        with self.withholding():
            compared = compare(self.truth, self.predictions, **given)
        shown: dict[str, Any] = {"public": self.public, "ranking": self.ranking}
        parts = {key: replace(part, **shown) for key, part in compared.parts.items()}
        return replace(compared, parts=parts, **shown)

    def withholding(self) -> AbstractContextManager[None]:
        """Compute with the truth and all runs."""
        paths = ", ".join(map(str, self.runs.paths))
        return withholding(paths, "these runs cannot be scored against the truth", public=self.public)

    def recipes(
        self, signature: str, first: Evaluation, omitted: Iterable[str] = (), **more: list[str]
    ) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
        """Write the recipe of scores, in full and in short for a terminal without `omitted` lines."""
        from ontoeval.reports.evaluation import short_recipe

        return (
            {"inputs": list(self.remarks), **more, "recipe": signature.splitlines()},
            {"inputs": list(self.brief), **more, "recipe": short_recipe(signature, first, omitted)},
        )


@dataclass(frozen=True, eq=False)
class RunLeaderboard:
    """The leaderboard of runs, the first of them, and the recipe of their scores."""

    dataset: Dataset
    first: Evaluation
    signature: str
    board: Table
    board_of_parts: Table | None
    """The leaderboards of everything and of the parts, one below the other, if there are parts."""

    @property
    def methods(self) -> Sequence[str]:
        """Notes on how intervals and tests are computed."""
        return ()

    @property
    def recipe(self) -> dict[str, list[str]]:
        """The recipe of the scores, as JSON holds it."""
        return self.dataset.recipes(self.signature, self.first)[0]

    def with_recipe_notes(self, table: Table) -> Table:
        """Add the notes that a paper needs: versions and digests, too."""
        from ontoeval.reports.evaluation import with_recipe_notes

        return with_recipe_notes(table, self.signature, self.first.totals.measures.values())

    def texts(self) -> dict[str, str]:
        """Make the files that every folder of results has."""
        from ontoeval.reports.formats import to_csv, to_json, to_latex

        board, recipe = self.board, self.recipe
        notes = [note for note in board.caption if note not in recipe["recipe"]]
        parts = {} if self.board_of_parts is None else {"leaderboard-by.csv": to_csv(self.board_of_parts)}
        return parts | {
            "leaderboard.csv": to_csv(board),
            "leaderboard.json": to_json(board, **recipe),
            "leaderboard.tex": to_latex(self.with_recipe_notes(board)),
            "recipe.txt": as_lines([*recipe["inputs"], *notes, *recipe["recipe"]]),
        }


def as_lines(lines: Iterable[str]) -> str:
    """Write each text as a line."""
    return "".join(f"{line}\n" for line in lines)


def read_dataset(
    scoring: ScoringOptions,
    step: Callable[[], None] = lambda: None,
    by: Sequence[str] = (),
    *,
    soft: bool = False,
) -> Dataset:
    """Read truth and runs, and the files by which they are scored; with `soft` also several annotators."""
    from ontoeval.core.label_sets import only_samples
    from ontoeval.core.shares import Shares
    from ontoeval.evaluation.parts import UnmatchedSamples
    from ontoeval.labels.resolved import refuse_titles_beyond
    from ontoeval.measures.base import info

    runs, (reader, hierarchy, agreement, of_weights) = scoring.found_runs, read_hierarchy(scoring)
    of_scores = any(info(measure, "takes") == "scores" for measure in scoring.chosen_measures)
    of_scores = of_scores or scoring.decode is not None
    negative = _absent_number(scoring, of_scores=of_scores)
    paths = scoring.truth, *runs.paths
    with _advising(runs):
        first, *files = replace(reader, soft=soft).labels(
            *paths, negative=negative, scores=of_scores, step=step
        )
        if hierarchy is None and scoring.reading.labels.names.concepts is None:
            refuse_titles_beyond([first, *files])
    predictions = [content_of(file) for file in files]
    weights = reader.sample_weights(scoring.sample_weights, first)
    groups = reader.sample_groups(scoring.groups, first.sets)
    known = reader.read_known_labels(scoring.known)
    only = [map(UnmatchedSamples.of_all, only_samples(first.sets, prediction)) for prediction in predictions]
    if scoring.missing == "empty":
        predictions = [one.take(first.sets.samples) for one in predictions]
    unused = tuple(title for title in first.format.unused if title not in by)
    first = replace(first, format=replace(first.format, unused=unused))
    full, brief = described(scoring, reader, [first, *files], of_weights, [*map(tuple, only)])
    parts, more = _parts(scoring, by, first, hierarchy)
    return Dataset(
        first.labels,
        dict(zip(runs.names, predictions, strict=True)),
        runs,
        hierarchy,
        {
            "agreement": agreement,
            "measures": scoring.measures_over(hierarchy, shares=isinstance(first.soft, Shares)),
            "threshold": reader.threshold if of_scores else None,
            "missing": scoring.missing,
            "sample_weight": weights,
            "groups": groups,
            "known": known,
            "by": parts,
            "only": scoring.only,
            "outside": scoring.outside,
        },
        (*full, *more),
        (*more, *brief),
        scoring.public,
        scoring.ranking,
    )


def _parts(
    scoring: ScoringOptions, by: Sequence[str], truth: LabelFile, hierarchy: Hierarchy | None
) -> tuple[Cuts | None, list[str]]:
    """Read the parts of the truth, with remarks; small ones of a truth that is not public are pooled."""
    if not by:
        return None, []
    from ontoeval.core.choices import BRANCH, LEVEL
    from ontoeval.evaluation import slices

    sets, remarks, titles = truth.sets, list[str](), truth.format.header
    specs = tuple(f"{one}={scoring.truth}" if slices.is_column(one, titles) else one for one in by)
    for one in {*specs} - {BRANCH, LEVEL}:
        slices.column_and_file(one)
    with withholding(", ".join(by), "these parts do not fit the samples of the truth", public=scoring.public):
        labels, whole = sets.vocabulary, None if hierarchy is None else hierarchy.with_labels(sets.vocabulary)
        if scoring.only is not None:
            chosen = slices.slice_of_labels(scoring.only, scoring.outside, whole, labels).labels
            labels = replace(labels, concepts=chosen or ())
        found = slices.slices_of(specs, sets.samples, labels, whole, remarks)
    if scoring.public:
        pooled = {title: slices.pool_small(parts, sets.samples) for title, parts in found.items()}
        less = ", ".join(title for title, parts in found.items() if parts != pooled[title])
        remarks = [f"by {less}: what has fewer than {slices.LEAST} members is pooled (--public)"] * bool(less)
        found = slices.Cuts(pooled)
    return found, remarks


def read_hierarchy(
    scoring: ScoringOptions,
) -> tuple[Reader, Hierarchy | None, Mapping[str, float] | None, list[str]]:
    """Read the ontology, its weights and the agreement, with remarks, before any label."""
    if scoring.public and scoring.reading.ontology is None and scoring.reading.labels.names.concepts is None:
        expected = "an --ontology or a list of --concepts beside it: else the truth would reveal the concepts"
        raise ParameterError("--public", ..., expected)
    reader = reader_of(scoring.reading, public=scoring.public)
    agreement = reader.agreement(scoring.agreement, scoring.agreement_default)
    hierarchy, of_weights = reader.weighted_hierarchy(scoring.weights, scoring.corpus_of_concepts)
    if hierarchy is not None and scoring.folder is not None:
        sources = {what: scoring.without_folder(source) for what, source in hierarchy.sources.items()}
        hierarchy = replace(hierarchy, sources=sources)
    scoring.refuse_unused_costs()
    return reader, hierarchy, agreement, of_weights


def described(
    scoring: ScoringOptions,
    reader: Reader,
    files: Sequence[Any],
    of_weights: Sequence[str],
    unmatched: Sequence[tuple[UnmatchedSamples, ...]],
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Remark on what was read, in full and in short; refuse the first run of other samples."""
    from ontoeval.core.vocabulary import refuse_alike

    runs, corpus, remarks = scoring.found_runs, scoring.information_from, list[str]()
    with _advising(runs):
        for path, both in zip(runs.paths, unmatched, strict=True):
            if scoring.missing == "empty":
                refuse_alike((*both[0].names, *both[1].names), what="sample", where=path)
                remarks += remarks_on_missing(path, *both)
            else:
                apart = both[0].number == len(getattr(files[0], "sets", ()))
                _refuse_other_samples(path, *both, public=scoring.public, apart=apart)
    if corpus is not None and real_path(corpus) == real_path(scoring.truth):
        remarks.append(f"{corpus}: {_OWN_INFORMATION}")
    if (preset := scoring.chosen_preset) is not None:
        remarks += [f"Preset {scoring.preset}: {preset.title}", *preset.lines]

    def lines(*, brief: bool) -> tuple[str, ...]:
        *left_out, forms = reader.remarks(files, brief=True)
        read = [*left_out, *of_weights, forms] if brief else [*reader.remarks(files), *of_weights]
        every = (*runs.remarks, *remarks, *read) if brief else (*runs.remarks, *read, *remarks)
        return tuple(map(scoring.without_folder, every))

    return lines(brief=False), lines(brief=True)


@contextmanager
def _advising(runs: Runs) -> Iterator[None]:
    """Say of the first of several runs that is refused how all are checked."""
    try:
        yield
    except InputError as error:
        if len(runs.paths) > 1 and any(str(path) in str(error) for path in runs.paths):
            error.add_remedy("`ontoeval validate RUNS --samples TRUTH` checks all runs at once.")
        raise


def _absent_number(scoring: ScoringOptions, *, of_scores: bool) -> Literal[0, -1] | None:
    """Return the number of an absent label in a truth of verified labels."""
    given = scoring.negative
    if given is None:
        return None
    if of_scores:
        raise ParameterError("--negative", given, "measures of label sets: those of scores need all labels")
    if close := scoring.reading.labels.close:
        raise ParameterError("--close", close, "no --negative: absent labels have no ancestors to add")
    return 0 if given == "0" else -1


def remarks_on_missing(path: Path, lacking: UnmatchedSamples, beyond: UnmatchedSamples) -> list[str]:
    """Remark on samples that only one side has, where they are not refused."""
    sides = (
        (lacking.number, "of the truth that it lacks, counted as unlabelled"),
        (beyond.number, "that the truth lacks, left out"),
    )
    return [f"{path}: {pluralise(number, 'sample')} {what}" for number, what in sides if number]


def _refuse_other_samples(
    path: Path, lacking: UnmatchedSamples, beyond: UnmatchedSamples, *, public: bool, apart: bool
) -> None:
    """Refuse a run of other samples; of a truth that is not public, none is listed."""
    from ontoeval.core.batch import ADD_SAMPLES, NO_SAMPLE_SHARED, OTHER_SAMPLES, unmatched_remedy
    from ontoeval.core.vocabulary import refuse_alike
    from ontoeval.evaluation.parts import differences_of

    if not (lacking.number or beyond.number):
        return
    if public:
        parts = [pluralise(lacking.number, "missing sample")] if lacking.number else []
        parts += [f"{pluralise(beyond.number, 'unknown sample')} ({beyond.shown})"] if beyond.number else []
        remedy = "Give labels, or an empty set, to each of the samples; or pass --missing empty."
        raise InputError("; ".join(parts), unmatched_remedy(lacking.names, beyond.names, remedy), where=path)
    refuse_alike((*lacking.names, *beyond.names), what="sample", where=path)
    remedy = f"{ADD_SAMPLES}, or pass --missing empty. {OTHER_SAMPLES}"
    column = "Name others by --sample-column, once for each file: of Label Studio data.KEY, as data.image."
    remedy = f"{NO_SAMPLE_SHARED} {column}" if apart else remedy
    remedy = unmatched_remedy(lacking.names, beyond.names, remedy)
    raise InputError(differences_of(lacking, beyond), remedy, where=path)
