"""The readers of label files, and of what is read beside them, and the files that they are to survive."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from ontoeval.labels.annotation_tools import TOOLS
from ontoeval.labels.annotations import read_annotations
from ontoeval.labels.formats import Layout
from ontoeval.labels.name_resolution import read_concept_map, read_concepts
from ontoeval.labels.per_concept import read_agreement, read_thresholds
from ontoeval.labels.reading import read_label_file, read_score_file, read_verified_file
from ontoeval.labels.reading_options import LabelReading, NameOptions
from ontoeval.labels.resolved import LabelFile, ScoreFile
from ontoeval.ontology.model import Ontology
from ontoeval.ontology.reading import read_ontology
from ontoeval.options import filled
from tests.fuzz.rdf import CLASSES
from tests.fuzz.readers import ARRAY, ARRAY_TOKENS, Reader, as_file, packed, words

NAMES = ("sky", "sea", "clouds")
PHOTO = "http://example.org/photo#"

TOKENS = {
    "table": words(
        "id sample image labels label concept concepts score scores value agreement threshold iri name pmid YTID positive_labels "
        'start_seconds split text # , ; | "" """ " sky sea clouds old heaven p1 p2 p3 0 1 0.5 -1 1e5 nan 1,000 0x1 1_0 +1 .5 5. '
        "http://example.org/photo#sky <http://example.org/photo#sea> sky|sea sky;sea NOT NOT|part_of excluded present !gaf-version: 2.2 "
        "qualifier key species ! \t"
    ),
    "json": words(
        '"id" "labels" "label" "scores" "score" "documents" "articles" "meshMajor" "pmid" "concept" "p1" "p2" "sky" "sea" 0.5 1e400 '
        'NaN -1 null true {} [] [[]] {"sky":1} ["sky",0.5] {"label":"sky","score":1} "" "\\ud800" "\\u0000" 1 7.0 10000000000000000000000'
    ),
    "arff": words(
        "@relation @RELATION @attribute @ATTRIBUTE class hierarchical string numeric id name @data @DATA {a,b} { } % ? , @ ' \" \\ \\' "
        "01/01 GO1/GO2 'a b'"
    ),
    "annif": words(
        "<http://example.org/photo#sky> <http://example.org/photo#sea> <> < > <a b> sky 0.5 1e999 nan"
    ),
    "tools": words(
        '"annotations" "result" "choices" "taxonomy" "answer" "accept" "reject" "ignore" "label" "options" "excluded" "type" "id" null true '
        '{} [] 1 -1 "" <image name="p3"> <tag label="sky"/> </image> <track> </annotations> &lt; &x; "_cls" "classes" "completed_by"'
    ),
    "cafa": words("AUTHOR MODEL 1 KEYWORDS ACCURACY END END. T1 GO:1 GO:0005634 0.5 1.00 2 -1 nan sky"),
}
TEXTS: Mapping[str, tuple[str, ...]] = {
    "wide": (
        "id,labels\np1,sky;sea\np2,\n",
        'Image ID\tConcepts\ttext\n"p1"\tsky|clouds\tx\n',
        "id,labels,scores\np1,sky;sea,0.5;1\np2,,\n",
        '# Segments\n# 1\n# YTID, start_seconds, end_seconds, positive_labels\n--PJ, 30.000, 40.000, "sky,sea"\n',
        "labels,document\nsky,p1\n",
    ),
    "long": (
        "sample,concept\np1,sky\np1,sea\np2,\n",
        "label;confidence;photo\nsky;1;p1\nsea;0.25;p1\n",
        'id\ttitle\ttag\np1\tx\t"sky"\n',
        "!gaf-version: 2.2\n!date: x\n"
        "DB\tp1\tS\tinvolved_in\tsky" + "\t" * 12 + "\nDB\tp1\tS\tNOT|part_of\tsea" + "\t" * 12 + "\n",
        "!gpad-version: 2.0\nDB:p1\t\tRO:1\tsky" + "\t" * 8 + "\nDB:p2\tNOT\tRO:1\tsea" + "\t" * 8 + "\n",
        "#version: x\ndatabase_id\tqualifier\thpo_id\nOMIM:1\t\tsky\nOMIM:1\tNOT\tsea\n",
    ),
    "columns": ("id,sky,sea\np1,0,1\np2,1,1\n", "\tsky\told\np1\t0.5\t1e-3\n", ",sky|sea,clouds\np1,1,0\n"),
    "json": (
        '{"p1": ["sky", "sea"], "p2": []}',
        '{"p1": {"sky": 0.9, "sea": 0.25}, "p2": {}}',
        '{"documents": [{"id": "a", "labels": ["sky", "sky"]}, {"id": 7, "labels": []}]}',
        '[{"pmid": 7, "meshMajor": ["sky"], "year": 2014}, {"pmid": 8, "meshMajor": [], "year": null}]',
    ),
    "jsonl": (
        '{"id": "p1", "title": "On \\"sky\\"", "labels": ["sky", "sea"]}\n{"id": 2, "labels": []}\n',
        '{"id": "p1", "labels": ["sky"], "scores": [0.5]}\n\n{"id": "p2", "labels": [], "scores": []}\n',
        '{"image": "p1", "tag": "sky"}\n{"image": "p1", "tag": "sea"}\n',
    ),
    "imageclef": ("p1.jpg 0 1 0\np2.jpg 1 0 1\n", "p1.jpg\t0.5\t1e-3\t1\n"),
    "arff": (
        """% genes
@RELATION 'pheno0.names'

@ATTRIBUTE 'two words' numeric
@ATTRIBUTE class hierarchical 01,01/01,sky
@DATA
1.5,01/01@sky % a remark

?,01
""",
        "@relation 'x: -C 1'\n@attribute sky {0,1}\n@attribute f numeric\n@data\n1,.5\n{0 1}\n0,?\n",
        "@relation go\n@attribute ID string\n@attribute class hierarchical root/GO1,GO1/GO2\n@data\n'YAL 2',GO1\n",
    ),
    "annif": (
        f"A title\t<{PHOTO}sky> <{PHOTO}sea>\nAnother; long\t\n",
        f"<{PHOTO}sky>\tsky\t0.9\n<{PHOTO}sea>\tsea\t0.1\n",
        f"<{PHOTO}sky>\tsky\n\n<{PHOTO}sea>\n",
    ),
    "labelstudio": (
        (
            '[{"id": 1, "data": {"image": "p1"}, "annotations": [{"completed_by": 1, "result": [{"from_name": "t", "value": '
            '{"choices": ["sky", "sea"]}}]}]}, {"id": 2, "annotations": [{"completed_by": {"email": "a@b"}, "was_cancelled": false, '
            '"result": [{"from_name": "t", "value": {"taxonomy": [["old", "sky"]]}}]}]}]'
        ),
        '[{"image": "p1", "id": 1, "t": {"choices": ["sky", "sea"]}, "annotator": 1, "annotation_id": 2, "lead_time": 4.2}]',
        '"annotation_id","annotator","id","lead_time","t"\n2,"1",1,4.2,"{""choices"":[""sky"",""sea""]}"\n3,"1",2,1,"sky"\n',
    ),
    "prodigy": (
        (
            '{"text": "a", "_input_hash": 1, "options": [{"id": "sky"}, {"id": "sea"}], "accept": ["sky"], "answer": "accept", '
            '"_session_id": "a"}\n{"text": "b", "_input_hash": 2, "label": "sky", "answer": "reject", "_session_id": "a"}\n'
        ),
    ),
    "phenopackets": (
        (
            '{"id": "p1", "subject": {"id": "x"}, "phenotypicFeatures": [{"type": {"id": "sky"}}, {"type": {"id": "sea"}, '
            '"excluded": true}], "metaData": {}}'
        ),
        '{"id": "f", "proband": {"id": "p1", "phenotypicFeatures": []}, "relatives": [{"id": "p2"}]}',
    ),
    "fiftyone": (
        '{"classes": ["sky", "sea"], "labels": {"p1": 0, "p2": null, "p3": [0, 1], "p4": {"label": 1, "confidence": 0.5}}}',
        '{"samples": [{"filepath": "p1", "a": {"_cls": "Classifications", "classifications": [{"label": "sky", "confidence": 1}]}}]}',
    ),
    "cvat": (
        (
            '<?xml version="1.0" encoding="utf-8"?>\n<annotations>\n<version>1.1</version><meta><task/></meta>\n<image id="0" '
            'name="p1"><tag label="sky"></tag><box label="sea" xtl="1"><attribute name="x">y</attribute></box></image>\n'
            '<image id="1" name="p2"/></annotations>\n'
        ),
    ),
    "paths": (
        "id,l1,l2,text\np1,sky,UNK,x\np2,old,sea,\n",
        '{"p1": ["sky", "UNK"], "p2": ["old", null]}',
    ),
    "cafa": (
        "AUTHOR a\nMODEL 1\nKEYWORDS x.\nT1\tGO:0005634\t0.5\nT1\tsky\t1.00\nEND\n",
        "P1 GO:1\nP2 GO:2\n",
    ),
}
NAMED: Mapping[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "titles": (
        {
            "sample_column": ["key", "image_id"],
            "concept_column": ["species", "3"],
            "negation_column": ["seen", ""],
        },
        (
            "key,seen_on,species,seen\np1,2025-01-01,sky,NOT\np1,,sea,present\n",
            "deployment_id\timage_id\tspecies\n1\tp1\tsky\n1\tp2\t\n",
        ),
    ),
    "numbers": (
        {"header": False, "sample_column": 1, "concept_column": 3, "value_column": ["4", ""]},
        ("# x\n! y\np1\t0\tsky\np1\t1\tsea\n", "p1,0,sky,0.5\np2,0,sea,1\n", "p1 0 sky\n"),
    ),
}
"""Tables whose columns are named, by their titles or by their numbers."""
BESIDE: Mapping[str, tuple[str, ...]] = {
    "agreement": ("concept,agreement\nsky,0.5\nsea,1\nclouds,0\n", "iri\tnote\tagreement\nsky\t\t.5\n"),
    "thresholds": (
        "name;threshold\nsky;0.5\nsea;-1e3\n",
        '"concept","value"\n"sky","1"\n"clouds",0\nsea,1\n',
    ),
    "concepts": (
        "sky\n\nMale speech, man speaking\n",
        "id\tname\r\n0\tsky\r\n",
        "label,concept\nSky above,sky\n",
    ),
    "concept-map": (
        "label,concept\nHimmel,sky\nMeer,sea\nSee,sea\n",
        f"iri\tx\tname\n{PHOTO}sky\t\tHimmel\n",
    ),
}

