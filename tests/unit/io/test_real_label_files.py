"""Label files as benchmarks publish them."""

from __future__ import annotations

from pathlib import Path

from ontoeval import ontologies
from ontoeval.io import read_agreement, read_concepts, read_label_file, read_labels
from ontoeval.ontology import read_ontology


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


def test_subjects_in_angle_brackets_are_read_with_their_thesaurus(data: Path, tmp_path: Path) -> None:
    ontology = read_ontology(data / "ontologies" / "yso_skos" / "yso-archaeology.ttl")
    corpus = data / "labels" / "annif_archaeology" / "documents.tsv"
    # The corpus names neither its columns nor its documents, and their titles are not unique.
    subjects = [row.rpartition("\t")[2] for row in corpus.read_text(encoding="utf-8").splitlines()]
    rows = ["document\tconcepts", *(f"d{number}\t{iris}" for number, iris in enumerate(subjects))]
    path = tmp_path / "documents.tsv"
    path.write_text("\n".join(rows), encoding="utf-8")
    file = read_label_file(path, ontology, separator=" ", unknown="drop")
    assert len(file.sets) == len(subjects)
    found = file.sets.matrix.nnz + sum(file.dropped.values()) + file.repeated
    assert found == sum(iris.count("<http") for iris in subjects)
    assert file.sets.matrix.nnz > len(subjects)


def test_the_shipped_benchmark_is_read_with_its_agreement() -> None:
    ontology = read_ontology(ontologies.path("photo"))
    file = read_label_file(ontologies.benchmark() / "truth.csv", ontology)
    agreement = read_agreement(ontologies.benchmark() / "agreement.csv", ontology)
    assert file.sets.vocabulary.concepts == tuple(agreement)
    assert (agreement.filled, agreement.unused, file.notes) == ((), (), ())
