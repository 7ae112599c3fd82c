"""Comparison of annotators: each with the majority of the others, and confusions of two annotators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.annotators.annotations import Annotations, annotator_position
from ontoeval.annotators.concept_agreement import FEWEST, CoefficientEstimate
from ontoeval.annotators.given import AnyAnnotations, annotations_of
from ontoeval.annotators.options import AgreementOptions
from ontoeval.annotators.pairwise_kappa import PairCounts
from ontoeval.annotators.votes import Votes
from ontoeval.confusion.matrix import ConfusionMatrix, confusion_matrix
from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.rows import LabelSyntax
from ontoeval.errors import InputError
from ontoeval.plumbing.arrays import Numbers, Places
from ontoeval.plumbing.sparse import choose_entries, row_of_entries, without_entries

_SHEETS = 100_000
"""Sheets that are compared at a time."""

_NUMBERS = 4_000_000
"""Counts of samples and annotators that are held at a time."""


class Annotator(NamedTuple):
    """An annotator beside the majority of the others; agreement is the share of the same decisions."""

    name: str
    samples: int
    labels: float
    unknown: float
    decisions: int
    agreement: float
    kappa: float
    precision: float
    recall: float
    f: float


SCORES = Annotator._fields[5:]


@dataclass(frozen=True, eq=False)
class AnnotatorDetails:
    """Scores of annotators with intervals, and how often each alone gives a label, or alone does not.

    The latter two are annotators × concepts. `others` is kappa of the others on the samples of each, `error`
    the standard error of the difference, `differing` how many samples an annotator differs in.
    """

    scores: Mapping[str, CoefficientEstimate]
    more: sparse.csr_array
    fewer: sparse.csr_array
    others: Numbers
    error: Numbers
    differing: Places


def leave_one_out(annotations: Annotations, votes: Votes) -> tuple[Annotator, ...]:
    """Compare each annotator with the majority of the others; half of them are no majority."""
    counts = np.concatenate([one.counts for one in compared_sheets(annotations, votes)], axis=1)
    samples, labels, unknown, decided, *errors = _by_annotator(annotations, counts)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = unknown / (samples * len(annotations.vocabulary))
        own = samples.astype(int), labels / samples, share, decided.astype(int)
        columns = *own, *_scores(decided, *errors)
    rows = zip(annotations.annotators, *(side.tolist() for side in columns), strict=True)
    return tuple(Annotator(*row) for row in rows)


def annotator_details(annotations: Annotations, options: AgreementOptions) -> AnnotatorDetails:
    """Add intervals and concepts to `leave_one_out`."""
    shape = len(annotations.annotators), len(annotations.vocabulary)
    more, fewer = (sparse.csr_array(shape, dtype=np.int64) for _ in range(2))
    counts = []
    for one in compared_sheets(annotations, Votes.from_annotations(annotations)):
        counts.append(one.counts[3:])
        who = annotations.annotator[one.where]
        compared = one.several.astype(np.int64)
        gathered = sparse.csr_array((compared, (who, np.arange(who.size))), shape=(shape[0], who.size))
        more = sparse.csr_array(more + gathered @ one.more.astype(np.int64))
        fewer = sparse.csr_array(fewer + gathered @ one.fewer.astype(np.int64))
    own = np.concatenate(counts, axis=1)
    all_of = np.stack([np.bincount(annotations.sample, side) for side in own])[:, annotations.sample]
    rest = np.maximum(annotations.sheets_of_samples[annotations.sample] - 1, 1)
    # The mean of the others: their sum would weigh samples by how many have seen them.
    both = np.concatenate([own, (all_of - own) / rest])
    scores, others, error = _estimates(annotations, both, options)
    differing = np.bincount(annotations.annotator[own[2] + own[3] > 0], minlength=shape[0])
    return AnnotatorDetails(scores, more, fewer, others, error, differing)


def _estimates(
    annotations: Annotations, counts: Numbers, options: AgreementOptions
) -> tuple[dict[str, CoefficientEstimate], Numbers, Numbers]:
    """Compute the scores with intervals, kappa of the others, and the standard error of the difference.

    The counts are decided, claimed, more and fewer of each sheet, and means of the sample's others.
    """
    total = _by_annotator(annotations, counts)

    def rows(where: slice) -> Numbers:
        own = (annotations.sample >= where.start) & (annotations.sample < where.stop)
        spread = np.zeros((where.stop - where.start, *total.shape))
        spread[annotations.sample[own] - where.start, :, annotations.annotator[own]] = counts[:, own].T
        return spread.reshape(len(spread), -1)

    size = max(1, _NUMBERS // total.size)
    sums = options.resampled(annotations.samples, rows, size=size).reshape(-1, *total.shape)
    sums = np.moveaxis(sums, 1, 0)
    scores, again = np.stack(_scores(*total[:4])), np.stack(_scores(*sums[:4]), axis=1)
    others, others_again = (_scores(*side[4:])[1] for side in (total, sums))
    difference = np.ma.masked_invalid(again[:, 1] - others_again)
    compared = np.bincount(annotations.annotator[counts[0] > 0], minlength=len(annotations.annotators))
    again[:, :, compared < FEWEST] = np.nan
    low, high = options.bounds(again, scores)
    named = zip(SCORES, scores, low, high, strict=True)
    error = difference.std(axis=0).filled(np.nan)
    return {name: CoefficientEstimate(*side) for name, *side in named}, others, error


def _by_annotator(annotations: Annotations, counts: Numbers) -> Numbers:
    """Sum counts of sheets: counts × annotators."""
    number = len(annotations.annotators)
    return np.stack([np.bincount(annotations.annotator, side, number).astype(np.float64) for side in counts])


def _scores(decided: Numbers, claimed: Numbers, fp: Numbers, fn: Numbers) -> tuple[Numbers, ...]:
    """Score annotators by counts of decisions; see `SCORES`."""
    tp = claimed - fp
    with np.errstate(invalid="ignore", divide="ignore"):
        kappa, f = PairCounts(decided, claimed, tp + fn, tp).kappa, 2 * tp / (2 * tp + fp + fn)
        return (decided - fp - fn) / decided, kappa, tp / claimed, tp / (tp + fn), f


class ComparedSheets(NamedTuple):
    """Some sheets beside the majority of the others.

    The rows of `counts`: sheets, labels, unknown, decided, claimed, more, fewer; the latter two also as
    boolean matrices, sheets × concepts, as are the decisions that are not compared.
    """

    where: slice
    several: NDArray[np.bool_]
    counts: Numbers
    more: sparse.csr_array
    fewer: sparse.csr_array
    left_out: sparse.csr_array


def compared_sheets(annotations: Annotations, votes: Votes) -> Iterator[ComparedSheets]:
    """Compare sheets with the others of their samples, some at a time."""
    seen, unknown = votes.seen, sparse.csr_array(votes.unknown)
    # Twice the yeses of the others against all their known answers, both counted with the annotator's own.
    margin = sparse.csr_array(2 * votes.yes + votes.unknown)
    over = margin.data - seen[row_of_entries(margin)]
    others_if_no, others_if_yes = choose_entries(margin, over > -1), choose_entries(margin, over > 1)
    lone = choose_entries(unknown, seen[row_of_entries(unknown)] - unknown.data < 2)  # noqa: PLR2004
    for begin in range(0, max(len(annotations), 1), _SHEETS):
        where = slice(begin, begin + _SHEETS)
        sample = annotations.sample[where]
        mine, gaps, lonely = annotations.positive[where], annotations.unknown[where], lone[sample]
        more = without_entries(without_entries(mine, others_if_yes[sample]), lonely)
        fewer = without_entries(without_entries(others_if_no[sample], mine), gaps)
        labels, blank, several = _sizes(mine), _sizes(gaps), seen[sample] > 1
        left_out = sparse.csr_array(lonely + gaps)
        decided = len(annotations.vocabulary) - _sizes(left_out)
        compared = [decided, labels - _sizes(lonely * mine), _sizes(more), _sizes(fewer)]
        counts = np.stack([np.ones(labels.size), labels, blank, *(side * several for side in compared)])
        yield ComparedSheets(where, several, counts, more, fewer, left_out)


def _sizes(matrix: sparse.csr_array) -> NDArray[np.intp]:
    return np.diff(sparse.csr_array(matrix).indptr)


MOST = 200_000
"""Default of the number of pairs of sheets."""


@front_door
def annotator_confusion(
    annotations: AnyAnnotations,
    first: str | None = None,
    second: str | None = None,
    *,
    rule: str = "transport",
    variant: str | None = None,
    hierarchy: AnyHierarchy | None = None,
    most: int = MOST,
    seed: int = 0,
    classes: Sequence[str] | None = None,
    separator: str | None = None,
) -> ConfusionMatrix:
    """Make the confusion matrix of annotators: rows are the labels of one, columns those of another.

    Parameters
    ----------
    annotations
        Annotations, a data frame that `Annotations.from_frame` reads, or the labels of each annotator;
        sheets with an unknown concept are left out.
    first, second
        Whose labels stand in the rows and in the columns; by default everybody's, and everybody else's.
    rule, variant
        The rule of the matrix and its variant, see `ontoeval.confusion_matrix`; by default "transport",
        which treats both sides alike, without a hierarchy too.
    hierarchy
        The hierarchy of the concepts, by which the nearest labels are paired.
    most
        Of more pairs of sheets of the same sample so many are drawn.
    seed
        Random seed.
    classes, separator
        See `evaluate`.

    Returns
    -------
    ConfusionMatrix
        The matrix, summed over the pairs of sheets.

    Raises
    ------
    InputError
        If there is no such annotator, or no two of them have a sample in common.

    Examples
    --------
    >>> said = Annotations.from_sets({"Ann": [["a"]], "Bob": [["b"]]})
    >>> annotator_confusion(said, "Ann", "Bob", rule="multiclass").matrix.tolist()
    [[0.0, 1.0], [0.0, 0.0]]
    """
    annotations = annotations_of(annotations, LabelSyntax(classes, separator)).in_order()
    row, column = (
        None if name is None else annotator_position(annotations, name) for name in (first, second)
    )
    kept = annotations.chosen(annotations.complete)
    sheets = np.flatnonzero((kept.annotator == row) | (row is None))
    sizes = kept.sheets_of_samples[kept.sample[sheets]]
    begin = (np.cumsum(kept.sheets_of_samples) - kept.sheets_of_samples)[kept.sample[sheets]]
    before = np.cumsum(sizes) - sizes
    number = np.arange(sizes.sum())
    if second is None and number.size > most:
        number = np.unique(np.random.default_rng(seed).integers(0, number.size, most))
    which = np.searchsorted(before, number, side="right") - 1
    one, other = sheets[which], begin[which] + number - before[which]
    chosen = (one != other) & ((kept.annotator[other] == column) | (column is None))
    if not chosen.any():
        problem = "no two of these annotators have a sample in which both decide every concept"
        raise InputError(problem, "Name other annotators.")
    who, samples = kept.annotators, kept.samples
    names = tuple(
        f"{samples[kept.sample[first]]} ({who[kept.annotator[first]]}, {who[kept.annotator[second]]})"
        for first, second in zip(one[chosen].tolist(), other[chosen].tolist(), strict=True)
    )
    decided = kept.vocabulary.of("list")
    sides = (LabelSets(kept.positive[side[chosen]], decided, names) for side in (one, other))
    return confusion_matrix(*sides, rule=rule, variant=variant, hierarchy=hierarchy)
