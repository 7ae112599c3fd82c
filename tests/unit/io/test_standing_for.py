"""Labels that are no names of concepts but stand for them, and sets that are closed upwards."""

from __future__ import annotations

from pathlib import Path

import pytest

import ontoeval as oe
from ontoeval.errors import InputError, MisalignedError, ParameterError, UnknownConceptError
from ontoeval.labels.reading import read_label_file, read_labels
from ontoeval.ontology import ontologies

TURTLE = """
@prefix o: <http://purl.obolibrary.org/obo/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
o:SO_1 a owl:Class . o:SO_2 a owl:Class ; rdfs:subClassOf o:SO_1 .
o:SO_3 a owl:Class ; rdfs:subClassOf o:SO_2 .
o:SO_9 a owl:Class ; owl:deprecated true ; o:IAO_0100001 o:SO_2 .
o:SO_8 a owl:Class ; owl:deprecated true .
"""


@pytest.fixture
def sequences(tmp_path: Path) -> oe.Ontology:
    path = tmp_path / "so.ttl"
    path.write_text(TURTLE, encoding="utf-8")
    return oe.read_ontology(path)


def assert_same(first: oe.LabelSets, second: oe.LabelSets) -> None:
    assert first.samples == second.samples
    assert first.matrix.toarray().tolist() == second.matrix.toarray().tolist()


def written(folder: Path, content: str, name: str = "truth.csv") -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "old", ["SO_9", "SO:9", "http://purl.obolibrary.org/obo/SO_9", "<http://purl.obolibrary.org/obo/SO_9>"]
)
def test_an_identifier_that_was_given_up_stands_for_what_took_its_place(
    tmp_path: Path, sequences: oe.Ontology, old: str
) -> None:
    path = written(tmp_path, f"id,labels\np1,{old};SO_3\np2,{old};SO_2\n")
    file = read_label_file(path, sequences)
    assert file.sets.labels_of("p1") == ("SO_2", "SO_3")
    assert file.sets.labels_of("p2") == ("SO_2",)
    assert file.translated == {old: ("SO_2", 2)}
    assert file.notes[0].endswith(f"read 2 labels as what they stand for: '{old} as SO_2 (2)'")
    assert file.repeated == 1


def test_what_took_nothing_s_place_is_unknown(tmp_path: Path, sequences: oe.Ontology) -> None:
    path = written(tmp_path, "id,labels\np1,SO_8\n")
    with pytest.raises(UnknownConceptError, match="'SO_8' in row 2"):
        read_labels(path, sequences)
    assert read_label_file(path, sequences, unknown="drop").translated == {}


def test_a_name_wins_over_what_it_could_stand_for(tmp_path: Path) -> None:
    path = written(tmp_path, "sample,concept\np1,a\np1,b\n")
    file = read_label_file(path, concepts=["a", "a|b"])
    assert file.sets.labels_of("p1") == ("a", "a|b")
    assert file.translated == {"b": ("a|b", 1)}


def test_an_address_with_a_query_stands_for_what_it_asks_for(tmp_path: Path) -> None:
    mesh = "http://www.nlm.nih.gov/cgi/mesh/2014/MB_cgi?field=uid&exact=Find+Exact+Term&term=D055652"
    path = written(tmp_path, f'{{"id": "q1", "concepts": ["{mesh}", "<{mesh}>", "D009154"]}}\n')
    file = read_label_file(path, concepts=["D055652", "D009154"])
    assert file.sets.labels_of("q1") == ("D055652", "D009154")
    assert file.translated == {mesh: ("D055652", 1), f"<{mesh}>": ("D055652", 1)}
    with pytest.raises(UnknownConceptError, match="2 unknown concepts"):
        read_labels(path, concepts=["D009154", "D0556"])


# closing ----------------------------------------------------------------------------------------------------


