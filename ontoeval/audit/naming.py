"""Naming: how a file writes the names of concepts, so that others can be written like them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from ontoeval.labels.names import Names
from ontoeval.ontology.model import Ontology


@dataclass(frozen=True, eq=False)
class Naming:
    """What a file writes for concepts."""

    names: Names
    own: Mapping[str, str]
    styles: tuple[str, ...]

    @classmethod
    def learnt(cls, names: Names, own: Mapping[str, str]) -> Naming:
        """Learn it from what a file writes."""
        texts = _texts(names)
        agree = {style: sum(text(name) == one for name, one in own.items()) for style, text in texts.items()}
        return cls(names, own, tuple(sorted(agree, key=lambda style: -agree[style])))

    def under(self, names: Names, own: Mapping[str, str]) -> Naming:
        """Keep the style where spellings are understood in another way."""
        kept = replace(self, names=names, own={})
        return replace(kept, own={name: text for name, text in own.items() if kept.means(text, name)})

    def means(self, text: str, name: str) -> bool:
        """Tell whether a text is a name of a concept, and of no other."""
        found, by_name = self.names.meaning(text)
        return tuple(found) == (name,) and by_name

    @cached_property
    def _texts(self) -> dict[str, Callable[[str], str]]:
        return _texts(self.names)

    def __getitem__(self, name: str) -> str:
        """Write the name of a concept."""
        if name in self.own:
            return self.own[name]
        ways = (self._texts[style](name) for style in self.styles)
        return next((text for text in ways if text and self.means(text, name)), name)


def _texts(names: Names) -> dict[str, Callable[[str], str]]:
    """List the ways in which the name of a concept may be written."""
    ontology, translated = names.ontology, _translated(names)
    texts: dict[str, Callable[[str], str]] = {
        "translated": lambda name: translated.get(name, ""),
        "name": lambda name: name,
    }
    if ontology is not None:
        texts["label"] = lambda name: _told(ontology, ontology.labels, name)
        texts["iri"] = lambda name: _told(ontology, ontology.iris, name)
        texts["identifier"] = lambda name: name.replace("_", ":", 1)
    return texts


def _told(ontology: Ontology, texts: tuple[str, ...], name: str) -> str:
    place = ontology.hierarchy().vocabulary.index.get(name)
    return "" if place is None else texts[place]


def _translated(names: Names) -> dict[str, str]:
    """Turn the concept map around."""
    back: dict[str, str] = {}
    for text in sorted(names.concept_map):
        found = names.meaning(text)[0]
        if len(found) == 1:
            back.setdefault(found[0], text)
    return back
