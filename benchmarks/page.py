"""The table of the benchmarks, for a terminal and for `benchmarks/README.md`."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from pathlib import Path
from statistics import median

from rich.table import Table

import ontoeval
from benchmarks.floor import FLAGS, compiler
from benchmarks.measuring import FLOOR, MODULES, Ratio, Result, Task, installed

COLUMNS = ("scikit-learn", "torchmetrics")
"""Peers with a column; the others share one."""
HEADINGS = ("what", "s", "MB", *COLUMNS, "others", "× C")

LEGEND = """\
s: processor time of ontoeval in seconds, on one thread, in its fastest round. MB: the most memory that
ontoeval allocates at a time, without the data. scikit-learn, torchmetrics, others: their time divided by the
time of ontoeval. × C: the time of ontoeval divided by the time of a plain C program. Each ratio is the median
of several rounds, with the lowest and the highest in brackets. ~: timed on a part of the data and scaled up.
An empty cell: not compared. A fresh process: the time and the highest memory of the whole process."""

PAGE = """\
# Benchmarks

Compare the time of ontoeval with that of programs that compute the same numbers, and of a small C program for
each measure. Millions of documents: [Files larger than memory](../docs/scale.md).

{table}

{legend}

{notes}

## What it means

{meaning}

## How it is measured

- In each round every program runs once, one after the other, in one process and on one thread. Both times of
  a ratio are from the same round, so a busy machine slows both down. A program that takes less than {least} s
  is repeated within a round.
- Each program has its data in memory before the time is taken, in the form that it works on. What depends on
  the hierarchy alone is computed before, for ontoeval and for C. Rows about files include reading them.
- The results of all programs are compared. A difference above 10⁻⁹ stops the benchmark (above 10⁻⁶ for
  torchmetrics, which computes in single precision); exceptions are below the table.
- Label sets are drawn at random, without the frequent and rare concepts of real ones; about half of the
  predicted labels are right.
- The C programs are in `benchmarks/floor.c` (`{flags}`): one function for each measure.

Measured on {date}: {machine}.
Versions: `{versions}`.

In a checkout, `python -m benchmarks --write benchmarks/README.md` writes this page; `--quick` takes a tenth
of the samples, and `--only hF` measures the rows with hF in their names.

## Beside the version of 23 November 2026

Both versions (the older is commit f5aa634) took turns in two processes on one thread of another machine (AMD
EPYC), 3 to 9 times, by their own defaults. The ratio is the median of old to new processor time, with the
lowest and the highest; MB is the most memory of a process, with Python.

| what | s, old | s, new | old ÷ new | MB, old | MB, new |
| --- | ---: | ---: | --- | ---: | ---: |
| F, 10 × 5 | 0.0004 | 0.0003 | 1.4 (1.2–1.5) | 78 | 77 |
| macro F, 64 × 53 | 0.0006 | 0.0004 | 1.4 (1.0–1.8) | 78 | 78 |
| tF, 2,000 × 53 | 0.0041 | 0.0035 | 1.1 (1.0–1.4) | 78 | 78 |
| tκ, 2,000 × 53 | 0.0057 | 0.0056 | 0.98 (0.36–1.1) | 78 | 78 |
| tF and tκ, 2,000 × 53 | 0.0049 | 0.0053 | 0.94 (0.83–1.1) | 78 | 79 |
| compare, 4 runs of 10,000 × 53, 300 resamples | 0.52 | 0.27 | 1.9 (1.9–2.1) | 399 | 151 |
| compare with a page, 10 runs of 10,000 × 53, from files | 8.8 | 4.2 | 2.0 (2.0–2.1) | 1,012 | 253 |
| compare by default, 3 runs of 10,000 × 27,900 | 43.8 | 8.8 | 5.0 (5.0–5.3) | 1,717 | 366 |
| study, 20 runs of 4,000 × 53 | 8.5 | 4.7 | 1.9 (1.8–1.9) | 800 | 283 |
| confusion (Krstinić), 10,000 × 5,000, from files | 2.3 | 1.2 | 2.1 (1.9–2.2) | 1,423 | 106 |
| 250,000 concepts, SKOS in Turtle | 9.0 | 5.0 | 1.7 (1.6–2.0) | 617 | 457 |
| 250,000 concepts, OBO | 4.9 | 3.4 | 1.5 (1.4–1.6) | 354 | 260 |
| 250,000 concepts, CSV | 2.1 | 1.8 | 1.1 (1.1–1.2) | 237 | 257 |
| labels, CSV of 1,000,000 rows | 0.23 | 0.29 | 0.83 (0.77–0.86) | 125 | 107 |
| audit, CSV of 1,000,000 rows | 2.0 | 1.3 | 1.5 (1.5–1.5) | 204 | 140 |

Slower is what checks more: of a label file every text is looked at before texts become names.

## What it does not say

- The C programs check nothing, and keep no numbers of single samples for intervals. So `× C` is an upper
  bound of what could still be gained.
- torchmetrics is made for batches of tensors on a GPU, and HiClass scores the models that it trains: neither
  is made for the task that is timed here.
