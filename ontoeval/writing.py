"""Files that are written together: each in a place of its own, each whole or none of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path

from ontoeval.errors import ParameterError


def write_all(texts: Mapping[Path, str | Callable[[Path], None]]) -> None:
    """Write files, each whole, and none of them where one cannot be written.

    Parameters
    ----------
    texts
        What to write where; or what writes it there.

    Raises
    ------
    InputError
        If nothing can be written there.
    """
    from ontoeval.io import write_aside

    with ExitStack() as stack:
        for path, text in texts.items():
            aside = stack.enter_context(write_aside(path))
            if isinstance(text, str):
                aside.write_text(text, encoding="utf-8")
            else:
                text(aside)


def apart(
    written: Mapping[str, Path | None], read: Iterable[Path | None], *, tables: Iterable[Path] = ()
) -> None:
    """Refuse to write where something is read from, or two things into one file.

    Parameters
    ----------
    written
        Where is written to, by option.
    read
        The files that are read.
    tables
        What is written in any case.

    Raises
    ------
    ParameterError
        If an option names one of these files, or one that another option names.

    Examples
    --------
    >>> apart({"--out": Path("moved.csv"), "--log": None}, [Path("labels.csv")])
    """
    taken = {_place(path): "a file that is read lies there" for path in read if path is not None}
    taken |= {_place(path): "a table is written there" for path in tables}
    for option, path in written.items():
        if path is not None:
            if (there := taken.get(_place(path))) is not None:
                raise ParameterError(option, str(path), f"another name: {there}")
            taken[_place(path)] = f"what {option} names is written there"


def _place(path: Path) -> str:
    # Names that differ in their case alone are one file on many machines.
    return str(path.resolve()).casefold()