ANNOTATIONS = (
    "sample,annotator,concept\np1,Ann,sky\np1,Bob,\np2,Ann,sea\n",
    "id;rater;label;value\np1;A;sky;1\np1;B;sky;0\np2;A;sea;-1\np2;B;sea;\n",
    "# remark\nsample\tannotator\tsky\tsea\np1\tA\t1\t0\np1\tB\t\t-1\n",
    "sample,concept,A,B\np1,sky,1,0\np1,sea,,-1\n",
    '{"id": "p1", "annotator": "A", "labels": ["sky", "sea"]}\n{"id": "p1", "annotator": "B", "labels": null}\n',
    '[{"id": "p1", "annotator": "A", "label": "sky", "value": 1}, {"id": "p1", "annotator": "B", "label": "sky", "value": 0}]',
)


@cache
def ontology() -> Ontology:
    """Read the ontology that labels are looked up in."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "photo.ttl")
        path.write_text(CLASSES, encoding="utf-8")
        return read_ontology(path)


def used(file: LabelFile | ScoreFile) -> None:
    """Look at all that can be had from a file."""
    str(file), file.notes, file.format.width, file.digest
    if isinstance(file, ScoreFile):
        file.scores.at(0.5)
        return
    for sample in file.sets.samples[:5]:
        file.sets.labels_of(sample)
    str(file.sets), file.sets.sizes


DROPPING, LISTED = NameOptions(unknown="drop"), NameOptions(NAMES, unknown="drop")
TRANSLATED = NameOptions(NAMES, {"a": "sky"})


def _calls(form: str | None) -> tuple[Callable[[Path], None], ...]:
    """Read a file as labels and as scores, with and without knowing the concepts, and saying the format or not."""
    return (
        lambda path: used(read_label_file(path, reading=LabelReading(layout=Layout(form)))),
        lambda path: used(read_label_file(path, ontology(), LabelReading(DROPPING, close=True))),
        lambda path: used(read_score_file(path, reading=LabelReading(LISTED, Layout(form)))),
        lambda path: used(read_label_file(path, reading=LabelReading(TRANSLATED, threshold=0.5))),
    )


def _verified(path: Path) -> None:
    """Read a file as verified labels."""
    used(read_verified_file(path, None, LabelReading(LISTED), negative=0))


def _in_folder(path: Path) -> None:
    """Read a file as one of a folder."""
    path.with_name("b.key").write_text("sea\n", encoding="utf-8")
    used(read_label_file(path.parent, reading=LabelReading(LISTED)))


def _values(path: Path, *, read: Callable[..., Mapping[str, float]], **options: object) -> None:
    values = read(path, **options)
    assert all(isinstance(value, float) for value in values.values())


def _with(path: Path, **options: Path) -> None:
    """Read labels with what a file says of concepts."""
    labels = path.with_name("labels.csv")
    labels.write_text("id,labels\np1,sky;Himmel\n", encoding="utf-8")
    used(read_label_file(labels, ontology(), filled(LabelReading, {"unknown": "drop", **options})))


def _parquet() -> tuple[bytes, ...]:
    pa, pq = import_module("pyarrow"), import_module("pyarrow.parquet")  # neither has types

    numbered = pa.DictionaryArray.from_arrays(pa.array([1, 0, None]), ["sky", "sea"])
    tables = (
        {"sample": ["p1", "p1", "p2"], "concept": ["sky", "sea", None]},
        {"sample": ["p1", "p2", "p3"], "concept": numbered, "score": [0.5, 1.0, None]},
        {"id": [1, 2, 3], "labels": [["sky", "sea"], None, []], "text": ["x", "y", None]},
        {"id": ["p1", "p2"], "sky": [True, False], "sea": [1, 0]},
    )
    files: list[bytes] = []
    for columns in tables:
        file = io.BytesIO()
        pq.write_table(pa.table(columns), file, compression="none" if len(files) % 2 else "snappy")
        files.append(file.getvalue())
    return tuple(files)


def _of_arrays() -> Iterator[Reader]:
    calls = (
        *_calls("array"),
        lambda path: used(read_label_file(path, reading=LabelReading(NameOptions(NAMES)))),
    )
    table = np.array([[1, 1, 0], [0, 0, 1]])
    tables = (table, table.astype(bool), np.asfortranarray(table * 0.25), table.astype(">i2"))
    yield Reader("labels-npy", calls, tuple(map(as_file, tables)), ARRAY_TOKENS, box=ARRAY)


def readers() -> Iterator[Reader]:
    """Name all readers of label files, and of what stands beside them."""
    for form, texts in TEXTS.items():
        tool = form in TOOLS
        tokens = TOKENS.get(form, TOKENS["json" if form == "jsonl" else "tools" if tool else "table"])
        seeds = tuple(text.encode() for text in texts)
        several = (*_calls_of_annotations()[:3], _verified) if tool else ()
        yield Reader(f"labels-{form}", (*_calls(form), *several), seeds, tokens)
    for name, (columns, texts) in NAMED.items():
        given = filled(LabelReading, columns)
        named = (
            lambda path, given=given: used(read_label_file(path, reading=given)),
            lambda path, given=given: used(read_label_file(path, reading=replace(given, threshold=0.5))),
            lambda path, given=given: used(read_verified_file(path, None, given, negative=0)),
        )
        yield Reader(f"labels-named-{name}", named, tuple(map(str.encode, texts)), TOKENS["table"])
    yield from _of_arrays()
    for suffix in (".key", ".tsv", ".annif"):
        plain = ("sky\nold\n",) if suffix == ".key" else ()  # the others begin with an IRI
        seeds = tuple(text.encode() for text in (*plain, *TEXTS["annif"][1:]))
        yield Reader(f"labels-annif{suffix}", (*_calls(None)[:3], _in_folder), seeds, TOKENS["annif"], suffix)
    if find_spec("pyarrow"):
        yield Reader(
            "labels-parquet",
            _calls(None),
            _parquet(),
            words("sample concept id labels score ARROW:schema PAR1"),
        )
    yield from packed(Reader("labels", _calls(None)[:2], (TEXTS["wide"][0].encode(),), TOKENS["table"]))
    tokens = (*TOKENS["table"], *TOKENS["json"], *words("annotator rater Ann A B value answer"))
    yield Reader("annotations", _calls_of_annotations(), tuple(text.encode() for text in ANNOTATIONS), tokens)
    for name, texts in BESIDE.items():
        yield Reader(name, _calls_beside(name), tuple(text.encode() for text in texts), TOKENS["table"])


def _calls_of_annotations() -> tuple[Callable[[Path], None], ...]:
    """Read what annotators say, with and without knowing the concepts, and with values that are missing."""

    def read(path: Path, **options: Any) -> None:
        found = read_annotations(path, **options)
        for annotator in found.annotators:
            str(found.of(annotator)), found.of(annotator).matrix.sum()

    return (
        read,
        partial(read, ontology=ontology(), unknown="drop", repeats="merge"),
        partial(read, concepts=NAMES, unknown="drop", na="empty", uncertain="absent"),
        partial(read, columns="annotators"),
        partial(read, columns="concepts"),
    )


def _calls_beside(name: str) -> tuple[Callable[[Path], object], ...]:
    """Read numbers or names of concepts alone, and together with what they belong to."""
    match name:
        case "agreement" | "thresholds":
            read = read_agreement if name == "agreement" else read_thresholds
            default = {"default": 0.5} if name == "agreement" else {}
            return (
                partial(_values, read=read),
                lambda path: _values(path, read=read, ontology=ontology(), **default),
                partial(_values, read=read, concepts=NAMES),
            )
        case "concepts":
            return read_concepts, lambda path: _with(path, concepts=path)
        case _:
            return read_concept_map, lambda path: _with(path, concept_map=path)
