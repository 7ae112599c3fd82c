"""The formats that can be asked for are those that there are."""

from typing import get_args

from ontoeval.ontology.file_formats import DIRECTIONS, FORMATS, HIERARCHIES, SYNTAXES, OntologyFormat
from ontoeval.ontology.reading import read_hierarchy


def test_every_format_has_a_name_and_no_other_can_be_asked_for():
    assert get_args(OntologyFormat) == tuple(FORMATS) == (*SYNTAXES, *HIERARCHIES)
    assert DIRECTIONS == ("parent-child", "child-parent")


def test_every_format_outside_of_rdf_has_a_reader():
    content = {
        "obo": "[Term]\nid: X:1\n",
        "json": '{"X": []}',
        "edges": "X Y",
        "adjacency": "X",
        "paths": "X",
        "levels": "Level 1\nX\n",
        "mtrees": "X;A01\n",
    }
    assert content.keys() == HIERARCHIES.keys()
    for form, text in content.items():
        assert read_hierarchy(text, form).concepts
