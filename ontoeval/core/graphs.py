"""The front door: hierarchies from ontologies, files, graphs and edges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import wraps
from importlib import import_module
from inspect import Parameter, signature
from io import StringIO
from itertools import chain
from os import PathLike
from typing import Any, TypeVar, cast

import numpy as np

from ontoeval.core.advice import heard, holds_labels, links_concepts
from ontoeval.core.dag import refuse_upward
from ontoeval.core.frames import SIDES, csv_of, is_frame, with_titles
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.names import ConceptNames, obo_iri, synonym_of
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, ParameterError, enumerate_some, habits
from ontoeval.plumbing.column_titles import is_plural

Verb = TypeVar("Verb", bound=Callable[..., Any])

AnyHierarchy = Hierarchy | Any
"""Whatever `hierarchy_of` takes."""

AnyOntology = Any
"""An `Ontology`, which stands in a higher room, a path, or the name of a shipped ontology."""

_EXPECTED = (
    'a Hierarchy, an Ontology, a path, the name of a shipped ontology such as "photo", an open file or '
    "io.StringIO(text), an rdflib.Graph, a networkx.DiGraph, an ontology of pronto, nxontology or obonet, or "
    'edges: [("parent", "child"), ...] or a data frame with the columns parent and child'
)

_COLLECTIONS = (list, tuple, set, frozenset)


def front_door(verb: Verb) -> Verb:
    """Let a public function take every kind of hierarchy, and ontologies by path or name."""
    parameters = signature(verb).parameters
    places = [name for name, one in parameters.items() if one.kind is Parameter.POSITIONAL_OR_KEYWORD]
    several = any(one.kind is Parameter.VAR_POSITIONAL for one in parameters.values())  # such as files
    typed = [str(one.annotation)[7:-1] for one in parameters.values() if one.kind is Parameter.VAR_KEYWORD]
    known = {*parameters}.union(*(verb.__globals__[kind].__annotations__ for kind in typed if kind))
    vars(verb)["keywords"] = known
    measured = next((one for one in ("measures", "measure") if one in known), "")
    places += [measured] * (measured not in {"", *places})

    def turned(name: str, value: Any) -> Any:  # noqa: ANN401 - as various as arguments
        if name not in parameters or value is parameters[name].default:
            return value
        kind, expected = _KINDS.get(name, (object, ""))
        if not isinstance(value, kind):
            raise ParameterError(name, value, expected)
        return _CHANGES[name](value) if name in _CHANGES else value

    @wraps(verb)
    def door(*args: Any, **keywords: Any) -> Any:  # noqa: ANN401 - what the function takes and gives
        named = {} if several else dict(zip(places, args, strict=False))
        third, extra = named.get(measured), args[len(places) :] * (not several)
        other = isinstance(third, float) or links_concepts(third) or (args and holds_labels(third, args[0]))
        if measured in keywords.keys() & named or other:
            extra = (named.pop(measured), *extra)
        if named.keys() & keywords.keys():
            return verb(*args, **keywords)  # which Python refuses
        given = {**named, **keywords}
        if not given.keys() <= known or is_frame(given.get("labels")):
            given = dict(_with_titles(verb.__qualname__, given, known))
        given = heard(verb, given, extra)
        return verb(*args * several, **{name: turned(name, value) for name, value in given.items()})

    return cast("Verb", door)


def _ontology(value: Any) -> Any:  # noqa: ANN401 - an `Ontology`, of a higher room
    """Read an ontology that is given by its path, its name or its text, or as a graph of rdflib."""
    if isinstance(value, str | PathLike) or hasattr(value, "read") or "rdflib" in _libraries(value):
        return import_module("ontoeval.ontology.reading").read_ontology(value)
    return value


def _libraries(value: object) -> set[str]:
    """Libraries that define the type of a value, and those that it inherits from."""
    return {kind.__module__.partition(".")[0] for kind in type(value).__mro__}


def hierarchy_of(value: Any) -> Hierarchy:  # noqa: ANN401 - see `AnyHierarchy`
    """Make a hierarchy; links run from parent to child."""
    value = _ontology(StringIO(csv_of(value)) if is_frame(value) else value)
    libraries = _libraries(value)
    if "ontoeval" in libraries and callable(getattr(value, "hierarchy", None)):
        value = value.hierarchy()
    if isinstance(value, Hierarchy):
        return value
    if "networkx" in libraries:
        return _of_graph(value)
    if "nxontology" in libraries:  # from superterm to subterm
        found = _of_edges(value.graph.edges, value.graph.nodes)
        return _with_node_names(found, {_name(node): marks for node, marks in value.graph.nodes(data=True)})
    if "pronto" in libraries and hasattr(value, "terms"):
        terms = [term for term in value.terms() if not term.obsolete]
        above = ((term.id, term.superclasses(distance=1, with_self=False)) for term in terms)
        edges = [(parent.id, child) for child, parents in above for parent in parents]
        found = _of_edges(edges, [term.id for term in terms])
        marks = {
            term.id: {
                "name": term.name,
                "synonym": [f'"{one.description}" {one.scope}' for one in term.synonyms],
                "alt_id": sorted(term.alternate_ids),
            }
            for term in terms
        }
        return _with_node_names(found, marks)
    if isinstance(value, Mapping) and value and all(isinstance(one, str | None) for one in value.values()):
        upward = [(parent, child) for child, parent in value.items() if parent is not None]
        if len({parent for parent, _ in upward}) < len(upward):  # so the values are no children
            value = upward
    pairs = list(_links(value)) if isinstance(value, Mapping) else value
    pairs = list(pairs) if isinstance(pairs, Iterator) else pairs
    if not isinstance(pairs, _COLLECTIONS) or not pairs:
        raise ParameterError("hierarchy", type(value).__name__, _EXPECTED)
    return _right_way_up(_of_edges(pairs))


def _threshold(value: Any) -> Any:  # noqa: ANN401 - one of many forms
    """Read a file of thresholds."""
    return OPENED["threshold"](value) if isinstance(value, str | PathLike) else value


_CHANGES: Mapping[str, Callable[[Any], Any]] = {
    "hierarchy": hierarchy_of,
    **dict.fromkeys(("ontology", "old", "new"), _ontology),
    "threshold": _threshold,
}


_KINDS: Mapping[str, tuple[Any, str]] = {
    **dict.fromkeys(("only", "concepts"), ((Iterable, PathLike), "a list of names, or a file of them")),
    "vocabulary": (Iterable, "a list of names"),
    **dict.fromkeys(("rule", "cost", "repeats"), (str, "a text")),
    **dict.fromkeys(("sample", "concept", "value"), (Hashable, "a text")),
    **dict.fromkeys(("header", "close", "chance"), (bool | np.bool_, "True or False")),
    "separator": (str, 'a text, such as ";"'),
    "severities": (Mapping, 'a mapping from rules to "error", "warning", "note" or "off"'),
    "progress": (Callable, "a function of a description and a number of steps"),
}
"""What arguments must be before anything is done with them."""


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
    if any(str(node).startswith(_HICLASS_ROOT) or _HICLASS_SEPARATOR in str(node) for node in graph):
        return _of_hiclass(graph)
    if not of_obonet:
        abstract = [node for node, mark in graph.nodes(data="abstract") if mark]
        found = _right_way_up(_of_edges(graph.edges, graph.nodes, abstract))
        return _with_node_names(found, {_name(node): marks for node, marks in graph.nodes(data=True)})
    links = [(parent, child) for child, parent, relation in graph.edges(keys=True) if relation == "is_a"]
    back = "Give the graph as obonet.read_obo made it, with edges from child to parent."
    found = _right_way_up(_of_edges(links, graph.nodes), back)
    return _with_node_names(found, dict(graph.nodes(data=True)))


_HICLASS_ROOT, _HICLASS_SEPARATOR = "hiclass::root", "::HiClass::Separator::"


def _of_hiclass(graph: Any) -> Hierarchy:  # noqa: ANN401 - of networkx
    """Name the nodes of HiClass, which are paths, by their last parts, or by "a/b" where these repeat."""
    paths = {node: str(node).split(_HICLASS_SEPARATOR) for node in graph if node != _HICLASS_ROOT}
    times = Counter(path[-1] for path in paths.values())
    names = {node: path[-1] if times[path[-1]] == 1 else "/".join(path) for node, path in paths.items()}
    links = [(names[one], names[other]) for one, other in graph.edges if one in names]
    return _of_edges(links, names.values())


def _with_node_names(hierarchy: Hierarchy, nodes: Mapping[str, Mapping[str, Any]]) -> Hierarchy:
    """Keep the names of the nodes of a graph: labels, IRIs, exact synonyms and other identifiers."""

    def texts(marks: Mapping[str, Any], *keys: str) -> list[str]:
        values = [marks.get(key) for key in keys]
        several = chain.from_iterable(one if isinstance(one, _COLLECTIONS) else [one] for one in values)
        return [value for value in several if isinstance(value, str) and value]

    labels, iris, synonyms, replaced = dict[str, str](), dict[str, str](), dict[str, list[str]](), {}
    for name, marks in nodes.items():
        labels.update((name, text) for text in texts(marks, "label", "name")[:1])
        iris.update((name, iri) for iri in [*texts(marks, "iri"), *obo_iri(name)][:1])
        synonyms[name] = [
            *filter(None, map(synonym_of, texts(marks, "synonym"))),
            *texts(marks, "identifier"),
        ]
        replaced.update(dict.fromkeys(texts(marks, "alt_id"), name))
    names = ConceptNames(labels, iris, synonyms=synonyms, replaced=replaced)
    return replace(hierarchy, vocabulary=Vocabulary(hierarchy.vocabulary.concepts, names, "edges"))


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
    found = Hierarchy.from_edges(ends, concepts=names, abstract=map(_name, abstract))
    return replace(found, vocabulary=found.vocabulary.of("edges"))


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


_TURN = (
    "Turn them round: graph.reverse(), or [(parent, child) for child, parent in edges]. If they are right, "
    "give ontoeval.Hierarchy.from_edges(edges)."
)


def _right_way_up(found: Hierarchy, remedy: str = _TURN) -> Hierarchy:
    """Refuse a graph whose edges seem to run from child to parent."""
    ends = np.setdiff1d(found.roots, found.leaves), np.setdiff1d(found.leaves, found.roots)
    roots, leaves = ([found.vocabulary[at] for at in part.tolist()] for part in ends)
    refuse_upward(roots, leaves, remedy)
    return found


def _with_titles(called: str, given: Mapping[str, Any], parameters: Collection[str]) -> Mapping[str, Any]:
    """Give columns of data frames the titles of what they hold, as keywords say: id_column="photo"."""
    roles, columns, framed = habits()["columns"], dict[str, str](), is_frame(given.get("labels"))
    # Of a file these are keywords of an audit itself.
    kept = {*parameters} - ({name for name in roles if name.endswith("_column")} if framed else set())
    named = [name for name in given if name in roles and name not in kept and isinstance(given[name], str)]
    named = named if framed or "sample_column" not in parameters else []
    for name in named:
        title, role = given[name], roles[name]
        if role.startswith("label") and is_plural(title):
            role = "labels"
        if role in columns.values() and columns.get(title) != role:
            several = f"several keywords for the column of each {roles[name]}: {enumerate_some(named)}"
            raise TypeError(f"{called} has {several}")
        columns[title] = role
    rest = {name: value for name, value in given.items() if name not in named}
    if not named or SIDES.isdisjoint(rest):
        return given
    sides = {name: value for name, value in rest.items() if name in SIDES and value is not None}
    return {**rest, **with_titles(OPENED["sides"](sides), columns)}


OPENED: dict[str, Callable[[Any], Any]] = {}
"""Functions that read files of labels and of thresholds, set by `core.inputs`, which imports this module."""
