"""Files: nothing is lost in silence, nothing is left behind, and no file takes more memory or time than it may."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import re
import resource
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from tests.commands import call, refusal

OBO = "[Term]\nid: T:1\nname: water\n\n[Term]\nid: T:3\nname: pond\n\n[Term]\nid: T:4\nname: sea\n"
OBSOLETE = "is_obsolete: true\nconsider: T:1\nconsider: T:3\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: str, text: str) -> Path:
    path = Path(name)
    path.write_text(text, encoding="utf-8")
    return path


def ontoeval(*arguments: object, **bounds: int) -> subprocess.CompletedProcess[str]:
    """Call the program in a process that has only so much of some resources, such as CPU=60 seconds."""

    def bounded() -> None:
        for name, most in bounds.items():
            kind = getattr(resource, f"RLIMIT_{name}")
            resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))

    return subprocess.run(
        [sys.executable, "-m", "ontoeval", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2]), "COLUMNS": "160"},
        preexec_fn=bounded,
    )


@pytest.fixture
def migration() -> list[str]:
    write("old.obo", OBO)
    write("new.obo", OBO + OBSOLETE)
    write("labels.csv", "id,labels\np1,sea;water\np2,sea\np3,\np4,water\n")
    return ["migrate", "labels.csv", "--from", "old.obo", "--to", "new.obo", "--out", "moved.csv"]


def test_labels_that_a_migration_loses_are_counted_in_its_last_lines(migration: list[str]) -> None:
    done = call(*migration)
    assert done.exit_code == 1
    assert done.stderr.splitlines()[-1].startswith(
        "Error: moved.csv: NOT in the new file, because no decision was made: 2 labels of 1 concept ('T_4')."
    )
    assert "No label left in 1 sample: 'p2'" in done.stderr
    assert "p1,water\np2,\n" in Path("moved.csv").read_text(encoding="utf-8"), "the rest is written"
    accepted = call(*migration, "--accept-losses", "--format", "json")
    assert accepted.exit_code == 0
    assert "2 labels of 1 concept ('T_4')" in accepted.stderr
    assert json.loads(accepted.stdout)["emptied"] == ["p2"]


def test_undecided_concepts_are_decided_in_a_copy_of_the_log_as_the_message_says(
    migration: list[str],
) -> None:
    assert "Copy moved.csv.log.csv, replace each ? in the copy" in call(*migration).stderr
    write("copy.csv", Path("moved.csv.log.csv").read_text(encoding="utf-8").replace("?", "T_1"))
    assert call(*migration, "--decisions", "copy.csv").exit_code == 0
    assert "p2,water\n" in Path("moved.csv").read_text(encoding="utf-8")


def test_a_strict_migration_writes_nothing_while_labels_would_be_lost(migration: list[str]) -> None:
    done = call(*migration, "--strict")
    assert (done.exit_code, Path("moved.csv").exists()) == (1, False)
    assert "2 labels of 1 concept ('T_4') would be lost, so nothing was written" in done.stderr


def test_labels_left_out_by_decision_are_named_and_no_loss(migration: list[str]) -> None:
    write("decided.csv", "concept,becomes\nT_4,-\n")
    done = call(*migration, "--decisions", "decided.csv")
    assert done.exit_code == 0
    assert "Left out by decided.csv: 2 labels of 1 concept ('T_4')" in done.stderr
    assert "No label left in 1 sample: 'p2'" in done.stderr


def test_a_migration_that_loses_nothing_ends_with_0(migration: list[str]) -> None:
    write("labels.csv", "id,labels\np1,water\np2,\n")
    done = call(*migration)
    assert (done.exit_code, done.stderr) == (0, "")


def test_a_migration_in_python_names_the_samples_that_became_empty() -> None:
    old, new = (oe.Ontology.from_paths([path]) for path in ("water/lake", "water/sea"))
    labels = oe.LabelSets.from_sets({"p1": ["water/lake"], "p2": [], "p3": ["water"]})
    assert oe.audit.migrate(labels, old, new).emptied == ("p1",)


@pytest.mark.no_cover
def test_a_large_table_of_edges_with_titles_is_read_in_linear_time() -> None:
    # Half a second of the processor; in quadratic time it would be a minute.
    rows = 50_000
    write("star.csv", "child,parent\n" + "".join(f"c{row},root\n" for row in range(rows)))
    done = ontoeval("ontology", "star.csv", "--format", "json", CPU=20)
    assert done.returncode == 0, done.stderr[-500:]
    assert f"{rows + 1}" in done.stdout


PETS = "child,parent\ncat,pet\ndog,pet\n"
MANY = "id,labels\n" + "".join(f"p{row},cat;pet\n" for row in range(100))
WRITING = {
    "copy.csv": "audit labels.csv --ontology pets.csv --fix copy.csv",
    "new/deep/leaderboard": "compare labels.csv labels.csv --resamples 5 -o new/deep",
    "long.parquet": "compare labels.csv labels.csv --resamples 5 --long long.parquet",
    "results": "run .",
    "packed.csv.gz": "migrate labels.csv --from pets.csv --to pets.csv --out packed.csv.gz",
}


def listing() -> dict[str, bytes]:
    return {str(path): path.read_bytes() if path.is_file() else b"" for path in sorted(Path().rglob("*"))}


@pytest.fixture
def benchmark() -> None:
    write("pets.csv", PETS)
    write("labels.csv", MANY)
    write("benchmark.toml", 'truth = "labels.csv"\nruns = ["labels.csv"]\nresamples = 5\nout = "results"\n')


@contextmanager
def full_disk() -> Iterator[None]:
    """Let no file grow beyond 16 bytes; Python 3.11 would leave modules cut off after that many in its cache."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "dont_write_bytecode", True)
        resource.setrlimit(resource.RLIMIT_FSIZE, (16, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.usefixtures("benchmark")
@pytest.mark.parametrize("name", WRITING)
def test_a_full_disk_is_refused_by_name_and_leaves_nothing_behind(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if name.endswith(".parquet"):
        pytest.importorskip("pyarrow")
    before = listing()
    with full_disk():
        said = refusal(WRITING[name].split(), capsys, monkeypatch)
    (error,) = said.split("Error: ")[1:]
    assert name in error
    assert re.search("cannot be written: .*File too large", error)
    assert "ontoeval-" not in said, "the message names no hidden file"
    assert "Traceback" not in said
    assert listing() == before


@pytest.mark.usefixtures("benchmark")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_device_is_refused() -> None:
    done = ontoeval("migrate", "labels.csv", "--from", "pets.csv", "--to", "pets.csv", "--out", "/dev/full")
    assert done.returncode == 3
    assert "Error: /dev/full: the file cannot be written: No space left on device" in done.stderr


@pytest.mark.parametrize("name", ["array.npy", "arrays.npz"])
@pytest.mark.parametrize("shape", [(0, 2**62), (2**62, 0), (2**62, 2**62, 0), (0, 2**40), (1,) * 100])
def test_no_shape_that_a_file_claims_is_a_traceback(name: str, shape: tuple[int, ...]) -> None:
    array = BytesIO()
    np.lib.format.write_array_header_1_0(array, {"descr": "<f8", "fortran_order": False, "shape": shape})
    array.write(b"\0" * (8 if 0 not in shape else 0))
    with zipfile.ZipFile("arrays.npz", "w") as archive:
        archive.writestr("labels.npy", array.getvalue())
    Path("array.npy").write_bytes(array.getvalue())
    for read in (oe.read_labels, oe.read_ontology):
        with pytest.raises(oe.errors.InputError, match=rf"^{name}"):
            read(name)


@pytest.mark.parametrize(
    "arguments", [("score", "loop.csv", "loop.csv", "-m", "F"), ("validate", "loop.csv"), ("run", "loop.csv")]
)
def test_links_in_a_circle_are_refused(arguments: list[str]) -> None:
    Path("loop.csv").symlink_to("loop.csv")
    done = ontoeval(*arguments)
    assert done.returncode in {1, 3}
    assert "loop.csv: the file cannot be read: " in done.stderr + done.stdout
    assert "Traceback" not in done.stderr


GIB = 2**30


def sparse(name: str, head: str, size: int) -> Path:
    """A file that says to be large and takes next to no room on the disk."""
    path = write(name, head)
    os.truncate(path, size)
    return path


def refused(*arguments: object) -> str:
    """Call the program where there is memory for little but its libraries, and give its message."""
    done = ontoeval(*arguments, AS=3 * GIB // 2)
    assert done.returncode == 3, done.stderr[-500:]
    (line,) = (line for line in done.stderr.splitlines() if "Error: " in line)
    return line


@pytest.mark.no_cover
@pytest.mark.parametrize("name", ["labels.csv", "labels.jsonl", "labels.ttl"])
def test_a_large_file_that_is_no_text_is_refused_by_its_beginning(name: str) -> None:
    sparse(name, "id,labels\np1,sky\n", 3 * GIB)
    assert f"Error: {name}, row 3: a NUL character" in refused("score", name, name)
    assert f"Error: {name}: this is no text file" in refused("ontology", name)


BLANK = "id,labels\np1,sky\n" + "\n" * 2**20


@pytest.mark.parametrize("arguments", [("ontology", "large.ttl"), ("score", "large.ttl", "large.ttl")])
def test_a_file_beyond_the_bound_is_refused_with_the_option_that_raises_it(arguments: list[str]) -> None:
    sparse("large.ttl", BLANK, 5 * GIB)
    said = refused(*arguments)
    assert "Error: large.ttl: this file has 5 GiB, more than the 2 GiB that are read into memory" in said
    assert "--max-size 8GiB, in Python max_bytes=8589934592" in said


READERS: dict[str, Any] = {
    "labels": oe.read_labels,
    "scores": oe.read_scores,
    "verified labels": oe.read_verified_labels,
    "ontology": oe.read_ontology,
    "annotations": oe.read_annotations,
}
PACKED = {
    "plain": lambda content: content,
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
}


@pytest.mark.parametrize("packing", PACKED)
@pytest.mark.parametrize("reader", READERS)
def test_one_bound_holds_for_plain_and_packed_files_in_every_reader(reader: str, packing: str) -> None:
    text = {
        "ontology": PETS,
        "annotations": "sample,annotator,concept\np1,ann,sky\n",
        "labels": "id,labels\np1,sky\n",
    }
    content = text.get(reader, "sample,concept,score\np1,sky,1\n").encode()
    Path("file").write_bytes(PACKED[packing](content))
    with pytest.raises(oe.errors.InputError, match=r"file.* more than the \d+ bytes that .*--max-size"):
        READERS[reader]("file", max_bytes=len(content) - 1)
    READERS[reader]("file", max_bytes=len(content))


def test_the_option_bounds_all_files_of_a_command() -> None:
    write("pets.csv", PETS)
    write("labels.csv", MANY)
    for line in ("ontology pets.csv", "audit labels.csv --ontology pets.csv", "score labels.csv labels.csv"):
        with pytest.raises(oe.errors.InputError, match="more than the 20 bytes"):
            call(*line.split(), "--max-size", "20")
        assert call(*line.split(), "--max-size", "1.5 MiB").exit_code == 0
    with pytest.raises(oe.errors.ParameterError, match="a size such as 4GiB"):
        call("score", "labels.csv", "labels.csv", "--max-size", "much")


@pytest.mark.usefixtures("benchmark")
def test_calls_that_read_several_files_bound_each_of_them() -> None:
    pets = oe.read_ontology("pets.csv")
    sides = [write(name, "id,sky\np,1\n") for name in ("Ann.csv", "Bob.csv")]
    write("concepts.txt", "sky\nsea\nsun\nland\nstone\nmoon\n")
    write("map.csv", "label,concept\nazure,sky\n")
    calls: list[Callable[[int], object]] = [
        lambda most: oe.audit_ontology("pets.csv", max_bytes=most),
        lambda most: oe.audit_labels("labels.csv", pets, max_bytes=most),
        lambda most: oe.correct_labels("labels.csv", pets, max_bytes=most),
        lambda most: oe.run_benchmark(".", max_bytes=most),
        lambda most: oe.verify("results", max_bytes=most),
        lambda most: oe.read_annotations(*sides, concepts="concepts.txt", max_bytes=most),
        lambda most: oe.read_annotations(*sides, concept_map="map.csv", max_bytes=most),
    ]
    for call_it in calls:
        with pytest.raises(oe.OntoevalError, match="more than the 20 bytes"):
            call_it(20)
        call_it(10_000_000)


@pytest.mark.parametrize("size", [0, -1, 1.5, True, "2GiB"])
def test_a_bound_in_python_is_a_whole_number(size: object) -> None:
    write("labels.csv", MANY)
    with pytest.raises(oe.errors.ParameterError, match="max_bytes"):
        oe.read_labels("labels.csv", max_bytes=size)  # type: ignore[arg-type]


def piped(command: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2]), "COLUMNS": "160"}
    program = f"{sys.executable} -m ontoeval"
    return subprocess.run(
        [shutil.which("bash") or "bash", "-c", command.replace("ontoeval", program)],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )


@pytest.mark.no_cover
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    "command",
    [
        "ontoeval score <(gzip -dc labels.csv.gz) <(cat labels.csv) --ontology <(cat pets.csv) --format csv",
        "gzip -c labels.csv | ontoeval score /dev/stdin labels.csv --format csv",
        "mkfifo pipe; cat labels.csv > pipe & timeout 60 ontoeval score pipe pipe --format csv",
        "mkfifo pipe; cat labels.csv > pipe & timeout 60 ontoeval run . --format csv",
    ],
)
def test_pipes_of_a_shell_are_read_like_files(command: str) -> None:
    write("pets.csv", PETS)
    write("labels.csv", MANY)
    write("benchmark.toml", 'truth = "pipe"\nruns = ["labels.csv"]\nresamples = 5\n')
    Path("labels.csv.gz").write_bytes(gzip.compress(MANY.encode()))
    done = piped(command)
    assert done.returncode == 0, done.stderr
    assert "Error" not in done.stderr


@contextmanager
def pipes() -> Iterator[Callable[[bytes], str]]:
    """Make paths of pipes, from which something small can be read once, as `<(...)` of a shell does."""
    ends: list[int] = []

    def pipe(content: bytes) -> str:
        reading, writing = os.pipe()
        ends.append(reading)
        os.write(writing, content)
        os.close(writing)
        return f"/dev/fd/{reading}"

    try:
        yield pipe
    finally:
        for end in ends:
            os.close(end)


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="needs /dev/fd")
@pytest.mark.parametrize(
    "command",
    [
        "score array.npy array.npy --concepts concepts.txt --format csv",
        "audit labels.csv --ontology pets.csv --fix fixed.csv",
        "migrate labels.csv --from pets.csv --to pets.csv -o moved.csv",
        "score labels.csv labels.csv --concept-map map.csv --format csv",
        "ontology pets.csv.gz",
    ],
)
def test_pipes_are_read_like_files(command: str) -> None:
    array = BytesIO()
    np.save(array, np.array([[1, 0], [1, 1]]))
    contents = {
        "array.npy": array.getvalue(),
        "concepts.txt": b"concept\ncat\ndog\n",
        "labels.csv": MANY.encode(),
        "map.csv": b"label,concept\nkitten,cat\n",
        "pets.csv": PETS.encode(),
        "pets.csv.gz": gzip.compress(PETS.encode()),
    }
    with pipes() as pipe:
        words = [pipe(contents[word]) if word in contents else word for word in command.split()]
        done = call(*words)
    assert done.exit_code == 0, done.stderr
    assert "Error" not in done.stderr