- Other machines, versions and data give other ratios.
"""


def cell(ratio: Ratio | None) -> str:
    """Write a ratio with its spread."""
    if ratio is None:
        return ""
    about = "~" if ratio.scaled else ""
    return f"{about}{_short(ratio.middle)} × ({_short(ratio.low)}–{_short(ratio.high)})"


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 9.95 else f"{number:.1f}" if number >= 0.95 else f"{number:.2f}"  # noqa: PLR2004


def cells(result: Result) -> list[str]:
    """Write one line of the table."""
    ratios = result.ratios
    named = [cell(ratios.get(name)) for name in COLUMNS]
    others = [f"{name} {cell(one)}" for name, one in ratios.items() if name not in (*COLUMNS, FLOOR) and one]
    floor = ratios.get(FLOOR)
    c = cell(floor and floor.inverse)
    digits = 0 if result.seconds >= 10 else 3 if result.seconds >= 0.01 else 5  # noqa: PLR2004
    seconds = f"{result.seconds:.{digits}f}"
    return [result.task, seconds, f"{result.megabytes:,.0f}", *named, ", ".join(others), c]


def by_size(results: Iterable[Result]) -> Iterator[tuple[str, list[list[str]]]]:
    """Group lines that have the same data."""
    for size, some in groupby(results, key=lambda result: result.size):
        yield size, [cells(one) for one in some]


def as_table(results: Iterable[Result]) -> Table:
    """Lay the results out for a terminal."""
    table = Table(title=machine(), title_justify="left", box=None)
    for name in HEADINGS:
        right = name in {"s", "MB"}
        table.add_column(name, justify="right" if right else "left", max_width=46 if name == "what" else None)
    for size, lines in by_size(results):
        table.add_row(f"[bold]{size}", style="cyan")
        for line in lines:
            table.add_row(f"  {line[0]}", *line[1:])
    return table


def as_markdown(results: Sequence[Result]) -> str:
    """Lay the results out as a table of Markdown."""
    lines = [HEADINGS, ("---", "---:", "---:", *("---",) * (len(HEADINGS) - 3))]
    for size, some in by_size(results):
        lines += [(f"**{size}**", *("",) * (len(HEADINGS) - 1)), *map(tuple, some)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def notes(tasks: Sequence[Task]) -> list[str]:
    """List programs that are missing, and numbers that are not checked."""
    missing = sorted({name for task in tasks for name in task.peers if not installed(name)})
    lines = [f"Not installed, so without numbers: {', '.join(missing)}."] if missing else []
    if FLOOR in missing:
        lines.append("No C compiler was found: set CC, or install gcc or clang.")
    unchecked = [
        f"- {task.name}: {name} {peer.differs}."
        for task in tasks
        for name, peer in task.peers.items()
        if peer.differs and installed(name)
    ]
    return [*lines, "\nThe peer does something else in these rows:\n", *unchecked] if unchecked else lines


def meaning(results: Sequence[Result]) -> str:
    """Say what the numbers of all rows mean, also where others are faster."""
    found: dict[str, list[Ratio]] = {}
    faster: list[str] = []
    for result in results:
        for name, ratio in result.ratios.items():
            if ratio is not None and ratio.checked:
                found.setdefault(name, []).append(ratio.inverse if name == FLOOR else ratio)
            if ratio is not None and ratio.middle < 1 and name != FLOOR:
                faster.append(f"{result.task} ({name} {_short(ratio.middle)} ×)")
    floor = found.pop(FLOOR, None)
    sentences = []
    if found:
        (first, ratios), *rest = found.items()
        named = [f"{first} takes {_range(ratios)} times as long as ontoeval"]
        named += [f"{name} {_range(ratios)} times" for name, ratios in rest]
        sentences.append(f"For the same results {', '.join(named)}.")
    if floor:
        sentences.append(
            f"ontoeval takes {_range(floor)} times as long as a C program that computes one result alone "
            f"(median {_short(median(one.middle for one in floor))} times)."
        )
    if faster:
        sentences.append(f"Others are faster here: {', '.join(faster)}.")
    longest = max(results, key=lambda result: result.seconds)
    return "\n".join([*sentences, f"The slowest row: {longest.task}, {longest.seconds:.1f} s."])


def _range(ratios: Sequence[Ratio]) -> str:
    middles = [ratio.middle for ratio in ratios]
    low, high = _short(min(middles)), _short(max(middles))
    return low if low == high else f"{low} to {high}"


def machine() -> str:
    """Describe the machine."""
    system = f"{platform.system()}, Python {platform.python_version()}"
    return f"ontoeval {ontoeval.__version__}, {processor()}, {os.cpu_count()} processors, {system}"


def processor() -> str:
    """Name the processor, as well as the system can."""
    info = Path("/proc/cpuinfo")
    names = info.read_text(encoding="utf-8").splitlines() if info.is_file() else []
    named = [line.partition(":")[2].strip() for line in names if line.startswith("model name")]
    return next(iter(named), platform.processor() or platform.machine())


def versions() -> dict[str, str]:
    """List the version of every program that took part."""
    found = {name: _version(name) for name in ("numpy", "scipy", *MODULES, "torch")}
    if program := compiler():
        said = subprocess.run([program, "--version"], check=False, capture_output=True, text=True).stdout  # noqa: S603
        found["C compiler"] = said.partition("\n")[0]
    return {name: number for name, number in found.items() if number}


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""


def as_page(results: Sequence[Result], tasks: Sequence[Task], least: float) -> str:
    """Write `benchmarks/README.md`."""
    return PAGE.format(
        table=as_markdown(results),
        legend=LEGEND,
        notes="\n".join(notes(tasks)),
        meaning=meaning(results),
        least=least,
        flags=" ".join(FLAGS),
        date=f"{datetime.now(UTC):%Y-%m-%d}",
        machine=machine(),
        versions=", ".join(f"{name} {number}" for name, number in versions().items()),
    )


def as_json(results: Sequence[Result]) -> dict[str, object]:
    """Keep everything."""

    def plain(result: Result) -> dict[str, object]:
        ratios = {name: ratio and ratio._asdict() for name, ratio in result.ratios.items()}
        return {**result._asdict(), "ratios": ratios}

    return {"machine": machine(), "versions": versions(), "results": [plain(one) for one in results]}
