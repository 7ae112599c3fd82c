"""``ontoeval measures``, ``cite`` and ``ontology``: what the catalogue and an ontology contain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rich.text import Text

from ontoeval.benchmarks.inputs import reader_of
from ontoeval.benchmarks.scoring_options import Format, Output, output_option
from ontoeval.core.table import Column, Table, cell_text
from ontoeval.errors import ParameterError
from ontoeval.labels.reading_options import ONTOLOGY, ReadingOptions
from ontoeval.measures.presets import PRESETS
from ontoeval.options import Opt
from ontoeval.plumbing.writing import write_all

if TYPE_CHECKING:
    from ontoeval.ontology.model import Ontology


def measures(
    name: Annotated[
        str | None,
        Opt(
            "A measure in its notation, such as OS or F(average='macro').",
            metavar="NOTATION",
            positional=True,
        ),
    ] = None,
    *,
    preset: Annotated[
        str | None, Opt(f"List the measures of a preset: {', '.join(PRESETS)}.", metavar="PRESET")
    ] = None,
    presets: Annotated[bool, Opt("List the presets, with what their numbers were compared with.")] = False,
    output: Output = "table",
) -> None:
    """List the measures, or describe one."""
    from ontoeval.cli.terminal import show
    from ontoeval.reports.catalogue import all_measures, all_presets, one_measure, one_preset

    if presets:
        if name is not None or preset is not None:
            raise ParameterError("--presets", "given", "no measure and no preset beside it")
        show(all_presets(), output)
    elif preset is not None:
        if name is not None:
            raise ParameterError("--preset", preset, f"no measure beside it, but there is {name!r}")
        show(one_preset(preset), output)
    else:
        show(all_measures() if name is None else one_measure(name), output)


def cite(
    *,
    measure: Annotated[
        tuple[str, ...],
        Opt(
            "Measure in its notation, see `ontoeval measures`; can be repeated.",
            metavar="NOTATION",
            flags=("--measure", "-m"),
        ),
    ] = (),
    preset: Annotated[
        str | None, Opt(f"The measures of a preset as well: {', '.join(PRESETS)}.", metavar="PRESET")
    ] = None,
    out_file: Annotated[
        Path | None,
        output_option("Write the entries to this file.", flags=("--out", "-o")),
    ] = None,
) -> None:
    """Print the BibTeX of the measures used, of what their options name, and of ontoeval."""
    from ontoeval.cli.terminal import emit
    from ontoeval.reports.catalogue import cite as entries_of

    text = entries_of(measure, preset=preset)
    if out_file is None:
        emit(text)
    else:
        write_all({out_file: text})


def ontology(
    ontology: Annotated[str, replace(ONTOLOGY, positional=True, panel=None)],
    reading: ReadingOptions,
    *,
    tree: Annotated[bool, Opt("Show the hierarchy.", brief=True)] = False,
    canonical: Annotated[
        bool, Opt("Print only sorted lines of concepts, links and rules: their SHA-256 is the digest.")
    ] = False,
    labels: Annotated[
        Path | None,
        Opt("Label file: count the label sets that break each rule.", brief=True),
    ] = None,
    gold: Annotated[
        str | None,
        Opt(
            "Gold-standard taxonomy, read with the same options: show F1 of links and ancestors, and links "
            "that differ.",
            metavar="FILE",
            brief=True,
        ),
    ] = None,
    output: Output = "table",
) -> None:
    """Read an ontology, and report its contents and what was left out."""
    from ontoeval.cli.terminal import emit, out, show, tell
    from ontoeval.concepts.violations import rule_book
    from ontoeval.reports.evaluation import broken_rules
    from ontoeval.reports.terminal import join_lines

    reader = reader_of(reading)
    read = reader.required_ontology
    if tree and output != "table":
        raise ParameterError("--tree", "with --format " + output, "--format table")
    if canonical:
        if tree or labels is not None or gold is not None or output != "table":
            raise ParameterError(
                "--canonical", "with --tree, --labels, --gold or --format", "--canonical alone"
            )
        emit(read.hierarchy().canonical)
        return
    if gold is not None:
        if tree or labels is not None:
            raise ParameterError("--gold", "with --tree or --labels", "--gold without them")
        _show_comparison(read, gold, reading, output)
        return
    columns = (Column("what"), Column("count"), Column("which"))
    rows = [_row("syntax", read.source.format, ()), *(_row(*row) for row in read.report.rows())]
    for what, digest in (("digest", read.hierarchy().digest), ("digest of the file", read.source.digest)):
        rows.append(_row(what, f"sha256 {digest[:12]}", ()))
    show(Table(f"Reading {ontology}", columns, tuple(rows)), output)
    if tree:
        out.print(join_lines(draw_hierarchy(read, out.width)), soft_wrap=True)
    if labels is not None:
        (file,) = reader.labels(labels)
        hierarchy = read.hierarchy().with_labels(file.sets.vocabulary)
        sets = file.sets.within(hierarchy.label_vocabulary)
        title = f"Rules that sets of {labels} break, of {len(sets):,} sets"
        show(
            broken_rules(
                rule_book(hierarchy).breaches(sets.matrix), title, hierarchy.vocabulary.names.display_name
            ),
            output,
        )
        tell(reader.remarks([file]), output)


def _show_comparison(read: Ontology, gold: str, reading: ReadingOptions, output: Format) -> None:
    """Show how the ontology and a gold taxonomy differ."""
    from ontoeval.cli.terminal import show
    from ontoeval.comparison.taxonomies import compare_taxonomies
    from ontoeval.labels.name_resolution import read_concept_map

    other = reader_of(replace(reading, ontology=gold)).required_ontology
    found = compare_taxonomies(read, other, names=read_concept_map(reading.labels.names.concept_map or {}))
    show(found.table, output, false=found.false, missed=found.missed)
    if output == "table" and found.differences.rows:
        show(found.differences, output)


def _row(what: str, value: int | str, which: Sequence[str]) -> tuple[str, int | None, str]:
    """Make a row of the report; a value that is no number stands in the column of examples."""
    if isinstance(value, str):
        return what, None, value
    return what, value, ", ".join(which) + (", …" if 0 < len(which) < value else "")


def draw_hierarchy(read: Ontology, width: int) -> Iterator[Text]:
    """Draw a hierarchy; a concept's children are drawn once, abstract concepts in italics."""
    from ontoeval.reports.terminal import READABLE, folded

    graph = read.graph
    yield Text("hierarchy", style="bold")
    done: set[str] = set()

    def below(names: Iterable[str], guides: str) -> list[tuple[str, str, str]]:
        """Give each name the guides before it and below it, the last first."""
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
        label = f"  {cell_text(node['label'])}" if node["label"] and node["label"] != name else ""
        style = "italic dim" if node["abstract"] else ""
        lines = folded(
            f"{cell_text(name)}{label}{'  (drawn above)' * bool(again)}", max(width - len(begin), READABLE)
        )
        for place, line in enumerate(lines):
            yield Text(guides if place else begin).append(line, style)
