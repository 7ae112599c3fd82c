"""Help: what typer is to show otherwise."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperGroup


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


class Group(_PlainFlags, TyperGroup):
    """The commands together."""
