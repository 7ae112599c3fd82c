"""Help: what typer is to show otherwise."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperGroup


class Command(TyperCommand):
    """A command."""

    def get_params(self, ctx: Any) -> list[Any]:  # noqa: ANN401 - of another module in each version of typer
        """List the parameters.

        Parameters
        ----------
        ctx
            Of the call.

        Returns
        -------
        list
            All of them; those that are flags do not look as if a value came after them.
        """
        return _plain(super().get_params(ctx))


class Group(TyperGroup):
    """The commands together."""

    def get_params(self, ctx: Any) -> list[Any]:  # noqa: ANN401 - as above
        """List the parameters.

        Parameters
        ----------
        ctx
            Of the call.

        Returns
        -------
        list
            All of them; those that are flags do not look as if a value came after them.
        """
        return _plain(super().get_params(ctx))


def _plain(parameters: list[Any]) -> list[Any]:
    for parameter in parameters:
        if getattr(parameter, "is_flag", False):
            parameter.metavar = ""
    return parameters
