"""Names of concepts: labels, identifiers, and every spelling of a concept."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Literal, NamedTuple, Self

from ontoeval.errors import CORRECT, MOST_SHOWN, AmbiguousNameError, UnknownConceptError, shortened
from ontoeval.plumbing.values import PickledByFields

Show = Literal["label", "id", "both"]
"""How concepts are shown: by label, by the name that results have as keys, or by both."""


def local_name(iri: str) -> str:
    """Last part of an IRI."""
    trimmed = iri.rstrip("#/") or iri
    for separator in "#/:":
        if separator in trimmed:
            return trimmed.rpartition(separator)[2] or trimmed
    return trimmed


class Namespaces(NamedTuple):
    """The prefixes of each namespace of a file, and the lengths of the namespaces."""

    prefixes: Mapping[str, Sequence[str]]
    lengths: Sequence[int]

    @classmethod
    def from_prefixes(cls, prefixes: Mapping[str, str]) -> Namespaces:
        """Invert a mapping of prefixes to namespaces."""
        found = defaultdict(list)
        for prefix, namespace in sorted(prefixes.items()):
            if namespace:
                found[namespace].append(prefix)
        return cls(dict(found), sorted({len(namespace) for namespace in found}, reverse=True))

    def curies(self, iri: str) -> list[str]:
        """Abbreviations of an IRI, those by the longest namespace first."""
        return [
            f"{prefix}:{iri[length:]}"
            for length in self.lengths
            if length < len(iri)
            for prefix in self.prefixes.get(iri[:length], ())
        ]


OBO = "http://purl.obolibrary.org/obo/"
"""Where the IRIs of OBO ontologies begin."""

_OBO_ID = re.compile(r"([A-Za-z][A-Za-z_]*)_(\w+)")


_ZEROS = re.compile(r"(?<![^/])0+(?=\d+(?:\.[^\W\d]\w*)?\Z)")


# Spellings --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Spellings:
    """The names that each spelling of a concept may mean; `folded` disregards case."""

    exact: Mapping[str, tuple[str, ...]]
    folded: Mapping[str, tuple[str, ...]]
    names: ConceptNames

    @classmethod
    def from_names(cls, concepts: Sequence[str], names: ConceptNames) -> Spellings:
        """Collect all spellings; a stronger one wins: own name, name, identifier, label, then synonyms."""
        exact, folded = spellings_without_synonyms(concepts, names), dict[str, tuple[str, ...]]()
        for equal in (
            _own_spellings(concepts, names),
            [*_labels(concepts, names), *zip(concepts, concepts, strict=True)],
        ):
            _add(folded, ((fold(text), name) for text, name in equal))
        # A label in any case was meant before a synonym.
        synonyms = [
            (text, key, name)
            for name in concepts
            for synonym in names.synonyms.get(name, ())
            if (text := " ".join(synonym.split())) and (key := fold(text)) not in folded
        ]
        _add(exact, ((text, name) for text, _, name in synonyms))
        _add(folded, ((key, name) for _, key, name in synonyms))
        return cls(exact, folded, names)

    def find(self, text: str) -> tuple[str, ...]:
        """Find the concepts that a text may mean."""
        return self.exact.get(text) or self.exact.get(text.strip()) or self.folded.get(fold(text), ())

    def know(self, texts: Iterable[str]) -> bool:
        """Whether each of some texts may mean a concept."""
        return all(map(self.find, texts))

    def meaning(self, text: str, where: str = "") -> str | None:
        """Find the one concept that a text means, or that replaces it; None if there is none."""
        found = self.find(text)
        if len(found) > 1:
            raise self.ambiguity_error(text, found, where)
        return found[0] if found else self.names.replaced.get(text.strip())

    def resolve(
        self, texts: Iterable[str] | Mapping[str, str], *, where: str = "", remedy: str = CORRECT
    ) -> dict[str, str]:
        """Find the one concept that each text means; a mapping gives the place of each, for messages."""
        places = texts if isinstance(texts, Mapping) else {}
        found = {
            text: self.meaning(text, ", ".join(filter(None, (where, places.get(text, "")))))
            for text in dict.fromkeys(texts)
        }
        unknown = {text: places.get(text, "") for text, name in found.items() if name is None}
        if unknown:
            raise self.unknown_error(unknown, where=where, remedy=remedy)
        return {text: name for text, name in found.items() if name is not None}

    def ambiguity_error(self, text: str, found: Sequence[str], where: str = "") -> AmbiguousNameError:
        """Error for a text that several concepts have as a name, with their labels."""
        # Beside the label of another concept only the IRI names one that is called so.
        clear = [self.names.iris.get(name, name) if name == text.strip() else name for name in found]
        return AmbiguousNameError(text, clear, where=where, labels=self.names.labels)

    def unknown_error(
        self, unknown: Mapping[str, str], *, where: str = "", remedy: str = CORRECT
    ) -> UnknownConceptError:
        """Error for texts that mean no concept, with the places of each, and names near them."""
        # IRIs resemble each other, so they are no help as near names.
        near = {text: name for text, (name, *_) in self.exact.items() if _is_near_name(text, name)}
        left_out = self.names.left_out
        gone = [f"{text!r} ({left_out[text]})" for text in unknown if text in left_out]
        if gone:
            remedy = f"Left out of the ontology: {', '.join(gone[:MOST_SHOWN])}."
        return UnknownConceptError(unknown, near, where=where, remedy=remedy)


def spellings_without_synonyms(concepts: Sequence[str], names: ConceptNames) -> dict[str, tuple[str, ...]]:
    """Own names, names, identifiers and labels of concepts, as they are written."""
    namespaces, iris = Namespaces.from_prefixes(names.prefixes), names.iris
    exact: dict[str, tuple[str, ...]] = {text: (name,) for text, name in _own_spellings(concepts, names)}
    for name in concepts:
        exact.setdefault(name, (name,))
    named = ((name, iris[name]) for name in concepts if name in iris)
    identifiers = (
        (spelling, name)
        for name, iri in chain(named, ((name, iri) for iri, (name, _) in names.same.items()))
        for spelling in (iri, f"<{iri}>", local_name(iri), *namespaces.curies(iri), *obo_id(iri))
    )
    _add(exact, identifiers)
    labels = _labels(concepts, names)
    _add(exact, labels)
    # A word that is the name of one concept and the label of another means either; its IRI means one.
    for label, name in labels:
        if label in iris and name != label and exact[label] == (label,) and label not in names.own_names:
            exact[label] = (label, name)
    return exact


def _own_spellings(concepts: Sequence[str], names: ConceptNames) -> list[tuple[str, str]]:
    known = set(concepts) if names.own_names else set()
    return [(text, name) for text, name in names.own_names.items() if name in known]


def _labels(concepts: Sequence[str], names: ConceptNames) -> list[tuple[str, str]]:
    """Labels, or local names where there is none, each with its concept."""
    labels, iris = names.labels, names.iris
    own = [
        (labels.get(name) or (local_name(iris[name]) if name in iris else name), name) for name in concepts
    ]
    return own + [(label, name) for name, label in names.same.values() if label]


def _is_near_name(text: str, name: str) -> bool:
    return text == name or ("/" not in text and text[:1] != ":")


def fold(text: str) -> str:
    """Normalise case, surrounding blanks, and the encoding of accents."""
    return unicodedata.normalize("NFC", text.strip()).casefold()


def with_label(name: str, label: str, *others: str) -> str:
    """Name a concept, with its label in brackets where that differs."""
    known = {without_blanks(text) for text in ("", name, *others)}
    return name if without_blanks(label) in known else f"{name} ({shortened(label)})"


def without_blanks(text: str) -> str:
    """Normalise case and accents, and remove blanks and underscores."""
    return "".join(fold(text).replace("_", "").split())


def without_zeros(name: str) -> str:
    """Remove the zeros at the beginning of a number, which may have a folder and a file ending."""
    return _ZEROS.sub("", name)


def obo_id(iri: str) -> tuple[str, ...]:
    """Abbreviate an IRI of the OBO library, to GO:0005634 for example."""
    match = _OBO_ID.fullmatch(iri.removeprefix(OBO)) if iri.startswith(OBO) else None
    return (f"{match[1]}:{match[2]}",) if match else ()


def obo_iri(name: str) -> tuple[str, ...]:
    """Write an identifier such as GO:0005634 as an IRI of the OBO library."""
    prefix, _, local = name.partition(":")
    iri = f"{OBO}{prefix}_{local}"
    return (iri,) if obo_id(iri) == (name,) else ()


_SCOPE = r"\s*(EXACT|NARROW|BROAD|RELATED)\b"
# A quote inside of a text should have a backslash before it; in many files it has none.
_SYNONYM = re.compile(rf'"((?:[^"\\]|\\.|"(?!{_SCOPE}))*+)"{_SCOPE}|"((?:[^"\\]|\\.)*+)"', re.IGNORECASE)
_ESCAPE = re.compile(r"\\(.)")


def scoped_synonym(clause: str, scope: str = "RELATED") -> tuple[str, str] | None:
    """Text and scope of a synonym of OBO, such as "heaven" EXACT []; None where it is none."""
    match = _SYNONYM.match(clause)
    if match is None:
        return None
    text = match[4] if match[3] is None else match[1]
    return _ESCAPE.sub(r"\1", text) if "\\" in text else text, (match[3] or scope).upper()


def synonym_of(clause: str) -> str:
    """Text of an exact synonym of OBO; empty for others."""
    text, scope = scoped_synonym(clause) or ("", "")
    return text if scope == "EXACT" else ""


def _add(spellings: dict[str, tuple[str, ...]], found: Iterable[tuple[str, str]]) -> None:
    new: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for spelling, name in found:
        if spelling not in spellings:
            new[spelling][name] = None
    spellings.update((spelling, tuple(sorted(names))) for spelling, names in new.items())


# What is shown ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ConceptNames(PickledByFields):
    """Labels and other names of concepts; a concept without an entry has its name alone.

    People read one text for each concept: the user's own name where there is one, else the label, else of a
    name that is a path its last parts, else the name. A text that several concepts would have is followed by
    the name or CURIE in brackets. `concepts` are those among which texts are unique, all of a hierarchy.
    """

    labels: Mapping[str, str] = field(default_factory=dict)
    iris: Mapping[str, str] = field(default_factory=dict)
    prefixes: Mapping[str, str] = field(default_factory=dict)
    same: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    synonyms: Mapping[str, Sequence[str]] = field(default_factory=dict)
    narrow: Mapping[str, str] = field(default_factory=dict)
    """Concept of each narrow synonym, which is no name: only messages show these."""
    written: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    replaced: Mapping[str, str] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)
    concepts: tuple[str, ...] = ()
    show: Show = "label"

    @cached_property
    def own_names(self) -> Mapping[str, str]:
        """Concept of each name that users gave themselves."""
        return {text: name for name, texts in self.written.items() for text in texts}

    def __bool__(self) -> bool:
        """Whether any concept has more than a name, or might have."""
        return bool(self.labels or self.written or self.concepts)

    def display_name(self, name: str, show: Show | None = None) -> str:
        """Text that people read for a concept; unique among those named here."""
        show = show or self.show
        if show == "id":
            return name
        text = self._display_names.get(name, name)
        if text != name and (show == "both" or self._count_display_names[text] > 1):
            return f"{text} ({name if show == 'both' else self._identifier(name)})"
        return text

    def text(self, name: str) -> DisplayedName:
        """Name a concept in a result, with its display name."""
        return DisplayedName(name, self)

    def texts(self, names: Iterable[str]) -> list[DisplayedName]:
        """Name some concepts in a result."""
        return [DisplayedName(name, self) for name in names]

    def join(self, names: Iterable[str], separator: str = ", ", more: str = "") -> JoinedNames:
        """Name some concepts in one text."""
        return JoinedNames(names, self, separator, more)

    @cached_property
    def _display_names(self) -> Mapping[str, str]:
        """Display name of each concept, unique or not."""
        every = dict.fromkeys((*self.concepts, *self.labels, *self.written))
        return {
            **{name: name for name in every},
            **shortest_suffixes(self.concepts),
            **{name: label for name, label in self.labels.items() if label},
            **{name: texts[0] for name, texts in self.written.items() if texts},
        }

    @cached_property
    def _count_display_names(self) -> Mapping[str, int]:
        return Counter(self._display_names.values())

    def _identifier(self, name: str) -> str:
        """Write the identifier of the OBO library, the CURIE of a name that is an IRI, or the name."""
        iri = self.iris.get(name) or name
        curies = self._namespaces.curies(iri) if "://" in name else ()
        return next(iter((*obo_id(iri), *curies)), name)

    @cached_property
    def _namespaces(self) -> Namespaces:
        return Namespaces.from_prefixes({prefix: space for prefix, space in self.prefixes.items() if prefix})


NO_NAMES = ConceptNames()
"""Concepts that have a name alone."""


class DisplayedName(str):
    """The name of a concept, for programs; `display_name` is what people read in its place."""

    __slots__ = ("names", "show")
    names: ConceptNames
    show: Show | None

    def __new__(cls, name: str, names: ConceptNames = NO_NAMES) -> Self:
        """Keep the names of all concepts with the text."""
        made = super().__new__(cls, name)
        made.names, made.show = names, None
        return made

    @property
    def display_name(self) -> str:
        """Text that people read."""
        return self.names.display_name(str(self), self.show)

    @property
    def label(self) -> str:
        """Text that stands beside the name in files for programs."""
        return self.names.display_name(str(self), "id" if (self.show or self.names.show) == "id" else "label")

    def showing(self, show: Show) -> Self:
        """Choose how the concept is shown."""
        made = copy(self)
        made.show = show
        return made


class JoinedNames(DisplayedName):
    """Several concepts in one text."""

    __slots__ = ("more", "parts", "separator")
    parts: tuple[str, ...]
    separator: str
    more: str

    def __new__(
        cls, parts: Iterable[str], names: ConceptNames = NO_NAMES, separator: str = ", ", more: str = ""
    ) -> Self:
        """Join the names; `more` follows them."""
        parts = tuple(parts)
        made = super().__new__(cls, separator.join(parts) + more, names)
        made.parts, made.separator, made.more = parts, separator, more
        return made

    @property
    def display_name(self) -> str:
        """Text that people read."""
        shown = self.separator.join(self.names.display_name(part, self.show) for part in self.parts)
        return shown + self.more

    @property
    def label(self) -> str:
        """The text itself, since several concepts have no common label."""
        return str(self)


def shown_text(text: str) -> str:
    """Text that people read: the display name of a concept, any other text as it is."""
    return text.display_name if isinstance(text, DisplayedName) else text


SEPARATORS = "/.#"
"""Separators of the parts of names that are paths."""

_PART = re.compile(r"[^\W\d_]\w")


def shortest_suffixes(names: Sequence[str]) -> dict[str, str]:
    """Shorten names that are paths to the fewest last parts that no other name ends in.

    Names are paths where each that has a separator is a part longer than another name, and where each last
    part begins with a letter and a further sign: PicturedObjects.Animals, and neither E. coli nor 1.2.7.
    """
    known = set(names)
    for separator in SEPARATORS:
        long = [name for name in names if separator in name]
        if long and all(_is_path(name, separator, known) for name in long):
            break
    else:
        return {}
    ends = {name: _last_parts(name, separator) for name in names}
    times = Counter(chain.from_iterable(ends.values()))
    return {name: next((end for end in own if times[end] == 1), name) for name, own in ends.items()}


def _last_parts(name: str, separator: str) -> list[str]:
    """Last parts of a name, one, two, and so on."""
    parts = name.split(separator)
    return [separator.join(parts[at:]) for at in range(len(parts) - 1, -1, -1)]


def _is_path(name: str, separator: str, known: set[str]) -> bool:
    start, _, end = name.rpartition(separator)
    return start in known and _PART.match(end) is not None
