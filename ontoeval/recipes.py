"""Recipes: what a folder of results was made of, and whether it still comes out the same."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib import metadata
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from ontoeval._version import __version__
from ontoeval.errors import InputError
from ontoeval.extras import requires
from ontoeval.files import read_file

FILE = "recipe.json"
"""The file that holds the recipe of a folder."""

TOLERANCE = 1e-12
"""How far numbers may lie apart where other versions computed them."""

_PICTURES = frozenset({".pdf", ".png", ".svg"})
"""How files end that are looked at, not read."""

PACKAGES = ("rdflib", "pyoxigraph", "pyarrow", "jinja2", "plotly", "matplotlib")
"""What may read, write or draw, beside the packages that compute."""

WITHHELD = "withheld"
"""Stands for the digest of what is not public: whoever guesses the truth could test the guess by it."""

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.]*\w)")
"""A number; not one within a word, such as a digest."""


@dataclass(frozen=True)
class Recipe:
    """What results were made of.

    Parameters
    ----------
    versions
        Of ontoeval, of Python, and of the packages that compute, read and write.
    file
        Name of the benchmark file.
    folder
        Where it lies, seen from the results.
    benchmark
        What it says.
    seed
        Where random numbers begin.
    conventions
        The signature of the comparison.
    inputs
        SHA-256 of every file that was read.
    outputs
        SHA-256 of every file that was written.
    """

    versions: Mapping[str, str]
    file: str
    folder: str
    benchmark: str
    seed: int
    conventions: tuple[str, ...]
    inputs: Mapping[str, str]
    outputs: Mapping[str, str]

    def text(self) -> str:
        """Write the recipe.

        Returns
        -------
        str
            JSON; the same for the same recipe.
        """
        return json.dumps(vars(self), indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def read(cls, folder: Path) -> Recipe:
        """Read the recipe of a folder of results.

        Parameters
        ----------
        folder
            The folder.

        Returns
        -------
        Recipe
            What it was made of.

        Raises
        ------
        InputError
            If there is none, or it is none.
        """
        path = folder / FILE
        if not path.exists():
            raise InputError(
                f"there is no {FILE} here", "Name a folder that `ontoeval run` has written.", where=folder
            )
        try:
            content = json.loads(read_file(path).data)
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
    """Tell which versions compute.

    Parameters
    ----------
    packages
        What else is used, of `PACKAGES`; what is not installed, or none of these, is left out.

    Returns
    -------
    dict of str to str
        Versions of ontoeval, Python, numpy and scipy, and of the packages.

    Examples
    --------
    >>> list(versions()), list(versions(["rdflib", "no such"]))
    (['ontoeval', 'python', 'numpy', 'scipy'], ['ontoeval', 'python', 'numpy', 'scipy', 'rdflib'])
    """
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
    """Compute the digest of a file, or of all files in a folder.

    Parameters
    ----------
    path
        The file or folder.

    Returns
    -------
    str
        SHA-256 as hexadecimal digits; of a folder that of the names and the digests of its files.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    if not path.is_dir():
        return read_file(path).digest
    whole = sha256()
    for name, file in files_in(path).items():
        whole.update(f"{name}\0{digest_of(file)}\0".encode())
    return whole.hexdigest()


def files_in(folder: Path) -> dict[str, Path]:
    """List the files of a folder, and of the folders in it.

    Parameters
    ----------
    folder
        The folder.

    Returns
    -------
    dict of str to Path
        The files by their path in the folder.
    """
    files = sorted(path for path in folder.rglob("*") if not path.is_dir())
    return {path.relative_to(folder).as_posix(): path for path in files}


class Verdict(NamedTuple):
    """Whether something still holds.

    Parameters
    ----------
    holds
        Whether it does.
    finding
        What was found, in words.
    """

    holds: bool
    finding: str


def compare_files(before: Path, after: Path, recipe: Recipe) -> Verdict:
    """Tell whether a file comes out the same again.

    Parameters
    ----------
    before
        The file as it was written.
    after
        The file as it is written now.
    recipe
        How it was made. Numbers may lie `TOLERANCE` apart only where other versions made it.

    Returns
    -------
    Verdict
        Whether all numbers are the same, and all else too.
    """
    first, second = before.read_bytes(), after.read_bytes()
    if first == second:
        return Verdict(holds=True, finding="the same, byte for byte")
    if before.suffix.lower() == ".parquet":
        return _compare(_of_parquet(before), _of_parquet(after), recipe)
    if before.suffix in _PICTURES:
        return Verdict(
            holds=False, finding="drawn otherwise; pictures depend on the version of matplotlib, too"
        )
    return compare_texts(first.decode("utf-8", "replace"), second.decode("utf-8", "replace"), recipe)


def compare_texts(before: str, after: str, recipe: Recipe) -> Verdict:
    """Tell whether a text comes out the same again.

    Parameters
    ----------
    before
        The text as it was written.
    after
        The text as it is written now.
    recipe
        How it was made.

    Returns
    -------
    Verdict
        As `compare_files` gives it.
    """
    if before == after:
        return Verdict(holds=True, finding="the same")
    # The version that wrote a text is no number in it.
    then = f"ontoeval {recipe.versions.get('ontoeval', __version__)}"
    return _compare(before, after.replace(f"ontoeval {__version__}", then), recipe)


def _compare(first: str, second: str, recipe: Recipe) -> Verdict:
    before, after = (_NUMBER.findall(text) for text in (first, second))
    line = f"from line {_line(first, second)} on"
    same_words = _NUMBER.sub("#", first) == _NUMBER.sub("#", second)
    if len(before) != len(after):
        return Verdict(holds=False, finding=f"other rows, {line}")
    apart = [abs(float(a) - float(b)) if a != b else 0.0 for a, b in zip(before, after, strict=True)]
    count = sum(distance != 0 for distance in apart)
    if not count:
        return Verdict(same_words, "the same numbers" if same_words else f"other words, {line}")
    far = f"{count:,} of {len(apart):,} numbers differ, by at most {max(apart):.2g}"
    if same_words and recipe.versions != versions(recipe.versions) and max(apart) <= TOLERANCE:
        return Verdict(holds=True, finding=f"{far}: as other versions compute them")
    which = next(which for which, distance in enumerate(apart) if distance != 0)
    return Verdict(holds=False, finding=f"{far}, {line}: {before[which]} is now {after[which]}")


def _line(first: str, second: str) -> int:
    """Find the first line that differs."""
    lines = [text.split("\n") for text in (first, second)]
    same: Iterator[bool] = (a == b for a, b in zip(lines[0], lines[1], strict=False))
    return next((number for number, alike in enumerate(same, 1) if not alike), min(map(len, lines)) + 1)


def _of_parquet(path: Path) -> str:
    """Write a table as text, so that it is compared like the others."""
    parquet = requires("pyarrow.parquet", "arrow", "Reading Parquet")
    rows = parquet.read_table(path).to_pylist()
    return "".join(f"{json.dumps(list(row.values()), ensure_ascii=False)}\n" for row in rows)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _no_recipe(path: Path) -> InputError:
    return InputError("this is no recipe", "Run the benchmark again: ontoeval run.", where=path)
