"""Commands over the shipped benchmark, with what each prints and writes."""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

from typer.testing import CliRunner

import ontoeval as oe
from ontoeval.cli import app

FLAT = "-m F -m P -m R -m Jaccard -m \"F(average='macro')\" -m Hamming"
HIERARCHICAL = "-m OS -m hF -m LCaF -m \"ICM(information='seco')\" -m HLoss -m F"
PLAN = "--resamples 200"
COMMANDS = (
    f"score truth.csv runs/careful.csv runs/near-miss.csv {FLAT} --format csv",
    f"score truth.csv runs --ontology photo {HIERARCHICAL} --format csv",
    "score truth.csv runs --ontology photo --agreement agreement.csv -m OS --format csv",
    f"compare truth.csv runs --ontology photo --by branch -m OS -m F {PLAN} --format csv",
    "score truth.csv missing.csv",
    "score truth.csv runs -m F1",
    "explain truth.csv runs/near-miss.csv photo-0015 --ontology photo --format csv",
    "explain truth.csv runs/near-miss.csv photo-15 --ontology photo",
    "confusion truth.csv runs/near-miss.csv --ontology photo --format csv",
    "confusion truth.csv runs/near-miss.csv --rule mlcm --format csv",
    "confusion truth.csv runs/near-miss.csv --ontology photo --level 1 --format csv",
    f"compare truth.csv runs --ontology photo -m OS -m F {PLAN} --format csv",
    f"compare truth.csv runs -m F {PLAN} --correction holm --format csv",
    f"compare truth.csv runs -m F {PLAN} -o compared",
    f"study truth.csv runs --ontology photo -m OS -m hF -m F {PLAN} --no-changes --format csv",
    f"study truth.csv runs --ontology photo -m F {PLAN} --kind drop --kind sibling --rate 0.2 --format csv",
    "ontology photo --tree",
    "ontology photo --format csv",
    "ontology diamond --format json",
    "audit truth.csv --ontology photo --format csv",
    "audit runs/noisy.csv --ontology photo --format csv",
    "audit runs/noisy.csv --ontology photo --fix corrected.csv",
    "audit photo --format csv",
    "agreement annotations/annotations.csv -o weights.csv --format csv",
    "diff truth.csv runs/near-miss.csv --ontology photo --format csv",
    "validate runs/near-miss.csv --ontology photo",
    "validate annotations/annotations.csv --ontology photo",
    "run benchmark.toml",
    "verify results",
    "measures",
    "measures OS",
    "measures OS --bibtex",
)

RENAMED = {
    "audit-ontology ": "audit ",
    "diff-ontology ": "diff ",
    "cite -m OS": "measures OS --bibtex",
}
"""Beginnings of commands that an earlier revision calls otherwise, and what they are now."""

SHOWN = 1_000
"""Characters of the output that are kept beside its digest."""


def as_named_now(command: str) -> str:
    """Name a command of an earlier revision as it is named now."""
    was = next(filter(command.startswith, RENAMED), "")
    return RENAMED.get(was, "") + command.removeprefix(was)


def outcomes(folder: Path) -> Iterator[tuple[str, str]]:
    """Run the commands in a copy of the benchmark; give exit code, digests of what is printed and written."""
    shutil.copytree(oe.ontologies.benchmark(), folder)
    shutil.copytree(Path(oe.__file__).parents[1] / "examples" / "annotations", folder / "annotations")
    os.chdir(folder)
    runner, known = CliRunner(), files(Path())
    for command in COMMANDS:
        done = runner.invoke(app, shlex.split(command), env={"COLUMNS": "160"})
        written = sorted(
            f"{name} {found}" for name, found in files(Path()).items() if known.get(name) != found
        )
        known = files(Path())
        ended = f"{type(done.exception).__name__}: {done.exception}" if done.exception else "done:"
        yield (
            command,
            f"{ended}\n{done.stdout[:SHOWN]}\nprinted {digest(done.stdout.encode())}, wrote {written}",
        )


def digest(data: bytes) -> str:
    """A short digest."""
    return hashlib.sha256(data).hexdigest()[:12]


def files(folder: Path) -> dict[str, str]:
    """Digests of all files of a folder, by name."""
    return {
        str(path.relative_to(folder)): digest(path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file()
    }
