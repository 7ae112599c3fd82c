"""Commands and options of other programs: the command line that does the same here."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn

import typer

from ontoeval.cli.exit_codes import Exit, print_failure
from ontoeval.cli.terminal import warn
from ontoeval.errors import habits, near_names

Words = list[str]


def known_command(program: str, args: Sequence[str], commands: Collection[str]) -> Words:
    """Replace the name of a command that other programs have; bare files are scored."""
    first, *rest = args
    command, *more = habits()["commands"].get(first.replace("_", "-").lower(), "").split() or [""]
    if command.startswith("-"):
        return [*rest, command]
    if command:
        line = [command, *rest, *(word for word in more if word not in rest)]
        if more:
            _refuse(f"there is no command {first!r}", program, line)
        return remark([f"{first} is {command} here"], program, line)
    if rest and Path(first).exists() and Path(rest[0]).exists():
        return remark(["files are scored"], program, ["score", *args])
    near = " or ".join(f"{program} {one}" for one in near_names(first, list(commands)))
    hint = f"Did you mean {near}?" if near else f"{program} -h lists all."
    print_failure(f"there is no command {first!r}. {hint}")
    raise typer.Exit(Exit.USAGE)


def known_option(
    path: str, args: Sequence[str], parameters: Sequence[Any], name: str
) -> tuple[Words, str] | None:
    """Replace an option that the command has not, and say by what; None if nothing is known of its name."""
    short = name.startswith("-") and not name.startswith("--")
    parts = [(one[:2], one[2:]) if short else (one.partition("=")[::2]) for one in args]
    at = next((at for at, (flag, _) in enumerate(parts) if flag == name), None)
    if at is None:
        return None
    program, _, command = path.rpartition(" ")
    key, names = name.strip("-").replace("-", "_"), {one.name: one for one in parameters}
    if key in {"average", "zero_division"} and "measures" in names:
        _name_measures(program, command, name, args, names["measures"].opts)
    if isinstance(said := habits()["options"].get(key), str):
        _fail(f"{command} has no {name}. {said}")
    for place, template in _templates(key, names):
        before, after = [*args[:at]], [*args[at + 1 :]]
        filled = _filled(template, parts[at][1], before, after)
        if filled is None:
            continue
        words, sure = filled
        line = [*words, *before, *after] if place == "first" else [*before, *words, *after]
        if words[0] == command:
            return [*before, *words[1:], *after], f"{name} is not needed here"
        if place == "command":
            _refuse(f"{command} has no {name}", program, [words[0], *before, *after, *words[1:]])
        if not sure:
            _refuse(f"{command} has no {name}", program, [command, *line])
        return line, f"{name} is {words[0] if place == 'option' else 'an argument'} here"
    return None


def _templates(key: str, names: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """List what may be meant by an option, and where that stands."""
    meant = [*habits()["parameters"].get(key, ()), key]
    flags = {flag for one in names.values() for flag in one.opts}
    for row in chain.from_iterable(habits()["options"].get(one, ()) for one in [key, *meant[:-1]]):
        flag = row.split()[0]
        if flag in flags or not flag.startswith("-"):
            yield "option" if flag in flags else "command", row
    arguments = [one for one in names.values() if one.param_type_name == "argument"]
    for one in filter(None, map(names.get, meant)):
        if one in arguments:
            yield "first" if one is arguments[0] else "argument", "{}"
        else:
            yield "option", one.opts[0] + " {}" * (not one.is_flag)


def _filled(template: str, value: str, before: Words, after: Words) -> tuple[Words, bool] | None:
    """Fill in the value of an option, which may be the first of what follows it; whether it was given."""
    words, sure = Words(), True
    for word in template.split():
        usual = word[1:-1]
        if not word.startswith("{"):
            words.append(word)
        elif value or (after and _like(after[0], usual, before)):
            words.append(value or after.pop(0))
            sure = not (usual and Path(words[-1]).exists())
        elif usual.strip(".") == usual != "":
            words.append(usual)
            sure = False
        else:
            return None
    return words, sure


def _like(word: str, usual: str, before: Words) -> bool:
    """Whether a word may be the value of an option that an example shows: a file that is no argument."""
    ending = usual if usual.startswith(".") else Path(usual).suffix
    if ending:
        written = not Path(word).exists() or sum(Path(one).exists() for one in before) > 1
        return Path(word).suffix == ending and written
    return not word.startswith("-") and not (usual and Path(word).exists())


def _name_measures(
    program: str, command: str, name: str, args: Sequence[str], flags: Sequence[str]
) -> NoReturn:
    """Refuse options of scikit-learn by the measures that have them."""
    from ontoeval.core.graphs import ANSWERS

    import_module("ontoeval.measures.catalogue")  # which has the answers
    given: dict[str, Any] = {"measures": []}
    rest, words = Words(), [*args]
    while words:
        flag, _, value = words.pop(0).partition("=")
        key = "measures" if flag in flags else flag.strip("-").replace("-", "_")
        if key not in ANSWERS and key != "measures":
            rest.append(f"{flag}={value}" if value else flag)
            continue
        value = value or (words.pop(0) if words else "")
        given[key] = [*given["measures"], value] if key == "measures" else value
    named = (word for one in ANSWERS["average"](given) for word in ("-m", one))
    _refuse(f"{command} has no {name}: measures have it", program, [command, *rest, *named])


def _shown(program: str, line: Sequence[str]) -> str:
    """Write a command line for a shell; the notations of measures are most readable in double quotes."""
    plain = (f'"{one}"' if "'" in one and not {*one} & {*'"$`\\!'} else shlex.quote(one) for one in line)
    return " ".join([program, *plain])


def _refuse(why: str, program: str, line: Sequence[str]) -> NoReturn:
    _fail(f"{why}. Write: {_shown(program, line)}")


def _fail(message: str) -> NoReturn:
    print_failure(message)
    raise typer.Exit(Exit.USAGE)


def remark(why: Sequence[str], program: str, line: Words) -> Words:
    """Print the command line that is run in place of what was written."""
    if why and not {"-q", "--quiet"} & {*line}:
        warn([f"{', '.join(dict.fromkeys(why))}: {_shown(program, line)}"])
    return line
