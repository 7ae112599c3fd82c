"""Folders that are there whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ontoeval.errors import InputError


@contextmanager
def write_folder_aside(path: Path) -> Iterator[Path]:
    """Write a folder beside its place and move it there when it is complete.

    Parameters
    ----------
    path
        Where the folder shall be. What lies there is replaced as a whole.

    Yields
    ------
    Path
        An empty folder beside it: write there. It takes its place when the block ends, and is removed where
        the block fails.

    Raises
    ------
    InputError
        If nothing can be written there.

    Examples
    --------
    >>> import tempfile
    >>> target = Path(tempfile.mkdtemp()) / "results"
    >>> with write_folder_aside(target) as aside:
    ...     _ = (aside / "scores.csv").write_text("run,F", encoding="utf-8")
    >>> [file.name for file in target.iterdir()], len(list(target.parent.iterdir()))
    (['scores.csv'], 1)
    """
    target = Path(os.path.realpath(path))
    mark = secrets.token_hex(4)
    aside, before = (target.with_name(f".{target.name}.{kind}.{mark}") for kind in ("new", "old"))
    try:
        aside.mkdir(parents=True)
    except OSError as error:
        raise _unwritable(path, error) from error
    try:
        yield aside
        try:
            if target.exists():
                target.replace(before)
            aside.replace(target)
        except OSError as error:
            if before.exists() and not target.exists():
                before.replace(target)
            raise _unwritable(path, error) from error
    finally:
        shutil.rmtree(aside, ignore_errors=True)
        shutil.rmtree(before, ignore_errors=True)


def _unwritable(path: Path, error: OSError) -> InputError:
    return InputError(
        f"the folder cannot be written: {error.strerror or error}", "Name a place that can be.", where=path
    )
