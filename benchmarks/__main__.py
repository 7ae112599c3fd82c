"""Timings beside other programs and C: ``python -m benchmarks``, some minutes; ``--quick``, one."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")  # read while NumPy is imported

from rich.console import Console

from benchmarks import files, page, scores, studies
from benchmarks.measuring import LEAST, QUICK, Effort, Result, Task, installed, measure

TASKS = (*scores.TASKS, *studies.TASKS, *files.TASKS)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, then print one table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Timings beside other programs."
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of the samples, three rounds")
    parser.add_argument(
        "--only", metavar="NAME", action="append", help="rows whose name has this in it; repeatable"
    )
    parser.add_argument("--write", metavar="PAGE", type=Path, help="write the page `benchmarks/README.md`")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write all numbers")
    given = parser.parse_args(arguments)
    tasks = chosen(given.only)
    if not tasks:
        parser.error(
            f"no row has {given.only} in its name; there are: {', '.join(task.name for task in TASKS)}"
        )
    results: list[Result] = []
    try:
        results.extend(measured(tasks, QUICK if given.quick else Effort()))
    except KeyboardInterrupt:
        print(f"Stopped after {len(results)} rows.", file=sys.stderr)
        tasks = tasks[: len(results)]
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 150)
    console.print(page.as_table(results))
    for line in (page.LEGEND, *page.notes(tasks)):
        console.print(line, style="dim", markup=False)
    if given.write:
        given.write.write_text(page.as_page(results, tasks, LEAST), encoding="utf-8")
    if given.json:
        given.json.write_text(
            json.dumps(page.as_json(results), indent=1, ensure_ascii=False), encoding="utf-8"
        )


def chosen(names: Sequence[str] | None) -> list[Task]:
    """Choose tasks by a part of their names."""
    wanted = [name.casefold() for name in names or [""]]
    return [task for task in TASKS if any(name in task.name.casefold() for name in wanted)]


def measured(tasks: Sequence[Task], effort: Effort) -> Iterator[Result]:
    """Measure one after the other, and say on stderr how long it will take."""
    began = time.monotonic()
    for done, task in enumerate(tasks):
        left = (time.monotonic() - began) / done * (len(tasks) - done) if done else None
        said = "" if left is None else f", about {left:.0f} s left"
        print(f"{done + 1} of {len(tasks)}{said}: {task.name}", file=sys.stderr)
        if not task.needs or installed(task.needs):
            yield measure(task, effort)


if __name__ == "__main__":
    main()
