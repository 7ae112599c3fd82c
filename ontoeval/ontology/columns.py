"""Columns: which of them holds the parents of an edge list, and which the children."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ontoeval.core.ontology_formats import Direction
from ontoeval.errors import InputError, ParameterError, listed

PARENTS = (
    *("parent_id", "parentid", "parent_ids", "parent", "parents", "parent_name"),
    *("broader", "superclass", "superclasses", "hypernym"),
)
"""What the column of the parents may be called, in upper or lower case; the first of these wins."""

CHILDREN = ("child_id", "childid", "child", "child_name", "narrower", "subclass", "hyponym")
"""What the column of the children may be called."""

CONCEPTS = (
    *("id", "concept_id", "class_id", "node_id", "term_id", "taxon_id", "unique_id"),
    *("concept_uri", "class_uri", "uri", "iri", "item"),
    *("concept", "node", "term", "class", "code", "name", "label"),
)
"""What it may be called where there is none of those, but one of parents."""

LABELS = ("child_name", "name", "preferred_label", "pref_label", "label", "title", "scientific_name")
"""What another column may be called for it to hold labels of the children."""

_OBSOLETE = ("obsolete", "is_obsolete", "deprecated", "is_deprecated")
_SEVERAL = frozenset({"parents", "parent_ids", "superclasses"})
_ABOVE = re.compile(r"(?:^|_)(?:parents?|broader|superclass|hypernym)(?:_name_usage)?(?=_|$)")
_IDENTIFIER = re.compile(r"(?:.*_)?(?:ids?|uri|iri|code)")

_ENDS = frozenset({"source", "target", "from", "to"})  # which do not say what is above
_OTHERS = ("labels", "concepts", "sample", "image", "file", "document", "score", "agreement", "threshold")
_TITLES = frozenset({*PARENTS, *CHILDREN, *CONCEPTS, *LABELS, *_ENDS, *_OTHERS})
_LONGEST = 200  # characters of a title
_WIDTH = 2  # of a table without titles


class Layout(NamedTuple):
    """What the columns of an edge list hold."""

    parent: int
    child: int
    label: int
    width: int
    titled: bool
    said: str
    obsolete: int = -1
    several: bool = False
    by_label: bool = False


def layout(first: Sequence[str], direction: Direction | None, *, where: str, row: int) -> Layout:
    """Tell what the columns hold by the first row."""
    titles = [_title(field) for field in first]
    parent, child = _parent_and_child(titles)
    if parent >= 0 and child >= 0:
        _refuse_another(first, titles, parent, child, where=where, row=row)
        said = "parent-child" if parent < child else "child-parent"
        if direction not in {None, said}:
            raise ParameterError(
                "direction", direction, f"nothing, as the columns are called {listed(first)}"
            )
        label = _first(LABELS, [*titles[:child], "", *titles[child + 1 :]])
        return Layout(
            parent=parent,
            child=child,
            label=label,
            width=len(first),
            titled=True,
            said=f"the columns are called {listed(first)}",
            obsolete=_first(_OBSOLETE, titles),
            several=titles[parent] in _SEVERAL,
            by_label=titles[child] in LABELS,
        )
    told = direction is not None and len(first) == _WIDTH
    if not told and (_TITLES.issuperset(titles) or parent >= 0 or _first(CHILDREN, titles) >= 0):
        raise InputError(
            f"the first row, {listed(first)}, does not say which column holds the parents",
            'Call the columns "parent" and "child". If the row is a link like the others, name the direction '
            "of the links: parent-child or child-parent.",
            where=where,
            row=row,
        )
    order = "children first" if direction == "child-parent" else "parents first"
    return Layout(
        parent=int(direction == "child-parent"),
        child=int(direction != "child-parent"),
        label=-1,
        width=_WIDTH,
        titled=told and _ENDS.issuperset(titles),
        said=f"{order}, {'as asked' if direction else 'as always without titles'}",
    )


def _refuse_another(
    first: Sequence[str], titles: Sequence[str], parent: int, child: int, *, where: str, row: int
) -> None:
    """Refuse a second column of parents or children: what stands there would be lost."""
    for number in (parent, child):
        same = re.compile(re.escape(titles[number]) + r"(?:_?\d+)?")
        others = [field for field, title in zip(first, titles, strict=True) if same.fullmatch(title)]
        if len(others) > 1:
            raise InputError(
                f"the columns {listed(others)} hold the same, and one would be lost",
                "Write several parents into one cell, separated by |, or a row for each.",
                where=where,
                row=row,
            )


def has_titles(first: Sequence[str]) -> bool:
    """Tell whether the first row says which column holds the parents and which the children."""
    return min(_parent_and_child([_title(field) for field in first])) >= 0


def _parent_and_child(titles: Sequence[str]) -> tuple[int, int]:
    """Find the columns of both; -1 where there is none."""
    parent, child = _first(PARENTS, titles), _first(CHILDREN, titles)
    if parent < 0 and child < 0:
        return _named_alike(titles)
    return parent, child if child >= 0 or parent < 0 else _first(CONCEPTS, titles)


def _named_alike(titles: Sequence[str]) -> tuple[int, int]:
    """Find two columns such as taxon_id and parent_taxon_id, or concept_uri and broader_uri."""
    above = [title for title in titles if _ABOVE.search(title)]
    above = [title for title in above if _IDENTIFIER.fullmatch(title)] or above
    if len(above) != 1:
        return -1, -1
    alike = _ABOVE.sub("", above[0]).strip("_")
    if alike not in titles:
        alike = next((title for title in CONCEPTS if title in titles), "")
    return titles.index(above[0]), titles.index(alike) if alike else -1


def _first(wanted: Iterable[str], titles: Sequence[str]) -> int:
    """Find the column whose title comes first among those that are wanted; -1 where there is none."""
    return next((titles.index(title) for title in wanted if title in titles), -1)


def _title(field: str) -> str:
    if len(field) > _LONGEST:
        return ""
    name = re.sub(r"^(?:skos|rdfs|owl):", "", field.strip().strip('"').strip())
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)
    return re.sub(r"[ _-]+", "_", apart).casefold()
