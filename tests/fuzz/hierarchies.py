"""The readers of hierarchies that are not RDF: OBO, tables, lists and JSON of every shape; and packed files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from tests.fuzz.rdf import calls, read
from tests.fuzz.readers import Reader, packed, words

TOKENS = {
    "obo": words(
        "[Term] [Typedef] [Instance] [] [ id: name: is_a: alt_id: replaced_by: consider: is_obsolete: true def: synonym: xref: "
        "intersection_of: union_of: disjoint_from: equivalent_to: relationship: part_of has_part import: idspace: "
        'default-namespace: ontology: data-version: format-version: subset: ! { } {a="b"} \\ \\n \\, \\: " PL:1 PL:2 PL:9 : :: '
        "http://example.org/a name: namespace: property_value: comment:"
    ),
    "table": words(
        "parent child superclasses obsolete level_1 Level,2 kingdom class @attribute @data hierarchical a/b A01.1 ; PARENT,CHILD id parent_id broader,narrower source,target label,parent # {} {'weight':1} , ; animal cat dog \"\" '"
    ),
    "json": words(
        '"id" "name" "child_ids" "children" "parent" "parents" "links" "edges" "nodes" "source" "target" "key" "graph" "directed" '
        '"multigraph" "supercategory" "LabelName" "Subcategory" "Part" "restrictions" "abstract" "exclusions" "requirements" "any_of" '
        '"concept" "categories" "graphs" "sub" "pred" "obj" "is_a" "meta" "deprecated" "lbl" "type" "equivalentNodesSets" "nodeIds" '
        '"logicalDefinitionAxioms" "genusIds" "definedClassId" "version" "val" "child" "animal" "cat" "label" "iri" null true false 0 1 -1 1.5 '
        '1e400 NaN {} [] [[]] [{}] {"a":{}} "" "\\ud800" " "'
    ),
}
LINKS = [("animal", "cat"), ("animal", "dog"), ("dog", "poodle")]
NODES: list[dict[str, object]] = [{"id": name} for name in ("animal", "cat", "dog", "poodle")]
GO = "http://purl.obolibrary.org/obo/GO_"
SHAPES: Mapping[str, list[object]] = {
    "links": [
        {
            "directed": True,
            "multigraph": False,
            "graph": {
                "exclusions": [["cat", "dog"]],
                "requirements": [
                    {"concept": "poodle", "any_of": ["cat"], "relation": "r", "precondition": False}
                ],
            },
            "nodes": [
                {"id": "animal", "label": "Animals", "abstract": True, "iri": "urn:x#animal"},
                *NODES[1:],
            ],
            "links": [{"source": parent, "target": child} for parent, child in LINKS],
        },
        {
            "nodes": NODES,
            "edges": [{"source": 0, "target": 1, "key": "is_a"}, {"source": 0, "target": 2, "key": "on"}],
        },
    ],
    "nodes": [
        [
            {"id": "/m/1", "name": "Sounds", "child_ids": ["/m/2", "/m/3"], "restrictions": ["abstract"]},
            {
                "id": "/m/2",
                "name": "Voice",
                "child_ids": [],
                "restrictions": ["blacklist"],
                "is_obsolete": "true",
            },
            {"id": "/m/3", "name": "Noise"},
        ],
        [{"name": "animal", "parent": None}, {"name": "cat", "parents": ["animal"]}],
        {"images": [], "categories": [{"id": 1, "name": "cat", "supercategory": "animal"}]},
    ],
    "nested": [
        {
            "LabelName": "/m/1",
            "Subcategory": [{"LabelName": "/m/2", "Part": [{"LabelName": "/m/3"}]}, {"LabelName": "/m/4"}],
        },
        {
            "name": "animal",
            "children": [{"name": "cat", "size": 3}, {"name": "dog", "children": [{"name": "poodle"}]}],
        },
        {"animal": {"cat": {}, "dog": {"poodle": None}}},
        {"animal": ["cat", {"dog": ["poodle"]}], "dog": []},
    ],
    "wrapped": [
        [{"child": "cat", "parent": "animal"}, {"child": "dog", "parent": None, "label": "Dog"}],
        {"version": 1, "ontology": [{"id": "/m/1", "child_ids": ["/m/2"]}]},
    ],
    "graphs": [
        {
            "graphs": [
                {
                    "id": "http://purl.obolibrary.org/obo/go.owl",
                    "meta": {"version": "http://purl.obolibrary.org/obo/go/1/go.owl"},
                    "nodes": [
                        {"id": f"{GO}0", "lbl": "all", "type": "CLASS"},
                        {"id": f"{GO}1", "lbl": "some", "type": "CLASS"},
                        {
                            "id": f"{GO}8",
                            "type": "CLASS",
                            "meta": {
                                "deprecated": True,
                                "basicPropertyValues": [{"pred": f"{GO[:-3]}IAO_0100001", "val": f"{GO}1"}],
                            },
                        },
                        {"id": "urn:on", "lbl": "on", "type": "PROPERTY"},
                    ],
                    "edges": [
                        {"sub": f"{GO}1", "pred": "is_a", "obj": f"{GO}0"},
                        {"sub": f"{GO}2", "pred": "urn:on", "obj": f"{GO}1"},
                    ],
                    "logicalDefinitionAxioms": [
                        {
                            "definedClassId": f"{GO}3",
                            "genusIds": [f"{GO}0"],
                            "restrictions": [{"propertyId": "urn:r", "fillerId": f"{GO}1"}],
                        }
                    ],
                    "equivalentNodesSets": [{"nodeIds": [f"{GO}4", f"{GO}1"]}],
                }
            ]
        }
    ],
}
PLAIN: Mapping[str, tuple[str, ...]] = {
    "obo": (
        """format-version: 1.2
