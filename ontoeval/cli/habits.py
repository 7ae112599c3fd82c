"""Commands and options of other programs: the command line that does the same here."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from itertools import chain, pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn, cast

import typer

from ontoeval.cli.exit_codes import Exit, print_failure
from ontoeval.cli.terminal import warn
from ontoeval.core.advice import advised
from ontoeval.errors import MeasureError, habits, join_with_and, near_names

Words = list[str]

Click = Any
"""A context, command or error of click, which typer may bring along."""


_OF_MEASURES = {"average", "beta", "k", "top_k", "zero_division"}
"""Options of scikit-learn that are parameters of measures here."""

_OF_RUNS = ("score", "compare", "confusion", "errors", "study")
"""Commands of a truth and runs; an option that one of them lacks may be that of another."""


class CommandLine(NamedTuple):
    """A command line; what is written otherwise in it; who has not what; and what is said of that."""

    command: str
    args: Words
    heard: tuple[str, ...] = ()
    lacks: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    texts: tuple[str, ...] = ()


def known_command(program: str, args: Words, commands: Collection[str]) -> CommandLine:
    """Replace the name of a command that other programs have; bare files are scored."""
    first, *rest = args
    why = f"there is no command {first!r}"
    if call := habits()["in_python"].get(first):
        _call_instead(why, first, call, rest)
    return next(_commands(first, rest, commands), None) or _fail(f"{why}. {program} -h lists all.")


def _commands(first: str, rest: Words, commands: Collection[str]) -> Iterator[CommandLine]:
    """List which command line may be meant, the likeliest first."""
    rows, wrong = habits()["commands"], {"there is no command": (repr(first),)}
    word, *more = rows.get(first.strip("-").replace("_", "-").lower(), first).split()
    topic = next((one for one in rest if not one.startswith("-")), "")
    if word == "ontology" and Path(topic).is_file():
        from ontoeval.benchmarks.inputs import kinds_at
        from ontoeval.labels.formats import Layout

        word, more = (word, more) if "ontology" in kinds_at(Path(topic), Layout(), None) else ("audit", [])
    if word in {"--help", "explain", "ontology"} and topic not in rows and _is_measure(topic):
        yield CommandLine("measures", rest, (first,))
    if word == "--help" and topic:
        yield from _commands(topic, [word], commands)
    if word in {*commands, "--help", "--version"}:
        line = [*rest, *(one for one in more if one not in rest)]
        yield CommandLine(word, line, (first,) * (word != first), wrong if more else {})
    option, files = first.startswith("-"), sum(Path(one).exists() for one in [first, *rest])
    for later in (one for one in rest if option and one in commands):
        yield CommandLine(later, [one for one in [first, *rest] if one != later], (first,))
    if files > 1 and (option or Path(first).exists()):
        yield CommandLine("score", [first, *rest], (first,))
    if _is_measure(first) and first.casefold() not in {*habits()["refused"], *habits()["absent"]}:
        yield CommandLine("score", [*rest, "-m", first], (), wrong)
    yield from (CommandLine(near, rest, (), wrong) for near in near_names(first, [*commands]))


def understood(ctx: Click, line: CommandLine) -> Words:
    """Replace what a command has not; refuse by one line that runs where it is unsure what is meant."""
    program, group = ctx.parent.command_path, ctx.parent.command

    @cache
    def command(name: str) -> Click:
        return ctx.command if name == ctx.info_name else group.resolve_command(ctx, [name])[1]

    def parameters(name: str) -> Sequence[Any]:
        return cast("Sequence[Any]", command(name).get_params(ctx))

    def checked(line: CommandLine) -> tuple[CommandLine, Click]:
        line, own = separated(line, parameters(line.command)), command(line.command)
        context = type(ctx)(own, ctx.parent, line.command, default_map=ctx.default_map)
        return line, own.error_in(context, line.args)

    line, error = checked(line._replace(args=[*chain(*map(_parted, line.args))]))
    while trouble := _trouble(error, line.args):
        for meant in Lacking(line, *trouble, parameters).meanings():
            line, error = checked(meant)
            if error is None or _trouble(error, line.args):
                break
    if error is not None:
        _refuse_more(error, [one for one in parameters(line.command) if one.param_type_name == "argument"])
        raise error
    shown = _shown(program, [line.command, *_into_named(line.args, ctx.meta["typed"])])
    if line.lacks:
        lacks = (f"{who} {join_with_and(names)}." for who, names in line.lacks.items())
        _fail(f"{' '.join([*lacks, *line.texts])} Write: {shown}")
    if line.heard and not {"-q", "--quiet"} & {*line.args}:
        warn([f"{', '.join(dict.fromkeys(line.heard))}, read as: {shown}"])
    return line.args


def _refuse_more(error: Click, arguments: Sequence[Any]) -> None:
    """Name the arguments of a command that is given others beside them."""
    if more := re.search(r"unexpected extra arguments?.*\((.+)\)", error.message):
        named = join_with_and([one.metavar for one in arguments])
        runs = "; compare scores several runs" * (len(arguments) > 1 and arguments[-1].metavar != "SAMPLE")
        _fail(f"One too many: {more[1]}. {error.ctx.info_name} takes {named}{runs}.")


def _into_named(args: Words, typed: Collection[str]) -> Words:
    """Write into the file that --out names what would be written into an example with its ending."""
    examples = {Path(one).suffix: one for one in args if one not in typed and re.fullmatch(r"\w+\.\w+", one)}
    for at, (flag, file) in enumerate(pairwise(args)):
        example = examples.get(Path(file).suffix, file)
        named = flag in {"-o", "--out"} or "--out {}" in habits()["options"].get(_key(flag), ())
        if named and (example != file or args.count(file) > 1):
            return [file if one == example else one for one in [*args[:at], *args[at + 2 :]]]
    return args


def _parted(word: str) -> Words:
    """Part an option and its value, but letters that are repeated."""
    if word.startswith("--"):
        return word.split("=", 1)
    short = word.startswith("-") and len(word) > 1 and word[1] not in "q0123456789"
    return [word[:2], *[word[2:]] * bool(word[2:].strip(word[1]))] if short else [word]


def _trouble(error: Click, args: Words) -> tuple[str, str] | None:
    """Find the option that a command has not, or whose value it has not, and its row in the table."""
    wrong, rows = getattr(error, "param", None), habits()["options"]
    for flag, value in pairwise([*args, ""]):
        if flag == getattr(error, "option_name", None):
            key = _key(flag) + "=" * (not hasattr(error, "possibilities"))
            if (whole := f"{_key(flag)}={value}") in rows and rows.keys().isdisjoint({key, f"{key}="}):
                return flag, whole
            return (flag, key) if key[-1] != "=" or key in rows else None
        if wrong is not None and flag in wrong.opts and f"{wrong.name}={value}" in rows:
            return flag, f"{wrong.name}={value}"
    return None


def _key(flag: str) -> str:
    """Name an option as tables and parameters do."""
    return flag.strip("-").replace("-", "_")


class Lacking:
    """An option that a command has not, or whose value it does not take, and where that stands."""

    def __init__(self, line: CommandLine, name: str, key: str, parameters: Callable[[str], Any]) -> None:
        at, wrong = line.args.index(name), key.partition("=")[2]
        self.line, self.key, self.parameters = line, key, parameters
        self.what = f"{name} {wrong}".strip()
        self.before, self.after = line.args[:at], line.args[at + 1 + bool(wrong) :]
        verb = "needs a value of" if key.endswith("=") else "takes no" if wrong else "has no"
        self.who = f"{line.command} {verb}"

    def run(self, words: Words) -> CommandLine:
        """Make the line that is run."""
        return self.line._replace(args=words, heard=(*self.line.heard, self.what))

    def refused(self, words: Words, text: str = "", to: str = "") -> CommandLine:
        """Make the line that is shown."""
        lacks = {**self.line.lacks, self.who: (*self.line.lacks.get(self.who, ()), self.what)}
        texts = tuple(dict.fromkeys(filter(None, (*self.line.texts, text))))
        return CommandLine(to or self.line.command, words, self.line.heard, lacks, texts)

    def meanings(self) -> Iterator[CommandLine]:
        """List what may be meant, the likeliest first; at last the line without the option."""
        command, args, rows = self.line.command, self.line.args, habits()["options"]
        own = {one.name: one for one in self.parameters(command)}
        if "by" in own and "--by {}" in rows.get(self.key, ()) and (joined := joined_parts(args, self.what)):
            yield self.run(joined)
        chosen = own.get("measures") or own.get("measure")
        if chosen and _OF_MEASURES & {*_meant(self.key)}:
            words, sure = _named_measures(args, chosen.opts)
            yield self.run(words) if sure else self.refused(words)
        for other in args:
            if call := rows.get(f"{self.key}.{_key(other)}"):
                _call_instead(f"{command} has no {self.what}", self.key, call, args, {self.what, other})
        tried = {command, *(who.split()[0] for who in self.line.lacks)}
        for to in (command, *(one for one in _OF_RUNS * (command in _OF_RUNS) if one not in tried)):
            for template in _templates(to, self.key, self.parameters(to)):
                yield from self._filled_in(to, *template)
        flags = {flag: one for one in own.values() for flag in one.opts if flag.startswith("-")}
        for one in get_close_matches(self.what, flags, cutoff=0.8):
            yield from self._filled_in(command, "near", one + " {}" * (not flags[one].is_flag))
        for rest in (self.rest(), self.after, self.after[1:]):
            yield self.refused([*self.before, *rest], f"{self.what} is left out.")

    def rest(self) -> Words:
        """Leave out a value that follows, which is no file in the place of an argument."""
        own, word = self.parameters(self.line.command), next(iter(self.after), "-")
        needed = sum(one.param_type_name == "argument" and one.required for one in own)
        free = Path(word).exists() and sum(Path(one).exists() for one in self.before) < max(needed, 1)
        return self.after[not (free or word.startswith("-")) :]

    def _filled_in(self, to: str, place: str, template: str) -> Iterator[CommandLine]:
        """Make a line by a template of a command."""
        template, _, why = template.partition(" # ")
        own, text = to == self.line.command, template.removeprefix("{}").strip()
        if place == "text":
            done = [*self.before, *(self.rest() if template.startswith("{}") else self.after)]
            yield from [self.refused(done, text) if text else self.run(done)] * own
        elif filled := _filled(template, self.before, self.after):
            words, rest, sure = filled
            to = words.pop(0) if place == "command" else to
            stray = "{" not in template and not Path(next(iter(rest), "")).exists() and rest[0][:1] != "-"
            for left in range(stray, -1, -1):
                parts = (words, self.before) if place == "first" else (self.before, words)
                done = [*chain(*parts, rest[left:])]
                named = done if sure else _into_named(done, self.line.args)
                told = f"{' '.join(rest[:left])} is left out." * left or why
                same = to == self.line.command and (sure or named != done) and place != "near" and not told
                yield self.run(named) if same else self.refused(named, told, to)


def _meant(key: str) -> Words:
    """List the parameters that an option may mean, or those for a column of this role."""
    rows, role = habits()["parameters"], habits()["columns"].get(key, key)
    return [key, *(rows.get(key) or rows.get(role, ()))]


def _templates(command: str, key: str, parameters: Sequence[Any]) -> Iterator[tuple[str, str]]:
    """List what may be meant by an option: by the table, or else by its name; and where that stands."""
    arguments = [one for one in parameters if one.param_type_name == "argument"]
    flags = {flag: one for one in parameters if one not in arguments for flag in one.opts}
    names = {_key(flag): one for flag, one in flags.items()} | {one.name: one for one in parameters}
    found = False
    for one in chain.from_iterable((f"{command}.{one}", one) for one in _meant(key)):
        rows = habits()["options"].get(one, ())
        for row in [rows] if isinstance(rows, str) else rows:
            found = True
            if row.startswith("-"):
                yield from [("option", row)] * (row.split()[0] in flags)
            elif row[:1].islower():
                yield from [("command", row)] * (command in _OF_RUNS or one.startswith(f"{command}."))
            elif one.endswith(key) or row in {"", "{}"}:  # texts are not those of other options
                yield "text", row
    for one in filter(None, map(names.get, () if found else _meant(key))):
        value = " {}" * (not getattr(one, "is_flag", True))
        place = "first" if one in arguments[:1] else "option"
        yield place, "{}" if one in arguments else one.opts[0] + value


def _filled(template: str, before: Words, after: Words) -> tuple[Words, Words, bool] | None:
    """Fill in the value of an option, which may be the first of what follows it; whether it was given."""
    words, sure = Words(), True
    if "-column" in template and Path(next(iter(after), "")).is_file():
        return None
    for word in template.split():
        start, *marked = re.split(r"\{(.*?)\}", word)
        for usual in marked[:1]:
            if after and _like(after[0], usual, before):
                value, *after = after
                sure = not (usual and Path(value).exists())
                percent = usual == "%" and value.isdecimal() and int(value) > 1
                start += f"{int(value) / 100}" if percent else value
            elif usual.strip(".%") == usual != "":
                start, sure = start + usual, False
            else:
                return None
        words.append("".join([start, *marked[1:]]))
    return words, after, sure


def _like(word: str, usual: str, before: Words) -> bool:
    """Whether a word may be the value of an option that an example shows: a file that is no argument."""
    ending = usual if usual.startswith(".") else Path(usual).suffix
    if ending:
        written = not Path(word).exists() or sum(Path(one).exists() for one in before) > 1
        return Path(word).suffix == ending and written
    level = usual == "%" and word in "0123456789"  # of a hierarchy
    return not (word.startswith("-") or level or (usual and Path(word).exists()))


def _named_measures(args: Words, flags: Sequence[str]) -> tuple[Words, bool]:
    """Write options of scikit-learn with the measures that have them; whether each that is named has them."""
    catalogue = import_module("ontoeval.measures.catalogue")
    answer = catalogue.ANSWERS["average"]
    given: dict[str, Any] = {"measures": (each := Words()), "typed": True}
    rest, words = Words(), iter(args)
    for word in words:
        if word in flags:
            each += catalogue.listed(next(words, ""))
        elif word.startswith("-") and (own := catalogue.ANSWERS.keys() & {*_meant(_key(word))}):
            value = next(words, "-")
            if re.match(r"-(?!\d)", value) or given.setdefault(min(own), value) != value:
                _fail(f"{word} needs one value{': micro, macro, weighted or samples' * ('average' in own)}.")
        else:
            rest.append(word)
    made = answer(given)
    return [*rest, *(word for one in made for word in (flags[-1], one))], bool(each) and made != each


def _call_instead(why: str, key: str, call: str, args: Sequence[str], done: Collection[str] = ()) -> NoReturn:
    """Refuse a command line by a call of Python, with the paths of the line and what its options mean."""
    paths, given = Words(), dict[str, list[Any]]()
    words = ("--out" if one == "-o" else one for one in chain(*map(_parted, args)))
    for before, word in pairwise(["", *words]):
        asked = before.startswith("-") and before not in done
        if word.startswith("-") and word not in done:
            given.setdefault(_key(word), [])
        elif asked:
            number = int if word.isdecimal() else float if word.replace(".", "", 1).isdecimal() else str
            given[_key(before)].append(number(word))
        elif Path(word).exists():
            paths.append(word)
    keywords = {name: some if some[1:] else [*some, True][0] for name, some in given.items()}
    text = advised(key, call, paths, keywords).removeprefix("Write ")
    text = text.replace(".json', index=False", ".csv', index=False")  # which --threshold reads
    _fail(f"{why}. In Python: {text}")


def joined_parts(args: Sequence[str], table: str) -> Words | None:
    """Join the column that --by names and the table of samples of another option."""
    rest, values, words = Words(), {"--by": "", table: ""}, iter(args)
    for word in words:
        same = "--by {}" in habits()["options"].get(_key(word), ())
        name = "--by" if same and word != table else word
        if name in values:
            values[name] = next(words, "")
        else:
            rest.append(word)
    column, file = values.values()
    head = Path(file).read_text("utf-8", "replace").partition("\n")[0] if Path(file).is_file() else ""
    titles = {*re.findall(r'[^,;\t"\r]+', head)} if table != "--groups" or "group" not in head else {""}
    return [*rest, "--by", f"{column}={file}"] if column in titles and not Path(column).exists() else None


def separated(line: CommandLine, parameters: Sequence[Any]) -> CommandLine:
    """Give each of several measures an option of its own, and join a column and its table."""
    flags = {flag for one in parameters if one.name == "measures" for flag in one.opts}
    words, flag = Words(), ""
    for word in joined_parts(line.args, "--groups") or line.args:
        if word.startswith("-"):
            flag = word if word in flags else ""
        elif flag and words[-1] != flag:
            flag = flag if _is_measure(word) else ""
            words += [flag] * bool(flag)
        words.append(word)
    return line._replace(args=words, heard=line.heard + ("several values",) * (words != line.args))


def _is_measure(word: str) -> bool:
    """Whether a word is a measure, or the name of several, and no file."""
    with suppress(MeasureError):
        return not Path(word).exists() and bool(import_module("ontoeval.measures.catalogue").parse(word))
    return word.casefold() in {*habits()["refused"], *habits()["absent"]}


def _shown(program: str, line: Sequence[str]) -> str:
    """Write a command line for a shell; the notations of measures are most readable in double quotes."""
    plain = (f'"{one}"' if "'" in one and not {*one} & {*'"$`\\!'} else shlex.quote(one) for one in line)
    return " ".join([program, *plain])


def _fail(message: str) -> NoReturn:
    print_failure(message)
    raise typer.Exit(Exit.USAGE)
