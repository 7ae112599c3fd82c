"""Reading ontologies and label files, scoring from files, and starting the program."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

import ontoeval as oe
from benchmarks import peers
from benchmarks.measuring import Command, Effort, Peer, Prepare, Task, Work
from benchmarks.samples import CONCEPTS, LINKS, Files, label_sets, links, photos

FMAX = tuple(f"{one}(thresholds='cafaeval', empty=0.0, undefined=0.0)" for one in ("Fmax", "microFmax"))
FIRST_SCORE = "import ontoeval; ontoeval.evaluate([[1, 0]], [[1, 1]], measures='F')['F']"
FIRST_OF_SCIKIT_LEARN = "from sklearn.metrics import f1_score; f1_score([[1, 0]], [[1, 1]], average='micro')"
TABLE_ONLY = "reads the table only"
GRAPH_ONLY = "parses only"


def _folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory(ignore_cleanup_errors=True)


@cache
def ontologies(effort: Effort) -> Files:
    """Write the same links as a SKOS thesaurus and as OBO."""
    drawn = links(effort.of(CONCEPTS), effort.of(LINKS))
    files = Files(_folder(), f"{effort.of(CONCEPTS):,} concepts drawn, {len(drawn):,} links")
    (files / "thesaurus.ttl").write_text(turtle(drawn), encoding="utf-8")
    (files / "drawn.obo").write_text(obo(drawn), encoding="utf-8")
    return files


def _parents(drawn: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    parents: dict[str, list[str]] = {}
    for parent, child in drawn:
        parents.setdefault(parent, [])
        parents.setdefault(child, []).append(parent)
    return parents


def turtle(drawn: Iterable[tuple[str, str]]) -> str:
    """Write a thesaurus in two languages."""
    lines = ["@prefix skos: <http://www.w3.org/2004/02/skos/core#> .", "@prefix : <https://example.org/> ."]
    for name, parents in _parents(drawn).items():
        broader = "".join(f"    skos:broader :{parent} ;\n" for parent in parents)
        label = f'    skos:prefLabel "concept {name}"@en, "Begriff {name}"@de .\n'
        lines.append(f':{name} a skos:Concept ;\n{broader}    skos:altLabel "the {name} one"@en ;\n{label}')
    return "\n".join(lines)


def obo(drawn: Iterable[tuple[str, str]]) -> str:
    """Write OBO."""
    terms = ["format-version: 1.2\nontology: drawn\n"]
    for name, parents in _parents(drawn).items():
        above = "".join(f"is_a: {parent}\n" for parent in parents)
        terms.append(f"[Term]\nid: {name}\nname: concept {name}\nnamespace: drawn\n{above}")
    return "\n".join(terms)


def read(name: str) -> Prepare:
    """Read an ontology, as far as the hierarchy that measures use."""
    return lambda files: lambda: oe.read_ontology(files / name).hierarchy()


@cache
def labels(effort: Effort) -> Files:
    """Label sets in two formats, one label in each row."""
    vocabulary = oe.Vocabulary(tuple(f"concept {number:04}" for number in range(1_000)))
    sets, _ = label_sets(effort.of(100_000), vocabulary)
    files = Files(_folder(), f"{sets.matrix.nnz:,} rows")
    oe.write_labels(sets, files / "labels.csv", output_format="long")
    if find_spec("pyarrow") is not None:
        parquet, table = import_module("pyarrow.parquet"), import_module("pyarrow").table
        named = np.asarray(vocabulary.concepts)[sets.matrix.indices]
        samples = np.repeat(np.asarray(sets.samples), np.diff(sets.matrix.indptr))
        parquet.write_table(table({"sample": samples, "concept": named}), files / "labels.parquet")
    return files


def read_labels(name: str) -> Prepare:
    """Read a label file."""
    return lambda files: lambda: oe.read_labels(files / name)


@cache
def scored(effort: Effort) -> Files:
    """Write a hierarchy, true terms and scores, in the formats of CAFA."""
    drawn = links(3_000, 4_000)
    hierarchy = oe.Hierarchy.from_edges(drawn)
    truth, run = label_sets(effort.of(1_000), hierarchy.label_vocabulary, labels=13)
    files = Files(_folder(), f"{len(truth):,} × {len(hierarchy.vocabulary):,} concepts drawn, 13 scores each")
    (files / "drawn.obo").write_text(obo(drawn), encoding="utf-8")
    (files / "runs").mkdir()
    oe.write_labels(truth, files / "truth.csv", output_format="long")
    rng = np.random.default_rng(1)
    for name, sets in (("truth.tsv", truth), ("runs/run.tsv", run)):
        rows = zip(np.repeat(sets.samples, sets.sizes), sets.matrix.indices.tolist(), strict=True)
        scored = (f"\t{score:.3f}" if sets is run else "" for score in rng.uniform(0.011, 1, sets.matrix.nnz))
        lines = (
            f"{sample}\t{sets.vocabulary[at]}{score}\n"
            for (sample, at), score in zip(rows, scored, strict=True)
        )
        (files / name).write_text("".join(lines), encoding="utf-8")
    return files


def fmax(files: Files) -> Work:
    """Read everything, and find the best threshold."""

    def best() -> list[float]:
        ontology = oe.read_ontology(files / "drawn.obo")
        truth = oe.read_labels(files / "truth.csv", ontology)
        run = oe.read_scores(files / "runs/run.tsv", ontology, input_format="cafa")
        return list(oe.evaluate(truth, run, hierarchy=ontology.hierarchy(), measures=FMAX).scores.values())

    return best


class Process(NamedTuple):
    """What starts has no data, or makes its own."""

    effort: Effort
    size: str = "a fresh process"


def start(*arguments: str) -> Prepare:
    """Run Python in a fresh process."""
    return lambda _: Command(arguments)


def alone(work: str, data: str) -> Prepare:
    """Do something of `studies` in a fresh process, which draws its data too."""
    made = f"from benchmarks.measuring import Effort; from benchmarks import studies; studies.{work}()"
    return lambda process: start("-c", f"{made}(studies.{data}(Effort({process.effort.share})))()")(process)


@cache
def campaign(effort: Effort) -> Files:
    """Write a truth and a run as CSV files."""
    sides = photos(effort).first(effort.of(8_000))
    files = Files(_folder(), "a fresh process")
    oe.write_labels(sides.truth, files / "truth.csv")
    oe.write_labels(sides.prediction, files / "run.csv")
    return files


def score_files(files: Files) -> Work:
    """Score a run by the command."""
    both = (str(files / name) for name in ("truth.csv", "run.csv"))
    return Command(("-m", "ontoeval", "score", *both, "--ontology", "photo"))


TASKS = (
    Task(
        "SKOS in Turtle",
        ontologies,
        read("thesaurus.ttl"),
        {"rdflib": peers.reader(peers.with_rdflib, GRAPH_ONLY)},
    ),
    Task("OBO", ontologies, read("drawn.obo"), {"obonet": peers.reader(peers.with_obonet, GRAPH_ONLY)}),
    Task(
        "labels, CSV",
        labels,
        read_labels("labels.csv"),
        {"pandas": peers.reader(peers.with_pandas, TABLE_ONLY)},
    ),
    Task(
        "labels, Parquet",
        labels,
        read_labels("labels.parquet"),
        {"pyarrow": peers.reader(peers.with_pyarrow, TABLE_ONLY)},
        needs="pyarrow",
    ),
    Task("Fmax, from files", scored, fmax, {"cafaeval": peers.cafaeval()}),
    Task("import ontoeval", Process, start("-c", "import ontoeval")),
    Task(
        "import and score",
        Process,
        start("-c", FIRST_SCORE),
        {"scikit-learn": Peer(start("-c", FIRST_OF_SCIKIT_LEARN), differs="computes its first F")},
    ),
    Task("ontoeval --help", Process, start("-m", "ontoeval", "--help")),
    Task("ontoeval score, files of 8,000 × 53", campaign, score_files),
    Task("compare, 10 runs of 10,000 × 53", Process, alone("compared", "long_runs")),
    Task("study, 20 runs of 4,000 × 53", Process, alone("studied", "twenty_runs")),
    Task("compare, 3 runs of 10,000 × 27,900", Process, alone("compared", "runs_of_documents")),
)
