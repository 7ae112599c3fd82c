"""Sessions: files, commands and Python, with all that they print.

A section of `sessions/*.md` is a test: blocks named as files are written (those of Turtle below `prefixes.ttl`, unless
they have prefixes of their own), blocks of `console` and `python` are run in their folder, where `benchmark` is the
shipped one. A line of standard error begins with `! `.
`SESSIONS=write pytest tests/border/test_sessions.py` replaces what the sections show by what they print.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from doctest import DocTestParser
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.cli import main, terminal
from tests.pages import outline, tables_of

PATHS = sorted(Path(__file__).with_name("sessions").glob("*.md"))
PREFIXES = (PATHS[0].parent / "prefixes.ttl").read_text("utf-8")
BLOCK = re.compile(r"^```(\S+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def sections() -> Iterator[Any]:
    """Each section, with the blocks above the first, which belong to all."""
    for path in PATHS:
        shared, *parts = path.read_text("utf-8").split("\n## ")
        for part in parts:
            yield pytest.param(path, shared, part, id=": ".join((path.stem, part.splitlines()[0])))


def printed(action: Callable[[], object]) -> str:
    """Standard output, then standard error with a mark before each line, then the exit code."""
    out, err = (TextIOWrapper(BytesIO(), "utf-8", newline="\n", write_through=True) for _ in range(2))
    code: object = 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            action()
        except SystemExit as end:
            code = end.code or 0
    texts = [side.buffer.getvalue().decode() for side in (out, err)]
    texts = [text.replace(oe.__version__, "VERSION").replace(str(Path.cwd()), "FOLDER") for text in texts]
    lines = [
        f"{mark}{line.rstrip()}"
        for mark, text in zip(("", "! "), texts, strict=True)
        for line in text.splitlines()
        if line.strip()
    ]
    return "".join(f"{line}\n" for line in [*lines, *([f"[exit {code}]"] if code else [])])


def called(command: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a command: of ontoeval, or one that lists, shows or writes files."""
    name, *arguments = shlex.split(command)
    if arguments[-2:-1] == [">"]:
        *arguments, _, file = arguments
        Path(file).write_bytes(called(shlex.join([name, *arguments]), monkeypatch).encode())
        return ""
    if name == "ontoeval":
        monkeypatch.setattr(sys, "argv", [name, *arguments])
        monkeypatch.setattr(sys.modules["__main__"], "__package__", None)  # whatever runs the tests
        return printed(main)
    if name == "ls":
        return printed(lambda: show(path.as_posix() for path in sorted(Path().rglob("*")) if path.is_file()))
    if name == "cat":
        return printed(lambda: show(Path(path).read_text("utf-8") for path in arguments))
    assert name == "printf", command
    return arguments[0].encode("latin-1", "backslashreplace").decode("unicode_escape")


def shell(block: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run the commands of a block."""
    commands = [line for line in block.splitlines() if line.startswith("$ ")]
    return "".join(f"{command}\n{called(command[2:], monkeypatch)}" for command in commands)


def python(block: str, names: dict[str, Any]) -> str:
    """Run the examples of a block."""

    def run(source: str) -> None:
        try:
            exec(compile(source, "session", "single"), names)  # noqa: S102 - ours
        except (oe.OntoevalError, TypeError) as error:
            print(f"{type(error).__name__}: {error}")  # noqa: T201

    lines = []
    for example in DocTestParser().get_examples(block):
        prompts = example.source.rstrip("\n").replace("\n", "\n... ")
        lines.append(f">>> {prompts}\n".replace("... \n", "...\n") + printed(lambda: run(example.source)))  # noqa: B023
    return "".join(lines)


def show(items: Iterable[object]) -> None:
    """Print each item in a line."""
    for item in items:
        print(item)  # noqa: T201


def test_every_file_has_sessions() -> None:
    assert {one.values[0] for one in sections()} == set(PATHS)


def comparable(text: str) -> str:
    """Round numbers to 12 digits: the last ones differ between versions of NumPy and SciPy, and machines."""
    return re.sub(r"\d+\.\d{12,}(e-?\d+)?", lambda number: f"{float(number[0]):.12g}", text)


@pytest.mark.parametrize(("path", "shared", "section"), [*sections()])
def test_a_session_prints_what_it_shows(
    path: Path,
    shared: str,
    section: str,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    for needed in re.findall(r"^Needs (\w+)$", section, re.MULTILINE):
        if needed == "data":
            Path("data").symlink_to(request.getfixturevalue("data"))
        elif importlib.util.find_spec(needed) is None:
            pytest.skip(f"needs {needed}")
    for console in (terminal.out, terminal.err):
        monkeypatch.setattr(console, "width", 110)
    Path("benchmark").symlink_to(oe.ontologies.benchmark())
    names: dict[str, Any] = {"oe": oe, "np": np, "Path": Path, "show": show, "PREFIXES": PREFIXES}
    names |= {"outline": outline, "tables_of": tables_of}

    def run(block: re.Match[str]) -> str:
        kind, text = block.groups()
        if kind == "console":
            text = shell(text, monkeypatch)
        elif kind == "python":
            text = python(text, names)
        else:
            Path(kind).parent.mkdir(parents=True, exist_ok=True)
            bare = kind.endswith(".ttl") and "@prefix" not in text
            Path(kind).write_text(PREFIXES * bare + text, "utf-8", newline="\n")
        return f"```{kind}\n{text}```"

    BLOCK.sub(run, shared)
    found = BLOCK.sub(run, section)
    if os.environ.get("SESSIONS") == "write":
        assert "PYTEST_XDIST_WORKER" not in os.environ, "workers would overwrite what others write: use none"
        path.write_text(path.read_text("utf-8").replace(f"\n## {section}", f"\n## {found}"), "utf-8")
    else:
        assert comparable(found) == comparable(section)
