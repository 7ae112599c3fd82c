"""The consensus of annotators: majority, majority made consistent with the ontology, or Dawid and Skene."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.annotators.annotations import Annotations, annotations_of
from ontoeval.annotators.dawid_skene import dawid_skene
from ontoeval.annotators.votes import Votes
from ontoeval.concepts.violations import RuleBook, rule_book
from ontoeval.core.checks import ConsensusMethod, Ties
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.sparse import choose_entries, entries_at, entries_of_rows, pattern, row_of_entries, without
from ontoeval.errors import ParameterError, one_of, pluralise


@dataclass(frozen=True, eq=False)
class Agreed:
    """A consensus with remarks.

    Parameters
    ----------
    sets
        One set for each sample of which an annotator decides anything.
    notes
        Decisions that nobody took, ties, and concepts whose model is not to be trusted, in words.
    """

    sets: LabelSets
    notes: tuple[str, ...] = ()


def consensus(
    annotations: Annotations | Any,  # noqa: ANN401 - a frame of any library
    *,
    method: ConsensusMethod = "majority",
    hierarchy: Hierarchy | None = None,
    ties: Ties = "absent",
) -> LabelSets:
    """Combine the annotations into one label set per sample.

    Parameters
    ----------
    annotations
        Annotations, a data frame that `Annotations.from_frame` reads, or the labels of each annotator.
    method
        "majority": labels that more than half of the annotators give who decide. "consistent": the majority,
        made to fit the hierarchy: ancestors that may be labels are added; of two labels that exclude
        each other, the one that fewer annotators support goes, with all below it; then labels go that require
        another that is absent. "dawid-skene": labels that are more likely than not by the model
        `ontoeval.annotators.dawid_skene`, in which each annotator has a sensitivity and a specificity for
        each concept.
    hierarchy
        Ancestors, exclusions and requirements, for "consistent".
    ties
        Whether a label that half of the annotators give is "absent" or "present".

    Returns
    -------
    LabelSets
        One set for each sample of which an annotator decides anything, over the concepts of the annotations.
        Labels that nobody decides are absent; `agreed`, to be imported from `ontoeval.annotators.consensus`,
        counts them.

    Raises
    ------
    ParameterError
        If an option has no such value, or the hierarchy is missing.
    MisalignedError
        If a concept that is used is no label of the hierarchy.

    Examples
    --------
    >>> said = Annotations.from_sets({"Ann": [["a", "b"]], "Bob": [["a"]], "Eve": [["b", "c"]]})
    >>> consensus(said).labels_of("0")
    ('a', 'b')
    """
    return agreed(annotations_of(annotations), method=method, hierarchy=hierarchy, ties=ties).sets


def agreed(
    annotations: Annotations,
    *,
    method: ConsensusMethod = "majority",
    hierarchy: Hierarchy | None = None,
    ties: Ties = "absent",
    step: Callable[[], None] = lambda: None,
) -> Agreed:
    """Combine the annotations as `consensus` does, with remarks on how far to trust the result.

    Parameters
    ----------
    annotations
        The annotations.
    method, hierarchy, ties
        See `consensus`.
    step
        Called after each concept to which a model is fitted.

    Returns
    -------
    Agreed
        The sets, with notes.

    Examples
    --------
    >>> said = Annotations.from_sets({"Ann": [["a"], []], "Bob": [["a"], []]})
    >>> agreed(said, method="dawid-skene").notes[0][:58]
    "Dawid and Skene, 1 of 1 concepts ('a'): at most two annota"
    """
    one_of("method", method, get_args(ConsensusMethod))
    one_of("ties", ties, get_args(Ties))
    if method == "consistent" and hierarchy is None:
        raise ParameterError("method", method, "a hierarchy beside it, which tells what is consistent")
    votes = Votes.of(annotations)
    seen, notes = _decided(annotations, votes)
    samples = tuple(annotations.samples[row] for row in seen.tolist())
    if method == "dawid-skene":
        model = dawid_skene(annotations, step=step)
        likely = model.probability[seen]
        chosen = choose_entries(likely, likely.data >= 0.5 if ties == "present" else likely.data > 0.5)  # noqa: PLR2004
        return Agreed(LabelSets(chosen, annotations.vocabulary, samples), (*notes, *model.notes))
    notes += _ties(votes, ties)
    sets = LabelSets(majority(votes, ties)[seen], annotations.vocabulary, samples)
    if hierarchy is None or method == "majority":
        return Agreed(sets, notes)
    over = hierarchy.with_labels(annotations.vocabulary)
    shares = LabelScores(votes.shares[seen], annotations.vocabulary, samples).within(over.label_vocabulary)
    fitting = _consistent(sets.within(over.label_vocabulary).matrix, shares.matrix, over)
    return Agreed(LabelSets(fitting, over.label_vocabulary, samples).within(annotations.vocabulary), notes)


def _decided(annotations: Annotations, votes: Votes) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Find the samples of which anybody decides anything; count what nobody decides in notes."""
    unknown = sparse.csr_array(votes.unknown)
    row = row_of_entries(unknown)
    gaps = np.bincount(row[unknown.data == votes.seen[row]], minlength=votes.seen.size)
    rows = np.flatnonzero((votes.seen > 0) & (gaps < max(len(annotations.vocabulary), 1)))
    asked, lost, notes = int(annotations.asked.sum()), gaps.size - rows.size, []
    if lost:
        notes.append(
            f"no consensus on {pluralise(lost, 'sample')}, where no annotator decides anything: left out"
        )
    open_ones = int(gaps[rows].sum()) - rows.size * (len(annotations.vocabulary) - asked)
    if open_ones:
        notes.append(
            f"no annotator takes {open_ones:,} of {rows.size * asked:,} decisions, one for each concept of "
            "each sample: absent in the consensus"
        )
    return rows, tuple(notes)


