"""Fuzzing has a reader for every format, and finds what is planted."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from ontoeval.errors import InputError
from ontoeval.labels import formats as label_formats
from ontoeval.ontology import file_formats as ontology_formats
from tests.fuzz import trials
from tests.fuzz.__main__ import readers
from tests.fuzz.readers import Reader
from tests.fuzz.trials import Trials, Watch

READERS = readers()


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # files are kept under the folder where one works


@pytest.mark.parametrize(
    "name", [*ontology_formats.FORMATS, *(f"labels-{form}" for form in label_formats.FORMATS)]
)
def test_every_format_has_a_reader(name: str) -> None:
    name = {"labels-array": "labels-npy"}.get(name, name)
    assert any(reader == name or reader.startswith(f"{name}-") for reader in READERS)


@pytest.mark.parametrize("name", READERS)
def test_every_seed_is_read(name: str) -> None:
    reader = READERS[name]
    assert reader.seeds
    for data in reader.seeds:
        assert Trials(reader, Watch()).read(data)


def planted(path: Path) -> None:
    if path.read_bytes().count(b";") > 2:
        raise ValueError("three semicolons")


def test_a_failure_is_found_made_small_and_shown_with_what_reads_it_again() -> None:
    found = Trials(Reader("planted", (planted,), (b"id,labels\np1,a;b;c\n",)), Watch())
    for batch in range(20):
        if not found.failures:
            found.run(0.001, first=batch)
    (failure,) = found.failures.values()
    assert failure.data == b";;;"
    report = "\n".join(found.report())
    assert "ValueError: three semicolons" in report
    assert "The file, 3 bytes: b';;;'" in report
    path = Path(report.rpartition("--replay ")[2])
    assert path.read_bytes() == b";;;"
    with pytest.raises(ValueError, match="three semicolons"):
        found.read(path.read_bytes())


def test_what_is_refused_is_no_failure_and_no_reading() -> None:
    def refuses(path: Path) -> None:
        raise InputError("no", "Go.", where=path)

    assert Trials(Reader("refuses", (refuses, len_of), (b"a",)), Watch()).read(b"a") == 1
    with pytest.raises(AssertionError, match="refuses refuses a seed"):
        Trials(Reader("refuses", (refuses,), (b"a",)), Watch()).run(0, first=0)


def len_of(path: Path) -> int:
    return len(path.read_bytes())


def test_a_warning_is_a_failure() -> None:
    def warns(_: Path) -> None:
        warnings.warn("it is not well", stacklevel=1)

    with pytest.raises(UserWarning, match="it is not well"):
        Trials(Reader("warns", (warns,), (b"a",)), Watch()).read(b"a")


def test_what_takes_long_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "SECONDS", 0.0)
    with pytest.raises(AssertionError, match=r"it took 0\.0 seconds of the processor"):
        Trials(Reader("long", (len_of,), (b"a",)), Watch()).read(b"a")
