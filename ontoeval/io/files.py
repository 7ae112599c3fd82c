"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from gzip import GzipFile
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from ontoeval.errors import InputError


@contextmanager
def write_aside(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Write a file beside its place and move it there when it is complete.

    Parameters
    ----------
    path
        Where the file shall be; folders that are missing are made.

    Yields
    ------
    Path
        An empty file in the same folder and with the same suffix: write there. It takes its
        place when the block ends, and is removed where the block fails. Where something other
        than a file lies, such as a pipe, it is that itself.

    Raises
    ------
    InputError
        If nothing can be written there.

    Examples
    --------
    >>> import tempfile
    >>> target = Path(tempfile.mkdtemp()) / "results" / "scores.csv"
    >>> with write_aside(target) as aside:
    ...     _ = aside.write_text("measure,score", encoding="utf-8")
    >>> target.read_text(encoding="utf-8"), len(list(target.parent.iterdir()))
    ('measure,score', 1)
    """
    # A link stays a link: what it points to is replaced.
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise InputError("this is a folder", "Name a file.", where=path)
    if target.exists() and not target.is_file():
        yield target
        return
    aside = target.with_name(f".{target.stem}.{secrets.token_hex(4)}{target.suffix}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        aside.touch(exist_ok=False)
    except OSError as error:
        raise _unwritable(path, error) from error
    try:
        yield aside
        if target.exists():
            shutil.copymode(target, aside)
        try:
            aside.replace(target)
        except OSError as error:
            raise _unwritable(path, error) from error
    finally:
        aside.unlink(missing_ok=True)


@contextmanager
def text_file(path: Path) -> Iterator[TextIO]:
    r"""Open a file to write text into it: UTF-8, packed by gzip where its name ends in ".gz".

    Parameters
    ----------
    path
        Where.

    Yields
    ------
    text file
        Lines end in it as they are written.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "labels.csv.gz")
    >>> with text_file(path) as file:
    ...     _ = file.write("id,labels")
    >>> path.read_bytes()[:2]
    b'\x1f\x8b'
    """
    with ExitStack() as stack:
        if path.suffix != ".gz":
            yield stack.enter_context(path.open("w", encoding="utf-8", newline=""))
            return
        # Neither a time nor a name: the same text is the same file.
        raw = stack.enter_context(path.open("wb"))
        packed = stack.enter_context(GzipFile(filename="", mode="wb", fileobj=raw, mtime=0))
        yield stack.enter_context(TextIOWrapper(packed, encoding="utf-8", newline=""))


def _unwritable(path: str | os.PathLike[str], error: OSError) -> InputError:
    return InputError(
        f"the file cannot be written: {error.strerror or error}", "Name a place that can be.", where=path
    )