data-version: releases/2024-01-01 ! the first
ontology: plants
import: colours.obo
idspace: WEB http://example.org/web#

[Term]
id: PL:1 ! plant
name: plant
alt_id: PL:11
disjoint_from: PL:3

[Term]
id: PL:2
name: tree {source="Linnaeus, !"} ! the label
is_a: PL:1 {is_inferred="true"} ! plant
relationship: on WEB:wood {cardinality="2"}

[Term]
id: PL:3
name: flower\\, wild
intersection_of: PL:1
intersection_of: bears PL:5
equivalent_to: PL:6

[Term]
id: PL:7
name: obsolete shrub
is_obsolete: true
replaced_by: PL:2

[Typedef]
id: on
name: on top of
""",
    ),
    "edges": (
        "child,parent\ncat,animal\ndog,animal\n\npoodle,dog\n",
        "# is-a\nanimal cat {'weight': 2}\nanimal dog {}\n",
        'id\tparent_id\tsince\nanimal\t\t\n"cat"\tanimal\t1758\n',
        "Parent ID;Child ID\nanimal;cat\n",
        "skos:prefLabel,concept_uri,broader_uri,deprecated\nCat,urn:cat,urn:animal,\nDog,urn:dog,urn:animal,true\n",
        "ID,Superclasses,name\ncat,animal|pet,Cat\ndog,animal,Dog\n",
    ),
    "levels": (
        "id,Kingdom,Phylum,Class\n1,Animalia,Chordata,Mammalia\n2,Animalia,,Aves\n",
        "Level 1;Level 2;Level 3\nall;some;few\nall;;\n",
    ),
    "mtrees": ("Body Regions;A01\nBreast;A01.236\nNipples;A01.236.500\nNipples;A17.600\n",),
    "mulan": (
        '<labels xmlns="http://mulan.sourceforge.net/labels">\n<label name="a"><label name="b"/></label><label name="c"></label></labels>',
    ),
    "paths": ("CCAT/C15/C152\nCCAT/C17\n# no path\nECAT\n", "01.03\n01\n02.01\n"),
}


def readers() -> Iterator[Reader]:
    """Name the readers of hierarchies that are not RDF."""
    for form, texts in PLAIN.items():
        tokens = TOKENS["obo" if form == "obo" else "table"]
        yield Reader(form, calls(form), tuple(text.encode() for text in texts), tokens)
    for shape, documents in SHAPES.items():
        seeds = tuple(json.dumps(document).encode() for document in documents)
        if shape == "wrapped":
            seeds += (b'{"id": "animal"}\n{"id": "cat", "parent": "animal"}\n',)
        yield Reader(f"json-{shape}", calls("json"), seeds, TOKENS["json"])

    yield from packed(
        Reader("edges", (read,), tuple(text.encode() for text in PLAIN["edges"]), TOKENS["table"])
    )
