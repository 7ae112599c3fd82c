"""Files and folders written whole or not at all."""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from gzip import GzipFile
from io import TextIOWrapper
from pathlib import Path
from platform import node
from tempfile import TemporaryDirectory, gettempdir
from typing import NamedTuple, TextIO

from ontoeval.errors import InputError, OntoevalError, ParameterError, enumerate_some
from ontoeval.plumbing.files import real_path
from ontoeval.plumbing.memory import bytes_in_words


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
        with _create_beside(target, path, folder=False) as aside:
            yield aside
            if target.exists():
                shutil.copymode(target, aside)
            aside.replace(target)


@contextmanager
def write_folder_aside(path: Path) -> Iterator[Path]:
    """Write a folder beside its place; it replaces what lies there when the block ends without an error."""
    target = Path(os.path.realpath(path))
    with _writable(path, "folder"), _create_beside(target, path, folder=True) as aside:
        yield aside
        with _removed_on_success(target) if target.exists() else nullcontext():
            aside.replace(target)


@contextmanager
def _removed_on_success(path: Path) -> Iterator[None]:
    """Remove a file or folder if the block succeeds; restore it if the block fails."""
    away = _hidden_name(path)
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
    """Raise errors of the operating system as InputError for the path that the caller named."""
    try:
        yield
    except BrokenPipeError:  # the reader has closed the pipe
        raise
    except OSError as error:
        raise InputError(
            f"the {kind} cannot be written: {error.strerror or error}",
            "Check the space on the disk and the permissions, or name another place.",
            where=path,
        ) from error


@contextmanager
def _create_beside(target: Path, path: str | os.PathLike[str], *, folder: bool) -> Iterator[Path]:
    """Create a temporary file or folder beside a target, which only a killed program leaves."""
    missing = [parent for parent in target.parents if not parent.exists()]
    with ExitStack() as stack:
        for parent in reversed(missing):
            parent.mkdir(exist_ok=True)
            stack.callback(_remove_if_empty, parent)
        aside = _hidden_name(target)
        stack.callback(_remove, aside)  # before it exists: a signal may end the program right after
        if folder:
            aside.mkdir()
        else:
            aside.touch(exist_ok=False)
        try:
            yield aside
        except OntoevalError as error:
            # What was written inside names the hidden place.
            error.args = (str(error).replace(str(aside), os.fspath(path)), *error.args[1:])
            raise


def _hidden_name(target: Path) -> Path:
    """Random hidden name beside a target, with the same suffix."""
    return target.with_name(f".{target.stem[:50]}.ontoeval-{secrets.token_hex(4)}{target.suffix}")


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink() if path.is_file() else shutil.rmtree(path, ignore_errors=True)


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()


def _scratch() -> str:
    """How the names of this machine's folders of parts begin; the number of the program follows."""
    return f"ontoeval-parts-{node()}"


def scratch_of_killed_programs(parent: Path | None) -> list[Path]:
    """List the folders of parts whose program ran on this machine and has ended."""
    found = sorted((Path(gettempdir()) if parent is None else parent).glob("ontoeval-parts-*"))
    named = [(folder, re.fullmatch(rf"{re.escape(_scratch())}-(\d+)-\w+", folder.name)) for folder in found]
    return [folder for folder, own in named if own is not None and not _runs(int(own[1]))]


def _runs(program: int) -> bool:
    """Whether a program of this number runs, or may run."""
    with suppress(PermissionError):  # of another user
        try:
            if os.name == "posix":  # elsewhere 0 is a signal, too
                os.kill(program, 0)
        except ProcessLookupError:
            return False
    return True


_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}


