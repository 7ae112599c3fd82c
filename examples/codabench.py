"""Make a bundle for Codabench: a whole challenge in one file, which is uploaded there.

It holds competition.yaml with its pages, the scoring program beside this file, and the reference data::

    python examples/codabench.py --out bundle.zip
    python examples/codabench.py --out bundle.zip --truth truth.csv --beside agreement.csv mine.ttl

What is scored by stands in scoring_program/score.py, what the challenge is called here. By default it is made
of the shipped benchmark.
"""

from __future__ import annotations

import argparse
import io
import json
import runpy
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

import ontoeval as oe
from ontoeval.measures.base import info

TITLE = "Photo annotation"
DESCRIPTION = "Annotate photos with the concepts of an ontology."
TERMS = "Write here what participants agree to."
DOCKER_IMAGE = "your-name/your-image:1"
"""An image with Python 3.11 or later in which `pip install ontoeval-metrics` was called."""

START, END = "2027-01-01 00:00:00", "2027-06-01 00:00:00"
"""When the phase begins and ends, in UTC."""

PROGRAM = Path(__file__).with_name("scoring_program")
SCORING = runpy.run_path(str(PROGRAM / "score.py"))


def packed(files: Mapping[str, bytes]) -> bytes:
    """Zip files; the same ones give the same bytes."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return whole.getvalue()


def logo(size: int = 64) -> bytes:
    """Draw a plain square as PNG: Codabench demands a picture."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        )

    rows = (b"\0" + b"\x1f\x5f\x8b" * size) * size
    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def columns() -> list[dict[str, object]]:
    """List the columns of the leaderboard: the first ranks."""
    measures = {key: oe.measures.parse(notation) for key, notation in SCORING["MEASURES"].items()}
    lower = {key: (info(measure, "best") or 0) <= 0 for key, measure in measures.items()}
    return [
        {
            "title": oe.measures.name(measure),
            "key": key,
            "index": index,
            "sorting": "asc" if lower[key] else "desc",
            "precision": 4,
        }
        for index, (key, measure) in enumerate(measures.items())
    ]


def competition() -> dict[str, object]:
    """Describe the challenge, as competition.yaml does."""
    return {
        "version": 2,
        "title": TITLE,
        "description": DESCRIPTION,
        "image": "logo.png",
        "terms": "terms.md",
        "docker_image": DOCKER_IMAGE,
        "enable_detailed_results": True,
        "pages": [{"title": "Overview", "file": "overview.md"}],
        "tasks": [
            {
                "index": 0,
                "name": TITLE,
                "scoring_program": "scoring_program.zip",
                "reference_data": "reference_data.zip",
            }
        ],
        "phases": [
            {
                "index": 0,
                "name": "Evaluation",
                "start": START,
                "end": END,
                "max_submissions_per_day": 5,
                "tasks": [0],
            }
        ],
        "leaderboards": [{"title": "Results", "key": "main", "columns": columns()}],
    }


def bundle(truth: Path, beside: list[Path]) -> bytes:
    """Pack the challenge."""
    reference = {f"truth{''.join(truth.suffixes)}": truth.read_bytes()}
    reference |= {path.name: path.read_bytes() for path in beside}
    program = {name: (PROGRAM / name).read_bytes() for name in ("score.py", "metadata.yaml")}
    submit = "Submit a zip file with one file of labels in it: run.csv, run.jsonl or the like."
    return packed(
        {
            # JSON is YAML.
            "competition.yaml": json.dumps(competition(), indent=2, ensure_ascii=False).encode(),
            "overview.md": f"# {TITLE}\n\n{DESCRIPTION}\n\n{submit}\n".encode(),
            "terms.md": f"{TERMS}\n".encode(),
            "logo.png": logo(),
            "scoring_program.zip": packed(program),
            "reference_data.zip": packed(reference),
        }
    )


if __name__ == "__main__":
    shipped = oe.ontologies.benchmark()
    parser = argparse.ArgumentParser(description="Make a bundle for Codabench.")
    parser.add_argument(
        "--out", type=Path, required=True, help="The file that is written, such as bundle.zip."
    )
    parser.add_argument(
        "--truth", type=Path, help="The true labels; by default those of the shipped benchmark."
    )
    parser.add_argument("--beside", type=Path, nargs="*", default=[], help="agreement.csv, an ontology file.")
    asked = parser.parse_args()
    others = asked.beside if asked.truth else [shipped / "agreement.csv"]
    asked.out.write_bytes(bundle(asked.truth or shipped / "truth.csv", others))