@pytest.mark.usefixtures("benchmark")
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize("output", ["table", "json"])
def test_a_closed_output_is_refused(output: str) -> None:
    done = piped(f"ontoeval score labels.csv labels.csv --format {output} >&-")
    assert done.returncode == 3
    assert done.stderr.startswith("Error: standard output: cannot be written: Bad file descriptor.")
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_pipes_are_read_up_to_the_same_bound() -> None:
    done = piped("ontoeval score <(yes p1,cat) <(yes p1,cat) --max-size 1MiB")
    assert done.returncode == 3
    assert "this file has more than the 1 MiB that are read into memory" in done.stderr
    assert "/dev/fd/" in done.stderr


ROOT = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:a="urn:a#"'
MARKED = {
    "namespaces": ROOT + "".join(f' xmlns:n{n}="u:{n}"' for n in range(200_000)) + "></rdf:RDF>",
    "attributes": ROOT + "><a:b" + "".join(f' a:n{n}="1"' for n in range(200_000)) + "/></rdf:RDF>",
}


@pytest.mark.no_cover
@pytest.mark.parametrize("what", MARKED)
def test_an_element_with_very_many_namespaces_or_attributes_is_refused(what: str) -> None:
    # A second of the processor; some parsers take minutes.
    write("many.owl", MARKED[what])
    done = ontoeval("ontology", "many.owl", CPU=60)
    assert done.returncode == 3, done.stderr[-500:]
    assert f"Error: many.owl, row 1: an element has more than 500 {what}" in done.stderr


@pytest.mark.parametrize("content", [b"\x1f\x8bx, damaged", b"\xfd7zXZ, damaged"])
@pytest.mark.parametrize("read", [oe.read_ontology, oe.read_labels])
def test_a_damaged_packed_file_is_called_so(
    read: Callable[..., object], content: bytes, tmp_path: Path
) -> None:
    file = tmp_path / "damaged"
    file.write_bytes(content)
    with pytest.raises(oe.OntoevalError, match=r"this (gzip|xz) file cannot be unpacked"):
        read(file)


@pytest.mark.parametrize("option", ["-o", "--report", "--long", "--figures"])
def test_places_that_cannot_be_written_are_refused_before_anything_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    if option == "--figures":
        pytest.importorskip("matplotlib")
    truth, closed = tmp_path / "truth.csv", tmp_path / "closed"
    truth.write_text("not read", encoding="utf-8")
    closed.mkdir()
    permitted = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != closed and permitted(path, mode))
    for place, why in ((truth / "new.csv", "is a file"), (closed / "new.csv", "permits no writing")):
        refused = refusal(("compare", truth, truth, option, place), capsys, monkeypatch)
        assert "this one cannot be written, since " in refused
        assert why in refused
