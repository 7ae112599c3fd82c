"""Atomic writing: files and folders that are there whole or not at all."""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from gzip import GzipFile
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from ontoeval.errors import InputError, OntoevalError

try:
    from fcntl import LOCK_EX, LOCK_NB, flock
except ImportError:  # Windows: leftovers of killed programs stay there
    flock = None  # type: ignore[assignment]

_LEFTOVER = re.compile(r"\..*\.ontoeval-[0-9a-f]{8}(?:\..*)?", re.DOTALL)
"""Names that nothing but this module gives."""


@contextmanager
def write_aside(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Write a file beside its place and move it there when the block ends without an error.

    The block gets an empty file with the same suffix; where a pipe or a device lies, this itself.
    """
    # A link stays a link: what it points to is replaced.
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise InputError("this is a folder", "Name a file.", where=path)
    with _writable(path, "file"):
        if target.exists() and not target.is_file():
            yield target
            return
        with _aside(target, path, folder=False) as aside:
            yield aside
            if target.exists():
                shutil.copymode(target, aside)
            aside.replace(target)


@contextmanager
def write_folder_aside(path: Path) -> Iterator[Path]:
    """Write a folder beside its place; it replaces what lies there when the block ends without an error."""
    target = Path(os.path.realpath(path))
    with _writable(path, "folder"), _aside(target, path, folder=True) as aside:
        yield aside
        with taken_away(target) if target.exists() else nullcontext():
            aside.replace(target)


@contextmanager
def taken_away(path: Path) -> Iterator[None]:
    """Remove a file or folder where the block succeeds; where it fails, it is there again."""
    away = _hidden(path)
    path.replace(away)
    try:
        yield
    except BaseException:
        away.replace(path)
        raise
    _remove(away)


@contextmanager
def text_file(path: Path) -> Iterator[TextIO]:
    """Open a file to write UTF-8 into it, packed by gzip where its name ends in ".gz"."""
    with ExitStack() as stack:
        if path.suffix != ".gz":
            yield stack.enter_context(path.open("w", encoding="utf-8", newline=""))
            return
        # Neither a time nor a name: the same text is the same file.
        raw = stack.enter_context(path.open("wb"))
        packed = stack.enter_context(GzipFile(filename="", mode="wb", fileobj=raw, mtime=0))
        yield stack.enter_context(TextIOWrapper(packed, encoding="utf-8", newline=""))


@contextmanager
def _writable(path: str | os.PathLike[str], kind: str) -> Iterator[None]:
    """Raise what the operating system refuses as an error that names the path that was asked for."""
    try:
        yield
    except BrokenPipeError:  # whoever reads has seen enough
        raise
    except OSError as error:
        raise InputError(
            f"the {kind} cannot be written: {error.strerror or error}",
            "Check the space on the disk and the permissions, or name another place.",
            where=path,
        ) from error


@contextmanager
def _aside(target: Path, path: str | os.PathLike[str], *, folder: bool) -> Iterator[Path]:
    """Make a hidden file or folder beside a target, gone at the end; remove what killed programs left."""
    missing = [parent for parent in target.parents if not parent.exists()]
    with ExitStack() as stack:
        for parent in reversed(missing):
            parent.mkdir(exist_ok=True)
            stack.callback(_remove_if_empty, parent)
        _remove_leftovers(target.parent)
        aside, held = _made(target, folder=folder)
        stack.callback(_remove, aside)
        if held is not None:
            stack.callback(os.close, held)
        try:
            yield aside
        except OntoevalError as error:
            # What was written inside names the hidden place.
            error.args = (str(error).replace(str(aside), os.fspath(path)), *error.args[1:])
            raise


def _hidden(target: Path) -> Path:
    """Name what lies beside a target for a while, with the same suffix."""
    return target.with_name(f".{target.stem[:50]}.ontoeval-{secrets.token_hex(4)}{target.suffix}")


def _made(target: Path, *, folder: bool) -> tuple[Path, int | None]:
    """Make a hidden file or folder and lock it, so that other programs see that it is no leftover."""
    while True:
        aside = _hidden(target)
        if folder:
            aside.mkdir()
        else:
            aside.touch(exist_ok=False)
        with suppress(BlockingIOError):  # another program takes it for a leftover before it is locked
            held = _lock(aside)
            if aside.exists():
                return aside, held
            if held is not None:
                os.close(held)


def _lock(path: Path) -> int | None:
    """Lock a file or folder until the descriptor is closed or the program ends; None where nothing can be."""
    if flock is None:
        return None
    held = None
    try:
        held = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        flock(held, LOCK_EX | LOCK_NB)
    except OSError as error:
        if held is not None:
            os.close(held)
        if isinstance(error, BlockingIOError):
            raise
        return None
    return held


def _remove_leftovers(folder: Path) -> None:
    """Remove what killed programs left in a folder: it has a name of ours, and no program holds it."""
    try:
        with os.scandir(folder) as entries:
            found = [Path(entry) for entry in entries if _LEFTOVER.fullmatch(entry.name)]
    except OSError:  # a folder may be written to but not listed
        return
    for path in found:
        with suppress(BlockingIOError):
            held = _lock(path)
            if held is not None:
                _remove(path)
                os.close(held)


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink() if path.is_file() else shutil.rmtree(path, ignore_errors=True)


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()
