"""Runs: which files a command line means by files, folders and globs, and what they are called."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ontoeval.core.files import short_names
from ontoeval.errors import InputError, did_you_mean, enumerate_some, pluralise

if TYPE_CHECKING:
    from ontoeval.core.table import Table

_NO_RUNS = frozenset(
    {".md", ".rst", ".html", ".htm", ".tex", ".bib", ".pdf", ".docx", ".xlsx", ".pptx", ".log"}
    | {".png", ".jpg", ".jpeg", ".gif", ".svg", ".py", ".ipynb", ".sh", ".toml", ".yaml", ".yml"}
    | {".owl", ".ttl", ".obo", ".rdf"}
    | {".bak", ".orig", ".swp", ".tmp"}
)
"""What the names of files end in that lie beside runs but are none."""

_NO_RUN = frozenset({"readme", "readme.txt", "license", "license.txt", "licence", "makefile", "thumbs.db"})

_ROLES = {"run": {"run", "file"}, "name": {"name", "title", "system"}, "team": {"team", "group"}}
"""What the columns of a table of names may be called."""


@dataclass(frozen=True)
class Runs:
    """The runs of one call."""

    paths: tuple[Path, ...]
    names: tuple[str, ...]
    teams: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    folders: tuple[Path, ...] = ()

    @property
    def by_team(self) -> dict[str, str]:
        """Whose each run is, by its name; empty where nothing says that."""
        return dict(zip(self.names, self.teams, strict=True)) if self.teams else {}

    def takes(self, path: Path) -> bool:
        """Tell whether a file would be taken for a run, if the same runs were looked for again."""
        among = path.resolve().parent in {folder.resolve() for folder in self.folders}
        return among and not _is_obvious(path)

    def with_teams(self, table: Table, behind: str = "run") -> Table:
        """Add a column of teams behind a column of runs."""
        from ontoeval.reports.evaluation import with_teams

        return with_teams(table, self.by_team, behind)


def runs_of(
    paths: Iterable[Path],
    *,
    names: Path | None = None,
    beside: Iterable[Path | None] = (),
    input_format: str | None = None,
    folder: Path | None = None,
) -> Runs:
    """Find the runs that are meant."""
    left_out: list[str] = []
    folders: list[Path] = []
    others = {path.resolve() for path in (*beside, names) if path is not None}
    found: list[Path] = []
    for path in paths:
        meant = list(_meant(path, others, input_format, left_out))
        folders += [] if meant == [path] else dict.fromkeys(run.parent for run in meant)
        found += meant
    met: set[Path] = set()
    for path in found:
        if path.resolve() in met:
            raise InputError("this run is named twice", "Name each run once.", where=path)
        met.add(path.resolve())
    told = [path if folder is None else Path(str(path).removeprefix(f"{folder}/")) for path in found]
    remarks = [f"left out what is no run: {enumerate_some(left_out)}"] if left_out else []
    runs = Runs(tuple(found), tuple(short_names(told)), (), tuple(remarks), tuple(folders))
    return runs if names is None else _called(runs, names, told)


def _meant(path: Path, others: set[Path], input_format: str | None, left_out: list[str]) -> Iterator[Path]:
    if path.is_dir() and not _is_run(path, input_format):
        candidates, what = list(path.iterdir()), "this folder holds no runs"
    elif not path.exists() and glob.has_magic(str(path)):
        candidates = [Path(match) for match in glob.glob(str(path), recursive=True)]  # noqa: PTH207 - not below a folder
        what = "nothing that fits this is a run"
    else:  # one file; where there is none, reading it says so
        yield path
        return
    runs = []
    for one in sorted(candidates, key=Path.as_posix):
        beside = one.resolve() in others or (one.is_dir() and not _is_run(one, input_format))
        if beside or _is_obvious(one):
            left_out.append(str(one))
        else:
            runs.append(one)
    if not runs:
        raise InputError(what, "Name the files of the runs.", where=path)
    yield from runs


def _is_obvious(path: Path) -> bool:
    """Tell from its name what is no run."""
    apart = path.name.startswith(".") or path.name.endswith("~")  # hidden, or what editors keep
    return apart or path.suffix.lower() in _NO_RUNS or path.name.lower() in _NO_RUN


def _is_run(folder: Path, input_format: str | None) -> bool:
    """Tell a folder with a file for each document, which Annif writes, from one with a file for each run."""
    from ontoeval.labels.recognition import recognise

    if input_format is not None:
        return input_format == "annif"
    files = sorted(path for path in folder.iterdir() if path.suffix in {".annif", ".key", ".tsv"})
    try:
        return bool(files) and recognise(files[0]).format == "annif"
    except InputError:
        return False


def _called(runs: Runs, names: Path, told: Sequence[Path]) -> Runs:
    """Give runs the names of a table, which must have a row for each of them and no other."""
    keys = [
        {path.stem, path.name, path.as_posix(), name} for path, name in zip(told, runs.names, strict=True)
    ]
    shown: dict[int, tuple[str, str]] = {}
    met: dict[str, int] = {}
    for line, row in _rows(names):
        meant = [number for number, known in enumerate(keys) if row["run"] in known]
        if len(meant) != 1:
            what = "names several runs" if meant else f"names no run{did_you_mean(row['run'], runs.names)}"
            raise InputError(
                f"{row['run']!r} {what}",
                f"The runs are {enumerate_some(path.as_posix() for path in runs.paths)}.",
                where=names,
                row=line,
            )
        name = row.get("name", runs.names[meant[0]])
        if meant[0] in shown or name in met:
            what = f"the run {row['run']!r} has a row already" if meant[0] in shown else f"{name!r} is taken"
            raise InputError(what, "Let each run have one row, and a name of its own.", where=names, row=line)
        shown[meant[0]], met[name] = (name, row.get("team", "")), line
    lacking = [path.as_posix() for number, path in enumerate(runs.paths) if number not in shown]
    if lacking:
        what = f"no row for {pluralise(len(lacking), 'run')}: {enumerate_some(lacking)}"
        raise InputError(what, "Give each run one.", where=names)
    called = [shown[number] for number in range(len(runs.paths))]
    teams = tuple(team for _, team in called)
    return replace(runs, names=tuple(name for name, _ in called), teams=teams if any(teams) else ())


def _rows(names: Path) -> Sequence[tuple[int, dict[str, str]]]:
    """Read a table of names: a column of runs, and one of names or of teams or both."""
    from ontoeval.core.roles import plain
    from ontoeval.labels.names import rows_by_role
    from ontoeval.labels.sources import read_source

    source = read_source(names)
    header = {plain(title) for title in source.first(source.delimiter or ",")}
    roles = {role: called for role, called in _ROLES.items() if role == "run" or header & called}
    return list(rows_by_role(source, roles))
