"""Labels and scores that are given by the paths of their files, and runs in folders."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, cast

from ontoeval.core.containers import is_document
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.rows import LabelSyntax
from ontoeval.core.verified import VerifiedLabels
from ontoeval.errors import InputError, enumerate_some
from ontoeval.labels import per_sample as per_sample  # noqa: PLC0414 - for `core.inputs`
from ontoeval.labels.formats import Layout, Recognised
from ontoeval.labels.per_concept import read_thresholds as read_thresholds  # noqa: PLC0414 - for `core.inputs`
from ontoeval.labels.reading import read_label_file, read_score_file, read_verified_file
from ontoeval.labels.reading_options import LabelReading, NameOptions
from ontoeval.labels.recognition import recognise, titles_of
from ontoeval.labels.sources import is_json, read_label_source
from ontoeval.ontology.model import Ontology
from ontoeval.ontology.report import Source
from ontoeval.plumbing.files import FilePath, is_dataset, real_path, short_names

Content = LabelSets | LabelScores | VerifiedLabels


def named_file(side: object) -> object:
    """Open files for the titles of their columns, also those of runs; other sides stay as they are."""
    if isinstance(side, Mapping) and not is_document(side):
        found = RunFiles({run: named_file(one) for run, one in side.items()})
        found.notes = getattr(side, "notes", ())
        return found
    if not isinstance(side, str | PathLike) and not is_document(side):
        return side
    source = read_label_source(cast("FilePath", side))
    return replace(source, titles=titles_of(source))


def read_path(
    path: FilePath, hierarchy: Hierarchy | None, syntax: LabelSyntax, *, scores: bool
) -> tuple[Content, tuple[str, ...]]:
    """Read a file as the commands do; also return its notes."""
    source = read_label_source(path)
    named = source.named
    ontology = None
    if hierarchy is not None:
        replaced = hierarchy.vocabulary.names.replaced
        ontology = Ontology(hierarchy, (), (), (), Source("the hierarchy"), replaced=replaced)
    plural = "labels" in named and not is_json(source.data)
    columns = named.get("id"), named.get("label", named.get("labels")), named.get("score")
    layout = Layout("wide" if plural else None, *columns, separator=syntax.separator)
    reading = LabelReading(NameOptions(syntax.classes), layout, mixed=syntax.mixed, known=syntax.known)
    read = read_label_file if syntax.ignore_index is None else partial(read_verified_file, negative=0)
    file: Any = (read_score_file if scores else read)(source, ontology, reading)
    return file.scores if hasattr(file, "scores") else file.labels, (
        *_found_columns(source.where, file.format),
        *file.notes,
    )


def _found_columns(where: str, form: Recognised) -> list[str]:
    """Say which columns were found by what they hold, with those that are not used."""
    return [f"{where}: {form}"] * ("by what they hold" in form.words)


class RunFiles(dict[str, Any]):
    """Files of runs by name, with notes on files that are no runs."""

    notes: tuple[str, ...] = ()


def run_files(paths: Iterable[FilePath], beside: Iterable[FilePath] = ()) -> RunFiles:
    """Find the runs that paths, folders and patterns name, except files such as the truth."""
    left_out, others = list[str](), {real_path(Path(path)) for path in beside}
    found = [run for path in paths for run in runs_at(Path(path), others, None, left_out)]
    runs = RunFiles(zip(short_names(found), found, strict=True))
    runs.notes = (f"left out what is no run: {enumerate_some(left_out)}",) if left_out else ()
    return runs


_NO_RUNS = frozenset(
    {".md", ".rst", ".html", ".htm", ".tex", ".bib", ".pdf", ".docx", ".xlsx", ".pptx", ".log"}
    | {".png", ".jpg", ".jpeg", ".gif", ".svg", ".py", ".ipynb", ".sh", ".toml", ".yaml", ".yml"}
    | {".owl", ".ttl", ".obo", ".rdf"}
    | {".bak", ".orig", ".swp", ".tmp"}
)
"""Suffixes of files beside runs that are no runs."""

_NO_RUN = frozenset({"readme", "readme.txt", "license", "license.txt", "licence", "makefile", "thumbs.db"})


def runs_at(path: Path, others: set[Path], input_format: str | None, left_out: list[str]) -> Iterator[Path]:
    """Find the runs that a path, a folder or a pattern names."""
    if path.is_dir() and not _is_run(path, input_format):
        candidates, what = list(path.iterdir()), "this folder holds no runs"
    elif not path.exists() and glob.has_magic(str(path)):
        candidates = [Path(match) for match in glob.glob(str(path), recursive=True)]  # noqa: PTH207 - not below a folder
        what = "no run matches this pattern"
    else:  # one file; reading reports a missing one
        yield path
        return
    runs = []
    for one in sorted(candidates, key=Path.as_posix):
        beside = real_path(one) in others or (one.is_dir() and not _is_run(one, input_format))
        if beside or is_no_run(one):
            left_out.append(str(one))
        else:
            runs.append(one)
    if not runs:
        raise InputError(what, "Name the files of the runs.", where=path)
    yield from runs


def is_no_run(path: Path) -> bool:
    """Whether a name shows that a file is no run."""
    apart = path.name.startswith(".") or path.name.endswith("~")  # hidden files, and those of editors
    return apart or path.suffix.lower() in _NO_RUNS or path.name.lower() in _NO_RUN


def _is_run(folder: Path, input_format: str | None) -> bool:
    """Whether a folder is one run: a data set of Parquet files, or one file for each document, of Annif."""
    if is_dataset(folder):
        return True
    if input_format is not None:
        return input_format == "annif"
    files = sorted(path for path in folder.iterdir() if path.suffix in {".annif", ".key", ".tsv"})
    try:
        return bool(files) and recognise(files[0]).format == "annif"
    except InputError:
        return False
