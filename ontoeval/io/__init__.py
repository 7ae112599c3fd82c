"""Files in and out: label files, concept lists and maps, agreements, thresholds and weights."""

from ontoeval.io.annotations import AnnotationFiles, read_annotation_files, read_annotations
from ontoeval.io.chunks import read_label_chunks, read_label_file_chunks
from ontoeval.io.concepts import read_concept_map, read_concepts
from ontoeval.io.formats import Recognised
from ontoeval.io.label_files import LabelFile, ScoreFile
from ontoeval.io.labels import read_label_file, read_labels, read_score_file, read_scores
from ontoeval.io.per_concept import ConceptValues, read_agreement, read_thresholds, read_weights
from ontoeval.io.recognition import recognise
from ontoeval.io.verified import read_verified_labels
from ontoeval.io.write import write_labels

__all__ = [
    "AnnotationFiles",
    "ConceptValues",
    "LabelFile",
    "Recognised",
    "ScoreFile",
    "read_agreement",
    "read_annotation_files",
    "read_annotations",
    "read_concept_map",
    "read_concepts",
    "read_label_chunks",
    "read_label_file",
    "read_label_file_chunks",
    "read_labels",
    "read_score_file",
    "read_scores",
    "read_thresholds",
    "read_verified_labels",
    "read_weights",
    "recognise",
    "write_labels",
]
