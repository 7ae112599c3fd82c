"""The command line: files in, tables out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Annotated, NoReturn

import typer

from ontoeval._version import __version__
from ontoeval.cli.agreement import agreement
from ontoeval.cli.audit import audit
from ontoeval.cli.audit_ontology import audit_ontology
from ontoeval.cli.cite import cite
from ontoeval.cli.compare import compare
from ontoeval.cli.confusion import confusion
from ontoeval.cli.demo import demo
from ontoeval.cli.diff import diff
from ontoeval.cli.exits import MEANINGS, exit_code
from ontoeval.cli.explain import explain
from ontoeval.cli.help import Command, Group
from ontoeval.cli.init import init
from ontoeval.cli.measures import measures
from ontoeval.cli.migrate import migrate
from ontoeval.cli.ontology import ontology
from ontoeval.cli.options import bounded
from ontoeval.cli.rank import rank
from ontoeval.cli.run import run
from ontoeval.cli.score import score
from ontoeval.cli.study import study
from ontoeval.cli.terminal import out
from ontoeval.cli.validate import validate
from ontoeval.cli.verify import verify

app = typer.Typer(
    name="ontoeval",
    cls=Group,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=f"Exit codes: {'; '.join(f'{code:d} {meaning}' for code, meaning in MEANINGS.items())}.",
)


def _print_version(asked: bool) -> None:  # noqa: FBT001 - as typer calls it
    if asked:
        out.print(f"ontoeval {__version__}")
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


_COMMANDS: Mapping[str, Mapping[Callable[..., None], tuple[str, ...]]] = {
    "Begin": {
        demo: ("ontoeval demo", "ontoeval demo --out somewhere"),
        measures: ("ontoeval measures", "ontoeval measures OS"),
    },
    "Score": {
        score: (
            "ontoeval score truth.csv run.csv",
            "ontoeval score truth.csv runs/ --names teams.csv --ontology photo --public",
            "ontoeval score truth.csv runs/*.csv --ontology photo --agreement agreement.csv",
            "ontoeval score truth.csv run.csv --ontology my.ttl -m OS -m 'OS(alpha=2)' -m F --format latex",
            "ontoeval score truth.jsonl run.parquet --threshold 0.5 --ontology my.obo --relation part_of",
        ),
        explain: (
            "ontoeval explain truth.csv run.csv photo-0001 --ontology photo --agreement agreement.csv",
            "ontoeval explain truth.csv run.csv photo-0001 --ontology photo -m \"OS(penalise='none')\"",
        ),
        confusion: (
            "ontoeval confusion truth.csv run.csv --ontology photo",
            "ontoeval confusion truth.csv run.csv --rule mlcm --format csv > matrix.csv",
            "ontoeval confusion truth.csv run.csv --rule tensor-recall --normalise true --top 50",
        ),
    },
    "Compare and publish": {
        compare: (
            "ontoeval compare truth.csv runs/ --ontology photo --agreement agreement.csv -m OS -m F",
            "ontoeval compare truth.csv runs/ -m F --interval bca --baseline prior --chance -o results",
            "ontoeval compare truth.csv runs/ --ontology photo --by splits.csv --by branch --format csv",
            "ontoeval compare truth.csv runs/ --pairs --long values.parquet --report report.html",
        ),
        study: (
            "ontoeval study truth.csv runs/ --ontology photo -m OS -m hF -m F -m Jaccard -o study",
            "ontoeval study truth.csv runs/ -m F -m \"F(average='macro')\" --no-changes --correlation rbo",
            "ontoeval study truth.csv runs/ --ontology photo --kind sibling --rate 0.1 --table sensitivity",
        ),
        rank: (
            "ontoeval rank results-2011/ results-2012/ results-2013/ -m OS",
            "ontoeval rank scores/*.csv --best lowest --control baseline",
        ),
        cite: (
            "ontoeval cite -m OS -m \"OS(cost='lin(seco)')\"",
            "ontoeval cite --preset cafa --out measures.bib",
        ),
    },
    "Labels and ontologies": {
        ontology: (
            "ontoeval ontology photo --tree",
            "ontoeval ontology my.owl --root Animals --root Plants",
            "ontoeval ontology my.ttl --labels truth.csv",
            "ontoeval ontology wine.rdf --import http://example.org/food=food.owl",
        ),
        audit: (
            "ontoeval audit truth.csv --ontology photo",
            "ontoeval audit truth.csv --ontology photo --fix corrected.csv",
            "ontoeval audit truth.csv --ontology my.obo --fail-on error --baseline accepted.json",
            "ontoeval audit truth.csv --ontology my.owl --rules rules.toml --sarif audit.sarif",
        ),
        audit_ontology: (
            "ontoeval audit-ontology my.owl",
            "ontoeval audit-ontology my.obo --labels truth.csv --fail-on error",
            "ontoeval audit-ontology my.ttl --format json",
        ),
        agreement: (
            "ontoeval agreement annotations.csv --ontology photo -o agreement.csv",
            "ontoeval agreement ann.csv bob.csv eve.csv --uncertain absent --coefficient pairwise",
            "ontoeval agreement votes.csv --ontology photo --truth truth.csv --consensus consistent",
        ),
        diff: (
            "ontoeval diff before.csv after.csv --ontology photo",
            "ontoeval diff before.csv after.csv --by sample --format csv",
        ),
        migrate: (
            "ontoeval migrate truth.csv --from go-2023.obo --to go-2024.obo -o migrated.csv",
            "ontoeval migrate truth.csv --from old.ttl --to new.ttl -o migrated.csv --decisions log.csv",
        ),
    },
    "Benchmarks and challenges": {
        init: ("ontoeval init", "ontoeval init my-benchmark"),
        run: ("ontoeval run", "ontoeval run my-benchmark/benchmark.toml"),
        verify: ("ontoeval verify results", "ontoeval verify results --from my-benchmark --format json"),
        validate: (
            "ontoeval validate run.csv --ontology photo --samples samples.txt",
            "ontoeval validate runs/ --ontology photo --samples samples.txt --format json",
        ),
    },
}
"""Under which headings the help lists which commands, and their examples."""

_READING_NOTHING = {cite, demo, init, measures}

for heading, commands in _COMMANDS.items():
    for command, examples in commands.items():
        app.command(
            cls=Command,
            rich_help_panel=heading,
            epilog="Examples:\n\n" + "\n\n".join(f"`{example}`" for example in examples),
        )(command if command in _READING_NOTHING else bounded(command))


def main() -> NoReturn:
    """Run the command line."""
    sys.exit(exit_code(app))