def test_sets_are_closed_upwards_where_that_is_asked_for(tmp_path: Path, sequences: oe.Ontology) -> None:
    path = written(tmp_path, "id,labels\np1,SO_3\np2,SO_1\np3,SO_3;SO_2;SO_1\np4,\n")
    open_sets = read_label_file(path, sequences)
    assert (open_sets.closed, open_sets.added, open_sets.notes) == (0, 0, ())
    file = read_label_file(path, sequences, close=True)
    assert [file.sets.labels_of(name) for name in ("p1", "p2", "p3", "p4")] == [
        ("SO_1", "SO_2", "SO_3"),
        ("SO_1",),
        ("SO_1", "SO_2", "SO_3"),
        (),
    ]
    assert (file.closed, file.added) == (1, 2)
    assert file.notes[-1].endswith("closed 1 of 4 sets upwards, which added 2 labels")
    hierarchy = sequences.hierarchy()
    assert open_sets.sets.unclosed(hierarchy).tolist() == [True, False, False, False]
    assert not file.sets.unclosed(hierarchy).any()
    assert_same(open_sets.sets.closed(hierarchy), file.sets)


def test_only_what_may_be_a_label_is_added(tmp_path: Path) -> None:
    ontology = oe.read_ontology(ontologies.path("diamond"))  # where only the root is abstract
    path = written(tmp_path, "id,labels\np1,seaplane\n")
    assert read_labels(path, ontology, close=True).labels_of("p1") == ("aircraft", "seaplane", "watercraft")
    listed = read_labels(path, ontology, concepts=["seaplane", "aircraft"], close=True)
    assert listed.labels_of("p1") == ("aircraft", "seaplane")


def test_scores_are_closed_once_they_are_labels(tmp_path: Path, sequences: oe.Ontology) -> None:
    path = written(tmp_path, "sample,concept,score\np1,SO_3,0.9\np1,SO_1,0.1\n")
    assert read_labels(path, sequences, threshold=0.5, close=True).labels_of("p1") == ("SO_1", "SO_2", "SO_3")


def test_closing_needs_a_hierarchy_with_all_labels(tmp_path: Path, sequences: oe.Ontology) -> None:
    path = written(tmp_path, "id,labels\np1,sky\n")
    with pytest.raises(ParameterError, match="close=True: expected an ontology beside this option"):
        read_labels(path, close=True)
    with pytest.raises(MisalignedError, match="'sky'"):
        read_labels(path).closed(sequences.hierarchy())


def test_closing_many_sets_at_once_is_closing_each(
    sequences: oe.Ontology, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ontoeval.core import label_sets as labels

    monkeypatch.setattr(labels, "_ROWS", 2)
    names = ["SO_1", "SO_2", "SO_3"]
    sets = oe.LabelSets.from_sets(
        [[name for n, name in enumerate(names) if number >> n & 1] for number in range(8)]
    )
    hierarchy = sequences.hierarchy()
    expected = [number not in {0, 1, 3, 7} for number in range(8)]
    assert sets.unclosed(hierarchy).tolist() == expected
    assert (sets.closed(hierarchy).sizes > sets.sizes).tolist() == expected
    empty = oe.LabelSets.from_sets([], vocabulary=names)
    assert empty.unclosed(hierarchy).tolist() == []


def test_chunks_are_closed_too(tmp_path: Path, sequences: oe.Ontology) -> None:
    path = written(tmp_path, "id,labels\np1,SO_3\np2,SO_2\n")
    chunks = list(oe.labels.read_label_chunks(path, sequences, chunk=1, close=True))
    assert [chunk.sizes.tolist() for chunk in chunks] == [[3], [2]]


def test_a_path_is_the_concept_that_it_leads_to(tmp_path: Path) -> None:
    path = written(
        tmp_path, "@relation r\n@attribute class hierarchical 01,01/01,02\n@data\n01/01@02\n01\n", "a.arff"
    )
    ontology = oe.Ontology.from_paths(read_labels(path).vocabulary)
    assert read_labels(path, ontology, close=True).labels_of("0") == ("01", "01/01", "02")
    with pytest.raises(InputError, match="not recognised"):
        read_labels(written(tmp_path, "x\n"))
