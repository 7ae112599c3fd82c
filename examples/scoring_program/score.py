"""A scoring program for Codabench, CodaLab and EvalAI: a truth, a run, and nothing said of the truth.

Codabench unpacks the reference data to input/ref and a submission to input/res, calls this file, and
takes the leaderboard from output/scores.json, and a page about the submission from
output/detailed_results.html::

    python score.py INPUT OUTPUT

EvalAI imports it and calls `evaluate`. Change the constants, and nothing else, for a challenge of your own.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import ontoeval as oe

ONTOLOGY = "photo"
"""A shipped ontology, or the name of a file beside this one or among the reference data."""

MEASURES = {"os": "OS", "f": "F", "f_macro": "F(average='macro', undefined=0.0)", "exact": "ExactMatch"}
"""The columns of the leaderboard by their keys; the first ranks."""

OPTIONS: list[str] = []
"""Further options of `ontoeval score`, such as "--missing", "empty" or "--threshold", "0.5"."""

TITLE = "Results of a submission"
"""The title of the page."""

REFUSED = 3
"""The exit code of `ontoeval` where an input is refused."""

FAILED = "The scoring program failed."
"""What an entrant is told where it is not the submission's fault."""


class RefusedError(Exception):
    """A submission that cannot be scored; the message is for the entrant."""


def scores_of(truth: Path, run: Path, page: Path | None = None) -> dict[str, float]:
    """Score a run, and write a page if one is asked for; nothing of the truth is told (--public)."""
    beside = [truth.parent / ONTOLOGY, Path(__file__).parent / ONTOLOGY]
    ontology = next((str(path) for path in beside if path.is_file()), ONTOLOGY)
    # -P: what lies in the current folder, such as a submission, is not imported.
    command = [sys.executable, "-P", "-m", "ontoeval", "compare" if page else "score", str(truth), str(run)]
    command += ["--report", str(page), "--title", TITLE] if page else []
    command += ["--public", "--format", "json", "--ontology", ontology, *OPTIONS]
    if (agreement := truth.with_name("agreement.csv")).is_file():
        command += ["--agreement", str(agreement)]
    for notation in MEASURES.values():
        command += ["-m", notation]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)  # noqa: S603 - is ours
    if done.returncode:
        raise RefusedError(done.stderr.strip() if done.returncode == REFUSED else FAILED)
    try:
        (row,) = (row for row in json.loads(done.stdout)["rows"] if row.get("kind", "run") == "run")
    except ValueError as error:
        raise RefusedError(FAILED) from error
    cells = {key: row[oe.measures.name(oe.measures.parse(notation))] for key, notation in MEASURES.items()}
    scores = {key: cell["value"] if isinstance(cell, dict) else cell for key, cell in cells.items()}
    return {key: score for key, score in scores.items() if score is not None}  # leave out what is undefined


def the_file(folder: Path, name: str) -> Path:
    """Find run.csv, run.jsonl.gz and the like, also where they were zipped with their folder.

    A link counts as no file: in a submission it could lead to the truth.
    """
    inside = folder.resolve()
    found = sorted(
        path
        for path in folder.rglob(f"{name}.*")
        if path.is_file() and not path.is_symlink() and path.resolve().is_relative_to(inside)
    )
    if len(found) != 1:
        raise RefusedError(
            f"There must be one file called {name}.csv, {name}.jsonl or the like: {len(found)} are there."
        )
    return found[0]


def evaluate(
    test_annotation_file: str, user_submission_file: str, phase_codename: str, **more: object
) -> dict[str, object]:
    """Score a submission as EvalAI asks for it; the phase names the split of the leaderboard."""
    del more
    scores = scores_of(Path(test_annotation_file), Path(user_submission_file))
    return {"result": [{phase_codename: scores}], "submission_result": scores}


def main(folder: Path, output: Path) -> int:
    """Score what lies in folder/res against what lies in folder/ref."""
    page = output / "detailed_results.html"
    for earlier in (page, output / "scores.json", output / "scores.txt"):  # a run that is refused has none
        earlier.unlink(missing_ok=True)
    output.mkdir(parents=True, exist_ok=True)
    try:
        scores = scores_of(the_file(folder / "ref", "truth"), the_file(folder / "res", "run"), page)
    except RefusedError as error:
        print(error, file=sys.stderr)
        return 1
    (output / "scores.json").write_text(json.dumps(scores), encoding="utf-8")
    lines = "".join(f"{key}: {score}\n" for key, score in scores.items())
    (output / "scores.txt").write_text(lines, encoding="utf-8")  # where CodaLab looks
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 3:  # noqa: PLR2004
        sys.exit("Usage: python score.py INPUT OUTPUT")
    sys.exit(main(*map(Path, sys.argv[1:3])))
