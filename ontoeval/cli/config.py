"""Options that a folder gives to all commands: ``ontoeval.toml``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ontoeval.errors import InputError, did_you_mean, located
from ontoeval.labels.reading_options import ReadingOptions
from ontoeval.options import Option, flag, flat
from ontoeval.plumbing.files import read_file, real_path

FILE, NONE = "ontoeval.toml", "none"

_SECTIONS = ("reading", "audit", "rules")


def defaults_of(
    args: Sequence[str], options: Mapping[str, Option], audit: Callable[[], Mapping[str, Option]]
) -> dict[str, Any]:
    """Read the options that the file gives to a command, by their names."""
    named = next((one.partition("=")[2] for one in args if one.startswith("--config=")), None)
    if "--config" in args[:-1]:
        named = args[args.index("--config") + 1]
    path = Path(named or FILE)
    if named == NONE or {"-h", "--help"} & set(args) or not (named or path.is_file()):
        return {}
    return _read(path, options, audit)


def tell_defaults(config: str | None, names: Sequence[str]) -> None:
    """Print on stderr which options the file gives."""
    from ontoeval.cli.terminal import err

    if names:
        options = ", ".join(map(flag, names))
        err.print(f"{Path(config or FILE)} sets {options}", soft_wrap=True, highlight=False)


def _read(
    path: Path, options: Mapping[str, Option], audit: Callable[[], Mapping[str, Option]]
) -> dict[str, Any]:
    from ontoeval.benchmarks.benchmark_file import read_keys
    from ontoeval.plumbing.toml_text import load_toml

    known = {"reading": flat(ReadingOptions)}
    where, given = real_path(path.parent), dict[str, Any]()
    data = read_file(path).data
    with located(path):
        content = load_toml(data)
        if "audit" in content:
            known["audit"] = {name: one for name, one in audit().items() if name not in known["reading"]}
        for section, table in content.items():
            if section not in _SECTIONS or not isinstance(table, dict):
                hint = "The tables are [reading], [audit] and [rules]; benchmark.toml holds comparisons."
                raise InputError(f"unknown table {section!r}{did_you_mean(section, _SECTIONS)}", hint)
            if section in known:
                hint = f"Keys of [{section}] are options of `ontoeval audit` and other commands."
                values = read_keys(table, known[section], where, hint)
                for name in values:
                    option = known[section][name]
                    if option.opt.panel == "Output" and option.item is Path:
                        raise InputError(f"{name!r} is an output", f"Pass {flag(name)} to the command.")
                given |= values
    if "rules" in content:
        given.setdefault("rules", path)
    return {
        name: list(map(str, value)) if isinstance(value, tuple) else value
        for name, value in given.items()
        if name in options and not options[name].opt.hidden
    }
