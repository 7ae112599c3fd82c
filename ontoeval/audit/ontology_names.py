"""What is wrong with the names of an ontology: labels, declarations, and concepts that were given up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ontoeval.audit.finding import Finding, Rule
from ontoeval.audit.ontology_material import Material
from ontoeval.errors import listed
from ontoeval.ontology.names import fold, with_label

DUPLICATE_LABEL = Rule("duplicate-label", "warning", "Several concepts have the same label.")
MISSING_LABEL = Rule("missing-label", "warning", "A concept has no label.")
UNDECLARED = Rule("undeclared", "warning", "A concept is used and never declared.")
DEPRECATED = Rule("deprecated-in-use", "warning", "Concepts build on one that was given up.")


def about_names(material: Material) -> Iterator[Finding]:
    """Look at labels, declarations, and concepts that were given up."""
    yield from _duplicates(material)
    count = material.unlabelled.count
    if 0 < count < len(material.vocabulary):  # a file without any label is one of names
        yield MISSING_LABEL.found(
            material.unlabelled.examples,
            count,
            total=len(material.vocabulary),
            explanation=f"Concepts without a label, which are shown by their local names: {count:,} of "
            f"{len(material.vocabulary):,}: {listed(material.unlabelled.examples, total=count)}.",
            fix="Give them labels.",
            key=(MISSING_LABEL.name,),
            cases=material.unlabelled.examples,
        )
    count = material.undeclared.count
    if count:
        imports = material.imports
        missing = (
            f" What it imports was not read, and may declare them: {listed(imports.examples)}."
            if imports.count
            else ""
        )
        yield UNDECLARED.found(
            material.undeclared.examples,
            count,
            total=len(material.vocabulary),
            explanation=f"Concepts that are used and never declared: {count:,}: "
            f"{listed(material.undeclared.examples, total=count)}.{missing}",
            fix="Say where the imports lie (--import)." if missing else "Declare them, or correct the names.",
            key=(UNDECLARED.name,),
            cases=material.undeclared.examples,
        )
    yield from _given_up(material)


def _duplicates(material: Material) -> Iterator[Finding]:
    bearers: defaultdict[str, list[int]] = defaultdict(list)
    for place, label in enumerate(material.labels):
        if label:
            bearers[fold(label)].append(place)
    for folded, places in bearers.items():
        if len(places) > 1:
            spellings = listed(dict.fromkeys(material.labels[place] for place in places))
            names = tuple(material.vocabulary[place] for place in places)
            yield DUPLICATE_LABEL.found(
                names,
                len(names),
                explanation=f"{len(names):,} concepts are labelled {spellings}: {listed(names)}. "
                "In a label file this names none of them.",
                fix="Give them labels that differ by more than case; or make them one, if they are.",
                key=(DUPLICATE_LABEL.name, folded),
                cases=names,
            )


def _given_up(material: Material) -> Iterator[Finding]:
    for concept in material.given_up or ():
        called = with_label(concept.name, concept.label)
        instead = f", which {material.called(concept.instead)} replaces," if concept.instead else ""
        ways: defaultdict[str, list[str]] = defaultdict(list)
        for user, way in concept.users:
            ways[way].append(user)
        uses = "; ".join(
            f"{way}: {listed(map(material.called, users))}" for way, users in sorted(ways.items())
        )
        users = tuple(dict.fromkeys(user for user, _ in concept.users))
        yield DEPRECATED.found(
            (concept.name, *users),
            len(users),
            explanation=f"{called} is deprecated{instead} but still in use: {uses}. "
            "These links and rules are not read.",
            fix=f"Use {material.called(concept.instead)} instead."
            if concept.instead
            else "Use another concept instead.",
            key=(DEPRECATED.name, concept.name),
            cases=tuple(f"{user}: {way}" for user, way in concept.users),
        )
