"""Label files as benchmarks publish them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ontoeval.core.hierarchy import Hierarchy
from ontoeval.evaluation.scoring import evaluate
from ontoeval.labels.name_resolution import read_concepts
from ontoeval.labels.per_concept import read_agreement
from ontoeval.labels.reading import read_label_file, read_labels, read_scores
from ontoeval.ontology import ontologies
from ontoeval.ontology.reading import read_ontology


def test_the_truth_of_imageclef_2011_is_read_with_its_concept_map_and_ontology(data: Path) -> None:
    folder = data / "imageclef2011"
    concept_map, concepts = folder / "concept_map.csv", folder / "concepts.txt"
    ontology = read_ontology(
        folder / "photo_tagging_2011.owl", concepts=read_concepts(concepts, concept_map=concept_map)
    )
    file = read_label_file(folder / "truth.txt", ontology, concepts=concepts, concept_map=concept_map)
    assert str(file.format) == "ImageCLEF text (a name and 99 values in each line)"
    assert (len(file.sets), len(file.sets.vocabulary)) == (8_000, 99)
    assert round(file.sets.sizes.mean(), 2) == 11.86
    assert (file.sets.sizes.min(), file.sets.sizes.max()) == (3, 26)
    assert file.sets.vocabulary == ontology.hierarchy().label_vocabulary
    assert (file.notes, dict(file.dropped)) == ((), {})


def test_the_truth_of_imageclef_2011_is_read_without_an_ontology(data: Path) -> None:
    folder = data / "imageclef2011"
    sets = read_labels(folder / "truth.txt", concepts=folder / "concepts.txt")
    assert sets.vocabulary.concepts == read_concepts(folder / "concepts.txt")
    first = sets.labels_of(sets.samples[0])
    assert first[:3] == ("Outdoor", "Plants", "Day")


def test_the_corpus_of_annif_is_read_with_its_thesaurus(data: Path) -> None:
    ontology = read_ontology(data / "ontologies" / "yso_skos" / "yso-archaeology.ttl")
    corpus = data / "labels" / "annif_archaeology"
    file = read_label_file(corpus / "documents.tsv", ontology, unknown="drop")
    lines = (corpus / "documents.tsv").read_text(encoding="utf-8").splitlines()
    assert len(file.sets) == len(lines) == 6_404
    found = file.sets.matrix.nnz + sum(file.dropped.values()) + file.repeated
    assert found == sum(line.rpartition("\t")[2].count("<http") for line in lines)
    assert file.sets.matrix.nnz > len(lines)


def test_the_full_texts_of_annif_are_read_by_iri_and_by_label(data: Path, tmp_path: Path) -> None:
    folder = data / "labels" / "annif_archaeology" / "fulltext"
    ontology = read_ontology(data / "ontologies" / "yso_skos" / "yso-archaeology.ttl", language="fi")
    by_iri = read_label_file(folder, ontology, unknown="drop")
    assert len(by_iri.sets) == 28
    for path in folder.glob("*.key"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    by_label = read_label_file(tmp_path, ontology, unknown="drop")
    assert by_label.sets.samples == by_iri.sets.samples
    assert by_label.sets.matrix.indices.tolist() == by_iri.sets.matrix.indices.tolist()
    assert by_iri.sets.labels_of("385445") == by_label.sets.labels_of("385445")
    assert sum(by_label.dropped.values()) == sum(by_iri.dropped.values())


def test_the_arrays_of_ptb_xl_are_read_with_their_classes(data: Path) -> None:
    folder = data / "labels" / "ptbxl_exp0"
    classes = folder / "classes.txt"
    truth = read_labels(folder / "y_true.npy", concepts=classes)
    assert truth.matrix.shape == (2_203, 71)
    assert round(truth.sizes.mean(), 2) == 2.77
    assert truth.sizes.min() > 0
    assert truth.matrix.sum(axis=0).min() > 0
    scores = read_scores(folder / "y_score_xresnet1d101.npy", concepts=classes)
    assert scores.matrix.shape == truth.matrix.shape
    naive = read_labels(folder / "y_score_naive.npy", concepts=classes, threshold=0.5)
    assert evaluate(truth, scores.at(0.5), measures="F")["F"] > evaluate(truth, naive, measures="F")["F"]


def test_the_segments_of_audioset_are_read_and_most_are_not_closed_upwards(data: Path) -> None:
    folder = data / "labels" / "audioset_eval"
    listed = (folder / "class_labels_indices.csv").read_text(encoding="utf-8").splitlines()[1:]
    concepts = [row.split(",")[1] for row in listed]
    sets = read_labels(folder / "eval_segments.csv", concepts=concepts)
    assert (len(sets), len(sets.vocabulary)) == (20_371, 527)
    assert round(sets.sizes.mean(), 2) == 2.54
    nodes = json.loads((data / "ontologies" / "audioset" / "ontology.json").read_text(encoding="utf-8"))
    links = [(node["id"], child) for node in nodes for child in node["child_ids"]]
    hierarchy = Hierarchy.from_edges(links, concepts=[node["id"] for node in nodes]).with_labels(concepts)
    unclosed = sets.unclosed(hierarchy)
    assert unclosed.sum() == 13_592
    closed = sets.closed(hierarchy)
    assert not closed.unclosed(hierarchy).any()
    assert ((closed.sizes > sets.within(hierarchy.label_vocabulary).sizes) == unclosed).all()


@pytest.mark.parametrize(("name", "repeated"), [("documents.gold", 0), ("multiple", 2_749)])
def test_the_questions_of_bioasq_are_read_with_what_is_there_twice(
    data: Path, name: str, repeated: int
) -> None:
    (path,) = (data / "labels" / "bioasq").glob(f"*{name}.json")
    file = read_label_file(path)
    assert len(file.sets) == 100
    assert file.repeated == repeated
    assert str(file.format) == "JSON (records with the keys 'id', 'concepts'; not used: 'documents')"


def test_the_questions_of_bioasq_speak_of_mesh_by_addresses_that_ask_for_it(data: Path) -> None:
    rows = (data / "ontologies" / "mesh_bioasq" / "mesh_hierarchy.txt").read_text(encoding="utf-8").split()
    (path,) = (data / "labels" / "bioasq").glob("*documents.gold.json")
    file = read_label_file(path, concepts=sorted(set(rows)), unknown="drop")
    assert file.sets.matrix.nnz == sum(count for _, count in file.translated.values()) > 200
    assert all(concept == address.rpartition("=")[2] for address, (concept, _) in file.translated.items())
    assert not any("term=D0" in address for address in file.dropped if address.rpartition("=")[2] in rows)


def test_the_classes_of_physionet_are_read_by_any_of_their_codes(data: Path, tmp_path: Path) -> None:
    weights = data / "labels" / "physionet2021" / "weights.csv"
    concepts = weights.read_text(encoding="utf-8").splitlines()[0].split(",")[1:]
    assert sum("|" in concept for concept in concepts) == 4
    codes = [code for concept in concepts for code in concept.split("|")]
    path = tmp_path / "truth.csv"
    path.write_text("id,labels\n" + "".join(f"A{code},{code}\n" for code in codes), encoding="utf-8")
    file = read_label_file(path, concepts=concepts)
    assert [file.sets.labels_of(f"A{code}") for code in codes] == [
        (concept,) for concept in concepts for _ in concept.split("|")
    ]
    assert len(file.translated) == 8


def test_the_shipped_benchmark_is_read_with_its_agreement() -> None:
    ontology = read_ontology(ontologies.path("photo"))
    file = read_label_file(ontologies.benchmark() / "truth.csv", ontology)
    agreement = read_agreement(ontologies.benchmark() / "agreement.csv", ontology)
    assert file.sets.vocabulary.concepts == tuple(agreement)
    assert (agreement.filled, agreement.unused, file.notes) == ((), (), ())
