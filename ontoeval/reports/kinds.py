"""Tables and pages of any result: the module of its kind is imported when the result is shown."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, cast, get_args

from ontoeval.core.names import Show
from ontoeval.core.showing import Page
from ontoeval.core.table import Table
from ontoeval.errors import ParameterError, one_of
from ontoeval.plumbing.checks import requires


def tables(result: object, *, show: Show | None = None) -> dict[str, Table]:
    """Make all tables of a result.

    Parameters
    ----------
    result
        An evaluation, a comparison, a study, a behaviour, findings, or an agreement of annotators.
    show
        How people read concepts: by "label", by the name that files have ("id"), or by "both"; by default as
        the result shows them, see `Hierarchy.showing`.

    Returns
    -------
    dict of str to Table
        The tables by short names.

    Raises
    ------
    ParameterError
        If it is no such result.

    Examples
    --------
    >>> import ontoeval as oe
    >>> truth, runs = [["a"], ["b"]], {"run": [["a"], ["a"]]}
    >>> comparison = oe.compare(truth, runs, measures="F", resamples=10)
    >>> list(tables(comparison))
    ['leaderboard', 'scores', 'pairs']
    """
    made: dict[str, Table] = _page_function(result, "tables")(result)
    if show is None:
        return made
    one_of("show", show, get_args(Show))
    return {name: table.showing(show) for name, table in made.items()}


def report(result: object, **options: object) -> Page:
    """Write one HTML page about a result, which needs nothing else.

    Parameters
    ----------
    result
        An evaluation, a comparison, a study, findings, or an agreement of annotators.
    **options
        Those of the method `report` of the result.

    Returns
    -------
    Page
        The page: a text of HTML with a method `save`.

    Raises
    ------
    ParameterError
        If it is no such result.
    """
    return cast("Page", _page_function(result, "report")(result, **options))


def _page_function(result: object, what: str) -> Callable[..., Any]:
    """Find the function in the module of a result; a behaviour has no page of its own."""
    from ontoeval.reports.notebook import SHOWN  # with arrays, which few commands need

    name = type(result).__name__
    module = import_module(f"{__package__}.{SHOWN[name].partition('.')[0]}") if name in SHOWN else None
    if not hasattr(module, what):
        kinds = "an evaluation, a comparison, a study, findings or an agreement of annotators"
        raise ParameterError("result", result, kinds)
    return cast("Callable[..., Any]", getattr(module, what))


def check_figures(folder: Path | None) -> None:
    """Refuse figures where matplotlib is missing, before any other work."""
    if folder is not None:
        requires("matplotlib", "figures", "A figure")
