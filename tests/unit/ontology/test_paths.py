"""Hierarchies that follow from labels which are paths."""

import pytest

import ontoeval as oe
from ontoeval.errors import InputError, ParameterError

TOPICS = ["CCAT/C15/C152", "CCAT/C17", "ECAT", "CCAT/C15"]
LINKS = [("CCAT", "CCAT/C15"), ("CCAT", "CCAT/C17"), ("CCAT/C15", "CCAT/C15/C152")]


def test_every_beginning_of_a_path_is_a_concept(read_text):
    ontology = read_text("# topics\r\n" + "\r\n".join(TOPICS) + "\r\n\r\n", input_format="paths")
    assert list(ontology.graph.edges) == LINKS
    assert "ECAT" in ontology.graph
    assert ontology.report.read_as == "paths, separated by '/'"


def test_paths_may_come_from_labels_in_memory():
    ontology = oe.Ontology.from_paths(TOPICS)
    assert list(ontology.graph.edges) == LINKS
    assert list(oe.Ontology.from_paths(["a.b.c"], separator=".").graph) == ["a", "a.b", "a.b.c"]
    assert list(oe.Ontology.from_paths(["Pets > Dogs & Cats"], separator=" > ").graph) == [
        "Pets",
        "Pets > Dogs & Cats",
    ]


def test_a_part_alone_is_no_name_of_the_path_that_it_ends():
    ontology = oe.Ontology.from_paths(["01/03", "02"])
    assert ontology.spellings.find("03") == ()
    assert ontology.spellings.find("01/03") == ("01/03",)


@pytest.mark.parametrize("path", ["a//b", "/a", "a/", "/", "a/ /b", "//"])
def test_a_path_with_an_empty_part_is_an_error_with_its_row(path, read_text):
    with pytest.raises(InputError, match=f"photo, row 2: a part of the path '{path}' is empty"):
        read_text(f"a/b\n{path}\n", input_format="paths")


def test_paths_are_deep_but_not_without_end(read_text):
    ontology = oe.Ontology.from_paths(["/".join(["part"] * 3000)])
    assert ontology.report.levels == 2999
    with pytest.raises(InputError, match=r"row 1: the path that begins with 'a/a/a.* is too deep"):
        read_text("a/" * 5_000_000 + "a", input_format="paths")


@pytest.mark.parametrize(
    ("paths", "separator", "error", "part"),
    [
        ([], "/", InputError, "there are no paths"),
        ("a/b", "/", ParameterError, "several paths"),
        ([1], "/", ParameterError, "texts"),
        (["a"], "", ParameterError, "separator=''"),
        (["a"], None, ParameterError, "separator=None"),
    ],
)
def test_what_is_no_path_is_an_error(paths, separator, error, part):
    with pytest.raises(error, match=part):
        oe.Ontology.from_paths(paths, separator=separator)