@contextmanager
def scratch_folder(parent: Path | None, needed: int) -> Iterator[Path]:
    """Create a folder for about so many bytes, in the system's by default; it is removed in the end."""
    place = Path(gettempdir()) if parent is None else parent
    remedy = "Name another folder (--scratch, scratch=)."
    try:
        with TemporaryDirectory(
            prefix=f"{_scratch()}-{os.getpid()}-", dir=place, ignore_cleanup_errors=True
        ) as folder:
            yield Path(folder)
    except OSError as error:
        if error.errno in _FULL:
            problem = f"the disk is full: parts of the files need about {bytes_in_words(needed)} here"
            raise InputError(problem, remedy, where=place) from error
        if error.filename is not None and Path(os.fsdecode(error.filename)).parent == place:
            problem = f"no folder can be made here: {error.strerror}"
            raise InputError(problem, remedy, where=place) from error
        raise


FileContent = str | bytes | Callable[[Path], object]
"""Content of a file, or a function that writes the content."""

_TABS = re.compile(r"\.(?:tsv|tab)", re.IGNORECASE)
_NO_TABLE = re.compile(
    r"\.(?:parquet|pq|feather|arrow|jsonl?|ndjson|np[yz]|arff|annif|key|svm|libsvm|xlsx?|ods|html?|tex|md|pdf|xml"
    r"|gz|bz2|xz|zip|zst|7z)",
    re.IGNORECASE,
)
"""Suffixes of formats other than tables of text."""


_FILE = re.compile(rf"{_TABS.pattern}|{_NO_TABLE.pattern}|\.(?:csv|txt|bib|png|svg)", re.IGNORECASE)
"""Suffixes that no folder has."""

_TELLING = re.compile(r"per_(?:sample|concept)\.csv|(?:concepts|confusion)\.(?:pdf|svg|png)")
"""Names of result files that reveal the truth of samples or concepts."""


class Folder(NamedTuple):
    """A folder that a command writes tables or figures into."""

    path: Path
    names: Callable[[str], bool]


def write_all(
    contents: Mapping[Path, FileContent], *, folders: Iterable[Folder] = (), public: bool = False
) -> list[str]:
    """Write files, each whole, and none of them where one cannot be written.

    A folder then holds what this call has written, and nothing that an earlier call of the command has left:
    of the names that it can write there, those that it does not write are removed. In a folder that is
    public, so are files of other commands that reveal the truth.
    """
    others = _earlier_and_other_files(contents, folders, public=public)
    # What is removed is gone when all is written, and back where that fails.
    with ExitStack() as removed, ExitStack() as stack:
        for path, content in contents.items():
            aside = stack.enter_context(write_aside(path))
            if isinstance(content, str):
                with text_file(aside) as file:
                    file.write(content)
            elif isinstance(content, bytes):
                aside.write_bytes(content)
            else:
                content(aside)
        for earlier, _ in others.values():
            for path in earlier:
                try:
                    removed.enter_context(_removed_on_success(path))
                except OSError as error:
                    problem = f"this earlier result cannot be removed: {error.strerror or error}"
                    raise InputError(problem, "Remove it, or name another folder.", where=path) from error
    remarks = []
    for folder, (earlier, unknown) in others.items():
        if earlier:
            names = enumerate_some(path.name for path in earlier)
            remarks.append(f"{folder}: removed what an earlier call has left: {names}")
        if unknown and public:
            names = enumerate_some(path.name for path in unknown)
            remarks.append(
                f"{folder}: this call has not written {names}; check whether these files reveal the truth"
            )
    return remarks


def tells_the_truth(name: str) -> bool:
    """Whether a file of this name, written by a command, reveals the truth of samples or concepts."""
    return _TELLING.fullmatch(name) is not None


def _earlier_and_other_files(
    contents: Mapping[Path, FileContent], folders: Iterable[Folder], *, public: bool
) -> dict[Path, tuple[list[Path], list[Path]]]:
    """Earlier results to remove, and all other files, in each folder."""
    always = (tells_the_truth,) if public else ()
    written = {_comparable_path(one) for path in contents for one in (path, *path.absolute().parents)}
    alike: dict[str, list[Folder]] = {}
    for folder in folders:
        alike.setdefault(_comparable_path(folder.path), []).append(folder)
    found: dict[Path, tuple[list[Path], list[Path]]] = {}
    for same in alike.values():
        path = same[0].path
        there = (
            sorted(one for one in path.iterdir() if _comparable_path(one) not in written)
            if path.is_dir()
            else []
        )
        known = (*(each.names for each in same), *always)
        earlier = [one for one in there if one.is_file() and any(names(one.name) for names in known)]
        found[path] = earlier, [one for one in there if one not in earlier]
    return found


