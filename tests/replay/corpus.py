"""The corpus: real files, and seeds of the fuzzer with edits of them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.fuzz.readers import Reader

EDITS = 60
"""How many edited files each reader of the fuzzer gets."""


def edits(reader: Reader) -> list[bytes]:
    """Files that are nearly right; the same ones in every call."""
    from hypothesis import HealthCheck, Phase, given, seed, settings

    found: list[bytes] = []

    @seed(0)
    @settings(
        database=None,
        deadline=None,
        max_examples=EDITS,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(reader.inputs)
    def keep(data: bytes) -> None:
        found.append(data)

    keep()
    return found


def made() -> Iterator[tuple[str, bytes]]:
    """Names and contents of the files that are not real ones."""
    from tests.fuzz.__main__ import readers

    for reader in readers().values():
        for data in dict.fromkeys((*reader.seeds, *edits(reader))):
            yield f"fuzz/{reader.name}/{hashlib.sha256(data).hexdigest()[:12]}{reader.suffix}", data


def write(folder: Path) -> None:
    """Write the corpus to a folder: once, so that all checkouts read the same files."""
    for name, data in made():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    real = os.environ.get("ONTOEVAL_DATA", Path(__file__).parents[3] / "shared" / "data")
    if Path(real).is_dir():
        (folder / "data").symlink_to(Path(real).resolve(), target_is_directory=True)


def files(folder: Path) -> list[Path]:
    """All files of the corpus; links are followed."""
    return sorted(
        Path(where, name) for where, _, names in os.walk(folder, followlinks=True) for name in names
    )
