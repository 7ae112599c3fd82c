"""Large steps are refused before they take memory that is not there, and no others."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from ontoeval.errors import InputError
from ontoeval.plumbing.memory import SMALL, available, require

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc and limits the address space")

GIB = 2**30


def machine(root: Path, *, free: int, group: str, files: dict[str, str]) -> Path:
    """A machine with so many free bytes, and files of its control groups."""
    texts = {
        "proc/meminfo": f"MemTotal: {32 * 2**20} kB\nMemAvailable:   {free // 1024} kB\n",
        "proc/self/cgroup": group,
        **{f"sys/fs/cgroup/{name}": text for name, text in files.items()},
    }
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def test_what_is_free_is_available_where_nothing_limits_it(tmp_path: Path) -> None:
    root = machine(tmp_path, free=7 * GIB, group="0::/\n", files={"memory.max": "max\n"})
    assert available(root) == 7 * GIB


def test_the_limit_of_a_container_of_version_2_counts_without_cached_files(tmp_path: Path) -> None:
    files = {
        "app/one/memory.max": f"{4 * GIB}\n",
        "app/one/memory.current": f"{3 * GIB}\n",
        "app/one/memory.stat": f"anon 7\ninactive_file {GIB}\n",
        "app/memory.max": "max\n",
    }
    assert available(machine(tmp_path, free=7 * GIB, group="0::/app/one\n", files=files)) == 2 * GIB


def test_the_limit_of_a_group_above_counts_too(tmp_path: Path) -> None:
    files = {
        "app/one/memory.max": "max\n",
        "app/memory.max": f"{3 * GIB}\n",
        "app/memory.current": f"{2 * GIB}\n",
    }
    assert available(machine(tmp_path, free=7 * GIB, group="0::/app/one\n", files=files)) == GIB


@pytest.mark.parametrize("own", ["docker/7/", ""], ids=["path inside", "path outside the container"])
def test_the_limit_of_a_container_of_version_1_counts(tmp_path: Path, own: str) -> None:
    files = {
        f"memory/{own}memory.limit_in_bytes": f"{5 * GIB}\n",
        f"memory/{own}memory.usage_in_bytes": f"{4 * GIB}\n",
    }
    group = "4:memory:/docker/7\n3:cpuset:/\n"
    assert available(machine(tmp_path, free=7 * GIB, group=group, files=files)) == GIB


def test_no_limit_of_version_1_is_a_very_large_one(tmp_path: Path) -> None:
    files = {"memory/memory.limit_in_bytes": f"{2**63 - 4096}\n", "memory/memory.usage_in_bytes": "4096\n"}
    root = machine(tmp_path, free=7 * GIB, group="4:memory:/\n", files=files)
    assert available(root) == 7 * GIB


def test_what_is_available_is_not_refused_and_more_is() -> None:
    room = available()
    assert room is not None
    require(room / 2, "A step", "Do less.")
    require(SMALL - 1, "A step", "Do less.")
    with pytest.raises(
        InputError, match=r"A step takes at least .* of memory, and .* is available\. Do less"
    ):
        require(4 * room + SMALL, "A step", "Do less.")


BEGIN = """
import resource, sys, tracemalloc
import numpy as np
import ontoeval as oe
from ontoeval.plumbing.memory import available

def room(size):
    '''Leave so many bytes.'''
    pages = int(open("/proc/self/statm").read().split()[0])
    limit = pages * resource.getpagesize() + int(size)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

def measured(step):
    tracemalloc.start()
    step()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak

def refused(step):
    try:
        step()
    except oe.OntoevalError as error:
        print(error)
"""

CHAINS = """
def hierarchy():
    return oe.Hierarchy.from_edges(
        [(f"c{n - 1}", f"c{n}") for n in range(20_000) if n % 200], concepts=[f"c{n}" for n in range(20_000)]
    )
own = hierarchy(), hierarchy()
for one in own:
    one.generations
