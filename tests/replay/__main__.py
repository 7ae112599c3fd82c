"""Compare what this checkout makes of many files and commands with what an earlier revision made of them.

``tox -e replay -- HEAD~1`` reads the corpus by both and lists what differs. A revision that has this script
too is asked by its own one, so that an API may change between the two.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from tests.replay import commands, corpus, outcomes

HERE = Path(__file__).resolve().parents[2]


def main() -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m tests.replay", description=__doc__)
    parser.add_argument("revision", nargs="?", default="HEAD", help="what to compare with: a commit (HEAD)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    parser.add_argument("--most", type=int, default=5, help="examples of each kind of difference (5)")
    parser.add_argument("--record", nargs=2, type=Path, metavar=("FOLDER", "OUT"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.record:
        folder, out = options.record
        record(folder, out, options.jobs)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        return compared(Path(folder), options.revision, options.jobs, options.most)


def compared(folder: Path, revision: str, jobs: int, most: int) -> int:
    """Read the corpus by both checkouts, and list what differs."""
    before, files = folder / "before", folder / "corpus"
    corpus.write(files)
    subprocess.run(["git", "worktree", "add", "--detach", before, revision], cwd=HERE, check=True)
    try:
        records = [folder / "old.jsonl", folder / "new.jsonl"]
        for checkout, out in zip((before, HERE), records, strict=True):
            script = "replay" if (checkout / "replay").is_dir() else "tests.replay"  # it was at the root
            command = [sys.executable, "-m", script, "--record", str(files), str(out), "--jobs", str(jobs)]
            paths = os.pathsep.join(map(str, (checkout, HERE)))
            subprocess.run(command, cwd=folder, env={**os.environ, "PYTHONPATH": paths}, check=True)
    finally:
        subprocess.run(["git", "worktree", "remove", "--force", before], cwd=HERE, check=True)
    return differences(recorded(records[0]), recorded(records[1]), most)


def record(folder: Path, out: Path, jobs: int) -> None:
    """Write one line for each file and command."""
    with out.open("w", encoding="utf-8") as lines, ProcessPoolExecutor(jobs) as pool:
        for path, answer in [(path, pool.submit(ways, path)) for path in corpus.files(folder)]:
            try:
                found = answer.result()
            except BrokenProcessPool:  # one file ended the process: from here on each has one of its own
                found = alone(path)
            lines.write(json.dumps({"case": str(path.relative_to(folder)), **found}) + "\n")
        with tempfile.TemporaryDirectory() as box:
            for command, outcome in commands.outcomes(Path(box, "benchmark")):
                lines.write(json.dumps({"case": command, "command": outcome}) + "\n")


def ways(path: Path) -> dict[str, str]:
    """Outcomes of one file by way of reading."""
    made = "fuzz" in path.parts
    return {way: outcomes.outcome(way, path) for way in outcomes.READERS if made or "this format" not in way}


def alone(path: Path) -> dict[str, str]:
    """Outcomes of one file that may end the process that reads it."""
    try:
        with ProcessPoolExecutor(1) as pool:
            return pool.submit(ways, path).result()
    except BrokenProcessPool:
        return {"all": "DEFECT the process ended:"}


def recorded(path: Path) -> dict[tuple[str, str], str]:
    """Outcomes by case and way."""
    with path.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return {
        (commands.as_named_now(row["case"]) if "command" in row else row["case"], way): outcome
        for row in rows
        for way, outcome in row.items()
        if way != "case"
    }


def differences(before: dict[tuple[str, str], str], after: dict[tuple[str, str], str], most: int) -> int:
    """Print what differs, by kind; 1 where something does, or where a reader fails."""
    kinds: dict[str, list[str]] = {}
    for case in sorted(before.keys() | after.keys()):
        was, now = before.get(case, "absent:"), after.get(case, "absent:")
        if was != now:
            kind = f"{was.partition(':')[0]} -> {now.partition(':')[0]}"
            kinds.setdefault(kind, []).append(f"{': '.join(case)}\n  was {was}\n  now {now}")
    same = len(before.keys() & after.keys()) - sum(map(len, kinds.values()))
    print(f"{len(after):,} outcomes, {same:,} the same")
    for kind, found in sorted(kinds.items(), key=lambda pair: -len(pair[1])):
        print(f"\n{len(found):,} x {kind}", *found[:most], sep="\n")
    defects = Counter(found.partition(":")[0] for found in after.values() if found.startswith("DEFECT"))
    print(f"\nDefects: {dict(defects) or 'none'}")
    return int(bool(kinds or defects))


if __name__ == "__main__":
    sys.exit(main())
