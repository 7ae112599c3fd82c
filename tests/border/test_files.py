"""Files: nothing is lost in silence, nothing is left behind, and no file takes more memory or time than it may."""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import time
import zipfile
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

import ontoeval as oe
from tests.commands import call

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


def test_a_strict_migration_writes_nothing_while_labels_would_be_lost(migration: list[str]) -> None:
    done = call(*migration, "--strict")
    assert (done.exit_code, Path("moved.csv").exists()) == (1, False)
    assert "2 labels of 1 concept ('T_4') would be lost, so nothing was written" in done.stderr


def test_labels_left_out_by_decision_are_named_and_no_loss(migration: list[str]) -> None:
    write("decided.csv", "concept,becomes\nT_4,-\n")
    done = call(*migration, "--decisions", "decided.csv")
    assert done.exit_code == 0
    assert "Left out as decided.csv says: 2 labels of 1 concept ('T_4')" in done.stderr
    assert "No label left in 1 sample: 'p2'" in done.stderr


def test_a_migration_that_loses_nothing_ends_with_0(migration: list[str]) -> None:
    write("labels.csv", "id,labels\np1,water\np2,\n")
    done = call(*migration)
    assert (done.exit_code, done.stderr) == (0, "")


def test_a_migration_in_python_names_the_samples_that_became_empty() -> None:
    old, new = (oe.Ontology.from_paths([path]) for path in ("water/lake", "water/sea"))
    labels = oe.LabelSets.from_sets({"p1": ["water/lake"], "p2": [], "p3": ["water"]})
    assert oe.migrate(labels, old, new).emptied == ("p1",)


def test_a_large_table_of_edges_with_titles_is_read_in_linear_time() -> None:
    # Two seconds of the processor; in quadratic time it would be a quarter of an hour.
    rows = 200_000
    write("star.csv", "child,parent\n" + "".join(f"c{row},root\n" for row in range(rows)))
    done = ontoeval("ontology", "star.csv", "--format", "json", CPU=100)
    assert done.returncode == 0, done.stderr[-500:]
    assert f"{rows + 1}" in done.stdout


PETS = "child,parent\ncat,pet\ndog,pet\n"
MANY = "id,labels\n" + "".join(f"p{row},cat;pet\n" for row in range(100))
WRITING = {
    "copy.csv": "audit labels.csv --ontology pets.csv --fix copy.csv",
    "new/deep/leaderboard": "compare labels.csv labels.csv --resamples 5 -o new/deep",
    "long.parquet": "compare labels.csv labels.csv --resamples 5 --long long.parquet",
    "pets.npz": "ontology pets.csv --save pets.npz",
    "results": "run .",
    "new-benchmark": "init new-benchmark",
    "packed.csv.gz": "migrate labels.csv --from pets.csv --to pets.csv --out packed.csv.gz",
}


def listing() -> dict[str, bytes]:
    return {str(path): path.read_bytes() if path.is_file() else b"" for path in sorted(Path().rglob("*"))}


@pytest.fixture
def benchmark() -> None:
    write("pets.csv", PETS)
    write("labels.csv", MANY)
    write("benchmark.toml", 'truth = "labels.csv"\nruns = ["labels.csv"]\nresamples = 5\nout = "results"\n')


@pytest.mark.usefixtures("benchmark")
@pytest.mark.parametrize("name", WRITING)
def test_a_full_disk_is_refused_by_name_and_leaves_nothing_behind(name: str) -> None:
    before = listing()
    done = ontoeval(*WRITING[name].split(), FSIZE=16)
    assert done.returncode == 3, done.stderr[-500:]
    (line,) = (line for line in done.stderr.splitlines() if "Error: " in line)
    assert name in line
    assert re.search("cannot be written: .*File too large", line)
    assert "ontoeval-" not in done.stderr, "the message names no hidden file"
    assert "Traceback" not in done.stderr
    assert listing() == before


@pytest.mark.usefixtures("benchmark")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_device_is_refused() -> None:
    done = ontoeval("migrate", "labels.csv", "--from", "pets.csv", "--to", "pets.csv", "--out", "/dev/full")
    assert done.returncode == 3
    assert "Error: /dev/full: the file cannot be written: No space left on device" in done.stderr


def hidden() -> list[Path]:
    return sorted(path for path in Path().rglob(".*"))


@pytest.mark.usefixtures("benchmark")
def test_what_a_killed_run_left_goes_with_the_next_and_what_a_living_one_writes_stays() -> None:
    write("benchmark.toml", Path("benchmark.toml").read_text(encoding="utf-8").replace("= 5", "= 3000000"))
    command = [sys.executable, "-m", "ontoeval", "run", "."]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    living: list[Path] = []
    programs = []
    for _ in range(2):
        programs.append(subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL))
        while not (new := [path for path in hidden() if path not in living]):
            assert programs[-1].poll() is None, "it ended before it could be killed"
            time.sleep(0.01)
        living += new
    killed, survivor = programs
    killed.kill()
    killed.wait()
    try:
        assert hidden() == sorted(living), "nothing can be cleaned up by a program that is killed"
        write(
            "benchmark.toml", Path("benchmark.toml").read_text(encoding="utf-8").replace("= 3000000", "= 5")
        )
        assert ontoeval("run", ".").returncode == 0
        assert hidden() == living[1:]
    finally:
        survivor.terminate()
        survivor.wait()
    assert hidden() == []


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
