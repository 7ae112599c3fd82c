"""Help: what typer is to show otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from ontoeval.errors import near_names

SYNONYMS: Mapping[str, str] = {
    "--bootstrap": "--resamples",
    "--confidence": "--level",
    "--csv": "--format",
    "--hierarchy": "--ontology",
    "--html": "--report",
    "--json": "--format",
    "--mapping": "--concept-map",
    "--metric": "--measure",
    "--metrics": "--measure",
    "--random-state": "--seed",
    "--taxonomy": "--ontology",
}
"""How other programs call options of ours."""

UsageError: type[Exception] = typer.BadParameter.__mro__[1]
"""What typer raises for wrong usage, whether or not it brings click along."""


class _PlainFlags:
    """Whatever has parameters; those that are flags do not look as if a value came after them."""

    def get_params(self, ctx: Any) -> list[Any]:  # noqa: ANN401 - of another module in each version of typer
        parameters: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for parameter in parameters:
            if getattr(parameter, "is_flag", False):
                parameter.metavar = ""
        return parameters


class Command(_PlainFlags, TyperCommand):
    """A command."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - see above
        """Take the options apart; of one that there is not, say which may be meant."""
        try:
            return super().parse_args(ctx, args)
        except UsageError as error:
            name: str | None = getattr(error, "option_name", None)
            if name is not None and hasattr(error, "possibilities"):
                known = {text for one in self.get_params(ctx) for text in one.opts if text[:2] == "--"}
                same = SYNONYMS.get(name)
                error.possibilities = [same] if same in known else near_names(name, sorted(known))
            raise


class Group(_PlainFlags, TyperGroup):
    """The commands together."""
