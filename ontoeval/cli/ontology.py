"""``ontoeval ontology``: what an ontology file holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from ontoeval.cli.inputs import Inputs
from ontoeval.cli.option_table import output_option
from ontoeval.cli.options import reads_labels
from ontoeval.cli.terminal import Format, out, show, tell
from ontoeval.errors import ParameterError

if TYPE_CHECKING:
    from ontoeval.ontology.model import Ontology


@reads_labels
def ontology(
    ontology: Annotated[
        str,
        typer.Argument(metavar="FILE", help="Ontology file, or the name of a shipped one, such as photo."),
    ],
    *,
    inputs: Inputs,
    tree: Annotated[bool, typer.Option("--tree", help="Show the hierarchy.")] = False,
    labels: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File of label sets: count how many of them break each rule."),
    ] = None,
    output: Annotated[Format, output_option("--format", help="How to print the tables.")] = "table",
) -> None:
    """Read an ontology, and report what it holds and what was left out."""
    from ontoeval.concepts.violations import rule_book
    from ontoeval.core.table import Column, Table
    from ontoeval.reports.evaluation import broken_rules
    from ontoeval.reports.terminal import joined

    read = inputs.ontology
    if read is None:  # pragma: no cover - FILE is not optional
        return
    if tree and output != "table":
        raise ParameterError("--tree", "with --format " + output, "--format table")
    columns = (Column("what"), Column("count"), Column("which"))
    rows = (_row("syntax", read.source.format, ()), *(_row(*row) for row in read.report.rows()))
    show(Table(f"Reading {ontology}", columns, rows), output)
    if tree:
        out.print(joined(drawn(read, out.width)), soft_wrap=True)
    if labels is not None:
        (file,) = inputs.labels(labels)
        hierarchy = read.hierarchy().with_labels(file.sets.vocabulary)
        sets = file.sets.within(hierarchy.label_vocabulary)
        title = f"Rules that sets of {labels} break, of {len(sets):,} sets"
        show(broken_rules(rule_book(hierarchy).breaches(sets.matrix), title), output)
        tell(inputs.remarks([file]), output)


def _row(what: str, value: int | str, which: Sequence[str]) -> tuple[str, int | None, str]:
    """List examples, and say where there are more than these; what is no number goes to them."""
    if isinstance(value, str):
        return what, None, value
    return what, value, ", ".join(which) + (", …" if 0 < len(which) < value else "")


def drawn(read: Ontology, width: int) -> Iterator[Text]:
    """Draw a hierarchy, what has several parents below the first alone; abstract concepts in italics."""
    from ontoeval.core.table import written
    from ontoeval.reports.terminal import READABLE, folded

    graph = read.graph
    yield Text("hierarchy", style="bold")
    done: set[str] = set()

    def below(names: Iterable[str], guides: str) -> list[tuple[str, str, str]]:
        """Put each name behind what leads to it, and what leads on below it; the last comes first."""
        return [
            (name, guides + ("├── " if place else "└── "), guides + ("│   " if place else "    "))
            for place, name in enumerate(sorted(names, reverse=True))
        ]

    waiting = below((name for name, degree in graph.in_degree() if not degree), "")
    while waiting:
        name, begin, guides = waiting.pop()
        node, again = graph.nodes[name], name in done and graph.out_degree(name)
        if name not in done:
            waiting += below(graph.successors(name), guides)
        done.add(name)
        label = f"  {written(node['label'])}" if node["label"] and node["label"] != name else ""
        style = "italic dim" if node["abstract"] else ""
        lines = folded(
            f"{written(name)}{label}{'  (drawn above)' * bool(again)}", max(width - len(begin), READABLE)
        )
        for place, line in enumerate(lines):
            yield Text(guides if place else begin).append(line, style)
