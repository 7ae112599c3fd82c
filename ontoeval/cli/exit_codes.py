"""Exit codes of the program, and how it ends."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from enum import IntEnum
from errno import EBADF
from io import TextIOWrapper
from traceback import print_exception
from typing import NoReturn

import typer

from ontoeval.errors import InputError, OntoevalError


class Exit(IntEnum):
    """Exit codes."""

    DONE = 0
    FINDINGS = 1
    USAGE = 2
    REFUSED = 3
    FAULT = 70
    INTERRUPTED = 130
    CLOSED = 141


MEANINGS = {
    Exit.DONE: "done",
    Exit.FINDINGS: "a check fails: findings at --fail-on, a run that would be refused, lost labels, "
    "results that do not hold, differences",
    Exit.USAGE: "wrong usage",
    Exit.REFUSED: "an input or the value of an option was refused, or an output cannot be written",
    Exit.FAULT: "an unexpected error",
    Exit.INTERRUPTED: "interrupted",
}


def print_failure(message: object) -> None:
    """Print to stderr why a command ends with an exit code other than 0."""
    from rich.console import Console
    from rich.text import Text

    from ontoeval.core.table import cell_text

    # Unwrapped, so that paths and rows can be copied and searched.
    lines = "\n".join(map(cell_text, str(message).split("\n")))
    Console(stderr=True, highlight=False).print(Text.assemble(("Error: ", "bold red"), lines), soft_wrap=True)


def end_with_findings(error: object = None) -> NoReturn:
    """End with the exit code of a failed check, and with the reason if there is one."""
    if error is not None:
        print_failure(error)
    raise typer.Exit(Exit.FINDINGS)


def exit_code(command_line: Callable[[], object]) -> int | str | None:
    """Run the command line, print the message of an error, and return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        # Where a terminal lacks a character, an escape is better than a traceback.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    # Half-written files are removed at SIGTERM, too.
    before = signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        return _status_of(command_line)
    except OSError:  # stderr cannot be written either
        _drop_output()
        return Exit.REFUSED
    finally:
        signal.signal(signal.SIGTERM, before)


def _status_of(command_line: Callable[[], object]) -> int | str | None:
    try:
        if sys.stdout is None:  # closed by the caller, as `>&-` does
            raise OSError(EBADF, os.strerror(EBADF))  # noqa: TRY301 - reported below like every error of stdout
        return _run_and_flush(command_line)
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:  # the reader has closed the pipe
        _drop_output()
        return Exit.CLOSED
    except OntoevalError as error:
        print_failure(error)
    except MemoryError:
        remedy = (
            "Use a machine with more memory; score, compare and run can read parts (--parts auto). Fewer "
            "measures, runs or --resamples, and a part of the ontology (--root), need less."
        )
        print_failure(InputError("there is not enough memory", remedy))
    except OSError as error:
        _drop_output()
        problem = f"cannot be {'read or ' * bool(error.filename)}written: {error.strerror or error}"
        remedy = "Check the path, its permissions and the space on the disk."
        print_failure(InputError(problem, remedy, where=error.filename or "standard output"))
    except Exception as error:  # noqa: BLE001 - Python would end with the exit code of findings
        print_exception(error)
        print_failure("unexpected, as the lines above show. Report them, with the command.")
        return Exit.FAULT
    return Exit.REFUSED


def _run_and_flush(command_line: Callable[[], object]) -> int | str | None:
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
    """Discard the rest of the output, so that the interpreter reports no error when it exits."""
    null = os.open(os.devnull, os.O_WRONLY)
    for stream in filter(None, (sys.__stdout__, sys.__stderr__)):
        try:
            stream.flush()
        except OSError:
            os.dup2(null, stream.fileno())
    os.close(null)
