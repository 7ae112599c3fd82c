"""What there is in a folder of ontologies: one line for each file, or the reason why it is refused.

Every file below the folder is read as it would be for an evaluation, by default the ontologies that
come with the package::

    python examples/atlas.py
    python examples/atlas.py FOLDER

Of links, exclusions and requirements the table says by which axioms and relations they are stated.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from time import perf_counter

import ontoeval as oe
from ontoeval.errors import OntoevalError
from ontoeval.ontology import ReadingReport

COLUMNS = {
    "file": "<",
    "format": "<",
    "concepts": ">",
    "roots": ">",
    "depth": ">",
    "several parents": ">",
    "links": "<",
    "exclusions": "<",
    "requirements": "<",
    "s": ">",
}
"""The columns, each with the side on which its text stands."""


def surveyed(folder: Path) -> Iterator[list[str]]:
    """Read every file of a folder; a file that is refused has its reason in the third column."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = path.relative_to(folder).as_posix()
        begin = perf_counter()
        try:
            ontology = oe.read_ontology(path)
        except OntoevalError as error:
            yield [name, "refused", str(error).removeprefix(str(path)).lstrip(":, ")]
        else:
            yield [name, ontology.source.format, *described(ontology.report), f"{perf_counter() - begin:.1f}"]


def described(report: ReadingReport) -> list[str]:
    """Say what an ontology holds."""
    requirements = {**report.preconditions, **report.other_requirements}
    return [
        f"{report.concepts:,}",
        f"{report.roots.count:,}",
        f"{report.levels:,}",
        f"{report.several_parents.count:,}",
        by_kind(report.links),
        by_kind(report.exclusions),
        by_kind(requirements),
    ]


def by_kind(counts: Mapping[str, int]) -> str:
    """Write how many there are by each of at most three kinds, those with most first."""
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    shown = [f"{count:,} {kind.rpartition(':')[2]}" for kind, count in ranked[:3]]
    if len(ranked) > len(shown):
        shown.append(f"{sum(count for _, count in ranked[len(shown) :]):,} others")
    return ", ".join(shown) or "-"


def aligned(rows: list[list[str]]) -> Iterator[str]:
    """Write rows below their headings; what a file is refused for goes to the end of the line."""
    whole = [list(COLUMNS), *(row for row in rows if len(row) == len(COLUMNS))]
    widths = [max(len(row[column]) for row in whole) for column in range(len(COLUMNS))]
    widths[0] = max(widths[0], *(len(row[0]) for row in rows))
    sides = list(COLUMNS.values())
    for row in [list(COLUMNS), *rows]:
        places = zip(row[:-1], sides, widths, strict=False)
        last = f"{row[-1]:>{widths[-1]}}" if len(row) == len(COLUMNS) else row[-1]
        yield "  ".join([*(f"{cell:{side}{width}}" for cell, side, width in places), last])


def main(arguments: list[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="What there is in a folder of ontologies.")
    shipped = oe.ontologies.path(oe.ontologies.names()[0]).parent
    parser.add_argument("folder", type=Path, nargs="?", default=shipped, help="by default the shipped ones")
    rows = list(surveyed(parser.parse_args(arguments).folder))
    for line in aligned(rows):
        print(line)
    refused = sum(row[1] == "refused" for row in rows)
    print(f"\n{len(rows) - refused:,} files read, {refused:,} refused")


if __name__ == "__main__":
    main()
