"""Replacements: identifiers that were given up, and the concepts that took their place."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain

from ontoeval.errors import MOST_SHOWN, listed
from ontoeval.ontology.iris import ALTERNATIVE, CONSIDER, REPLACED_BY, REPLACES
from ontoeval.ontology.spellings import OBO
from ontoeval.ontology.told import Told
from ontoeval.ontology.triples import Text, Triples, is_blank

_OBO_ID = re.compile(r"([A-Za-z][\w.-]*):(\w+)")


def note_replacements(told: Told, triples: Triples) -> None:
    """Note which identifiers the file says were replaced, or are alternatives to a concept's own."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for predicates, forwards in ((REPLACED_BY, True), (REPLACES, False), (ALTERNATIVE, False)):
        for predicate in predicates:
            for subject, terms in triples.having(predicate).items():
                for term in terms:
                    other = _identifier(term.text) if isinstance(term, Text) else term
                    old, new = (subject, other) if forwards else (other, subject)
                    if old and new and not is_blank(old) and not is_blank(new) and old != new:
                        found[old].add(new)
    for old, terms in chain.from_iterable(triples.having(predicate).items() for predicate in CONSIDER):
        others = (_identifier(term.text) if isinstance(term, Text) else term for term in terms)
        told.considered[old].update(other for other in others if other and not is_blank(other))
    for old in sorted(found):
        told.note_replaced(old, found[old])


def lead_on(
    replaced: Mapping[str, str], live: Mapping[str, str], called: Callable[[str], Iterable[str]]
) -> dict[str, dict[str, str]]:
    """Follow replacements to concepts that are there."""
    ends: dict[str, str | None] = dict(live)
    for old in replaced:
        way: dict[str, None] = {}
        current = old
        while current not in ends and current not in way and current in replaced:
            way[current] = None
            current = replaced[current]
        # What replaces each other in a circle leads nowhere, and so does what nothing is said of.
        ends |= dict.fromkeys(way, ends.get(current))
    led = {old: end for old in replaced if old not in live and (end := ends[old]) is not None}
    meant: defaultdict[str, set[str]] = defaultdict(set)
    for old, name in led.items():
        for spelling in called(old):
            meant[spelling].add(name)
    return {
        old: {spelling: name for spelling in called(old) if len(meant[spelling]) == 1}
        for old, name in led.items()
    }


def dead_end(
    old: str,
    successors: Callable[[str], Sequence[str]],
    gone: Callable[[str], str],
    called: Callable[[str], str],
) -> str:
    """Say why replacements of an identifier lead to no concept; "" where none is named, or one is in use."""
    way, told = {old: None}, list[str]()
    while following := successors(next(reversed(way))):
        what = "that one's replacement" if told else "its replacement"
        fates = sorted({gone(one) for one in following})
        if "" in fates and not told:
            return ""
        if len(following) > 1:
            ends = " or ".join(fate or "is in use" for fate in fates)
            told.append(f"each of {what}s {listed(map(called, following))} {ends}")
            break
        if following[0] in way:
            told.append(f"{what} {called(following[0])!r} leads back to it")
            break
        told.append(f"{what} {called(following[0])!r} {fates[0] or 'is in use'}")
        way[following[0]] = None
        if len(told) == MOST_SHOWN:  # chains of thousands are found in files made by programs
            told.append("so on")
            break
    text = ", and ".join(told)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _identifier(text: str) -> str:
    """Take what is written as a text for an IRI: GO:0005634 is one of the OBO library."""
    text = text.strip()
    match = _OBO_ID.fullmatch(text)
    return f"{OBO}{match[1]}_{match[2]}" if match else text
