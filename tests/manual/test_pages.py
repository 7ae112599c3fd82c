"""What the manual shows of the command line is what the command line prints."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import ontoeval as oe
from ontoeval.measures.catalogue import FAMILIES, Entry, citation

ROOT = Path(__file__).parents[2]
PAGES = [
    page
    for page in (ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md")))
    if "```console" in page.read_text(encoding="utf-8")
    and "reference" not in page.parts  # examples with any files
]


def commands(page: Path) -> list[tuple[str, list[str]]]:
    """Each command of a page, and the lines that it prints by the page."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(
        r"^```console\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    ):
        for line in re.sub(r" \\\n *", " ", block).splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


ENVIRONMENT = os.environ | {
    "COLUMNS": "84",
    "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    "PYTHONIOENCODING": "utf-8",
    "TERM": "dumb",
}
IN_SHELL = {"README", "label-files"}
"""Pages whose every command starts a program, as a reader types it."""

FORKING = """
import importlib, json, os, pkgutil, sys
import ontoeval
from ontoeval.__main__ import main
for module in pkgutil.walk_packages(ontoeval.__path__, "ontoeval."):
    if not module.name.startswith(("ontoeval.integrations", "ontoeval.__main__")):
        importlib.import_module(module.name)
for line in sys.stdin:
    arguments, folder, *files = json.loads(line)
    if (child := os.fork()) == 0:
        os.chdir(folder)
        for number, name in enumerate([os.devnull, *files]):
            os.dup2(os.open(name, os.O_RDWR | os.O_CREAT), number)
        sys.argv = ["ontoeval", *arguments]
        main()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""A program that runs commands in copies of itself: most of their time is the import of modules."""


@pytest.fixture(scope="module")
def fork() -> Iterator[Callable[..., int]]:
    """Run a command of ontoeval in a folder, with files for its output and errors, and return its exit status."""
    command = [sys.executable, "-W", "ignore", "-c", FORKING]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=ENVIRONMENT, text=True, stdin=pipe, stdout=pipe) as program:
        asking, answers = program.stdin, program.stdout
        assert asking is not None
        assert answers is not None

        def run(arguments: list[str], *places: Path) -> int:
            print(json.dumps([arguments, *map(str, places)]), file=asking, flush=True)
            return int(answers.readline())

        yield run
        asking.close()


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(  # noqa: S602 - the manual's commands, as a reader types them
        command, shell=True, cwd=folder, env=ENVIRONMENT, capture_output=True, check=False
    )


def forked(command: str, folder: Path, fork: Callable[..., int], files: tuple[Path, Path]) -> str:
    """Run the command of ontoeval with which a line begins; the line with what it printed in its place."""
    words = re.match(r"""ontoeval((?: (?!\d?[>|&;])('[^']*'|"[^"]*"|[^ '"])+)+)""", command)
    if words is None:
        return command
    arguments = shell(f"printf '%s\\0' {words[1]}", folder).stdout.decode().split("\0")[:-1]
    for file in files:
        file.unlink(missing_ok=True)
    status = fork(arguments, folder, *files)
    out, err = (shlex.quote(str(file)) for file in files)
    return f"(cat {out}; cat {err} >&2; exit {status}){command[words.end() :]}"


def printed(command: str, folder: Path) -> str:
    done = shell(command, folder)
    # What is said beside a result that programs read is not part of it, unless it is an error.
    said = done.stderr.splitlines(keepends=True)
    if done.returncode in {0, 1}:
        said = [line for line in said if line.startswith(b"Error: ")]
    return b"".join([done.stdout, *said]).decode()


def pattern(lines: list[str]) -> str:
    """Match the lines, whatever stands for three dots, and whatever blanks end a line."""
    exact = (re.escape(line.rstrip()).replace(re.escape("..."), ".*") for line in lines)
    return "".join(r"(?:.*\n)*?" if line == ".*" else rf"{line}[^\S\n]*\n" for line in exact)


@pytest.mark.skipif(os.name == "nt", reason="the manual's commands are for a POSIX shell")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_print_what_the_manual_shows(
    page: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, fork: Callable[..., int]
) -> None:
    folder, beside = tmp_path, tmp_path_factory.mktemp("printed")
    for command, lines in commands(page):
        if command.startswith("cd "):
            folder /= command.removeprefix("cd ")
            continue
        line = command
        if page.stem not in IN_SHELL:
            line = forked(command, folder, fork, (beside / "out", beside / "err"))
        shown = "".join(f"{row}\n" for row in printed(line, folder).splitlines() if row.strip())
        expected = [line for line in lines if line.strip()]
        assert re.fullmatch(pattern(expected), shown), f"{command}\n{shown}"


def test_the_ontology_that_the_manual_shows_is_read_whole(tmp_path: Path) -> None:
    (shown,) = re.findall(
        r"^```turtle\n(.*?)^```",
        (ROOT / "docs" / "ontologies.md").read_text("utf-8"),
        re.DOTALL | re.MULTILINE,
    )
    path = tmp_path / "setting.ttl"
    path.write_text(shown, encoding="utf-8")
    ontology = oe.read_ontology(path)
    assert sorted(ontology.hierarchy().label_vocabulary) == ["indoor", "landscape", "outdoor"]
    assert [str(rule) for rule in (*ontology.exclusions, *ontology.requirements)] == [
        "indoor excludes outdoor",
        "landscape requires outdoor",
    ]
    assert not ontology.report.unused


@pytest.mark.parametrize("entry", oe.CATALOGUE, ids=lambda entry: entry.symbol)
def test_every_measure_has_a_family_and_a_source(entry: Entry) -> None:
    assert entry.family in FAMILIES
    assert citation(entry.source)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_manual_has_words_on_every_family(family: str) -> None:
    symbols = [entry.symbol for entry in oe.CATALOGUE if entry.family == family]
    pages = (ROOT / "docs").glob("*.md")
    assert any(
        all(re.search(rf"\b{symbol}\b", text) for symbol in symbols)
        for text in (page.read_text(encoding="utf-8") for page in pages)
    )


def test_the_time_beside_others_is_that_of_the_benchmarks() -> None:
    benchmarks = (ROOT / "benchmarks/README.md").read_text(encoding="utf-8")
    sizes = benchmarks.split("\n| **")
    flat = [one for one in sizes if one.startswith("100,000 × ") and "micro F" in one]
    rows = re.findall(
        r"^\| (?:micro F|macro F|11 flat.*?|TP.*?) \| (\S+) \| \S+ \| (\S+) ×", "\n".join(flat), re.MULTILINE
    )
    times, ratios = ([float(row[at]) for row in rows] for at in range(2))
    assert len(rows) == 7
    row = (
        f"| time of flat measures, 100,000 samples | {min(times):.3f} to {max(times):.3f} s "
        f"| {min(ratios):.0f} to {max(ratios):.0f} × as long | – | – |"
    )
    assert row in (ROOT / "docs/why.md").read_text(encoding="utf-8")
