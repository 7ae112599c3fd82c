"""Scores are read as scores, and become sets with a threshold only."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ontoeval.errors import InputError, UnknownConceptError
from ontoeval.labels.reading import read_label_file, read_labels, read_score_file, read_scores
from ontoeval.ontology import ontologies
from ontoeval.ontology.reading import read_ontology

CONCEPTS = ("sky", "sea")
DENSE = [
    "id,sky,sea\np1,0.9,0.25\np2,0,1e-3\n",
    "p1 0.9 0.25\np2 0 0.001\n",
    "sample,concept,score\np1,sky,0.9\np1,sea,.25\np2,sea,0.001\np2,sky,0\n",
    '{"p1": {"sky": 0.9, "sea": 0.25}, "p2": {"sea": 0.001, "sky": 0}}',
]


def written(folder: Path, content: str, name: str = "run.txt") -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


@pytest.mark.parametrize("content", DENSE)
def test_every_format_says_the_same_scores(tmp_path: Path, content: str) -> None:
    scores = read_scores(written(tmp_path, content), concepts=CONCEPTS)
    assert scores.samples == ("p1", "p2")
    assert scores.matrix.nnz == 3  # a score of 0 is no score
    np.testing.assert_array_equal(scores.matrix.toarray(), [[0.9, 0.25], [0, 0.001]])


@pytest.mark.parametrize("content", DENSE)
def test_a_threshold_makes_labels_of_scores(tmp_path: Path, content: str) -> None:
    path = written(tmp_path, content)
    sets = read_labels(path, concepts=CONCEPTS, threshold=0.25)
    assert (sets.labels_of("p1"), sets.labels_of("p2")) == (("sky", "sea"), ())


@pytest.mark.parametrize("content", DENSE)
def test_without_a_threshold_scores_are_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(InputError, match=r"scores.*Give a threshold \(threshold=, --threshold\)"):
        read_labels(written(tmp_path, content), concepts=CONCEPTS)


def test_the_first_score_among_zeros_and_ones_is_named_by_row_and_column(tmp_path: Path) -> None:
    path = written(tmp_path, "id,sky,sea\np1,0,1\n\np2,1,0.7\n")
    with pytest.raises(InputError, match=r"run\.txt, row 4: column 'sea' holds 0\.7, neither 0 nor 1"):
        read_labels(path)


def test_zeros_and_ones_may_be_taken_for_scores(tmp_path: Path) -> None:
    path = written(tmp_path, "id,sky,sea\np1,0,1\n")
    assert read_labels(path, threshold=0.5).labels_of("p1") == ("sea",)


@pytest.mark.parametrize("by_file", [True, False])
def test_each_concept_may_have_its_own_threshold(tmp_path: Path, *, by_file: bool) -> None:
    path = written(tmp_path, "id,sky,sea\np1,0.6,0.6\n")
    table = written(tmp_path, "concept,threshold\nsea,0.7\nsky,0.5\n", "thresholds.csv")
    sets = read_labels(path, threshold=table if by_file else {"sky": 0.5, "sea": 0.7})
    assert sets.labels_of("p1") == ("sky",)


def test_thresholds_go_by_any_name_and_may_cover_more_than_is_asked(tmp_path: Path) -> None:
    ontology = read_ontology(ontologies.path("diamond"))
    path = written(tmp_path, "sample,concept,score\np1,Car,0.6\np1,bicycle,0.6\n")
    thresholds = dict.fromkeys(ontology.hierarchy().vocabulary, 0.9) | {"car": 0.5}
    assert read_labels(path, ontology, threshold=thresholds).labels_of("p1") == ("car",)
    assert read_labels(path, ontology, concepts=["car", "bicycle"], threshold=thresholds).sizes.tolist() == [
        1
    ]


def test_a_concept_without_threshold_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, "id,sky,sea\np1,0.6,0.6\n")
    table = written(tmp_path, "concept,threshold\nsky,0.5\n", "thresholds.csv")
    with pytest.raises(InputError, match=r"thresholds\.csv: no threshold for 1 of 2 concepts: 'sea'"):
        read_labels(path, threshold=table)


def test_an_unknown_threshold_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, "id,sky\np1,0.6\n")
    with pytest.raises(UnknownConceptError, match=r"'sk' in entry 'sk' \(near: 'sky'\)"):
        read_labels(path, threshold={"sky": 0.5, "sk": 0.5})


@pytest.mark.parametrize(
    "content",
    ["id,labels\np1,sky\n", "sample,concept\np1,sky\n", '{"p1": ["sky"]}'],
    ids=["wide", "long", "json"],
)
def test_labels_are_no_scores(tmp_path: Path, content: str) -> None:
    path = written(tmp_path, content)
    with pytest.raises(InputError, match="labels, not scores"):
        read_scores(path)
    with pytest.raises(InputError, match=r"labels, not scores.*Leave out the threshold"):
        read_labels(path, threshold=0.5)


def test_two_scores_of_one_label_are_refused_with_both_rows(tmp_path: Path) -> None:
    path = written(tmp_path, "sample,concept,score\np1,sea,1\np1,sky,0.1\np2,sky,0.3\np1,sky,0.2\n")
    with pytest.raises(InputError, match="sample 'p1' has two scores for 'sky', in rows 3 and 5"):
        read_scores(path)


def test_what_has_no_score_is_no_label_at_any_threshold(tmp_path: Path) -> None:
    path = written(tmp_path, "sample,concept,score\np1,sky,2\np2,sea,1\np3,,\n")
    scores = read_scores(path)
    assert scores.matrix.nnz == 2
    assert [scores.at(-5).labels_of(sample) for sample in scores.samples] == [("sky",), ("sea",), ()]


def test_dropped_scores_are_counted(tmp_path: Path) -> None:
    path = written(tmp_path, "sample,concept,score\np1,sky,0.3\np1,moon,0.4\np2,moon,0.5\n")
    file = read_score_file(path, concepts=["sky"], unknown="drop")
    assert file.dropped == {"moon": 2}
    assert str(file).endswith("long CSV (columns 'sample', 'concept', 'score'); 2 samples with scores")
    assert read_label_file(path, concepts=["sky"], unknown="drop", threshold=0.1).dropped == {"moon": 2}
