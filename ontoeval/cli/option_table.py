"""The options that several commands share: what the help says of each parameter."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import typer

from ontoeval.measures.presets import PRESETS

ONTOLOGY, LABELS, COMPARISON, OUTPUT = "Ontology", "Label files", "Comparison", "Output"
"""Under which headings the help lists them."""

ontology_option, labels_option, comparison_option, output_option = (
    partial(typer.Option, rich_help_panel=heading) for heading in (ONTOLOGY, LABELS, COMPARISON, OUTPUT)
)
"""Options under these headings."""

MAX_SIZE: Any = typer.Option(
    metavar="SIZE",
    help="How large each file may be, unpacked, such as 8GiB; by default 2GiB. Files are read into memory.",
)
"""The option of every command that reads files; no key of benchmark files, since machines differ."""

OPTIONS: Mapping[str, Any] = {
    "truth": typer.Argument(metavar="TRUTH", help="File of the true labels."),
    "runs": typer.Argument(
        metavar="RUN",
        help="Files of predicted labels, one for each run; a folder or a quoted glob stands for the runs "
        "that lie there.",
    ),
    "measures": typer.Option(
        "--measure",
        "-m",
        metavar="NOTATION",
        help="Measure in its notation, see `ontoeval measures`; can be repeated. By default the usual "
        "flat ones, and with an ontology OS before them.",
    ),
    "preset": typer.Option(
        metavar="NAME",
        help=f"Measures and conventions of a field: {', '.join(PRESETS)}. Further ones come after them; "
        "`ontoeval measures --preset NAME` says what they are.",
    ),
    "agreement": typer.Option(
        metavar="FILE",
        help="File of the annotators' agreement on each concept, in [0, 1]: concept,agreement.",
    ),
    "agreement_default": typer.Option(
        metavar="NUMBER", help="Agreement on concepts that the agreement file does not name."
    ),
    "weights": typer.Option(
        metavar="NAME=FILE",
        help="File of what each concept counts for, those that are no labels too: concept,weight. "
        "Measures find it by its name: hF(weight='NAME'). Can be repeated.",
    ),
    "information_from": typer.Option(
        metavar="LABELS",
        help="File of annotations, not those that are scored, which information content ('ic') and "
        "accretion ('ia') are estimated from: hF(weight='ia'), OS(cost='lin(ic)'), ICM.",
    ),
    "missing": typer.Option(
        help="What to do with samples that only one file has: with 'empty', those that a run lacks count as "
        "unlabelled there, and those that the truth lacks are left out."
    ),
    "names": typer.Option(metavar="FILE", help="What runs and their teams are called: run,name,team."),
    "public": typer.Option(
        "--public", help="Say nothing of the truth but the scores, and how many samples it has."
    ),
    "ontology": ontology_option(
        metavar="FILE", help="Ontology file, or the name of a shipped one, such as photo."
    ),
    "root": ontology_option(metavar="NAME", help="Use only this branch of the ontology; can be repeated."),
    "relation": ontology_option(
        metavar="NAME",
        help="Relation that makes links beside is-a, such as part_of: what it leads to is the parent; "
        "can be repeated.",
    ),
    "imports": ontology_option(
        "--import",
        metavar="IRI=FILE",
        help="File of an ontology that the ontology imports by this IRI; or a catalogue of such, as "
        "Protégé's catalog-v001.xml; can be repeated.",
    ),
    "language": ontology_option(
        metavar="TAG",
        help="Language of the labels by which concepts may be named, such as de; by default English.",
    ),
    "abstract": ontology_option(
        metavar="NAME",
        help="Concept that is never a label, beside those that are marked so; can be repeated.",
    ),
    "concepts": ontology_option(
        metavar="FILE", help="File that lists the concepts that may be labels; all others are abstract."
    ),
    "ontology_format": ontology_option(help="Format of the ontology file, where it is not to be recognised."),
    "direction": ontology_option(
        help="What comes first in each link of the ontology file, where it does not say it."
    ),
    "backend": ontology_option(
        help="What parses RDF; by default the fastest that is installed. They tell the same "
        "of files that keep the rules of their syntax."
    ),
    "concept_map": labels_option(metavar="FILE", help="File that translates labels: label,concept."),
    "input_format": labels_option(help="Format of the label files, where it is not to be recognised."),
    "separator": labels_option(metavar="TEXT", help="What separates the labels of a sample in wide files."),
    "unknown": labels_option(help="What to do with labels that are no concepts; what is dropped is counted."),
    "threshold": labels_option(
        metavar="NUMBER|FILE",
        help="Scores of the runs become labels from here on: a number, or a file concept,threshold.",
    ),
    "repeats": labels_option(
        help="Several scores of one (sample, concept) pair in a file: refuse them, or use the highest or the "
        "first; they are counted. By default refuse, and max with --preset cafa."
    ),
    "close": labels_option("--close", help="Add the ancestors of each label, of those that may be labels."),
    "baselines": comparison_option(
        "--baseline",
        metavar="NAME",
        help="Baseline beside the runs, without rank and tests: empty, all, prior (the most frequent "
        "labels), random (at prior), or permuted (the truth, permuted); can be repeated. By default prior "
        "and permuted.",
    ),
    "no_baseline": comparison_option("--no-baseline", help="Show no baselines."),
    "chance": comparison_option(
        "--chance",
        help="Tell how far above chance each score lies: above labels at random, as often as they are true.",
    ),
    "by": comparison_option(
        metavar="FILE|branch|level",
        help="Leaderboards for the groups of a file sample,group; for the branches below the root; or "
        "for the labels of each depth. Can be repeated.",
    ),
    "resamples": comparison_option(
        metavar="NUMBER", help="How many times samples are drawn again, and runs exchanged."
    ),
    "seed": comparison_option(metavar="NUMBER", help="Where random numbers begin."),
    "level": comparison_option(
        metavar="NUMBER", help="How often an interval is to hold the score of the population."
    ),
    "interval": comparison_option(
        help="Bootstrap intervals: percentiles, or bias-corrected and accelerated."
    ),
    "test": comparison_option(
        help="Paired test of all pairs: runs are exchanged in random samples, or the bootstrap."
    ),
    "correction": comparison_option(
        help="Correction for the number of pairs. tukey (randomised HSD) takes about twice as long as holm. "
        "holm takes no longer than none, but needs more resamples the more pairs there are. By default "
        "tukey; with --test bootstrap, which has no tukey, holm."
    ),
    "alpha": comparison_option(
        metavar="NUMBER", help="Differences are significant whose adjusted p-value is below this."
    ),
    "out": output_option("--out", "-o", metavar="FOLDER", help="Write all tables into this folder."),
    "long": output_option(
        metavar="FILE",
        help="Write all values, of runs, concepts and samples, to this file, .csv or .parquet: one in "
        "each row.",
    ),
    "report": output_option(metavar="FILE", help="Write a report to this file: one HTML page."),
    "images": output_option(
        metavar="FOLDER|URL",
        help="Pictures of the samples, for the report: a folder, or an address with {sample} in it.",
    ),
    "figures": output_option(
        metavar="FOLDER", help="Write figures for papers into this folder, as PDF, SVG and PNG."
    ),
}
"""By the parameters of `wanted`, `asked`, `planned` and `outputs` in `ontoeval.cli`, which say what
each can be."""
