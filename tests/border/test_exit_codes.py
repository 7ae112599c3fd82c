"""Exit codes: 0 done, 1 a failed check, 2 wrong usage, 3 refused, 70 unexpected, 130 interrupted."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.commands import refusal

ONTOLOGY = "child,parent\ncat,pet\ndog,pet\n"
LABELS = "id,labels\np1,cat;pet\np2,dog;pet\n"
FILES = {
    "pets.csv": ONTOLOGY,
    "truth.csv": LABELS,
    "run.csv": LABELS,
    "other.csv": LABELS.replace("cat", "dog"),
    "open.csv": LABELS.replace("cat;pet", "cat"),
    "unknown.csv": LABELS.replace("cat", "cow"),
    "broken.csv": 'id,labels\np1,"cat\n',
    "nothing.csv": "",
}
needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")


def ontoeval(line: str, **options: object) -> subprocess.CompletedProcess[str]:
    """Call the program as a shell does."""
    command = [sys.executable, "-m", "ontoeval", *line.split()]
    given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **options}
    return subprocess.run(command, check=False, **given)  # type: ignore[call-overload, no-any-return]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("score truth.csv run.csv", 0),
        ("audit open.csv --ontology pets.csv", 0),
        ("audit unknown.csv --ontology pets.csv --fail-on error", 1),
        ("audit pets.csv --fail-on note", 0),
        ("diff truth.csv run.csv", 0),
        ("diff truth.csv other.csv", 1),
        ("validate run.csv --ontology pets.csv", 0),
        ("validate unknown.csv --ontology pets.csv", 1),
        ("score truth.csv", 2),
        ("score truth.csv run.csv --missing perhaps", 2),
        ("scoer truth.csv run.csv", 2),
        ("score truth.csv none.csv", 3),
        ("score truth.csv broken.csv", 3),
        ("score truth.csv nothing.csv", 3),
        ("score truth.csv unknown.csv --ontology pets.csv", 3),
        ("score truth.csv run.csv -m Nonsense", 3),
        ("score truth.csv run.csv -o truth.csv/results", 3),
        ("audit none.csv --ontology pets.csv --fail-on error", 3),
        ("ontology broken.csv", 3),
        ("verify none", 3),
        ("run none.toml", 3),
    ],
)
def test_each_kind_of_end_has_its_exit_code(
    line: str, code: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = refusal(line.split(), capsys, monkeypatch, code=code)
    assert "Traceback" not in said
    assert ("Error: " in said) == (code == 3 or "--fail-on error" in line or line.startswith("scoer"))


def test_a_crash_does_not_end_with_the_exit_code_of_findings() -> None:
    lines = "import sys; from ontoeval.cli.exit_codes import exit_code; sys.exit(exit_code(lambda: 1 / 0))"
    done = subprocess.run([sys.executable, "-c", lines], check=False, capture_output=True, text=True)
    assert done.returncode == 70
    assert re.search(r"ZeroDivisionError: .*\nError: unexpected, .* Report them", done.stderr)


def test_the_help_lists_the_exit_codes() -> None:
    said = " ".join(ontoeval("--help", env=os.environ | {"COLUMNS": "200"}).stdout.split())
    assert re.search(r"Exit codes: 0 done; 1 .*findings.*; 2 wrong usage; 3 .*; 130 interrupted", said)


@pytest.mark.no_cover
@needs_full
@pytest.mark.parametrize(
    "line", ["score truth.csv run.csv", "score truth.csv run.csv --format csv", "--help", "--version"]
)
def test_a_full_disk_below_the_standard_output_is_refused(line: str) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = ontoeval(line, stdout=full)
    assert done.returncode == 3
    # Beside CSV, remarks on the files go to the standard error.
    assert re.fullmatch(r"(  .*\n)*Error: standard output: cannot be written: .*\n", done.stderr)


@needs_full
def test_a_full_disk_below_both_outputs_is_refused() -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        assert ontoeval("score truth.csv run.csv", stdout=full, stderr=full).returncode == 3


@pytest.mark.skipif(os.name == "nt", reason="has no such pipes")
@pytest.mark.parametrize("line", ["score truth.csv run.csv --format csv", "--help"])
def test_a_closed_pipe_is_silent(line: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = ontoeval(line, stdout=writing)
    finally:
        os.close(writing)
    assert done.returncode == 141
    assert re.fullmatch(r"(  .*\n)*", done.stderr), "remarks at most"


@contextmanager
def waiting_for(pipe: Path) -> Iterator[subprocess.Popen[str]]:
    """A program that has opened a pipe and waits for what is written into it."""
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "ontoeval", "score", "truth.csv", str(pipe)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        with pipe.open("wb"):  # waits until the program reads
            yield program
        program.wait()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a pipe with a name")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_ends_with_its_number_and_without_a_traceback(
    number: signal.Signals, code: int, tmp_path: Path
) -> None:
    with waiting_for(tmp_path / "pipe") as program:
        time.sleep(0.1)  # until it waits in earnest
        program.send_signal(number)
        said = program.communicate()[1]
    assert (program.returncode, said) == (code, "")


@pytest.mark.skipif(os.name == "nt", reason="has no such signals")
def test_an_interrupt_while_the_program_is_loaded_is_silent(tmp_path: Path) -> None:
    # A module that the commands import waits; the program is interrupted there.
    (tmp_path / "typer.py").write_text(
        "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n", encoding="utf-8"
    )
    done = ontoeval(
        "score truth.csv run.csv", env=os.environ | {"PYTHONPATH": f"{Path(__file__).parents[2]}"}
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.no_cover
@pytest.mark.skipif(sys.platform != "linux", reason="bounds the memory of a process")
def test_too_little_memory_is_refused() -> None:
    with Path("large.csv").open("wb") as file:
        file.write(b"id,labels\n" + b"p,cat\n" * 2**18)
        file.truncate(2**30)
    program = """
import resource, sys
from pathlib import Path
import scipy.sparse
from ontoeval.cli import main
pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0])
bound = pages * resource.getpagesize() + 2**29
resource.setrlimit(resource.RLIMIT_AS, (bound, bound))
sys.argv = ["ontoeval", "score", "truth.csv", "large.csv"]
main()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    message = done.stderr.splitlines()[-1]
    assert (done.returncode, message[:7]) == (3, "Error: ")
    assert "large.csv: reading 1 GiB at once takes at least 1.2 GiB of memory" in message