steps = [lambda: own[0].links_upward, lambda: own[1].links_upward]
"""

CHANCE = """
chain = oe.Hierarchy.from_edges([(f"c{n}", f"c{n + 1}") for n in range(2_000)])
sides = [["c3"], ["c9"]], [["c3"], ["c4"]]
oe.evaluate(*sides, hierarchy=chain, measures="tF")
steps = [lambda: oe.evaluate(*sides, hierarchy=chain, measures="tKappa")] * 2
"""

RESAMPLES = """
truth, run = (
    oe.LabelSets.from_sets([[f"l{(n * k) % 4_000}"] for n in range(25_000)], classes=[f"l{n}" for n in range(4_000)])
    for k in (1, 3)
)
batch = oe.align(truth, run)
bootstrap = oe.core.Bootstrap(weights="poisson", resamples=600)
steps = [lambda: oe.collect(batch, "F(average='macro')", bootstrap=bootstrap)] * 2
"""

FILE = """
from pathlib import Path
path = Path(sys.argv[1])
with path.open("w") as file:
    file.write("id,labels,text\\n")
    for n in range(60_000):
        file.write(f"s{n},sea;sky,{'word ' * 250}\\n")
steps = [lambda: oe.read_labels(path)] * 2
"""


def run(code: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", BEGIN + dedent(code), *arguments], capture_output=True, text=True, check=False
    )
    assert not done.returncode, done.stderr
    return done.stdout


def bytes_in(text: str) -> float:
    number, unit = re.findall(r"at least ([\d.,]+) ([KMG])iB", text)[0]
    return float(number.replace(",", "")) * float(1024 ** ("KMG".index(unit) + 1))


@pytest.mark.parametrize(
    ("steps", "remedy"),
    [
        (
            CHAINS,
            "Finding all ancestors of 20,000 concepts in 200 levels takes.*Read a part of the hierarchy",
        ),
        (CHANCE, "Counting the labels below each concept takes.*measures other than tκ"),
        (RESAMPLES, "600 resamples of 16,001 sums, most of them for F.*Take fewer resamples"),
        (FILE, "labels.csv: reading 7.* MiB at once takes.*--parts auto"),
    ],
    ids=["closure", "chance", "resamples", "file"],
)
def test_a_step_is_refused_with_what_it_needs_and_by_an_estimate_within_a_factor_2(
    tmp_path: Path, steps: str, remedy: str
) -> None:
    end = "print(measured(steps[0]))\nroom(66 * 2**20)\nrefused(steps[1])"
    peak, message = run(steps + end, str(tmp_path / "labels.csv")).split("\n", 1)
    assert re.search(remedy, message)
    assert bytes_in(message) <= 1.05 * float(peak) <= 2.1 * bytes_in(message)


@pytest.mark.parametrize("steps", [CHAINS, RESAMPLES, FILE], ids=["closure", "resamples", "file"])
def test_a_step_that_fits_is_not_refused(tmp_path: Path, steps: str) -> None:
    end = "peak = measured(steps[0])\nroom(1.6 * peak + 64 * 2**20)\nsteps[1]()\nprint('done')"
    assert run(steps + end, str(tmp_path / "labels.csv")) == "done\n"


def test_a_command_without_memory_names_the_step_and_a_way_out(tmp_path: Path) -> None:
    end = """
    import ontoeval.audit.labels, ontoeval.cli.audit, ontoeval.reports.audit
    from ontoeval.__main__ import main

    oe.audit_labels(oe.LabelSets.from_sets([["sea"]]), oe.read_ontology("photo"))
    sys.argv = ["ontoeval", "audit", str(path), "--ontology", "photo"]
    room(30 * 2**20)
    main()
    """
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            BEGIN + FILE.replace("60_000", "30_000") + dedent(end),
            str(tmp_path / "a.csv"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    message = " ".join(re.sub(r"[│╭╮╰╯─]", " ", done.stderr).split())
    assert done.returncode == 3, message
    assert (
        "there is not enough memory. Use a machine with more memory; score, compare and run can read parts (--parts auto)."
        in message
    )
    assert "Traceback" not in message
