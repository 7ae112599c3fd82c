"""Options: how commands take those that they share, and what these make."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

from ontoeval.cli.asked import asked
from ontoeval.cli.inputs import Inputs
from ontoeval.cli.option_table import MAX_SIZE, OPTIONS, OUTPUT
from ontoeval.cli.outputs import outputs
from ontoeval.cli.planned import planned
from ontoeval.cli.wanted import wanted
from ontoeval.core.limits import bytes_of, reading_at_most


@wraps(asked)
def _read(**given: Any) -> Inputs:  # noqa: ANN401 - as various as the options
    return asked(**given).read()


def reads_labels(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options by which ontologies and label files are read, and what they make."""
    kind = inspect.signature(command, eval_str=True).parameters["inputs"].annotation
    return taking(command, inputs=_read if kind is Inputs else asked)


def reads_runs(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the truth, the runs, and all options by which they are read and scored."""
    return reads_labels(taking(command, wanted=wanted))


def compares_runs(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the truth, the runs, and all options by which they are compared."""
    return reads_runs(taking(command, planned=planned, outputs=outputs))


def taking(command: Callable[..., None], **makers: Callable[..., Any]) -> Callable[..., None]:
    """Give a command the options of functions, and hand it what these make of them."""
    own = inspect.signature(command, eval_str=True)
    shared = {name: inspect.signature(maker, eval_str=True).parameters for name, maker in makers.items()}
    mine = {name: parameter for name, parameter in own.parameters.items() if name not in makers}

    @wraps(command)
    def call(**given: Any) -> None:  # noqa: ANN401 - as various as the options
        made = {
            name: maker(**{option: given[option] for option in shared[name]})
            for name, maker in makers.items()
        }
        command(**made, **{name: given[name] for name in mine})

    parameters = dict(mine)
    for options in shared.values():
        parameters |= {name: _option(shared) for name, shared in options.items() if name not in mine}
    ordered = sorted(parameters.values(), key=_place)
    call.__signature__ = own.replace(parameters=ordered)  # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in ordered}
    del call.__wrapped__
    return call


def bounded(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that reads files the option that bounds their size; it may read its pipes again."""
    own = inspect.signature(command, eval_str=True)

    @wraps(command)
    def call(max_size: str | None = None, **given: Any) -> None:  # noqa: ANN401 - as various as the options
        with reading_at_most(None if max_size is None else bytes_of(max_size), keep_pipes=True):
            command(**given)

    kind = Annotated[str | None, MAX_SIZE]
    size = inspect.Parameter("max_size", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind)
    ordered = sorted([*own.parameters.values(), size], key=_place)
    call.__signature__ = own.replace(parameters=ordered)  # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in ordered}
    del call.__wrapped__
    return call


def _place(parameter: inspect.Parameter) -> tuple[int, bool]:
    """Put first what stands without a name, the truth before the runs; and last what is about the output."""
    (about,) = getattr(parameter.annotation, "__metadata__", (None,))
    return parameter.kind, getattr(about, "rich_help_panel", None) == OUTPUT


def _option(parameter: inspect.Parameter) -> inspect.Parameter:
    """Say how a parameter is an option, if it is one and does not say so itself."""
    if parameter.name not in OPTIONS or hasattr(parameter.annotation, "__metadata__"):
        return parameter
    return parameter.replace(annotation=Annotated[parameter.annotation, OPTIONS[parameter.name]])
