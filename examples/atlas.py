"""What there is in a folder of ontologies: one line for each file, or the reason why it is refused.

Every file below the folder is read as it would be for an evaluation, by default the ontologies that
come with the package::

    python examples/atlas.py
    python examples/atlas.py FOLDER
    python examples/atlas.py FOLDER --csv > atlas.csv

Of links, exclusions and requirements the spreadsheet says by which axioms and relations they are stated.
At the end of the table are counts: the files of each format, and those that are refused for the same reason.
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import compress
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import ontoeval as oe
from ontoeval.errors import OntoevalError

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

WIDE = ("links", "exclusions", "requirements")
"""The columns that are in the spreadsheet alone."""


class File(NamedTuple):
    """A file that was tried: its cells, and why there are none but its name."""

    cells: Sequence[str]
    refusal: str = ""


def surveyed(folder: Path) -> Iterator[File]:
    """Read every file of a folder."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = path.relative_to(folder).as_posix()
        begin = perf_counter()
        try:
            ontology = oe.read_ontology(path)
        except OntoevalError as error:
            yield File([name], str(error).removeprefix(str(path)).lstrip(":, "))
        else:
            yield File([name, *described(ontology), f"{perf_counter() - begin:.1f}"])


def described(ontology: oe.Ontology) -> list[str]:
    """Say what an ontology holds."""
    report = ontology.report
    return [
        ontology.source.format + (", SKOS" if report.read_as.startswith("SKOS") else ""),
        f"{report.concepts:,}",
        f"{report.roots.count:,}",
        f"{report.levels:,}",
        f"{report.several_parents.count:,}",
        by_kind(report.links),
        by_kind(report.exclusions),
        by_kind({**report.preconditions, **report.other_requirements}),
    ]


def by_kind(counts: Mapping[str, int]) -> str:
    """Write how many there are by each of at most three kinds, those with most first."""
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    shown = [f"{count:,} {kind.rpartition(':')[2]}" for kind, count in ranked[:3]]
    if len(ranked) > len(shown):
        shown.append(f"{sum(count for _, count in ranked[len(shown) :]):,} others")
    return ", ".join(shown) or "-"


def reason(refusal: str) -> str:
    """Shorten a refusal to what others have in common with it: no row, no numbers, no remedy."""
    found = re.split(r"[:;,.] ", re.sub(r"^row [\d,]+: ", "", refusal))[0]
    return re.sub(r"\b\d[\d,]*\b", "…", found).rstrip(".")


def aligned(files: Sequence[File]) -> Iterator[str]:
    """Write rows below their headings; what a file is refused for goes to the end of the line."""
    columns = [name not in WIDE for name in COLUMNS]
    lines = [
        File(list(compress(cells, columns)), refusal) for cells, refusal in [File(list(COLUMNS)), *files]
    ]
    whole = [line.cells for line in lines if not line.refusal]
    widths = [max(map(len, column)) for column in zip(*whole, strict=True)]
    widths[0] = max(len(line.cells[0]) for line in lines)
    sides = list(compress(COLUMNS.values(), columns))
    for cells, refusal in lines:
        shown = [*cells, "refused"] if refusal else cells
        places = zip(shown, sides, widths, strict=False)
        yield "  ".join([*(f"{cell:{side}{width}}" for cell, side, width in places), refusal]).rstrip()


def summary(files: Sequence[File]) -> Iterator[str]:
    """Count the files of each format, then those refused for each reason, the most first."""
    for done, counts in (
        ("read", Counter(file.cells[1] for file in files if not file.refusal)),
        ("refused", Counter(reason(file.refusal) for file in files if file.refusal)),
    ):
        yield f"\nfiles {done}: {counts.total():,}"
        for what, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
            yield f"{count:>7,}  {what}"


def main(arguments: list[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="What there is in a folder of ontologies.")
    shipped = oe.ontologies.path(oe.ontologies.names()[0]).parent
    parser.add_argument("folder", type=Path, nargs="?", default=shipped, help="by default the shipped ones")
    parser.add_argument("--csv", action="store_true", help="write the rows as CSV, and no summary")
    options = parser.parse_args(arguments)
    files = list(surveyed(options.folder))
    if not files:
        parser.error(f"there is no file in {options.folder}")
    if options.csv:
        rows = csv.writer(sys.stdout, lineterminator="\n")
        rows.writerow([*COLUMNS, "refused because"])
        for cells, refusal in files:
            rows.writerow([*cells, *[""] * (len(COLUMNS) - len(cells)), refusal])
        return
    for line in (*aligned(files), *summary(files)):
        print(line)


if __name__ == "__main__":
    main()
