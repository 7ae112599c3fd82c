"""Hierarchies of whatever users hold: ontologies, files, graphs of networkx, obonet, pronto, edges."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from importlib import import_module
from inspect import Parameter, signature
from os import PathLike
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np

from ontoeval.core.hierarchy import Hierarchy
from ontoeval.errors import InputError, ParameterError, enumerate_some, pluralise

AnyHierarchy = Hierarchy | Any
"""Whatever `hierarchy_of` takes."""

AnyOntology = Any
"""An `Ontology`, which stands in a higher room, a path, or the name of a shipped ontology."""

_EXPECTED = (
    'a Hierarchy, an Ontology, a path, the name of a shipped ontology such as "photo", a networkx.DiGraph, '
    'an ontology of pronto, nxontology or obonet, or edges: [("parent", "child"), ...]'
)

_COLLECTIONS = (list, tuple, set, frozenset)

P = ParamSpec("P")
R = TypeVar("R")


def front_door(verb: Callable[P, R]) -> Callable[P, R]:
    """Let a public function take every kind of hierarchy, and ontologies by path or name.

    Keywords of other libraries (`y_true`, `y_pred`) and too many unnamed arguments are refused, with the
    call that works.
    """
    parameters = signature(verb).parameters
    unnamed = [name for name, one in parameters.items() if one.kind is Parameter.POSITIONAL_OR_KEYWORD]
    shown = f"{verb.__name__}({', '.join(name for name in unnamed if name != 'self')}, ...)"
    changes = {name: made for name, made in _CHANGES.items() if name in parameters}
    places = {name: unnamed.index(name) for name in changes if name in unnamed}
    optional = {name for name in changes if parameters[name].default is None}
    many = any(one.kind is Parameter.VAR_POSITIONAL for one in parameters.values())

    @wraps(verb)
    def door(*args: Any, **keywords: Any) -> R:  # noqa: ANN401 - those of the function
        if not {"y_true", "y_pred"}.isdisjoint(keywords):
            raise InputError(
                f"{verb.__name__} has no y_true and y_pred", f"Write {shown}: the truth comes first."
            )
        if len(args) > len(unnamed) and not many:
            raise InputError(
                f"{verb.__name__} takes no {len(args)} unnamed arguments", f"Write {shown} and name the rest."
            )
        own = {name: at for name, at in places.items() if at < len(args)}
        given = {name: args[at] for name, at in own.items()} | keywords
        made = {
            name: change(given[name])
            for name, change in changes.items()
            if name in given and not (given[name] is None and name in optional)
        }
        unnamed_args = list(args)
        for name, at in own.items():
            unnamed_args[at] = made.pop(name, args[at])
        return cast("Callable[..., R]", verb)(*unnamed_args, **(keywords | made))

    return cast("Callable[P, R]", door)


def _ontology(value: Any) -> Any:  # noqa: ANN401 - an `Ontology`, of a higher room
    """Read an ontology that is given by its path or name."""
    if isinstance(value, str | PathLike):
        return import_module("ontoeval.ontology.reading").read_ontology(value)
    return value


def hierarchy_of(value: Any) -> Hierarchy:  # noqa: ANN401 - see `AnyHierarchy`
    """Make a hierarchy; links run from parent to child."""
    value = _ontology(value)
    libraries = {kind.__module__.partition(".")[0] for kind in type(value).__mro__}
    if "ontoeval" in libraries and callable(getattr(value, "hierarchy", None)):
        value = value.hierarchy()
    if isinstance(value, Hierarchy):
        return value
    if "networkx" in libraries:
        return _of_graph(value)
    if "nxontology" in libraries:  # from superterm to subterm
        return _of_edges(value.graph.edges, value.graph.nodes)
    if "pronto" in libraries and hasattr(value, "terms"):
        terms = [term for term in value.terms() if not term.obsolete]
        above = ((term.id, term.superclasses(distance=1, with_self=False)) for term in terms)
        edges = [(parent.id, child) for child, parents in above for parent in parents]
        return _of_edges(edges, [term.id for term in terms])
    pairs = list(_links(value)) if isinstance(value, Mapping) else value
    if not isinstance(pairs, _COLLECTIONS) or not pairs:
        raise ParameterError("hierarchy", type(value).__name__, _EXPECTED)
    return _right_way_up(_of_edges(pairs))


_CHANGES: Mapping[str, Callable[[Any], Any]] = {"hierarchy": hierarchy_of, "ontology": _ontology}


def _of_graph(graph: Any) -> Hierarchy:  # noqa: ANN401 - of networkx
    """Make a hierarchy of a graph of networkx; those of obonet run from child to parent."""
    kind = type(graph).__name__
    of_obonet = "typedefs" in graph.graph
    if not graph.is_directed():
        raise InputError(
            f"a {kind} of networkx, whose edges have no direction",
            "Give a networkx.DiGraph with edges from parent to child.",
        )
    if of_obonet != graph.is_multigraph():
        held = "lost the relations of its edges" if of_obonet else "may have edges of several relations"
        raise InputError(
            f"a {kind} of networkx that {held}, so it is not plain which lead from parent to child",
            "Give networkx.DiGraph([(parent, child), ...]), or the MultiDiGraph of obonet.read_obo as it is.",
        )
    if not of_obonet:
        abstract = [node for node, mark in graph.nodes(data="abstract") if mark]
        return _right_way_up(_of_edges(graph.edges, graph.nodes, abstract))
    links = [(parent, child) for child, parent, relation in graph.edges(keys=True) if relation == "is_a"]
    found = _of_edges(links, graph.nodes)
    if np.setdiff1d(found.roots, found.leaves).size > np.setdiff1d(found.leaves, found.roots).size:
        raise InputError(
            "a graph of obonet with more roots than leaves: it seems to be reversed",
            "Give the graph as obonet.read_obo made it, with edges from child to parent.",
        )
    return found


def _of_edges(edges: Iterable[Any], concepts: Iterable[Any] = (), abstract: Iterable[Any] = ()) -> Hierarchy:
    """Make a hierarchy of edges from parent to child."""
    edges = list(edges)
    if wrong := [edge for edge in edges if not (isinstance(edge, tuple | list) and len(edge) == 2)]:  # noqa: PLR2004
        raise InputError(
            f"no edges: {enumerate_some(wrong)}",
            'Give pairs of parent and child: [("plants", "trees"), ...]; of paths such as "plants/trees" '
            "ontoeval.Ontology.from_paths(paths).",
        )
    names = [_name(concept) for concept in concepts]
    ends = [(_name(parent), _name(child)) for parent, child in edges]
    return Hierarchy.from_edges(ends, concepts=names, abstract=map(_name, abstract))


def _name(concept: object) -> str:
    """Name of a concept: a text, or a whole number as it is written."""
    if isinstance(concept, str) or (isinstance(concept, int | np.integer) and not isinstance(concept, bool)):
        return str(concept)
    raise InputError(f"{concept!r} is no name of a concept", "Name concepts by texts.")


def _links(tree: Mapping[Any, Any]) -> Iterator[tuple[Any, Any]]:
    """Edges of a dictionary from parents to their children, nested or not."""
    for parent, children in tree.items():
        if isinstance(children, str):
            raise InputError(
                f"{{{parent!r}: {children!r}}} does not say which is the parent",
                f"Give lists of children, {{{parent!r}: [{children!r}]}}; of a dictionary from children to "
                "parents [(parent, child) for child, parent in parents.items()].",
            )
        if not isinstance(children, Mapping | list | tuple | set | frozenset):
            raise InputError(
                f"{children!r} stands where the children of {parent!r} belong",
                f"Give a list, which may be empty: {{{parent!r}: []}}.",
            )
        unordered = isinstance(children, set | frozenset)
        yield from ((parent, child) for child in (sorted(children, key=str) if unordered else children))
        if isinstance(children, Mapping):
            yield from _links(children)


def _right_way_up(found: Hierarchy) -> Hierarchy:
    """Refuse a tree whose edges seem to run from child to parent."""
    children = np.bincount(found.parents.indices, minlength=len(found.vocabulary))
    several = found.several_parents
    if several.size and children.max() < 2:  # noqa: PLR2004
        lowest = found.vocabulary[int(several[0])]
        above = found.parents.indices[found.parents.indptr[several[0]] : found.parents.indptr[several[0] + 1]]
        parents = enumerate_some(found.vocabulary[at] for at in above)
        raise InputError(
            f"no concept has two children, but {lowest!r} has {pluralise(len(above), 'parent')} ({parents}): "
            "the edges seem to run from child to parent",
            "Turn them round: graph.reverse(), or [(parent, child) for child, parent in edges]. If they are "
            "right, give ontoeval.Hierarchy.from_edges(edges).",
        )
    return found
