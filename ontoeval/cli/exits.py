"""Exit codes of the command line, by kind of failure."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from enum import IntEnum
from errno import EBADF
from io import TextIOWrapper
from typing import TYPE_CHECKING, NoReturn

from ontoeval.errors import InputError, OntoevalError

if TYPE_CHECKING:
    from types import FrameType


class Exit(IntEnum):
    """Exit codes."""

    DONE = 0
    FINDINGS = 1
    USAGE = 2
    REFUSED = 3
    INTERRUPTED = 130
    CLOSED = 141
    TERMINATED = 143


MEANINGS = {
    Exit.DONE: "done",
    Exit.FINDINGS: "a check says no: findings at --fail-on, a run that would be refused, lost labels, "
    "results that do not hold, differences",
    Exit.USAGE: "wrong usage",
    Exit.REFUSED: "an input or the value of an option was refused, or an output cannot be written",
    Exit.INTERRUPTED: "interrupted",
}
"""Explanations in the help."""


def say_no(message: object) -> None:
    """Print to stderr why a command ends with an exit code other than 0."""
    from rich.text import Text

    from ontoeval.cli.terminal import err
    from ontoeval.core.table import written

    # Unwrapped, so that paths and rows can be copied and searched.
    lines = "\n".join(map(written, str(message).split("\n")))
    err.print(Text.assemble(("Error: ", "bold red"), lines), soft_wrap=True)


def exit_code(command_line: Callable[[], object]) -> int | str | None:
    """Run the command line, print the message of an error, and return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        # Where a terminal lacks a sign, its code is better than a traceback.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    # What is half written is cleaned up when the program is asked to end, too.
    before = signal.signal(signal.SIGTERM, _end)
    try:
        return _answered(command_line)
    except OSError:  # stderr cannot be written either
        _drop_output()
        return Exit.REFUSED
    finally:
        signal.signal(signal.SIGTERM, before)


def _answered(command_line: Callable[[], object]) -> int | str | None:
    """Run the command line and print the message of an error."""
    try:
        if sys.stdout is None:  # closed by the caller, as `>&-` does
            raise OSError(EBADF, os.strerror(EBADF))  # noqa: TRY301 - said below like all that stdout refuses
        return _flushed(command_line)
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:  # the reader has closed the pipe
        _drop_output()
        return Exit.CLOSED
    except OntoevalError as error:
        say_no(error)
    except MemoryError:
        remedy = "Free memory, use smaller files, or score fewer runs and measures in one call."
        say_no(InputError("there is not enough memory", remedy))
    except OSError as error:
        _drop_output()
        problem = f"cannot be {'read or ' * bool(error.filename)}written: {error.strerror or error}"
        remedy = "Check the path, its permissions and the space on the disk."
        say_no(InputError(problem, remedy, where=error.filename or "standard output"))
    return Exit.REFUSED


def _flushed(command_line: Callable[[], object]) -> int | str | None:
    """Run until all output is written; typer hides an interrupt and a closed pipe behind other codes."""
    code: int | str | None = Exit.DONE
    try:
        command_line()
    except SystemExit as ended:
        cause: BaseException | None = ended
        while cause is not None:
            if isinstance(cause, BrokenPipeError | KeyboardInterrupt):
                raise cause from None
            cause = cause.__context__
        code = ended.code
    sys.stdout.flush()
    return code


def _drop_output() -> None:
    """Discard the rest of the output: the interpreter would complain of it when it ends."""
    null = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.__stdout__, sys.__stderr__):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            os.dup2(null, stream.fileno())  # type: ignore[union-attr] # not None, see above
    os.close(null)


def _end(number: int, frame: FrameType | None) -> NoReturn:
    del frame
    sys.exit(128 + number)
