"""What the manual shows of the command line is what the command line prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ontoeval as oe
from ontoeval.measures.catalogue import FAMILIES, Entry, citation

ROOT = Path(__file__).parents[2]
PAGES = [
    page
    for page in (ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md")))
    if "```console" in page.read_text(encoding="utf-8")
]


def commands(page: Path) -> list[tuple[str, list[str]]]:
    """Each command of a page, and the lines that it prints by the page."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(
        r"^```console\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    ):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


def printed(command: str, folder: Path) -> str:
    environment = os.environ | {
        "COLUMNS": "100",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONIOENCODING": "utf-8",
        "TERM": "dumb",
    }
    done = subprocess.run(  # noqa: S602 - the manual's commands, as a reader types them
        command,
        shell=True,
        cwd=folder,
        env=environment,
        capture_output=True,
        check=False,
    )
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
def test_commands_print_what_the_manual_shows(page: Path, tmp_path: Path) -> None:
    folder = tmp_path
    for command, lines in commands(page):
        if command.startswith("cd "):
            folder /= command.removeprefix("cd ")
            continue
        shown = "".join(f"{line}\n" for line in printed(command, folder).splitlines() if line.strip())
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
    pages = [page for page in (ROOT / "docs").glob("*.md") if page.name != "catalogue.md"]  # that one is made
    assert any(
        all(re.search(rf"\b{symbol}\b", text) for symbol in symbols)
        for text in (page.read_text(encoding="utf-8") for page in pages)
    )


@pytest.mark.parametrize("name", ["README.md", "docs/index.md"])
def test_the_time_on_the_first_page_is_that_of_the_benchmarks(name: str) -> None:
    benchmarks = (ROOT / "docs/benchmarks.md").read_text(encoding="utf-8")
    found = re.search(r"^\| 11 flat measures \| (\S+) \| \S+ \| (\S+ ×)", benchmarks, re.MULTILINE)
    assert found
    task = "time of 11 flat measures, 100,000 samples × 5,000 concepts"
    row = f"| {task} | {found[1]} s | {found[2]} as long | – | – |"
    assert row in (ROOT / name).read_text(encoding="utf-8")
