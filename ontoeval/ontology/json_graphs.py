"""Hierarchies in JSON: objects with keys that lead up or down, nested or by name; nodes and links."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from ontoeval.core.names import local_name
from ontoeval.errors import InputError, ParameterError, enumerate_some
from ontoeval.ontology.file_formats import Direction
from ontoeval.ontology.raw_ontology import RawOntology
from ontoeval.ontology.tables import (
    CHILDREN,
    FEWEST_RANKS,
    RANKS,
    TableRow,
    columns_by_content,
    columns_of,
    has_titles,
    link_levels,
    link_titled,
)
from ontoeval.ontology.triples import valid_text
from ontoeval.plumbing.json_text import Json, load, row_of

Node = dict[str, Any]

_IDENTIFIERS = ("id", "uri", "iri", "LabelName", "key")  # the most specific first
_LABELS = ("label", "name", "title", "text")  # identify nodes where no other key does
_DOWN = ("child_ids", "childIds", "children", "narrower")
_UP = ("parent_ids", "parentIds", "parents", "parent_id", "parentId", "parent", "broader")
_INSIDE = ("children", "Subcategory", "subcategories")
_PARTS = ("Part",)  # a hand is no kind of person
_ABOVE = "supercategory"
_NO_PARENT = "#"  # which jsTree writes
_IS_A = frozenset({"is_a", "isa", "subclassof", "rdfs:subclassof"})
_OF_PROPERTIES = frozenset({"subPropertyOf", "inverseOf", "type"})
_REPLACED_BY = "http://purl.obolibrary.org/obo/IAO_0100001"
LINES = re.compile(r"\s*\{[^\r\n]*\}[ \t]*[\r\n]+[ \t]*\{[^\r\n]*\}")
"""The first two lines of JSON Lines."""


def read_json(content: str, *, direction: Direction | None = None) -> RawOntology:
    """Read a hierarchy in JSON, whatever its shape."""
    flatter = "Write the hierarchy as an edge list: a table with the columns parent and child."
    lines = _loaded_lines(content)
    loaded = lines or load(content, flatter=flatter)
    document, reader = _unwrap_nodes(loaded), _JsonReader(f"[{content}" if lines else content, loaded)
    if _is_node_link(document):
        return reader.labelled(reader.read_node_link(document, direction))
    for is_shape, read in _SHAPES:
        if is_shape(document):
            raw = reader.labelled(read(reader, document))
            if direction is not None and not raw.turnable:
                raise ParameterError(
                    "direction", direction, "no value, as this JSON names the parents itself"
                )
            if direction == "child-parent":
                raw.links = {(child, parent): kind for (parent, child), kind in raw.links.items()}
            raw.turnable = raw.turnable and direction is None
            return raw
    raise InputError(
        f"no hierarchy is recognised in this JSON: it is {_describe_value(document)}",
        "Hierarchies are read from node-link JSON, lists of nodes with 'child_ids', 'parents' or "
        "'supercategory', nested objects with 'children' or 'Subcategory', nested dictionaries of names, and "
        "OBO Graphs. A table with the columns parent and child does as well.",
    )


@dataclass(frozen=True)
class _JsonReader:
    """Readers of each shape; messages name the file."""

    content: str
    document: Json
    labels: dict[str, list[str]] = field(default_factory=dict)

    def labelled(self, raw: RawOntology) -> RawOntology:
        """Add the labels of all nodes, of a node that is there again the last ones."""
        for name, texts in self.labels.items():
            raw.labels += [(name, text, "", place) for place, text in enumerate(texts)]
        return raw

    def name(self, value: object, what: str, at: Json = None) -> str:
        """Check the name of a concept: a text or a whole number."""
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if isinstance(value, str) and value.strip():
            return valid_text(value.strip())
        raise self.refusal(
            f"{what} is {_describe_value(value)}", "Name concepts by texts or whole numbers.", at
        )

    def names(self, value: object, what: str, at: Json = None) -> list[str]:
        if value is None or value == "":
            return []
        return [self.name(item, what, at) for item in (value if isinstance(value, list) else [value])]

    def objects(self, value: object, what: str, at: Json = None) -> list[Node]:
        if not isinstance(value, list):
            raise self.refusal(f"{what!r} is {_describe_value(value)}", "Write a list of objects.", at)
        wrong = [item for item in value if not isinstance(item, dict)]
        if wrong:
            raise self.refusal(
                f"{what!r} holds {_describe_value(wrong[0])}", "Write a list of objects.", value
            )
        return value

    def refusal(self, problem: str, remedy: str, at: Json = None) -> InputError:
        """Error, with the row of the object or list that is wrong."""
        row = None if at is None else row_of(self.content, self.document, at)
        return InputError(problem, remedy, row=row)

    # Nodes and nested objects -------------------------------------------------------------------------------

    def read_nodes(self, document: Json) -> RawOntology:
        """Read a list of nodes that name their children, as that of AudioSet, or their parents."""
        raw = RawOntology("JSON, a list of nodes")
        nodes = self.objects(document, "the file")
        names = self.note_nodes(raw, nodes)
        for name, node in zip(names, nodes, strict=True):
            for key in (*_DOWN, *_UP):
                for other in self.names(node.get(key), f"{key!r} of {name!r}", node):
                    if key in _DOWN:
                        raw.add(name, other, key)
                    elif other != _NO_PARENT:
                        raw.add(other, name, key)
        raw.undeclared = raw.concepts.keys() - set(names)
        return raw

    def note_nodes(self, raw: RawOntology, nodes: Sequence[Node]) -> list[str]:
        """Note nodes with their labels and marks; returns their names."""
        key = _naming_key(nodes, "id")
        names = [
            self.name(node.get(key), f"{key!r} of node {row:,}", node) for row, node in enumerate(nodes, 1)
        ]
        for name, node in zip(names, nodes, strict=True):
            if name in raw.concepts:
                raw.unused["nodes that are there again"].append(name)
            _note_marks(raw, self.labels, name, node, key)
        return names

    def read_nested(self, document: Json) -> RawOntology:
        """Read objects that hold their children, as Open Images; repeated concepts are merged."""
        nodes = self.flatten_objects(document)
        keys = {*_IDENTIFIERS, *_LABELS}
        key = _naming_key([node for node, above, _ in nodes if above >= 0 or keys & node.keys()], "name")
        raw = RawOntology(f"nested JSON, by {key}")
        names: list[str] = []
        for node, number, form in nodes:
            above = names[number] if number >= 0 else ""
            if number < 0 and key not in node:  # an object around all others
                names.append("")
                continue
            name = self.name(node.get(key), f"{key!r} of an object{f' in {above!r}' if above else ''}", node)
            names.append(name)
            if name not in raw.concepts:
                _note_marks(raw, self.labels, name, node, key)
            if form in _PARTS:
                raw.unused[f"{form}, which is no is-a"].append(name)
            elif above:
                raw.add(above, name, form)
        return raw

    def flatten_objects(self, document: Json) -> list[tuple[Node, int, str]]:
        """List all objects, each with the position of the one that holds it, -1 at the top, and the key."""
        nodes: list[tuple[Node, int, str]] = []
        top = self.objects(document if isinstance(document, list) else [document], "the file")
        waiting = [(node, -1, "") for node in top]
        while waiting:
            node, above, form = waiting.pop()
            for key in (*_INSIDE, *_PARTS):
                waiting += [(child, len(nodes), key) for child in self.parts(node, key)]
            nodes.append((node, above, form))
        return nodes

    def read_dictionary(self, document: Json) -> RawOntology:
        """Read an object whose keys are concepts, with objects or lists of their children."""
        raw = RawOntology("JSON, a dictionary of names", turnable=True)
        waiting: list[tuple[str, Json]] = [("", document)]
        while waiting:
            above, value = waiting.pop()
            items = value if isinstance(value, list) else [value] if value else []
            found = [(item, None) for item in items if not isinstance(item, dict)]
            found += [pair for item in items if isinstance(item, dict) for pair in item.items()]
            for key, below in found:
                name = self.name(key, f"a name below {above!r}" if above else "a name", value)
                if not isinstance(below, dict | list | None):
                    remedy = "Write what lies below a concept as an object or a list of names."
                    raise self.refusal(f"below {name!r} stands {_describe_value(below)}", remedy, value)
                if above:
                    raw.add(above, name, "nesting")
                raw.concepts.setdefault(name)
                waiting.append((name, below))
        return raw

    def read_categories(self, document: Json) -> RawOntology:
        """Read categories with supercategories, as of COCO, or with ranks, as of iNaturalist."""
        nodes = self.objects(document["categories"] if isinstance(document, dict) else document, "categories")
        names = [self.name(node.get("name"), "'name' of a category", node) for node in nodes]
        ranks = [rank for rank in RANKS if all(isinstance(node.get(rank), str) for node in nodes)]
        if len(ranks) >= FEWEST_RANKS:
            raw = RawOntology(
                f"JSON, categories with the levels {enumerate_some([*ranks, 'name'])}", plain=True
            )
            raw.unused[_ABOVE] += names
            rows = [
                TableRow(0, [*(node[rank].strip() for rank in ranks), name])
                for name, node in zip(names, nodes, strict=True)
            ]
            link_levels(raw, rows)
            return raw
        raw = RawOntology("JSON, categories with supercategories", plain=True)
        upper = []
        for node in nodes:
            value = node.get(_ABOVE)
            above = "" if value in (None, "") else self.name(value, f"{_ABOVE!r} of {node['name']!r}", node)
            upper.append("" if above.casefold() == "none" else above)
        own = {name for name, above in zip(names, upper, strict=True) if name == above}
        for name, above in zip(names, upper, strict=True):
            raw.concepts.setdefault(name)
            if above:
                raw.add(f"{above} ({_ABOVE})" if above in own else above, name, _ABOVE)
        return raw

    def read_table(self, document: Json) -> RawOntology:
        """Read records whose keys are the titles of a table."""
        titles, rows = _as_table(document)
        columns = columns_of(titles, rows, None, row=1)
        raw = RawOntology(f"JSON, a list of links: {columns.description}")
        for row, record in zip(rows, document, strict=True):
            what = f"{titles[columns.child]!r} of record {row.number:,}"
            self.name(row.fields[columns.child], what, record)
        try:
            link_titled(raw, rows, columns)
        except InputError as error:
            record = document[error.row - 1] if error.row else None
            raise self.refusal(error.problem, error.remedy, record) from None
        return raw

    # Graphs -------------------------------------------------------------------------------------------------

    def read_node_link(self, document: Json, direction: Direction | None) -> RawOntology:
        """Read node-link JSON: links from parents, or from children where keys are "is_a", as of obonet."""
        if document.get("directed") is False and direction is None:
            raise self.refusal(
                "this graph is marked as not directed, so parents and children are not distinguished",
                "If its links lead from one to the other all the same, name their direction: parent-child or "
                "child-parent.",
            )
        form = "links" if "links" in document else "edges"
        links = self.objects(document[form], form)
        relations = [link["key"] for link in links if isinstance(link.get("key"), str)]
        related = len(relations) == len(links) and not _IS_A.isdisjoint(map(str.casefold, relations))
        upward = direction == "child-parent" or (direction is None and related)
        raw = RawOntology(f"node-link JSON: the source of a link is the {'child' if upward else 'parent'}")
        raw.turnable = direction is None and not related
        nodes = self.note_nodes(raw, self.objects(document["nodes"], "nodes"))
        for (source, target), link in zip(self.ends(links, nodes), links, strict=True):
            parent, child = (target, source) if upward else (source, target)
            if not related or link["key"].casefold() in _IS_A:
                raw.add(parent, child, link["key"] if related else form)
            else:
                raw.require(child, (parent,), link["key"], precondition=False)
        raw.undeclared = raw.concepts.keys() - set(nodes)
        self.read_rules(_object(document.get("graph")), raw)
        return raw

    def ends(self, links: list[Node], nodes: list[str]) -> list[list[str]]:
        titles = ("from", "to") if links and all("from" in link for link in links) else ("source", "target")
        ends = [
            [self.name(link.get(end), f"{end!r} of link {number:,}", link) for end in titles]
            for number, link in enumerate(links, 1)
        ]
        known = set(nodes)
        # Versions of networkx before 2 and of d3 before 4 number the nodes instead of naming them.
        numbers = {str(number): name for number, name in enumerate(nodes)}
        met = {end for pair in ends for end in pair}
        if met <= known or not met <= numbers.keys():
            return ends
        if not known.isdisjoint(met):
            raise self.refusal(
                f"the links name {enumerate_some(sorted(met - known))}, which is no node: by identifiers it "
                "is missing, while positions, which count from 0, would fit",
                "Add the node, or name the nodes by texts.",
            )
        return [[numbers[end] for end in pair] for pair in ends]

    def read_rules(self, graph: Node, raw: RawOntology) -> None:
        pairs = graph.get("exclusions", [])
        for pair in pairs if isinstance(pairs, list) else [pairs]:
            if not isinstance(pair, list) or len(pair) != 2:  # noqa: PLR2004 - a pair
                remedy = 'Write each as ["summer", "winter"].'
                raise self.refusal(f"'exclusions' hold {_describe_value(pair)}", remedy, graph)
            one, other = (self.known_concept(name, "exclusions", raw) for name in pair)
            raw.exclude([one], [other], "exclusions")
        for rule in self.objects(graph.get("requirements", []), "requirements"):
            any_of = rule.get("any_of")
            if not isinstance(any_of, list) or not any_of:
                remedy = 'Write each as {"concept": "portrait", "any_of": ["person", "animal"]}.'
                raise self.refusal(f"'requirements' hold {_describe_value(rule)}", remedy, rule)
            concept, *others = (
                self.known_concept(name, "requirements", raw) for name in (rule.get("concept"), *any_of)
            )
            relation = rule.get("relation")
            name = "" if relation in (None, "") else self.name(relation, "'relation' in 'requirements'")
            raw.require(concept, sorted(others), name, precondition=rule.get("precondition") is not False)

    def known_concept(self, value: object, what: str, raw: RawOntology) -> str:
        name = self.name(value, f"a concept in {what!r}")
        if name not in raw.concepts:
            raise self.refusal(f"{what!r} name {name!r}, which is no node", "Correct it, or add the node.")
        return name

    # OBO Graphs ---------------------------------------------------------------------------------------------

    def read_obo_graphs(self, document: Json) -> RawOntology:
        """Read the classes of OBO Graphs, as `ontoeval.ontology.obo.read_obo` reads the terms of OBO."""
        raw = RawOntology("OBO Graphs", plain=False)
        for graph in self.objects(document["graphs"], "graphs"):
            raw.iri = raw.iri or valid_text(str(graph.get("id") or ""))
            raw.version = raw.version or valid_text(str(_object(graph.get("meta")).get("version") or ""))
            others = self.read_classes(raw, self.parts(graph, "nodes"))
            for edge in self.parts(graph, "edges"):
                child, relation, parent = (self.value(edge, key, "edge") for key in ("sub", "pred", "obj"))
                if others.isdisjoint((child, parent)) and relation not in _OF_PROPERTIES:
                    _relate(raw, child, relation, parent, kind="is_a")
            for axiom in self.parts(graph, "logicalDefinitionAxioms"):
                concept = self.value(axiom, "definedClassId", "axiom")
                for genus in self.names(axiom.get("genusIds") or [], "a name in 'genusIds'"):
                    _relate(raw, concept, "is_a", genus, kind="genusIds")
                for part in self.parts(axiom, "restrictions"):
                    relation, filler = (
                        self.value(part, key, "restriction") for key in ("propertyId", "fillerId")
                    )
                    _relate(raw, concept, relation, filler, kind="is_a")
            for equal in self.parts(graph, "equivalentNodesSets"):
                known = raw.concepts.keys() & self.names(equal.get("nodeIds") or [], "a name in 'nodeIds'")
                raw.equivalents.update(pairwise(sorted(known)))
        return raw

    def parts(self, item: Node, key: str) -> list[Node]:
        return self.objects(item.get(key) or [], key, item)

    def value(self, item: Node, key: str, what: str) -> str:
        return self.name(item.get(key), f"{key!r} of an {what}", item)

    def read_classes(self, raw: RawOntology, nodes: list[Node]) -> set[str]:
        """Note the classes; returns the names of properties and individuals."""
        others = set()
        for node in nodes:
            name, label = self.value(node, "id", "object of nodes"), node.get("lbl")
            if node.get("type") != "CLASS":
                others |= {name} if node.get("type") else set()
                if isinstance(label, str):
                    raw.called[local_name(name)] |= {name, valid_text(label)}
                continue
            raw.concepts.setdefault(name)
            if isinstance(label, str):
                self.labels[name] = [valid_text(label)]
            meta = _object(node.get("meta"))
            if meta.get("deprecated") is True:
                raw.deprecated.add(name)
            for synonym in self.parts(meta, "synonyms"):
                kinds = {"hasExactSynonym": raw.synonyms, "hasNarrowSynonym": raw.narrow}
                if synonym.get("pred") in kinds and isinstance(synonym.get("val"), str):
                    synonyms = kinds[synonym["pred"]].setdefault(name, [])
                    synonyms.append(valid_text(str(synonym["val"])))
            values = self.parts(meta, "basicPropertyValues")
            successors = {
                valid_text(str(one.get("val"))) for one in values if one.get("pred") == _REPLACED_BY
            }
            if successors:
                raw.note_replaced(name, successors)
        return others


def _relate(raw: RawOntology, child: str, relation: str, parent: str, *, kind: str) -> None:
    if relation != "is_a":
        name = local_name(relation)
        raw.require(child, (parent,), name, precondition=False)
        raw.called[name].add(relation)
        return
    raw.note_use(parent)
    raw.note_use(child)
    if child == parent:
        raw.self_links.add(child)
    else:
        raw.link(parent, child, kind)


def _note_marks(raw: RawOntology, labels: dict[str, list[str]], name: str, node: Node, key: str) -> None:
    """Note a node: its labels, whether it is abstract, whether it is deprecated."""
    raw.concepts.setdefault(name)
    values = [node.get(label) for label in _LABELS if label != key]
    texts = [valid_text(value) for value in values if isinstance(value, str) and value]
    if texts:
        labels[name] = texts
    marks = node["restrictions"] if isinstance(node.get("restrictions"), list) else []
    for mark in marks:
        if mark != "abstract":
            raw.unused[f"restrictions {mark!r}"].append(name)
    if "abstract" in marks or node.get("abstract") is True:
        raw.abstract.add(name)
    if node.get("deprecated") is True or node.get("is_obsolete") in (True, "true"):
        raw.deprecated.add(name)


def _as_table(records: list[Node]) -> tuple[list[str], list[TableRow]]:
    titles = list(dict.fromkeys(key for record in records for key in record))
    return titles, [TableRow(n, [*map(_cell, map(one.get, titles)), ""]) for n, one in enumerate(records, 1)]


def _cell(value: Json) -> str:
    return valid_text("" if value is None else str(value).strip())


def _naming_key(nodes: Sequence[Node], default: str) -> str:
    keys = (*_IDENTIFIERS, *_LABELS)
    return next((key for key in keys if all(key in node for node in nodes)), default)


# Shapes, told apart -----------------------------------------------------------------------------------------


def _is_node_link(document: Json) -> bool:
    return isinstance(document, dict) and "nodes" in document and bool(document.keys() & {"links", "edges"})


def _is_obo_graphs(document: Json) -> bool:
    return any("nodes" in graph for graph in _objects(_object(document).get("graphs")))


def _is_categories(document: Json) -> bool:
    return any(_ABOVE in node for node in _objects(_object(document).get("categories", document)))


def _is_nodes(document: Json) -> bool:
    """Whether nodes name, and do not hold, their children or parents."""
    values = [node.get(key) for node in _objects(document) for key in (*_DOWN, *_UP)]
    return any(value is not None for value in values) and not any(map(_objects, values))


def _is_nested(document: Json) -> bool:
    nodes = document if isinstance(document, list) else [document]
    return any(_objects(_object(node).get(key)) for node in nodes for key in _INSIDE)


def _is_dictionary(document: Json) -> bool:
    """Whether keys may be concepts; keys from 0 with as many texts each are a list of ImageNet's classes."""
    if not isinstance(document, dict) or not document:
        return False
    values = document.values()
    lengths = {len(value) if isinstance(value, list) else 0 for value in values}
    is_index = list(document) == list(map(str, range(len(document)))) and len(lengths) == 1 and lengths != {0}
    return all(isinstance(value, dict | list | None) for value in values) and not is_index


