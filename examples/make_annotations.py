"""Write synthetic annotations: what ten invented people say of a hundred photos of the synthetic benchmark.

Everything is invented, and follows from the seed::

    python examples/make_annotations.py --out annotations

Each of them has a character: how often a label is missed, and how often something near is said instead, or
beside. What photos look like, they agree on less than on what is in them.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import networkx as nx
import numpy as np

import ontoeval as oe
from ontoeval.ontology.model import Ontology

SEED = 10_100
PHOTOS = 100

# How much harder to see a label is than what is plainly there, by the branch it lies in.
HARDER = {"landscape_element": 1.0, "subject": 0.8, "scene": 1.6, "representation": 2.2, "impression": 4.0}


@dataclass(frozen=True)
class Person:
    """An annotator: how often a label is missed, replaced by a near one, and joined by a near one."""

    missed: float
    instead: float
    beside: float
    seen: float = 1.0  # which share of the photos


# fmt: off
PEOPLE = {
    "Ada": Person(0.02, 0.01, 0.01),
    "Ben": Person(0.04, 0.02, 0.01),
    "Cleo": Person(0.05, 0.02, 0.02),
    "Dan": Person(0.06, 0.03, 0.02),
    "Eve": Person(0.05, 0.02, 0.06),         # says much
    "Finn": Person(0.15, 0.01, 0.01),        # says little
    "Gus": Person(0.08, 0.10, 0.04),         # takes one thing for another
    "Hana": Person(0.04, 0.02, 0.02, 0.7),   # left early
    "Ivo": Person(0.06, 0.03, 0.03, 0.5),    # came late
    "Jo": Person(0.30, 0.20, 0.15),          # did not look
}
# fmt: on


def near(ontology: Ontology, label: str, labels: Sequence[str]) -> list[str]:
    """List the labels that are parent, child or sibling of a label."""
    graph = ontology.graph
    above = set(graph.predecessors(label))
    siblings = {child for parent in above for child in graph.successors(parent)}
    return sorted((above | siblings | set(graph.successors(label))) & set(labels) - {label})


# Only `random()` is drawn from: the streams of numpy's other methods may change between its releases.
def said_by(
    rng: np.random.Generator,
    person: Person,
    truth: Sequence[str],
    neighbours: dict[str, list[str]],
    harder: dict[str, float],
) -> list[str]:
    """Draw what a person says of a photo."""
    said = set()
    for label in truth:
        fate, which, more = rng.random(), rng.random(), rng.random()
        others = [other for other in neighbours[label] if other not in truth]
        if fate >= harder[label] * (person.missed + person.instead):
            said.add(label)
        elif fate >= harder[label] * person.missed and others:
            said.add(others[int(which * len(others))])
        if more < harder[label] * person.beside and others:
            said.add(others[int(which * len(others))])
    return sorted(said)


def write_annotations(out: Path, *, seed: int = SEED) -> None:
    """Write the annotations as one table, and two forms of a part of it."""
    ontology = oe.read_ontology(oe.ontologies.path("photo"))
    truth = oe.read_labels(oe.ontologies.benchmark() / "truth.csv", ontology)
    labels = list(truth.vocabulary)
    neighbours = {label: near(ontology, label, labels) for label in labels}
    harder = {
        label: HARDER[next(iter({label, *nx.ancestors(ontology.graph, label)} & set(HARDER)))]
        for label in labels
    }
    rows = ["photo,annotator,labels"]
    for number, (name, person) in enumerate(PEOPLE.items()):
        rng = np.random.default_rng([seed, number])
        for photo in truth.samples[:PHOTOS]:
            seen, said = rng.random(), said_by(rng, person, truth.labels_of(photo), neighbours, harder)
            if seen < person.seen:
                rows.append(f"{photo},{name},{';'.join(said)}")
    out.mkdir(parents=True, exist_ok=True)
    text = "".join(f"{row}\n" for row in rows)
    (out / "annotations.csv").write_text(text, encoding="utf-8", newline="\n")


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and write the annotations."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write to")
    parser.add_argument("--seed", type=int, default=SEED, help="another seed draws other annotations")
    options = parser.parse_args(arguments)
    write_annotations(options.out, seed=options.seed)


if __name__ == "__main__":
    main()