def _ties(votes: Votes, ties: Ties) -> tuple[str, ...]:
    number = majority(votes, "present").nnz - majority(votes, "absent").nnz
    if not number:
        return ()
    return (f"{pluralise(number, 'tie')}, as many annotators for a label as against it: {ties} (--ties)",)


def majority(votes: Votes, ties: Ties = "absent") -> sparse.csr_array:
    """Mark the labels that more than half of the annotators give who decide, samples × concepts."""
    yes = sparse.csr_array(votes.yes)
    margin = sparse.csr_array(2 * yes + pattern(yes) * sparse.csr_array(votes.unknown))
    over = margin.data - votes.seen[row_of_entries(margin)]
    return choose_entries(margin, over >= 0 if ties == "present" else over > 0)


def _consistent(sets: sparse.csr_array, support: sparse.csr_array, hierarchy: Hierarchy) -> sparse.csr_array:
    """Add ancestors, and take labels away until no exclusion and no requirement is broken.

    A label is supported as much as any label below it. In each sample, of the broken exclusions, that comes
    first whose better supported side is supported best: the labels of the other side go, or both
    where they are supported alike. When no exclusion is broken, labels go whose requirement is absent.
    Ancestors of nothing that is left go with them.
    """
    upwards = hierarchy.labels_upward
    book = rule_book(hierarchy)
    # Above 0, so that a label that nobody supports is not taken for one that is not there.
    own = sparse.csr_array(sets * support + sets.astype(np.float64))
    active, kept = np.arange(sets.shape[0]), own
    while active.size:
        gone = _gone(_strongest(_strongest(kept[active], upwards), book.sides), book)
        lost = sparse.csr_array((gone @ book.sides.T.tocsr()) * pattern(kept[active]))
        changed = np.flatnonzero(np.diff(lost.indptr))
        active, lost = active[changed], lost[changed]
        cells = active[row_of_entries(lost)], lost.indices
        taken = sparse.csr_array((np.ones(lost.nnz, dtype=bool), cells), shape=kept.shape)
        kept = sparse.csr_array(kept * without(pattern(kept), taken))
    return pattern(pattern(kept) @ upwards)


def _gone(sides: sparse.csr_array, book: RuleBook) -> sparse.csr_array:
    """Choose the sides of rules that go from each sample, from the support of each side."""
    left, right = (sides[:, which[book.excludes]] for which in (book.left, book.right))
    both = sparse.csr_array(left * right)
    row, rule = row_of_entries(both), both.indices.astype(np.intp)
    one, other = (entries_at(sparse.csr_array(side), row, rule) for side in (left, right))
    better = np.maximum(one, other)
    best = np.zeros(sides.shape[0])
    np.maximum.at(best, row, better)
    first = better == best[row]
    weaker = [
        (row[first & chosen], which[book.excludes][rule[first & chosen]])
        for which, chosen in ((book.left, one <= other), (book.right, other <= one))
    ]
    requires = ~book.excludes
    there, met = (pattern(sides[:, which[requires]]) for which in (book.left, book.right))
    unmet = without(there, met)
    row = row_of_entries(unmet)
    last = best[row] == 0  # requirements come when no exclusion is broken
    weaker.append((row[last], book.left[requires][unmet.indices[last]]))
    rows, columns = (np.concatenate(side) for side in zip(*weaker, strict=True))
    return pattern(sparse.csr_array((np.ones(rows.size), (rows, columns)), shape=sides.shape))


def _strongest(values: sparse.csr_array, members: sparse.csr_array) -> sparse.csr_array:
    """Take the largest value of the members of every group, row by row."""
    entries, lengths = entries_of_rows(members, values.indices)
    rows = np.repeat(row_of_entries(values), lengths)
    columns, data = members.indices[entries].astype(np.intp), np.repeat(values.data, lengths)
    order = np.lexsort((columns, rows))
    rows, columns, data = rows[order], columns[order], data[order]
    starts = np.flatnonzero((np.diff(rows, prepend=-1) != 0) | (np.diff(columns, prepend=-1) != 0))
    if starts.size:
        data = np.maximum.reduceat(data, starts)
    shape = values.shape[0], members.shape[1]
    return sparse.csr_array((data, (rows[starts], columns[starts])), shape=shape)