def _is_table(document: Json) -> bool:
    """Whether flat records have the titles of an edge list as keys."""
    if not isinstance(document, list) or not document or len(_objects(document)) < len(document):
        return False
    if any(isinstance(value, list | dict) for record in document for value in record.values()):
        return False
    keys = list(document[0])
    if _is_nodes(document) and set(CHILDREN).isdisjoint(map(str.casefold, keys)):
        return False
    return has_titles(keys) or columns_by_content(*_as_table(document)) is not None


_SHAPES: tuple[tuple[Callable[[Json], bool], Callable[[_JsonReader, Json], RawOntology]], ...] = (
    (_is_obo_graphs, _JsonReader.read_obo_graphs),
    (_is_categories, _JsonReader.read_categories),
    (_is_table, _JsonReader.read_table),
    (_is_nodes, _JsonReader.read_nodes),
    (_is_nested, _JsonReader.read_nested),
    (_is_dictionary, _JsonReader.read_dictionary),
)


# Wrappings --------------------------------------------------------------------------------------------------


def _loaded_lines(content: str) -> Json | None:
    """Load JSON Lines, with an object in each line."""
    if not LINES.match(content):
        return None
    lines = enumerate(content.splitlines(), 1)
    records = [load(line, row=row) for row, line in lines if line.strip()]
    return records if _is_nodes(records) or _is_table(records) else None


def _unwrap_nodes(document: Json) -> Json:
    """Take the list of nodes from an object that holds nothing else, or links from child to parent."""
    above = [one for one in document.values() if one is not None] if isinstance(document, dict) else []
    repeated = all(isinstance(one, str) for one in above) and len({*above}) < len(above)
    if repeated and {*above} & document.keys():  # so the values are no children
        return [{"child": child, "parent": parent} for child, parent in document.items()]
    whole_forms = (_is_node_link, _is_categories, _is_nested)
    if not isinstance(document, dict) or any(is_form(document) for is_form in whole_forms):
        return document
    lists = [value for value in document.values() if _is_nodes(value)]
    nested = any(isinstance(value, dict) for value in document.values())
    return lists[0] if len(lists) == 1 and not nested else document


def _describe_value(value: object) -> str:
    """Describe a value in a few words."""
    if isinstance(value, dict):
        return f"an object with the keys {enumerate_some(value)}" if value else "an empty object"
    if isinstance(value, list):
        return f"a list of {len(value):,}"
    return json.dumps(value, ensure_ascii=False)[:60]


def _object(value: object) -> Node:
    """Return an object, or an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def _objects(value: object) -> list[Node]:
    """List the objects in a list; nothing in anything else."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
