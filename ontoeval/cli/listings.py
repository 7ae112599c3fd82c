"""``ontoeval measures`` and ``ontology``: what the catalogue and an ontology contain."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ontoeval.benchmarks.inputs import files_of, reader_of
from ontoeval.benchmarks.scoring_options import Output, output_option
from ontoeval.cli.commands import Given, made_of
from ontoeval.core.names import Show
from ontoeval.core.table import Column, Table, cell_text
from ontoeval.errors import ParameterError, pluralise_all
from ontoeval.labels.reading_options import ONTOLOGY, LabelReading, NameOptions, ReadingOptions
from ontoeval.measures.presets import PRESETS
from ontoeval.ontology.file_formats import OntologyReading
from ontoeval.options import Opt, flat
from ontoeval.plumbing.writing import FileContent, check_folder_name, refuse_overlaps, write_all

if TYPE_CHECKING:
    from ontoeval.ontology.model import Ontology


_READING = flat(ReadingOptions)

_MEASURES = Opt(
    "Measure in its notation, such as OS or F(average='macro'); with --bibtex any number.",
    metavar="NOTATION",
    positional=True,
)
_PRESET = Opt(f"The measures of a preset: {', '.join(PRESETS)}.", metavar="PRESET", brief=True)
_OUT = output_option(
    "Write the entries into this .bib file, or each case of a pitfall into a folder in this folder.",
    metavar="FOLDER|FILE",
    flags=("--out", "-o"),
    brief=True,
)


def listing(
    notations: Annotated[tuple[str, ...], _MEASURES] = (),
    *,
    preset: Annotated[str | None, _PRESET] = None,
    presets: Annotated[
        bool, Opt("List the presets, with what their numbers were compared with.", brief=True)
    ] = False,
    output: Output = "table",
) -> None:
    """List the measures, or describe one."""
    from ontoeval.cli.terminal import show
    from ontoeval.reports.catalogue import all_measures, all_presets, one_measure, one_preset

    if presets:
        if notations or preset is not None:
            raise ParameterError("--presets", ..., "no measure and no preset beside it")
        show(all_presets(), output)
    elif preset is not None:
        if notations:
            raise ParameterError("--preset", preset, f"no measure beside it, but there is {notations[0]!r}")
        show(one_preset(preset), output)
    else:
        show(one_measure(_the_one(notations)) if notations else all_measures(), output)


def _the_one(notations: Sequence[str]) -> str:
    if len(notations) != 1:
        raise ParameterError("NOTATION", list(notations), "one measure; --bibtex takes several")
    return notations[0]


def citations(
    notations: Annotated[tuple[str, ...], _MEASURES] = (),
    *,
    preset: Annotated[str | None, _PRESET] = None,
    out: Annotated[Path | None, _OUT] = None,
) -> None:
    """Print the BibTeX of the measures used, of what their options name, and of ontoeval."""
    from ontoeval.cli.terminal import emit
    from ontoeval.reports.catalogue import cite

    if out is not None and out.suffix != ".bib":
        raise ParameterError("--out", str(out), "a file that ends in .bib")
    text = cite(notations, preset=preset)
    if out is None:
        emit(text)
    else:
        write_all({out: text})


def pitfall(
    notations: Annotated[tuple[str, ...], _MEASURES],
    hierarchy: OntologyReading,
    *,
    ontology: Annotated[str | None, ONTOLOGY] = None,
    imports: Annotated[tuple[str, ...], _READING["imports"].opt] = (),
    concepts: Annotated[Path | None, _READING["concepts"].opt] = None,
    show: Annotated[Show, _READING["show"].opt] = "label",
    axiom: Annotated[
        tuple[str, ...],
        Opt(
            "Axiom to break; can be repeated. By default those by which a prediction is plainly better.",
            brief=True,
        ),
    ] = (),
    least: Annotated[
        float, Opt("Least fall of the score of the better prediction that is searched for.")
    ] = 0.01,
    seed: Annotated[int, Opt("Random seed.", least=0)] = 0,
    out: Annotated[Path | None, _OUT] = None,
) -> None:
    """Search for a small case in which a measure scores a plainly better prediction lower."""
    from ontoeval.cli import terminal
    from ontoeval.comparison.pitfalls import PLAINLY_BETTER, find_pitfalls
    from ontoeval.reports.pitfalls import files, picture

    if out is not None:
        check_folder_name("--out", out)
    named = LabelReading(NameOptions(concepts))
    reading = ReadingOptions(ontology=ontology, hierarchy=hierarchy, imports=imports, labels=named, show=show)
    found = find_pitfalls(
        _the_one(notations),
        hierarchy=reader_of(reading).hierarchy,
        axioms=axiom or PLAINLY_BETTER,
        least=least,
        seed=seed,
    )
    contents, commands = dict[Path, FileContent](), []
    for one in found.pitfalls if out else ():
        folder = Path(out or "", one.axiom.replace(" ", "-"))
        written = {folder / name: content for name, content in files(one).items()}
        *tree, truth, worse, better = map(str, written)
        tree = [*tree, str(ontology)]
        words = ["ontoeval", "score", truth, worse, better, "--ontology", tree[0], "-m", found.measure]
        commands.append(cell_text(shlex.join(words)))
        contents |= written
    write_all(contents)
    for one in found.pitfalls:
        terminal.show(picture(one), "table")
    terminal.tell([found.verdict], "table")
    terminal.out.print("\n".join(commands), soft_wrap=True, markup=False, end="\n" * bool(commands))


@made_of(listing=listing, bibtex=citations, pitfall=pitfall)
def measures(
    given: Given,
    *,
    bibtex: Annotated[
        bool, Opt("Print the BibTeX of measures, of what their options name, and of ontoeval.", brief=True)
    ] = False,
    pitfall: Annotated[
        bool,
        Opt(
            "Search for a small case in which a measure scores a plainly better prediction lower.", brief=True
        ),
    ] = False,
) -> str:
    """List the measures, or describe one; or cite measures, or search for a pitfall of one."""
    if bibtex and pitfall:
        raise ParameterError("--pitfall", ..., "no --bibtex beside it")
    part = "pitfall" if pitfall else "bibtex" if bibtex else "listing"
    for name in given.values:
        if name in given.typed and name not in given.parts[part]:
            others = [f"--{one}" for one in ("bibtex", "pitfall") if name in given.parts[one]]
            expected = f"{' or '.join(others)} beside it" if part == "listing" else f"no --{part} beside it"
            given.refuse([name], expected)
    return part


def ontology(
    ontology: Annotated[str, replace(ONTOLOGY, positional=True, panel=None)],
    reading: ReadingOptions,
    *,
    tree: Annotated[bool, Opt("Show the hierarchy.", brief=True)] = False,
    canonical: Annotated[
        bool, Opt("Print only sorted lines of concepts, links and rules: their SHA-256 is the digest.")
    ] = False,
    rdf: Annotated[
        Path | None,
        output_option(
            "Write the ontology as RDF into this file: .ttl, .rdf, .owl, .xml, .jsonld or .nt.",
            metavar="FILE",
            flags=("--out", "-o"),
            brief=True,
        ),
    ] = None,
    vocabulary: Annotated[
        Literal["skos", "owl"] | None,
        output_option(
            "Vocabulary of --out; by default as the ontology was read, and SKOS for tables.", flags=("--as",)
        ),
    ] = None,
    base: Annotated[
        str, output_option("What the IRIs of concepts begin with that have plain names, with --out.")
    ] = "urn:ontoeval:",
    agreement: Annotated[
        Path | None, output_option("Agreement on each concept, to write as a weight, with --out.")
    ] = None,
    output: Output = "table",
) -> None:
    """Read an ontology, and report its contents and what was left out; or write the ontology as RDF."""
    from ontoeval.cli.terminal import emit, out, show
    from ontoeval.reports.terminal import draw_hierarchy, join_lines

    reader = reader_of(reading)
    read = reader.required_ontology
    writing = rdf is not None or vocabulary is not None or agreement is not None
    alone = "--canonical" if canonical else "--out" if writing else ""
    if alone and (tree or output != "table" or (canonical and writing)):
        others = "--tree or --format" + ", or --out" * (canonical and writing)
        raise ParameterError(alone, f"with {others}", f"{alone} alone")
    if writing:
        make = partial(read.to_rdf, vocabulary, base=base, agreement=reader.agreement(agreement, None))
        _write_rdf(read, make, rdf, files_of(reading).values())
        return
    if tree and output != "table":
        raise ParameterError("--tree", "with --format " + output, "--format table")
    if canonical:
        emit(read.hierarchy().canonical)
        return
    columns = (Column("what"), Column("count"), Column("which"))
    rows = [_row("syntax", read.source.format, ()), *(_row(*row) for row in read.report.rows())]
    for what, digest in (("digest", read.hierarchy().digest), ("digest of the file", read.source.digest)):
        rows.append(_row(what, f"sha256 {digest[:12]}", ()))
    show(Table(f"Reading {ontology}", columns, tuple(rows)), output)
    if tree:
        out.print(join_lines(draw_hierarchy(read, out.width)), soft_wrap=True)


def _write_rdf(read: Ontology, make: Callable[[], Any], out: Path | None, files: Iterable[Path]) -> None:
    """Write an ontology as RDF, and show what its file held beside."""
    from ontoeval.cli.terminal import emit, tell
    from ontoeval.ontology.rdf_export import SUFFIXES, losses_in, rdf_bytes

    if out is None:
        raise ParameterError("--as and --agreement", ..., "--out FILE beside it")
    if out.suffix not in SUFFIXES:
        raise ParameterError("--out", str(out), f"a file that ends in {', '.join(SUFFIXES)}")
    refuse_overlaps({"--out": out}, files)
    graph = make()
    write_all({out: rdf_bytes(graph, SUFFIXES[out.suffix])})
    emit(f"{out}: {pluralise_all(concept=len(read.iris), link=len(read.kinds), triple=len(graph))}\n")
    tell(losses_in(graph), "table")


def _row(what: str, value: int | str, which: Sequence[str]) -> tuple[str, int | None, str]:
    """Make a row of the report; a value that is no number stands in the column of examples."""
    if isinstance(value, str):
        return what, None, value
    return what, value, ", ".join(which) + (", …" if 0 < len(which) < value else "")
