"""From what files write to the concepts that are meant: each spelling is looked up once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from ontoeval.errors import MOST_SHOWN, InputError, UnknownConceptError, listed, one_of
from ontoeval.hierarchy import Hierarchy
from ontoeval.io.concepts import ConceptList, concept_list, read_concept_map
from ontoeval.vocabulary import Vocabulary

Unknown = Literal["error", "drop"]
"""What is done with labels that are no concepts."""

CORRECT = (
    "Correct them, translate them with a concept map (concept_map=, --concept-map FILE), "
    "or leave them out, counted, with unknown='drop' (--unknown drop)."
)


class ConceptNames(Protocol):
    """What is needed of an ontology: which spelling means which concept, and which may be labels."""

    @property
    def names(self) -> Mapping[str, str]:
        """Concept of each spelling that is not ambiguous."""
        ...

    def name_of(self, text: str, *, where: str = "") -> str:
        """Find the concept that a spelling means, or refuse it."""
        ...

    def hierarchy(self) -> Hierarchy:
        """Give the concepts and which of them may be labels."""
        ...


@dataclass(frozen=True, eq=False)
class Names:
    """Which concepts may be labels, and by which spellings files may call them.

    Parameters
    ----------
    vocabulary
        The concepts that may be labels; None where these are whatever occurs.
    known
        The concept of each spelling; None where every spelling is a concept.
    concept_map
        What the spellings of files stand for, where they are not names themselves.
    ontology
        Where the names come from.
    hierarchy
        The concepts of the ontology, abstract ones too.
    chosen
        Whether a concept list chose among the concepts of the ontology.
    unknown
        What is done with labels that are no concepts.
    dropped
        What the concept list names although it is no concept.
    """

    vocabulary: Vocabulary | None = None
    known: Mapping[str, str] | None = None
    concept_map: Mapping[str, str] = field(default_factory=dict)
    ontology: ConceptNames | None = None
    hierarchy: Hierarchy | None = None
    chosen: bool = False
    unknown: Unknown = "error"
    dropped: tuple[str, ...] = ()

    @classmethod
    def given(
        cls,
        ontology: ConceptNames | None = None,
        *,
        concepts: ConceptList | None = None,
        concept_map: str | os.PathLike[str] | Mapping[str, str] | None = None,
        unknown: str = "error",
    ) -> Names:
        """Take the names from an ontology, a concept list, a concept map, or none of them.

        Parameters
        ----------
        ontology
            Knows concepts by local name, label, CURIE and IRI.
        concepts
            The concepts that may be labels.
        concept_map
            What other spellings stand for: a file, or a mapping.
        unknown
            "error", or "drop" to leave out what is no concept.

        Returns
        -------
        Names
            The names.

        Raises
        ------
        UnknownConceptError
            If the concept list names what the ontology does not have.
        InputError
            If the concept list names a concept twice, or one that is abstract.
        ParameterError
            If `unknown` is neither "error" nor "drop".

        Examples
        --------
        >>> Names.given(concepts=concept_list(["sky", "trees"])).vocabulary.concepts
        ('sky', 'trees')
        """
        one_of("unknown", unknown, get_args(Unknown))
        hierarchy = None if ontology is None else ontology.hierarchy()
        names = cls(
            vocabulary=None if hierarchy is None else hierarchy.label_vocabulary,
            known=None if ontology is None else ontology.names,
            concept_map={} if concept_map is None else read_concept_map(concept_map),
            ontology=ontology,
            hierarchy=hierarchy,
            unknown="drop" if unknown == "drop" else "error",
        )
        return names if concepts is None else names._among(concepts)

    def concept(self, spelling: str) -> str | None:
        """Find the concept that a spelling means.

        Parameters
        ----------
        spelling
            What a file writes.

        Returns
        -------
        str or None
            The concept, which need not be a label; None where there is none.
        """
        text = self.concept_map.get(spelling, spelling)
        return text if self.known is None else self.known.get(text)

    def columns(
        self,
        spellings: Sequence[str],
        places: Sequence[str],
        where: str,
        *,
        in_order: bool = False,
        any_concept: bool = False,
        hint: str = "",
    ) -> tuple[Vocabulary, NDArray[np.intp]]:
        """Find the columns of some spellings.

        Parameters
        ----------
        spellings
            What a file writes, none twice.
        places
            Where each stands.
        where
            The file.
        in_order
            Whether concepts that nothing else puts in an order keep that of the spellings,
            instead of being sorted.
        any_concept
            Whether concepts that are no labels are left out, instead of being refused.
        hint
            Why a spelling may not be known.

        Returns
        -------
        vocabulary : Vocabulary
            The concepts that may be labels.
        columns : ndarray of int
            One per spelling; -1 where it is left out.

        Raises
        ------
        UnknownConceptError
            If a spelling means no concept and is not to be dropped.
        AmbiguousNameError
            If a spelling means several.
        InputError
            If a concept is abstract.

        Examples
        --------
        >>> Names().columns(["trees", "sky"], ["row 2", "row 3"], "truth.csv")[1]
        array([1, 0])
        """
        concepts = [self.concept(spelling) for spelling in spellings]
        vocabulary = self.vocabulary
        if vocabulary is None:
            met = dict.fromkeys(concept for concept in concepts if concept is not None)
            vocabulary = Vocabulary(tuple(met if in_order else sorted(met)))
        index = vocabulary.index
        columns = np.array([-1 if name is None else index.get(name, -1) for name in concepts], dtype=np.intp)
        lost = np.flatnonzero(columns < 0).tolist()
        unknown = [number for number in lost if concepts[number] is None]
        other = [number for number in lost if concepts[number] is not None]
        self._refuse_unknown({spellings[number]: places[number] for number in unknown}, where, hint)
        if not any_concept and not self.chosen:
            self._refuse_abstract({spellings[number]: places[number] for number in other}, where)
        if not any_concept and self.chosen and self.unknown == "error" and other:
            raise UnknownConceptError(
                {spellings[number]: places[number] for number in other},
                where=where,
                remedy="The ontology has them, but the concept list does not: add them to it, "
                "or leave them out, counted, with unknown='drop' (--unknown drop).",
            )
        return vocabulary, columns

    def _among(self, concepts: ConceptList) -> Names:
        """Let only listed concepts be labels."""
        found = [self.concept(spelling) for spelling in concepts.spellings]
        placed = dict(zip(concepts.spellings, concepts.places, strict=True))
        missing = [text for text, concept in zip(concepts.spellings, found, strict=True) if concept is None]
        self._refuse_unknown({text: placed[text] for text in missing}, concepts.where)
        spelt: dict[str, str] = {}
        for text, concept in zip(concepts.spellings, found, strict=True):
            if concept is not None and spelt.setdefault(concept, text) != text:
                raise InputError(
                    f"{spelt[concept]!r} and {text!r} are both the concept {concept!r} "
                    f"({placed[spelt[concept]]} and {placed[text]})",
                    "Keep one.",
                    where=concepts.where,
                )
        if self.vocabulary is None:
            known = {name: name for name in spelt}
            return replace(self, vocabulary=Vocabulary(tuple(spelt)), known=known)
        index = self.vocabulary.index
        self._refuse_abstract(
            {text: placed[text] for name, text in spelt.items() if name not in index}, concepts.where
        )
        vocabulary = Vocabulary(tuple(name for name in self.vocabulary if name in spelt))
        return replace(self, vocabulary=vocabulary, chosen=True, dropped=tuple(missing))

    def _refuse_unknown(self, unknown: Mapping[str, str], where: str, hint: str = "") -> None:
        ambiguous = unknown if self.unknown == "drop" else dict(islice(unknown.items(), MOST_SHOWN))
        if self.ontology is not None:
            for spelling, place in ambiguous.items():
                try:
                    self.ontology.name_of(
                        self.concept_map.get(spelling, spelling), where=f"{where}, {place}" if place else where
                    )
                except UnknownConceptError:
                    continue
        if not unknown or self.unknown == "drop":
            return
        shown = {
            spelling: f"{place}, which stands for {self.concept_map[spelling]!r},"
            if spelling in self.concept_map
            else place
            for spelling, place in unknown.items()
        }
        # Nobody mistypes an IRI for a name, and there are many of them.
        is_iri = any("://" in self.concept_map.get(spelling, spelling) for spelling in unknown)
        known = [*(self.known or ()), *self.concept_map]
        raise UnknownConceptError(
            shown, [name for name in known if is_iri or "://" not in name], where=where, remedy=hint + CORRECT
        )

    def _refuse_abstract(self, abstract: Mapping[str, str], where: str) -> None:
        if not abstract or self.hierarchy is None:
            return
        spelling, place = next(iter(abstract.items()))
        others = [other for other in abstract if other != spelling]
        below = self._labels_below(self.concept(spelling) or "")
        raise InputError(
            f"{spelling!r} in {place} is an abstract concept, which is never a label"
            + (f"; so are {listed(others)}" if others else ""),
            f"Write a concept below it{f', such as {listed(below[:3])}' if below else ''}, "
            "or read the ontology so that it may be a label.",
            where=where,
        )

    def _labels_below(self, name: str) -> list[str]:
        if self.hierarchy is None:
            return []
        column = self.hierarchy.vocabulary.index[name]
        rows = self.hierarchy.label_ancestors.tocsc()[:, [column]].nonzero()[0]
        return [self.hierarchy.label_vocabulary[int(row)] for row in rows]
