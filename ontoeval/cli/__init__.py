"""The command line: files in, tables out."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Annotated, NoReturn

import typer

from ontoeval._version import __version__
from ontoeval.cli.commands import MEANINGS, CommandEntry, exit_code, group_of

_TABLE: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "Begin": {
        "demo": ("benchmark:demo", "ontoeval demo", "ontoeval demo --out somewhere"),
        "measures": ("listings:measures", "ontoeval measures", "ontoeval measures OS"),
    },
    "Score": {
        "score": (
            "scoring:score",
            "ontoeval score truth.csv run.csv",
            "ontoeval score truth.csv runs/ --names teams.csv --ontology photo --public",
            "ontoeval score truth.csv runs/*.csv --ontology photo --agreement agreement.csv",
            "ontoeval score truth.csv run.csv --ontology my.ttl -m OS -m 'OS(alpha=2)' -m F --format latex",
            "ontoeval score truth.jsonl run.parquet --threshold 0.5 --ontology my.obo --relation part_of",
            "ontoeval score truth.parquet run.csv --ontology my.ttl --parts auto --workers 4 --scratch /disk",
            "ontoeval score truth.parquet run.parquet --ontology my.ttl --parts 64 --scheduler tcp://host:8786",
        ),
        "explain": (
            "confusion:explain",
            "ontoeval explain truth.csv run.csv photo-0001 --ontology photo --agreement agreement.csv",
            "ontoeval explain truth.csv run.csv photo-0001 --ontology photo -m \"OS(penalise='none')\"",
        ),
        "confusion": (
            "confusion:confusion",
            "ontoeval confusion truth.csv run.csv --ontology photo",
            "ontoeval confusion truth.csv run.csv --rule mlcm --format csv > matrix.csv",
            "ontoeval confusion truth.csv run.csv --rule tensor-recall --normalise true --top 50",
        ),
        "errors": (
            "scoring:errors",
            "ontoeval errors truth.csv runs/ --ontology photo -m F -m OS",
            "ontoeval errors truth.csv run.csv --ontology my.obo --figures pictures",
        ),
    },
    "Compare and publish": {
        "compare": (
            "scoring:compare",
            "ontoeval compare truth.csv runs/ --ontology photo --agreement agreement.csv -m OS -m F",
            "ontoeval compare truth.csv runs/ -m F --interval bca --baseline prior --chance -o results",
            "ontoeval compare truth.csv runs/ --ontology photo --by splits.csv --by branch --format csv",
            "ontoeval compare truth.csv runs/ --pairs --long values.parquet --report report.html",
            "ontoeval compare truth.parquet runs/ --ontology my.ttl --parts auto --workers 4",
        ),
        "study": (
            "measure_study:study",
            "ontoeval study truth.csv runs/ --ontology photo -m OS -m hF -m F -m Jaccard -o study",
            "ontoeval study truth.csv runs/ -m F -m \"F(average='macro')\" --no-changes --correlation rbo",
            "ontoeval study truth.csv runs/ --ontology photo --kind sibling --rate 0.1 --table sensitivity",
        ),
        "pitfall": (
            "measure_study:pitfall",
            "ontoeval pitfall -m tKappa",
            "ontoeval pitfall -m OS --ontology my.owl --out pitfalls",
        ),
        "cite": (
            "listings:cite",
            "ontoeval cite -m OS -m \"OS(cost='lin(seco)')\"",
            "ontoeval cite --preset cafa --out measures.bib",
        ),
    },
    "Labels and ontologies": {
        "ontology": (
            "listings:ontology",
            "ontoeval ontology photo --tree",
            "ontoeval ontology my.owl --root Animals --root Plants",
            "ontoeval ontology my.ttl --labels truth.csv",
            "ontoeval ontology wine.rdf --import http://example.org/food=food.owl",
        ),
        "audit": (
            "audit:audit",
            "ontoeval audit truth.csv --ontology photo",
            "ontoeval audit truth.csv --ontology photo --fix corrected.csv",
            "ontoeval audit truth.csv --ontology my.obo --fail-on error --baseline accepted.json",
            "ontoeval audit truth.csv --ontology my.owl --rules rules.toml --sarif audit.sarif",
            "ontoeval audit my.obo --labels truth.csv --fail-on error",
        ),
        "agreement": (
            "annotators:agreement",
            "ontoeval agreement annotations.csv --ontology photo -o agreement.csv",
            "ontoeval agreement ann.csv bob.csv eve.csv --uncertain absent --coefficient pairwise",
            "ontoeval agreement votes.csv --ontology photo --truth truth.csv --consensus consistent",
        ),
        "diff": (
            "versions:diff",
            "ontoeval diff before.csv after.csv --ontology photo",
            "ontoeval diff before.csv after.csv --rows sample --format csv",
            "ontoeval diff go-2023.obo go-2024.obo",
            "ontoeval diff old.ttl new.ttl --format markdown > release-notes.md",
            "ontoeval diff old.owl new.owl --labels truth.csv --format json",
        ),
        "migrate": (
            "versions:migrate",
            "ontoeval migrate truth.csv --from go-2023.obo --to go-2024.obo -o migrated.csv",
            "ontoeval migrate truth.csv --from old.ttl --to new.ttl -o migrated.csv --decisions log.csv",
        ),
    },
    "Benchmarks and challenges": {
        "init": ("benchmark:init", "ontoeval init", "ontoeval init my-benchmark"),
        "run": (
            "benchmark:run",
            "ontoeval run",
            "ontoeval run my-benchmark/benchmark.toml",
            "ontoeval run my-benchmark --parts auto --workers 4",
        ),
        "verify": (
            "benchmark:verify_results",
            "ontoeval verify results",
            "ontoeval verify results --from my-benchmark --format json",
        ),
        "validate": (
            "audit:validate",
            "ontoeval validate run.csv --ontology photo --samples samples.txt",
            "ontoeval validate runs/ --ontology photo --samples samples.txt --format json",
        ),
    },
}
"""Commands by the headings of the help: where the function of each is, and examples."""

_READING_NOTHING = {"cite", "demo", "init", "measures"}
_SHARING_WORK = {"score", "errors", "compare", "study", "agreement", "run", "verify"}

COMMANDS: Mapping[str, CommandEntry] = {
    name: CommandEntry(place, panel, tuple(examples), name not in _READING_NOTHING, name in _SHARING_WORK)
    for panel, commands in _TABLE.items()
    for name, (place, *examples) in commands.items()
}

app = typer.Typer(
    name="ontoeval",
    cls=group_of(COMMANDS),
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=f"Exit codes: {'; '.join(f'{code:d} {meaning}' for code, meaning in MEANINGS.items())}.",
)


def _print_version(asked: bool) -> None:  # noqa: FBT001 - as typer calls it
    if asked:
        typer.echo(f"ontoeval {__version__}")
        raise typer.Exit


@app.callback()
def _top(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", is_eager=True, callback=_print_version),
    ] = False,
) -> None:
    """Evaluate multi-label predictions, flat and with an ontology, by the published definitions."""
    del version  # printed before it comes to this


def main() -> NoReturn:
    """Run the command line."""
    sys.exit(exit_code(app))
