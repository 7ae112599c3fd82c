"""Labels and scores that are given by the paths of their files, and runs in folders."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.rows import LabelSyntax
from ontoeval.core.verified import VerifiedLabels
from ontoeval.errors import InputError, enumerate_some
from ontoeval.labels.formats import Layout
from ontoeval.labels.reading import read_label_file, read_score_file, read_verified_file
from ontoeval.labels.reading_options import LabelReading, NameOptions
from ontoeval.labels.recognition import recognise
from ontoeval.ontology.model import Ontology
from ontoeval.ontology.report import Source
from ontoeval.plumbing.files import FilePath, is_dataset, real_path, short_names

Content = LabelSets | LabelScores | VerifiedLabels


def read_path(
    path: FilePath, hierarchy: Hierarchy | None, syntax: LabelSyntax, *, scores: bool
) -> tuple[Content, tuple[str, ...]]:
    """Read a file as the commands do; also return its notes."""
    ontology = None
    if hierarchy is not None:
        replaced = hierarchy.vocabulary.names.replaced
        ontology = Ontology(hierarchy, (), (), (), Source("the hierarchy"), replaced=replaced)
    reading = LabelReading(NameOptions(syntax.classes), Layout(separator=syntax.separator))
    if scores:
        found = read_score_file(path, ontology, reading)
        return found.scores, found.notes
    read = read_label_file if syntax.ignore_index is None else partial(read_verified_file, negative=0)
    file = read(path, ontology, reading)
    return file.labels, file.notes


class RunFiles(dict[str, Path]):
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
