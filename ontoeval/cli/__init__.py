"""The command line: files in, tables out."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from ontoeval._version import __version__
from ontoeval.cli.commands import CommandEntry, group_of
from ontoeval.cli.exit_codes import MEANINGS, exit_code

with Path(__file__).with_name("commands.toml").open("rb") as _table:
    COMMANDS: Mapping[str, CommandEntry] = {
        name: CommandEntry(panel=panel, **entry)
        for panel, commands in tomllib.load(_table).items()
        for name, entry in commands.items()
    }
"""The commands, as the table `commands.toml` lists them."""

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
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    """Evaluate multi-label predictions, flat and with an ontology, by the published definitions."""
    del version  # printed before it comes to this


def main() -> NoReturn:
    """Run the command line."""
    sys.exit(exit_code(app))
