"""Rules for the annotations of an ontology: labels, synonyms, definitions, notations, mappings and marks."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

from ontoeval.audit.findings import EXAMPLES, Finding, rules_of
from ontoeval.core.names import fold, local_name, with_label
from ontoeval.errors import enumerate_some
from ontoeval.ontology.annotations import LABELS, TEXTS, ConceptAnnotations
from ontoeval.ontology.model import Draft
from ontoeval.ontology.raw_ontology import BETWEEN_EQUALS
from ontoeval.ontology.triples import MATCHES, Text

_TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*\Z|[xXiI]-[A-Za-z0-9-]+\Z")
_UNTIDY = re.compile(r"\A\s|\s\Z|[^\S\n]{2}|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b\ufeff]")
_OBSOLETE = re.compile(r"\A(obsolete|OBSOLETE|Obsolete)[ _]")
_MARKUP = re.compile(
    r"</?[A-Za-z][A-Za-z0-9]*(?:\s[^<>]*)?/?>|&(?:amp|lt|gt|quot|apos|nbsp|#x?[0-9A-Fa-f]+);"
)
_SYNONYMS = ("synonym", "hidden label")
_NEARLY_ALL = 0.9
_MOST = 0.5
"""Where more than this share of the concepts have an annotation, the others are reported without it."""


class Case(NamedTuple):
    """Concepts that show one cause, and words on it."""

    concepts: tuple[str, ...]
    words: str


@dataclass(frozen=True, eq=False)
class _Texts:
    """The annotations of a file, and which of its concepts are obsolete."""

    found: ConceptAnnotations
    draft: Draft

    def by_language(self, *names: str) -> Mapping[tuple[str, str, str], list[str]]:
        """Texts by name, concept and language."""
        grouped: defaultdict[tuple[str, str, str], list[str]] = defaultdict(list)
        for name, concept, text in self.found.texts(*names):
            grouped[name, concept, text.language.lower()].append(text.text)
        return grouped

    @cached_property
    def obsolete(self) -> set[str]:
        """The concepts that are marked as obsolete."""
        marked = {
            concept for _, concept, text in self.found.texts("obsolete") if text.text.lower() in {"true", "1"}
        }
        return marked | self.draft.raw.deprecated

    @cached_property
    def by_id(self) -> Mapping[str, str]:
        """The concepts by their identifiers."""
        return {_as_id(iri): iri for iri in self.draft.raw.concepts}


def _each(concepts: Iterable[str]) -> Iterator[Case]:
    return (Case((concept,), "") for concept in concepts)


def _several(texts: _Texts, *names: str) -> Iterator[Case]:
    for (_, concept, language), values in texts.by_language(*names).items():
        different = dict.fromkeys(values)
        if len(different) > 1:
            yield Case((concept,), f"{enumerate_some(different)}{f' ({language})' * bool(language)}")


def _needless_synonym(texts: _Texts) -> Iterator[Case]:
    known = {(concept, fold(text.text), text.language) for _, concept, text in texts.found.texts(*LABELS)}
    for _, concept, text in texts.found.texts("synonym"):
        if (key := (concept, fold(text.text), text.language)) in known:
            yield Case((concept,), repr(text.text))
        known.add(key)


def _shared(texts: _Texts, *names: str, together: bool = False) -> Iterator[Case]:
    """Texts that several live concepts have."""
    gone, bearers = texts.obsolete, defaultdict[tuple[str, str], dict[str, tuple[str, str]]](dict)
    for name, concept, text in texts.found.texts(*names):
        if concept not in gone and text.text.strip():
            bearers[fold(text.text), text.language.lower()].setdefault(concept, (name, text.text))
    for concepts in bearers.values():
        kinds, written = zip(*concepts.values(), strict=True)
        # Equal labels have a rule of their own.
        if len(concepts) > 1 and (together or not set(_SYNONYMS).isdisjoint(kinds)):
            yield Case(tuple(concepts), repr(written[0]))


def _missing_definition(texts: _Texts) -> Iterator[Case]:
    defined = {concept for _, concept, text in texts.found.texts("definition") if text.text.strip()}
    declared = texts.draft.kept.keys() - texts.draft.raw.undeclared
    lacking = [concept for concept in texts.draft.kept if concept in declared and concept not in defined]
    if len(defined) > _MOST * (len(defined) + len(lacking)):
        yield from _each(lacking)


def _related_above(texts: _Texts) -> Iterator[Case]:
    parents = defaultdict[str, set[str]](set)
    for parent, child in texts.draft.raw.links:
        parents[child].add(parent)
    pairs = sorted({tuple(sorted(pair)) for pair in texts.found.pairs("related")})
    above = {one: _ancestors(one, parents) for one in set(chain.from_iterable(pairs))}
    for one, other in pairs:
        if one != other and (one in above[other] or other in above[one]):
            yield Case((one, other), "")


def _ancestors(concept: str, parents: Mapping[str, set[str]]) -> set[str]:
    found = [concept]
    for one in found:  # which grows
        found += parents.get(one, set()).difference(found)
    return set(found)


def _related_to_itself(texts: _Texts) -> Iterator[Case]:
    for name in ("related", *MATCHES):
        yield from (Case((one,), name) for one, other in texts.found.pairs(name) if one == other)


def _mapping_clash(texts: _Texts) -> Iterator[Case]:
    exact: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for concept, target in texts.found.pairs("exactMatch"):
        exact[target][concept] = None
    for name in ("broadMatch", "narrowMatch", "relatedMatch"):
        for concept, target in texts.found.pairs(name):
            if concept in exact.get(target, ()):
                yield Case((concept,), f"exactMatch and {name} to {target!r}")
    for target, concepts in exact.items():
        if len(concepts) > 1:
            yield Case(tuple(concepts), f"exactMatch to {target!r}")


def _language_tag(texts: _Texts) -> Iterator[Case]:
    tags = [(concept, text.language) for _, concept, text in texts.found.texts(*LABELS, "synonym")]
    wrong = [(concept, tag) for concept, tag in tags if tag and not _TAG.match(tag)]
    yield from (Case((concept,), repr(tag)) for concept, tag in wrong)
    without = [concept for concept, tag in tags if not tag]
    if 0 < len(without) < (1 - _MOST) * len(tags):
        yield from (Case((concept,), "no tag") for concept in dict.fromkeys(without))


def _top_with_parents(texts: _Texts) -> Iterator[Case]:
    below = {child for _, child in texts.draft.raw.links}
    return _each(one for one in dict.fromkeys(one for one, _ in texts.found.pairs("top")) if one in below)


def _live_alternative(texts: _Texts) -> Iterator[Case]:
    known, gone = texts.draft.raw.concepts, texts.obsolete
    for concept, other in texts.found.pairs("alternative id"):
        text = other.text if isinstance(other, Text) else other
        live = text if text in known else texts.by_id.get(_as_id(text), "")
        if live and live != concept and live not in gone:
            yield Case((live, concept), "")


def _as_id(text: str) -> str:
    return local_name(text).replace(":", "_")


def _obsolete_linked(texts: _Texts) -> Iterator[Case]:
    for concept in sorted(texts.obsolete):
        parents = map(str, texts.found.of("parent").get(concept, ()))
        yield from _each([concept] * any(not parent.endswith("ObsoleteClass") for parent in parents))


def _obsolete_name(texts: _Texts) -> Iterator[Case]:
    gone = texts.obsolete
    return (case for case in _matching(texts, _OBSOLETE, *LABELS) if gone.isdisjoint(case.concepts))


def _replaced_but_live(texts: _Texts) -> Iterator[Case]:
    gone, ends, stated = texts.obsolete, texts.draft.dead_ends(), texts.found.of("replaced by")
    for concept in dict.fromkeys([*stated, *sorted(gone)]):
        terms = (term[0] if isinstance(term, Text) else term for term in stated.get(concept, ()))
        named = sorted(set(map(_as_id, terms)))
        missing = [other for other in named if other not in texts.by_id]
        words = [ends[concept].rstrip(".")] if concept in ends else []
        if concept in texts.draft.raw.concepts and concept not in gone:
            words = [f"replaced by {other!r}" for other in named]
        elif missing:
            words = [f"its replacement {other!r} is no concept of the file" for other in missing]
        elif len(named) > 1:
            words = [f"{len(named)} replacements: {enumerate_some(named)}"]
        yield from (Case((concept,), one) for one in words)


def _name_is_label(texts: _Texts) -> Iterator[Case]:
    draft = texts.draft
    named = {} if draft.raw.plain else {draft.names[iri]: iri for iri in draft.kept}
    for iri in draft.kept:
        other = named.get(draft.labels[iri], iri)
        # Two concepts of one label are a finding of their own.
        if fold(draft.labels[other]) != fold(draft.labels[iri]):
            yield Case((other, iri), repr(draft.labels[iri]))


def _undeclared_relation(texts: _Texts) -> Iterator[Case]:
    raw = texts.draft.raw
    if raw.vocabulary == "OBO terms" and raw.called:  # a file that declares none may leave that to others
        used = {need.relation: need.concept for need in reversed(raw.requirements)}
        yield from (Case((used[name],), repr(name)) for name in sorted(used.keys() - raw.called.keys()))


def _single_part(texts: _Texts) -> Iterator[Case]:
    parts = texts.found.of("definition part").items()
    yield from (Case((concept,), repr(str(found[0][0]))) for concept, found in parts if len(found) == 1)


def _wrong_comment(texts: _Texts) -> Iterator[Case]:
    named = defaultdict[str, set[str]](set)
    for _, concept, text in texts.found.texts(*LABELS, *_SYNONYMS, "narrow synonym"):
        named[concept].add(fold(text.text))
    owner = {name: concept for concept, names in named.items() for name in names}
    for _, concept, comment in texts.found.texts("comment"):
        meant = owner.get(fold(comment.text))
        # A comment that names nothing may be an old name; one that names another concept is a slip.
        if meant and fold(comment.text) not in named.get(comment.language, {fold(comment.text)}):
            yield Case((concept, comment.language), f"the comment says {comment.text!r}")


def _matching(texts: _Texts, pattern: re.Pattern[str], *names: str) -> Iterator[Case]:
    for name, concept, text in texts.found.texts(*names):
        if pattern.search(text.text):
            yield Case((concept,), f"{name} {text.text!r}")


def _missing_language(texts: _Texts) -> Iterator[Case]:
    languages = defaultdict[str, dict[str, None]](dict)
    for _, concept, text in texts.found.texts(*LABELS):
        if concept not in texts.obsolete:
            languages[concept][text.language.partition("-")[0]] = None
    for tag, count in Counter(chain.from_iterable(languages.values())).most_common(1):
        for concept, own in languages.items() if tag and count > _NEARLY_ALL * len(languages) else ():
            if own.keys().isdisjoint({tag, ""}):
                yield Case((concept,), f"only in {enumerate_some(own)}")


def _match_inside(texts: _Texts) -> Iterator[Case]:
    schemes = texts.found.of("scheme")
    for concept, other in texts.found.pairs("exactMatch"):
        alike = set(schemes.get(concept, ())) & set(schemes.get(other, ()))
        if other in texts.draft.raw.concepts and other != concept and (alike or not schemes):
            yield Case((concept, other), "")


CHECKS: Mapping[str, Callable[[_Texts], Iterator[Case]]] = MappingProxyType(
    {
        "several-labels": lambda texts: _several(texts, *LABELS),
        "label-as-synonym": _needless_synonym,
        "shared-synonym": lambda texts: _shared(texts, *LABELS, *_SYNONYMS),
        "several-definitions": lambda texts: _several(texts, "definition"),
        "shared-definition": lambda texts: _shared(texts, "definition", together=True),
        "missing-definition": _missing_definition,
        "shared-notation": lambda texts: _shared(texts, "notation", together=True),
        "related-and-broader": _related_above,
        "related-to-itself": _related_to_itself,
        "mapping-clash": _mapping_clash,
        "language-tag": _language_tag,
        "top-with-parents": _top_with_parents,
        "live-alternative-id": _live_alternative,
        "described-twice": lambda texts: _each(texts.found.twice),
        "obsolete-with-parents": _obsolete_linked,
        "untidy-text": lambda texts: _matching(texts, _UNTIDY, *TEXTS, "notation"),
        "obsolete-name": _obsolete_name,
        "wrong-replacement": _replaced_but_live,
        "name-is-label": _name_is_label,
        "undeclared-relation": _undeclared_relation,
        "equal-to-parent": lambda texts: _each(texts.draft.raw.unused.get(BETWEEN_EQUALS, ())),
        "single-intersection": _single_part,
        "wrong-comment": _wrong_comment,
        "markup": lambda texts: _matching(texts, _MARKUP, *LABELS, *_SYNONYMS),
        "missing-language": _missing_language,
        "match-inside": _match_inside,
    }
)
"""The rules for annotations: each lists the concepts that show it."""


def find(draft: Draft, annotations: ConceptAnnotations) -> Iterator[Finding]:
    """Find what is wrong with the annotations of a file, one finding for each rule."""
    texts = _Texts(annotations, draft)
    for name, check in CHECKS.items():
        cases = list(dict.fromkeys(check(texts)))
        if not cases:
            continue
        shown = [": ".join(filter(None, (_called(draft, one.concepts), one.words))) for one in cases]
        members = tuple(tuple(map(draft.display_name, case.concepts)) for case in cases)
        concepts = tuple(dict.fromkeys(chain.from_iterable(members)))
        more = [f"and {len(shown) - EXAMPLES:,} more"] if len(shown) > EXAMPLES else []
        words = {"names": "; ".join([*shown[:EXAMPLES], *more])}
        yield rules_of("ontology")[name].found_in(shown, words, concepts=concepts, members=members)


def _called(draft: Draft, concepts: Iterable[str]) -> str:
    labels = {iri: draft.labels[iri] if iri in draft.kept else "" for iri in concepts}
    return " and ".join(with_label(draft.display_name(iri), label) for iri, label in labels.items())
