"""The consensus of annotators: what most of them say, made to fit the ontology where that is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.annotators.annotations import Annotations, annotations_of
from ontoeval.annotators.consistent import consistent
from ontoeval.annotators.dawid_skene import dawid_skene
from ontoeval.annotators.votes import Votes
from ontoeval.core.choices import ConsensusMethod, Ties
from ontoeval.core.csr import choose_entries, pattern, row_of_entries
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.errors import ParameterError, counted, one_of


@dataclass(frozen=True, eq=False)
class Agreed:
    """What annotators say together.

    Parameters
    ----------
    sets
        One set for each sample of which an annotator decides anything.
    notes
        What is not to be trusted, or nobody decided, in words.
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
    """Find out what the annotators say together.

    Parameters
    ----------
    annotations
        Who said what: annotations, a data frame that `Annotations.from_frame` reads, or the labels of each
        annotator.
    method
        "majority": what more than half of those say who say anything of it. "consistent": the majority, made
        to fit the hierarchy: ancestors of labels are added, of those that may be labels; where two labels
        exclude each other, the side that fewer annotators say goes, with all that lies below; then a label
        goes that requires another that is not there, with all below it. "dawid-skene": what is more likely
        than not by the model of Dawid and Skene, in which each annotator has his own sensitivity and
        specificity for each concept, see `ontoeval.annotators.dawid_skene`; `agreed` tells where
        the model is not to be trusted.
    hierarchy
        Tells ancestors, exclusions and requirements, for "consistent".
    ties
        What becomes of a label of which half of the annotators say that it is there: "absent" or "present".

    Returns
    -------
    LabelSets
        One set for each sample of which an annotator decides anything, over the concepts of the annotations.
        What nobody decides of it is not there; `agreed` tells how much that is.

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
    """Find out what the annotators say together, and how far that is to be trusted.

    Parameters
    ----------
    annotations
        Who said what.
    method
        See `consensus`.
    hierarchy
        See `consensus`.
    ties
        See `consensus`.
    step
        Called after each concept to which a model is fitted, for those who watch.

    Returns
    -------
    Agreed
        The sets, with notes.

    Raises
    ------
    ParameterError
        If an option has no such value, or the hierarchy is missing.
    MisalignedError
        If a concept that is used is no label of the hierarchy.

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
    fitting = consistent(sets.within(over.label_vocabulary).matrix, shares.matrix, over)
    return Agreed(LabelSets(fitting, over.label_vocabulary, samples).within(annotations.vocabulary), notes)


def _decided(annotations: Annotations, votes: Votes) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Find the samples of which anybody decides anything, and say what nobody decides."""
    unknown = sparse.csr_array(votes.unknown)
    row = row_of_entries(unknown)
    gaps = np.bincount(row[unknown.data == votes.seen[row]], minlength=votes.seen.size)
    rows = np.flatnonzero((votes.seen > 0) & (gaps < max(len(annotations.vocabulary), 1)))
    asked, lost, notes = int(annotations.asked.sum()), gaps.size - rows.size, []
    if lost:
        notes.append(f"no consensus on {counted(lost, 'sample')}, of which nobody decides anything: left out")
    open_ones = int(gaps[rows].sum()) - rows.size * (len(annotations.vocabulary) - asked)
    if open_ones:
        notes.append(
            f"{open_ones:,} of {rows.size * asked:,} decisions, one for each concept of each sample, nobody "
            "takes: not there in the consensus"
        )
    return rows, tuple(notes)


def _ties(votes: Votes, ties: Ties) -> tuple[str, ...]:
    """Say how many decisions hang on what becomes of a half."""
    number = majority(votes, "present").nnz - majority(votes, "absent").nnz
    if not number:
        return ()
    become = "not there" if ties == "absent" else "there"
    return (f"{counted(number, 'tie')}, as many annotators for a label as against it: {become} (--ties)",)


def majority(votes: Votes, ties: Ties = "absent") -> sparse.csr_array:
    """Tell what more than half of those say who say anything."""
    yes = sparse.csr_array(votes.yes)
    margin = sparse.csr_array(2 * yes + pattern(yes) * sparse.csr_array(votes.unknown))
    over = margin.data - votes.seen[row_of_entries(margin)]
    return choose_entries(margin, over >= 0 if ties == "present" else over > 0)
