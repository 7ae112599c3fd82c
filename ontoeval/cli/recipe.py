"""Recipes: what a folder of results was made of."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib import metadata
from pathlib import Path, PurePosixPath
from typing import Any

from ontoeval._version import __version__
from ontoeval.core.files import digest_of_file, read_file
from ontoeval.errors import InputError

FILE = "recipe.json"
"""The file that holds the recipe of a folder."""

PACKAGES = ("rdflib", "pyoxigraph", "pyarrow", "jinja2", "plotly", "matplotlib")
"""What may read, write or draw, beside the packages that compute."""

WITHHELD = "withheld"
"""Stands for the digest of what is not public: whoever guesses the truth could test the guess by it."""


@dataclass(frozen=True)
class Recipe:
    """What results were made of."""

    versions: Mapping[str, str]
    file: str
    folder: str
    benchmark: str
    seed: int
    conventions: tuple[str, ...]
    inputs: Mapping[str, str]
    outputs: Mapping[str, str]

    def text(self) -> str:
        """Write the recipe."""
        return json.dumps(vars(self), indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def read(cls, folder: Path) -> Recipe:
        """Read the recipe of a folder of results."""
        path = folder / FILE
        if not path.exists():
            raise InputError(
                f"there is no {FILE} here", "Name a folder that `ontoeval run` has written.", where=folder
            )
        data = read_file(path).data
        try:
            content = json.loads(data)
            recipe = cls(**{**content, "conventions": tuple(content["conventions"])})
            mappings: tuple[Any, ...] = (recipe.versions, recipe.inputs, recipe.outputs)
            texts: tuple[Any, ...] = (recipe.file, recipe.folder, recipe.benchmark)
            plain = all(isinstance(one, Mapping) for one in mappings) and all(map(_is_text, texts))
            plain = plain and all(map(_is_text, (part for one in mappings for part in one.values())))
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise _no_recipe(path) from error
        # A folder of results can come from anybody: nothing outside it is looked at as an output.
        outside = (PurePosixPath(name).is_absolute() or ".." in name.split("/") for name in recipe.outputs)
        if not plain or any(outside):
            raise _no_recipe(path)
        return recipe


def versions(packages: Iterable[str] = ()) -> dict[str, str]:
    """Tell which versions compute."""
    import numpy as np
    import scipy

    used = set(packages)
    known: dict[str, str] = {}
    for package in PACKAGES:
        if package in used:
            with suppress(metadata.PackageNotFoundError):
                known[package] = metadata.version(package)
    return {
        "ontoeval": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        **known,
    }


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


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _no_recipe(path: Path) -> InputError:
    return InputError("this is no recipe", "Run the benchmark again: ontoeval run.", where=path)
