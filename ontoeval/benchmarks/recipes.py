"""Recipes of folders of results: versions, options, and digests of all that is read and written."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib import metadata
from pathlib import Path, PurePosixPath

from msgspec import MsgspecError
from msgspec.json import decode

from ontoeval._version import __version__
from ontoeval.benchmarks.scoring_options import ScoringOptions
from ontoeval.errors import InputError
from ontoeval.plumbing.files import digest_of_file, read_file

RECIPE_FILE = "recipe.json"

COMMAND = "command"
"""In place of the benchmark file, where a command had these options."""

PACKAGES = ("pyoxigraph", "pyarrow", "jinja2", "matplotlib")
"""Packages that may read, write or draw, beside those that compute."""

WITHHELD = "withheld"
"""In place of the digest of a file that is not public: a guess of the truth could be tested by it."""


@dataclass(frozen=True)
class Recipe:
    """The recipe of a folder of results."""

    versions: Mapping[str, str]
    file: str
    folder: str
    benchmark: str
    seed: int
    conventions: tuple[str, ...]
    inputs: Mapping[str, str]
    outputs: Mapping[str, str]
    part: str = ""
    parts: str = ""

    def text(self) -> str:
        """Write the recipe."""
        return json.dumps(vars(self), indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def read(cls, folder: Path) -> Recipe:
        """Read the recipe of a folder of results."""
        path = folder / RECIPE_FILE
        if not path.exists():
            raise InputError(
                f"there is no {RECIPE_FILE} here",
                "Name a folder that `ontoeval run` or `ontoeval study --out` has written.",
                where=folder,
            )
        remedy = "Write the folder again, by `ontoeval run` or `ontoeval study --out`."
        refusal = InputError("this is no recipe", remedy, where=path)
        data = read_file(path).data
        try:
            recipe = decode(data, type=cls)
        except (MsgspecError, ValueError, RecursionError) as error:
            raise refusal from error
        # A folder of results can come from anybody: nothing outside it is looked at as an output.
        if any(PurePosixPath(name).is_absolute() or ".." in name.split("/") for name in recipe.outputs):
            raise refusal
        return recipe


def versions(packages: Iterable[str] = ()) -> dict[str, str]:
    """List the versions that compute, and those of some other packages."""
    used = {"numpy", "scipy", *packages}
    known = {"ontoeval": __version__, "python": platform.python_version()}
    for package in ("numpy", "scipy", *PACKAGES):
        if package in used:
            with suppress(metadata.PackageNotFoundError):
                known[package] = metadata.version(package)
    return known


def digest_of(path: Path) -> str:
    """Compute the digest of a file, or of all files in a folder."""
    if not path.is_dir():
        return digest_of_file(path)
    whole = sha256()
    for name, file in files_in(path).items():
        whole.update(f"{name}\0{digest_of(file)}\0".encode())
    return whole.hexdigest()


def files_in(folder: Path) -> dict[str, Path]:
    """List the files of a folder, and of the folders in it."""
    files = sorted(path for path in folder.rglob("*") if not path.is_dir())
    return {path.relative_to(folder).as_posix(): path for path in files}


def packages_of(scoring: ScoringOptions, *others: Iterable[str]) -> tuple[str, ...]:
    """List the packages that read and write, beside those that compute."""
    parsers = () if scoring.reading.ontology is None else ("pyoxigraph",)
    return (*parsers, *(package for some in others for package in some))


def inputs_of(scoring: ScoringOptions, files: Mapping[str, Path]) -> dict[str, str]:
    """Compute the digests of everything that is read."""
    secret = {scoring.truth, scoring.information_from} if scoring.public else set()
    digests = {name: WITHHELD if path in secret else digest_of(path) for name, path in files.items()}
    for module in {type(measure).__module__: None for measure in scoring.chosen_measures}:
        file = getattr(sys.modules[module], "__file__", None)
        if file is not None and module.partition(".")[0] != "ontoeval":
            digests[f"module {module}"] = digest_of(Path(file))
    return digests