def refuse_overlaps(
    written: Mapping[str, Path | None],
    read: Iterable[Path | None],
    *,
    folders: Mapping[str, tuple[Path | None, Iterable[str]]] | None = None,
    runs: Callable[[Path], bool] | None = None,
) -> None:
    """Refuse outputs that cannot be written, that are inputs too, or that share one file."""
    taken = {
        _comparable_path(path): f"a {'folder' if path.is_dir() else 'file'} that is read lies there"
        for path in read
        if path is not None
    }
    chosen = {option: (path, names) for option, (path, names) in (folders or {}).items() if path is not None}
    tables = [(option, path, path / name) for option, (path, names) in chosen.items() for name in names]
    for option, folder, path in tables:
        _refuse(option, folder, path, taken, runs)
    taken |= {_comparable_path(path): "a table is written there" for _, _, path in tables}
    for option, named in written.items():
        if named is not None:
            _refuse(option, named, named, taken, runs)
            _refuse_unwritable(option, named, folder=False)
            taken[_comparable_path(named)] = f"what {option} names is written there"
    for option, (folder, _) in chosen.items():
        _refuse(option, folder, folder, taken)
        _refuse_unwritable(option, folder, folder=True)


def _refuse(
    option: str, named: Path, path: Path, taken: Mapping[str, str], runs: Callable[[Path], bool] | None = None
) -> None:
    if (there := taken.get(_comparable_path(path))) is not None:
        which = f" ({path.name})" if path != named else ""
        raise ParameterError(option, str(named), f"another name: {there}{which}")
    if runs is not None and runs(path):
        raise ParameterError(option, str(named), "another folder: runs are looked for in this one")


def _refuse_unwritable(option: str, named: Path, *, folder: bool) -> None:
    """Refuse a place below a file, or in a folder without permission to write: work may take an hour."""
    target = Path(os.path.realpath(named))
    if not folder and os.path.exists(target) and not target.is_file():  # noqa: PTH110 - raises nothing
        return  # a pipe or a device; of a folder `write_aside` says what it is
    there = next(one for one in (*[target] * folder, *target.parents) if os.path.exists(one))  # noqa: PTH110 - see above
    if there.is_dir() and os.access(there, os.W_OK | os.X_OK):
        return
    why = f"{str(there)!r} {'permits no writing' if there.is_dir() else 'is a file'}"
    raise ParameterError(option, str(named), f"another place: this one cannot be written, since {why}")


def ending(path: Path | str) -> str:
    """Find the ending of a file's name, before ``.gz`` where it has this."""
    return Path(str(path).removesuffix(".gz")).suffix


def is_table_name(path: Path, *, tabs: bool = False) -> bool:
    """Whether the ending of a name may be that of a table of text, with tabs too."""
    return not (_NO_TABLE.fullmatch(ending(path)) or (_TABS.fullmatch(ending(path)) and not tabs))


def check_table_name(option: str, path: Path, *, tabs: bool = False) -> None:
    """Refuse the name of a file that promises something else than a table of text."""
    if not path.name or path.is_dir():
        raise ParameterError(option, str(path), "the name of a file: this is a folder")
    if not is_table_name(path, tabs=tabs):
        name = f"{Path(str(path).removesuffix('.gz')).stem}.csv"
        raise ParameterError(option, str(path), f"a name for a table of text, such as {name} or {name}.gz")


def check_folder_name(option: str, path: Path, *, expected: str = "a folder, not a file") -> None:
    """Refuse the name of a file for a folder that is made."""
    if _FILE.fullmatch(path.suffix) and not path.is_dir():
        raise ParameterError(option, str(path), expected)


def _comparable_path(path: Path) -> str:
    # Names that differ in their case alone are one file on many machines.
    return str(real_path(path)).casefold()
