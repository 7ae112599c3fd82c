"""Write the synthetic photo benchmark: a truth, four runs of different character, and an agreement table.

Everything is invented, but for two agreement values that were published, and follows from the seed::

    python examples/make_benchmark.py --out benchmark

Photos come in kinds, such as a street or a family at home. A kind says how likely its labels are; the
ontology says which of them may stand together. The four runs are drawn from the truth.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import networkx as nx
import numpy as np

import ontoeval as oe
from ontoeval.ontology.model import Ontology

# Draws the predicted labels of one photo from the true ones.
Run = Callable[[np.random.Generator, Sequence[str]], Iterable[str]]

SEED = 20090
PHOTOS = 500

# Shares of exposure and sharpness, of which every photo shows one label each.
EXPOSURE = {"neutral_exposure": 0.78, "overexposed": 0.10, "underexposed": 0.12}
DARK = {"neutral_exposure": 0.45, "underexposed": 0.55}
SHARPNESS = {"sharp": 0.62, "partly_blurred": 0.24, "motion_blur": 0.06, "out_of_focus": 0.08}
MOVING = {"sharp": 0.45, "partly_blurred": 0.20, "motion_blur": 0.30, "out_of_focus": 0.05}
SHALLOW = {"sharp": 0.35, "partly_blurred": 0.60, "out_of_focus": 0.05}

OUTDOORS = {"outdoor": 1.0}
INDOORS = {"indoor": 1.0}
DAYLIGHT = {"day": 0.85, "twilight": 0.15}
# What is left to 1 is the share of photos that do not show it.
SEASONS = {"spring": 0.15, "summer": 0.35, "autumn": 0.15, "winter": 0.15}

# Beyond the rules of the ontology: what would look odd in a photo without the other.
PLAUSIBLE = {
    "beach_holiday": "summer",
    "lake": "outdoor",
    "mountains": "outdoor",
    "sky": "outdoor",
    "snow": "winter",
    "sunny": "day",
    "trees": "outdoor",
}

KEPT_PARENTS = 0.85  # annotators forget to say "plants" where they said "trees": the truth is not closed


@dataclass(frozen=True)
class Kind:
    """A kind of photo: how frequent it is, and how likely are its labels.

    Of each choice at most one label is drawn; the other labels are drawn independently.
    """

    share: float
    choices: Sequence[Mapping[str, float]]
    labels: Mapping[str, float]


# fmt: off
# A table reads better than one label a line.
KINDS = {
    "scenery": Kind(
        0.20,
        (
            {"no_people": 0.80, "one_person": 0.10, "small_group": 0.10},
            OUTDOORS, DAYLIGHT, SEASONS, EXPOSURE, SHARPNESS,
            {"lake": 0.30, "river": 0.25},
        ),
        {
            "landscape": 0.90, "sky": 0.90, "clouds": 0.65, "trees": 0.75, "flowers": 0.20, "mountains": 0.55,
            "snow": 0.80, "sunny": 0.45, "buildings": 0.15, "aesthetic": 0.55, "calm": 0.70,
            "high_overall_quality": 0.50,
        },
    ),
    "street": Kind(
        0.16,
        (
            {"no_people": 0.25, "one_person": 0.20, "small_group": 0.30, "big_group": 0.25},
            OUTDOORS, {"day": 0.65, "twilight": 0.15, "night": 0.20}, SEASONS, EXPOSURE, SHARPNESS,
        ),
        {
            "city_life": 0.85, "buildings": 0.95, "cars": 0.60, "bicycles": 0.30, "sky": 0.70, "clouds": 0.40,
            "trees": 0.40, "river": 0.10, "snow": 0.50, "sunny": 0.35, "aesthetic": 0.25, "calm": 0.15,
            "high_overall_quality": 0.35,
        },
    ),
    "beach": Kind(
        0.10,
        (
            {"no_people": 0.20, "one_person": 0.25, "small_group": 0.40, "big_group": 0.15},
            OUTDOORS, DAYLIGHT, {"summer": 0.80}, EXPOSURE, SHARPNESS,
            {"sea": 0.85, "lake": 0.15},
        ),
        {
            "beach_holiday": 0.85, "sky": 0.90, "clouds": 0.50, "ships": 0.35, "landscape": 0.35,
            "sunny": 0.65, "dogs": 0.08, "birds": 0.10, "trees": 0.20, "portrait": 0.20, "sports": 0.10,
            "aesthetic": 0.35, "calm": 0.50, "high_overall_quality": 0.40,
        },
    ),
    "people at home": Kind(
        0.16,
        (
            {"one_person": 0.50, "small_group": 0.50},
            INDOORS, {"day": 0.35, "night": 0.35}, EXPOSURE, SHALLOW,
        ),
        {
            "portrait": 0.80, "food": 0.25, "cats": 0.15, "dogs": 0.12, "flowers": 0.20, "calm": 0.50,
            "aesthetic": 0.40, "high_overall_quality": 0.50,
        },
    ),
    "celebration": Kind(
        0.12,
        (
            {"small_group": 0.50, "big_group": 0.50},
            INDOORS, {"night": 0.70}, DARK, MOVING,
        ),
        {
            "party": 0.95, "food": 0.60, "flowers": 0.20, "dogs": 0.05, "portrait": 0.35, "aesthetic": 0.15,
            "high_overall_quality": 0.25,
        },
    ),
    "sport": Kind(
        0.08,
        (
            {"one_person": 0.35, "small_group": 0.35, "big_group": 0.30},
            {"outdoor": 0.75, "indoor": 0.25}, {"day": 0.80, "night": 0.10}, {"summer": 0.40, "winter": 0.20},
            EXPOSURE, MOVING,
        ),
        {
            "sports": 0.95, "bicycles": 0.35, "cars": 0.10, "trees": 0.40, "sky": 0.40, "mountains": 0.15,
            "snow": 0.85, "sunny": 0.40, "aesthetic": 0.20, "high_overall_quality": 0.40,
        },
    ),
    "animal": Kind(
        0.10,
        (
            {"no_people": 0.90, "one_person": 0.10},
            {"outdoor": 0.65, "indoor": 0.25}, {"day": 0.80}, {"spring": 0.15, "summer": 0.35},
            EXPOSURE, SHALLOW,
            {"birds": 0.40, "cats": 0.30, "dogs": 0.30},
        ),
        {
            "portrait": 0.70, "trees": 0.35, "flowers": 0.20, "lake": 0.15, "macro": 0.15, "calm": 0.50,
            "aesthetic": 0.40, "high_overall_quality": 0.50,
        },
    ),
    "close-up": Kind(
        0.08,
        (
            {"no_people": 1.0},
            {"outdoor": 0.40, "indoor": 0.35}, {"day": 0.60}, EXPOSURE, SHALLOW,
            {"flowers": 0.60, "food": 0.40},
        ),
        {"macro": 0.60, "still_life": 0.45, "calm": 0.40, "aesthetic": 0.55, "high_overall_quality": 0.45},
    ),
}
# fmt: on

# Annotators agree about what is in a photo more than about how it looks. One range for each branch.
AGREEMENT_RANGES = {
    "landscape_element": (0.88, 0.99),
    "subject": (0.90, 0.99),
    "scene": (0.82, 0.97),
    "representation": (0.76, 0.94),
    "impression": (0.62, 0.80),
}
# The two values that Nowak and Lukashevich (2009) publish.
PUBLISHED_AGREEMENT = {"clouds": 0.96, "aesthetic": 0.75}


class Rules:
    """What the ontology says about labels, for one label at a time."""

    def __init__(self, ontology: Ontology) -> None:
        """Read concepts, neighbours, exclusions and requirements off an ontology."""
        graph = ontology.graph
        self.concepts = sorted(node for node, abstract in graph.nodes(data="abstract") if not abstract)
        below = {node: {node} | nx.descendants(graph, node) for node in graph}
        self._graph = graph
        self._excluded = {
            frozenset((one, other))
            for rule in ontology.exclusions
            for one in below[rule.first]
            for other in below[rule.second]
        }
        self._required = [
            (label, set[str]().union(*(below[name] for name in rule.any_of)))
            for rule in ontology.requirements
            for label in below[rule.concept]
        ]
        self._required += [(label, below[other]) for label, other in PLAUSIBLE.items()]

    def parents(self, label: str) -> list[str]:
        """List the parents of a label that are labels too."""
        return sorted(set(self._graph.predecessors(label)) & set(self.concepts))

    def neighbours(self, label: str) -> list[str]:
        """List the labels that are parent, child or sibling of a label."""
        above = set(self._graph.predecessors(label))
        siblings = {child for parent in above for child in self._graph.successors(parent)}
        near = above | siblings | set(self._graph.successors(label))
        return sorted(near & set(self.concepts) - {label})

    def branch(self, label: str) -> str:
        """Name the branch below the root that a label lies in."""
        (name,) = nx.ancestors(self._graph, label) & set(AGREEMENT_RANGES)
        return str(name)

    def permitted(self, labels: Iterable[str]) -> list[str]:
        """Leave out what an earlier label excludes, and then what lacks something it requires."""
        kept: list[str] = []
        for label in labels:
            if label not in kept and not any(frozenset((label, other)) in self._excluded for other in kept):
                kept.append(label)
        while lacking := {label for label, any_of in self._required if any_of.isdisjoint(kept)} & set(kept):
            kept = [label for label in kept if label not in lacking]
        return kept


# Only `random()` is drawn from: the streams of numpy's other methods may change between its releases.
def chance(rng: np.random.Generator, probability: float) -> bool:
    """Say yes with a probability."""
    return bool(rng.random() < probability)


def one_by_share(rng: np.random.Generator, shares: Mapping[str, float]) -> str | None:
    """Draw one of some names by its share; none where the shares leave a rest to 1."""
    draw = rng.random()
    for name, share in shares.items():
        draw -= share
        if draw < 0:
            return name
    return None


def draw_photo(rng: np.random.Generator, rules: Rules) -> list[str]:
    """Draw the true labels of one photo."""
    name = one_by_share(rng, {name: kind.share for name, kind in KINDS.items()})
    kind = KINDS[name or "scenery"]
    labels = [label for choice in kind.choices if (label := one_by_share(rng, choice)) is not None]
    labels += [label for label, probability in kind.labels.items() if chance(rng, probability)]
    labels = rules.permitted(labels)
    labels += [parent for label in labels for parent in rules.parents(label) if chance(rng, KEPT_PARENTS)]
    return rules.permitted(labels)


def careful(rng: np.random.Generator, rules: Rules, truth: Sequence[str]) -> list[str]:
    """Say only what is certain: miss many labels, add hardly a wrong one, break no rule."""
    labels = [label for label in truth if chance(rng, 0.74)]
    labels += [near for label in truth for near in rules.neighbours(label) if chance(rng, 0.006)]
    return rules.permitted(labels) or [truth[0]]


def confused(
    rng: np.random.Generator, truth: Sequence[str], candidates: Callable[[str], Sequence[str]]
) -> list[str]:
    """Say a wrong label in place of some true labels, and beside some others.

    Where the wrong label comes from is left to `candidates`, so that two such runs err equally often.
    """
    instead, beside = 0.35, 0.15
    labels: list[str] = []
    for label in truth:
        fate, which = rng.random(), rng.random()
        if fate >= instead:
            labels.append(label)
        wrong = [other for other in candidates(label) if other not in truth and other not in labels]
        if fate < instead + beside and wrong:
            labels.append(wrong[int(which * len(wrong))])
    return labels


def over_labelling(rng: np.random.Generator, rules: Rules, truth: Sequence[str]) -> list[str]:
    """Find nearly every true label, and say much of what lies near it too."""
    labels = [label for label in truth if chance(rng, 0.97)]
    return labels + [near for label in truth for near in rules.neighbours(label) if chance(rng, 0.32)]


def draw_agreement(rng: np.random.Generator, rules: Rules) -> dict[str, float]:
    """Draw how far annotators agree on each concept; two values are published ones."""
    ranges = {concept: AGREEMENT_RANGES[rules.branch(concept)] for concept in rules.concepts}
    drawn = {concept: low + (high - low) * rng.random() for concept, (low, high) in ranges.items()}
    return drawn | PUBLISHED_AGREEMENT


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write lines, with the same bytes on every system."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


def write_labels(path: Path, photos: Mapping[str, Iterable[str]]) -> None:
    """Write one row per photo: its id, and its labels in order of name."""
    rows = (f"{photo},{';'.join(sorted(set(labels)))}" for photo, labels in photos.items())
    write_lines(path, ["id,labels", *rows])


def write_benchmark(out: Path, *, seed: int = SEED) -> None:
    """Write truth, runs and agreement table below a folder."""
    rules = Rules(oe.read_ontology(oe.ontologies.path("photo")))

    def stream(key: int) -> np.random.Generator:
        # One for each file, so that changing one file leaves the others alone.
        return np.random.default_rng([seed, key])

    rng = stream(0)
    truth = {f"photo-{number:04}": draw_photo(rng, rules) for number in range(1, PHOTOS + 1)}
    write_labels(out / "truth.csv", truth)

    def write_run(name: str, rng: np.random.Generator, draw: Run) -> None:
        run = {photo: draw(rng, labels) for photo, labels in truth.items()}
        write_labels(out / "runs" / f"{name}.csv", run)

    write_run("careful", stream(1), lambda rng, labels: careful(rng, rules, labels))
    # One stream for two: they err at the same labels of the same photos, and say something else instead.
    write_run("noisy", stream(2), lambda rng, labels: confused(rng, labels, lambda _: rules.concepts))
    write_run("near-miss", stream(2), lambda rng, labels: confused(rng, labels, rules.neighbours))
    write_run("over-labelling", stream(3), lambda rng, labels: over_labelling(rng, rules, labels))

    agreement = draw_agreement(stream(4), rules)
    rows = (f"{concept},{agreement[concept]:.2f}" for concept in sorted(agreement))
    write_lines(out / "agreement.csv", ["concept,agreement", *rows])


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and write the benchmark."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write to")
    parser.add_argument("--seed", type=int, default=SEED, help="another seed draws another benchmark")
    options = parser.parse_args(arguments)
    write_benchmark(options.out, seed=options.seed)


if __name__ == "__main__":
    main()
