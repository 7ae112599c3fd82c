"""Commands of typer, made from functions and their groups of options."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from functools import cache, partial
from importlib import import_module
from io import StringIO
from itertools import chain, pairwise
from operator import getitem
from pathlib import Path
from types import GenericAlias, MappingProxyType
from typing import Annotated, Any, NamedTuple, cast

import typer
from typer.core import TyperCommand, TyperGroup

from ontoeval.errors import InputError, ParameterError
from ontoeval.options import PICTURES, REQUIRED, Opt, Option, filled, flag, is_group, options_of
from ontoeval.plumbing.checks import as_list
from ontoeval.plumbing.files import bytes_of, reading_at_most
from ontoeval.plumbing.memory import estimated
from ontoeval.plumbing.workers import available_processors, using_workers

STDIN = Path("/dev/stdin")

_INPUTS = {"TRUTH", "RUN", "LABELS", "FILE", "BEFORE", "AFTER", "ANNOTATIONS"}
"""Placeholders of arguments for which - is standard input."""

_FIRST = ("demo", "score", "compare")
"""Commands whose examples the help of the program shows."""

_FEW = 12
"""Arguments and options that are all main ones."""

PANELS = (None, "Study", "Comparison", "Labels", "Ontology", "Tables of annotations", "Label files", "Output")

MAX_SIZE = Option(
    str | None,
    None,
    Opt(
        "Largest size of a file, unpacked, such as 8GiB; by default 2GiB. Files are read into memory.",
        metavar="SIZE",
    ),
)
"""The option of every command that reads files; no key of benchmark files, since machines differ."""

CONFIG = Option(
    str | None,
    None,
    Opt(
        "File with options of reading and of audits; by default ontoeval.toml of this folder, if there "
        "is one; none: no file. Options of the command line win.",
        metavar="FILE",
    ),
)
"""The option of every command that reads an ontology."""

QUIET = Option(
    bool,
    default=False,
    opt=Opt(
        "Print results and errors alone: no notes, no recipe, no progress.",
        panel="Output",
        flags=("--quiet", "-q"),
    ),
)
"""The option of every command."""

OUT = Option(
    Path | None,
    None,
    Opt(
        "Write what is printed to this .csv, .json, .md, .tex or .xlsx file, in its format.",
        panel="Output",
        flags=("--out", "-o"),
    ),
)
"""The option of every command that prints tables and has no other --out."""

_BY_ENDING = {".html": "report", ".sarif": "sarif"} | dict.fromkeys(PICTURES, "figure")
"""Options that are meant by an --out with these endings, where the command has them."""

CommandPart = Callable[..., None]
"""What a command does with its options, or with some of them."""


class Given(NamedTuple):
    """The values of all options, those that the command line names, and the options of each part."""

    values: dict[str, Any]
    typed: frozenset[str]
    parts: Mapping[str, Mapping[str, Option]]

    def refuse(self, names: Iterable[str], expected: str) -> None:
        """Refuse the first of some options."""
        for name in names:
            option = next(one[name] for one in self.parts.values() if name in one)
            raise ParameterError((option.opt.flags or (flag(name),))[0], ..., expected)


PartChoice = Callable[..., str]
"""Find the part of a command that is meant, by its name, and refuse options of the others."""


def made_of(**parts: CommandPart) -> Callable[[PartChoice], PartChoice]:
    """Make a command of parts, of which one runs."""

    def with_parts(choose: PartChoice) -> PartChoice:
        vars(choose)["parts"] = parts
        return choose

    return with_parts


def merged_options(command: Callable[..., Any]) -> dict[str, Option]:
    """List the options of a command and of its parts; one that is not hidden replaces one that is."""
    found = dict[str, Option]()
    for part in (command, *vars(command).get("parts", {}).values()):
        options = options_of(part).items()
        found |= {name: one for name, one in options if name not in found or found[name].opt.hidden}
    return found


WORKERS = Option(
    int,
    1,
    Opt(
        "Number of threads, or with --parts of processes; 0: one for each processor. Results are the same.",
        least=0,
    ),
)
"""The option of every command that computes scores; no key of benchmark files either."""

Context = Any
"""The click context of typer: its module depends on the version of typer."""

ClickCommand = Any
"""The click command of typer: its module depends on the version of typer."""

UsageError: type[Exception] = typer.BadParameter.__mro__[1]
"""What typer raises for wrong usage, whether or not it brings click along."""


class _Plain:
    """A command whose help is plain text with what matters most first, and which starts fast."""

    examples: Sequence[str] = ()

    def format_help(self, ctx: Context, formatter: Any) -> None:  # noqa: ANN401 - as for Context
        """Write the help: purpose, examples, arguments, main options, and all others."""
        command: Any = self
        command.format_usage(ctx, formatter)
        for paragraph in command.help.split("\n\n"):
            formatter.write_paragraph()
            formatter.write_text(" ".join(paragraph.split()).replace("`", ""))
        with formatter.section("Examples"):
            formatter.write("".join(f"  {example}\n" for example in self.examples))
        for title, rows in command.sections(ctx).items():
            with formatter.section(title):
                formatter.write_dl([(name, text.replace("`", "")) for name, text in rows], col_max=28)
        command.format_epilog(ctx, formatter)

    def get_params(self, ctx: Context) -> list[Any]:
        parameters: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for parameter in parameters:
            if hasattr(parameter, "type_descriptor"):  # from typer 0.29 on
                convert = partial(_converted, parameter.process_value, parameter)
                vars(parameter).setdefault("process_value", convert)
        return parameters


def _converted(convert: Callable[..., Any], parameter: Any, ctx: Context, value: Any) -> Any:  # noqa: ANN401 - of any type
    """Convert what needs no check; for the rest typer imports pydantic, which takes as long as reading."""
    kind = parameter.type_descriptor.annotation
    if value and kind in {str, Path}:
        return kind(value)
    if value and kind in {list[str], list[Path]}:
        return list(map(kind.__args__[0], value))
    return value if value == parameter.default and not parameter.required else convert(ctx, value)


class Command(_Plain, TyperCommand):
    """A command that knows options of other programs, and those of a file."""

    options: Mapping[str, Option] = MappingProxyType({})

    def sections(self, ctx: Context) -> dict[str, list[tuple[str, str]]]:
        """List arguments and options: the main ones, where there are many, and the others by panel."""
        shown = [one for one in self.get_params(ctx) if not one.hidden]
        rows: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Main options": []}
        for one in shown:
            main = len(shown) <= _FEW or (one.name in self.options and self.options[one.name].opt.brief)
            title = one.rich_help_panel or "Other options"
            name, text = one.get_help_record(ctx)
            if one.param_type_name == "argument":  # whose type Typer names in Python's words
                name, title, main = one.metavar, "Arguments", False
            rows.setdefault("Main options" if main else title, []).append((name, text))
        return {title: found for title, found in rows.items() if found}

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Take the options apart."""
        if {"-h", "--help"} & {*args} or args == ["help"]:
            return super().parse_args(ctx, ["--help"])
        if "ontology" in self.options:
            from ontoeval.cli.config import defaults_of

            audit = partial(_function, "audit:audit")
            ctx.default_map = defaults_of(args, self.options, lambda: merged_options(audit()))
        several = (one.opts for one in self.get_params(ctx) if one.name in {"measures", "groups"})
        line = ctx.meta.get("habits")
        if line or {*chain(*several)} & {*args[:-2]} or self.error_in(ctx, args):
            from ontoeval.cli.habits import CommandLine, understood

            args = understood(ctx, line or CommandLine(str(ctx.info_name), args))
        return super().parse_args(ctx, args)

    def error_in(self, ctx: Context, args: Sequence[str]) -> Exception | None:
        """Find out why arguments are not taken; an option is no value of another."""
        bare = {"--": True} | {f: getattr(p, "is_flag", True) for p in self.get_params(ctx) for f in p.opts}
        gaps = (at for at, (a, b) in enumerate(pairwise(args), 1) if not bare.get(a, True) and b[:2] in bare)
        try:
            super().parse_args(ctx, [*args[: next(gaps, None)]])
        except UsageError as error:
            wrong = self.options.get(getattr(getattr(error, "param", None), "name", ""))
            if wrong is not None and wrong.choices:
                vars(error)["message"] += f" {wrong.opt.help}"
            return error
        return None


@cache
def _docstrings(module: str) -> dict[str, str | None]:
    """Read the docstrings of the functions of a module from its source: the import would take longer."""
    tree = ast.parse(Path(__file__).with_name(f"{module}.py").read_text(encoding="utf-8"))
    return {one.name: ast.get_docstring(one) for one in tree.body if isinstance(one, ast.FunctionDef)}


def _function(place: str) -> Callable[..., None]:
    """Import the function of a command."""
    module, _, function = place.partition(":")
    return cast("Callable[..., None]", getattr(import_module(f"ontoeval.cli.{module}"), function))


class CommandEntry(NamedTuple):
    """Where the function of a command is, and what its help shows beside the function's docstring."""

    place: str
    panel: str
    examples: Sequence[str]
    reads: bool = True
    shares: bool = False
    costs: Mapping[str, Sequence[float]] = MappingProxyType({})
    cheaper: str = ""

    def listed(self, name: str) -> ClickCommand:
        """Make what lists show of the command, without importing its module."""
        module, _, function = self.place.partition(":")
        return TyperCommand(name, help=_docstrings(module)[function], rich_help_panel=self.panel)

    def load(self, name: str) -> ClickCommand:
        """Import the module, and make the command."""
        command = _function(self.place)
        options = merged_options(command)
        app = typer.Typer(add_completion=False, rich_markup_mode="markdown", pretty_exceptions_enable=False)
        call = flatten_options(command, options, self)
        app.command(name, cls=Command, rich_help_panel=self.panel)(call)
        made = typer.main.get_command(app)
        vars(made).update(options=options, examples=self.examples)
        return made


def group_of(entries: Mapping[str, CommandEntry]) -> type[TyperGroup]:
    """Make a group of commands that are imported when they are called."""

    class Group(_Plain, TyperGroup):
        examples = tuple(entries[name].examples[0] for name in _FIRST)

        def sections(self, ctx: Context) -> dict[str, list[tuple[str, str]]]:
            rows: dict[str, list[tuple[str, str]]] = {}
            for name, entry in entries.items():
                rows.setdefault(entry.panel, []).append((name, entry.listed(name).help.partition("\n\n")[0]))
            return rows | {"Options": [one.get_help_record(ctx) for one in self.get_params(ctx)]}

        def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
            """Replace names of other programs."""
            own = {flag for one in self.get_params(ctx) for flag in one.opts}
            ctx.meta["typed"] = [*args]
            if args and args[0] not in own | {*entries} - {"explain"}:
                from ontoeval.cli.habits import known_command

                line = ctx.meta["habits"] = known_command(ctx.command_path, args, entries)
                args = [line.command, *line.args]
            return super().parse_args(ctx, args)

        def list_commands(self, ctx: Context) -> list[str]:
            del ctx
            return list(entries)

        def get_command(self, ctx: Context, cmd_name: str) -> ClickCommand | None:
            del ctx
            return entries[cmd_name].listed(cmd_name) if cmd_name in entries else None

        def resolve_command(
            self, ctx: Context, args: list[str]
        ) -> tuple[str | None, ClickCommand | None, list[str]]:
            del ctx
            return args[0], entries[args[0]].load(args[0]), args[1:]

    return Group


def flatten_options(
    command: Callable[..., None], own: Mapping[str, Option], entry: CommandEntry
) -> Callable[..., None]:
    """Make a function with the options of a command and of its groups, and with those of every command."""
    options = dict(own)
    if "ontology" in options:
        options["config"] = CONFIG
    if entry.reads:
        options["max_size"] = MAX_SIZE
    if entry.shares:
        options["workers"] = WORKERS
    options["quiet"] = QUIET
    if "output" in options and all("--out" not in one.opt.flags for one in own.values()):
        options["out"] = OUT

    def call(
        ctx: typer.Context,
        *,
        max_size: str | None = None,
        workers: int = 1,
        config: str | None = None,
        quiet: bool = False,
        **given: object,
    ) -> None:
        values = {name: _tupled(options[name], value) for name, value in given.items()}
        for name in {"out", "out_dir"} & {*values}:
            other = _BY_ENDING.get(getattr(values[name], "suffix", ""))
            if other in values and values[other] is None:
                values |= {str(other): values[name], name: None}
        out = values.pop("out") if options.get("out") is OUT else None
        _refuse_standard_input_twice(values)
        size = None if max_size is None else bytes_of(max_size)
        sources = {name: getattr(ctx.get_parameter_source(name), "name", "") for name in values}
        with (
            quietly(quiet),
            reading_at_most(size, keep_pipes=entry.reads),
            using_workers(workers or available_processors()),
        ):
            _announce(str(ctx.info_name), entry, options, values)
            part = _chosen(command, values, {name for name in values if sources[name] == "COMMANDLINE"})
            mine = options_of(part)
            if of_file := [
                one for one in ctx.default_map or () if sources[one] == "DEFAULT_MAP" and one in mine
            ]:
                from ontoeval.cli.config import tell_defaults

                hidden = {name: mine[name].default for name in of_file if mine[name].opt.hidden}
                values |= hidden  # which the part refuses
                tell_defaults(config, [name for name in of_file if name not in hidden])
            accepted = inspect.signature(part, eval_str=True).parameters
            groups = {name: one.annotation for name, one in accepted.items() if is_group(one.annotation)}
            with _into_file(out, values):
                made: dict[str, Any] = {name: filled(kind, values) for name, kind in groups.items()}
                part(**made, **{name: values[name] for name in mine.keys() & accepted.keys()})

    parameters = [_parameter(name, option) for name, option in sorted(options.items(), key=_sort_key)]
    context = inspect.Parameter("ctx", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    vars(call)["__signature__"] = inspect.Signature([context, *parameters])
    call.__annotations__ = {one.name: one.annotation for one in (context, *parameters)}
    call.__doc__ = command.__doc__
    return call


@contextmanager
def _into_file(out: Path | None, values: dict[str, Any]) -> Iterator[None]:
    """Write what is printed meanwhile to a file, in the format of its ending, if one is named."""
    if out is None:
        yield
        return
    from ontoeval.benchmarks.destinations import Destinations
    from ontoeval.benchmarks.scoring_options import Runs

    place, named = Destinations(out, ()), chain.from_iterable(map(as_list, values.values()))
    place.check([Path(one) for one in named if isinstance(one, Path | str)], Runs((), ()), {})
    if place.file_format is None:
        raise ParameterError("--out", str(out), "a file that ends in .csv, .json, .md, .tex or .xlsx")
    values["output"], ended = place.file_format, None
    with redirect_stdout(StringIO()) as text:
        try:
            yield
        except typer.Exit as end:  # with findings
            ended = end
    place.write(dict, public=False, printed=lambda _: text.getvalue())
    if ended is not None:
        raise ended


_WEIGHTS = dict.fromkeys((".jsonld", ".nt", ".obo", ".owl", ".rdf", ".ttl"), 0.36)
_WEIGHTS |= {".bz2": 6, ".gz": 6, ".parquet": 4, ".xz": 8, ".zip": 6, ".zst": 6}
"""How much CSV takes as long as a byte of other formats: of ontologies, with longer texts, less than one."""


def _announce(
    name: str, entry: CommandEntry, options: Mapping[str, Option], values: Mapping[str, Any]
) -> None:
    """Tell before files are read how long it takes, by their sizes, where that is long."""
    from ontoeval.cli.terminal import warn

    sizes = {"ontology": 0.0, "labels": 0.0}  # megabytes
    for key, option in options.items():
        named = option.opt.panel != "Output" and (option.item is Path or option.metavar == "FILE")
        paths = [Path(one) for one in as_list(values.get(key) or ()) if named]
        for file in chain(paths, *(path.iterdir() for path in paths if path.is_dir())):
            weight = _WEIGHTS.get(file.suffix, 1)
            kind = "ontology" if key == "ontology" or weight < 1 else "labels"
            sizes[kind] += weight * (file.is_file() and file.stat().st_size) / 1e6
    labels = sizes["labels"]
    sizes |= {"deep": labels * min(1.0, 2 * sizes["ontology"]), "any": min(1.0, 2 * labels)}
    seconds, memory = (sum(rates[at] * sizes[kind] for kind, rates in entry.costs.items()) for at in (0, 1))
    title = estimated(name, seconds, _advice(entry.cheaper, options, values), 1e6 * memory)
    warn([title] * (title != name))


def _advice(cheaper: str, options: Mapping[str, Option], values: Mapping[str, Any]) -> str:
    """Leave out what is done already, by an option that has one value, other than by default."""

    def done(clause: str) -> bool:
        named = {*re.findall("--?[a-z]+", clause)}
        for name, option in options.items():
            given = as_list(values.get(name) or ())
            if len(given) == 1 and named & {*option.opt.flags, flag(name)}:
                exact = option.choices or option.item is int
                return f"{given[0]}" in clause.strip(")").split() if exact else given[0] != option.default
        return False

    return ", ".join(clause for clause in re.split("[,;] ", cheaper) if not done(clause))


def _chosen(command: Callable[..., Any], values: dict[str, Any], typed: Collection[str]) -> CommandPart:
    """Find the part of a command that is meant."""
    parts: Mapping[str, CommandPart] = vars(command).get("parts", {})
    if not parts:
        return command
    own = {name: values[name] for name in options_of(command)}
    options = {name: options_of(part) for name, part in parts.items()}
    return parts[command(Given(values, frozenset(typed) - own.keys(), options), **own)]


@contextmanager
def quietly(quiet: bool) -> Iterator[None]:  # noqa: FBT001 - it is the option
    """Print no remarks and no progress meanwhile, if asked."""
    if not quiet:
        yield
        return
    from ontoeval.cli.terminal import err

    err.quiet = True
    try:
        yield
    finally:
        err.quiet = False


def _sort_key(option: tuple[str, Option]) -> tuple[bool, int]:
    opt = option[1].opt
    return not opt.positional, PANELS.index(opt.panel)


def _parameter(name: str, option: Option) -> inspect.Parameter:
    kind, default, opt = option
    if option.several and default is REQUIRED:
        kind = GenericAlias(list, (option.item,))
    elif option.several:
        kind, default = GenericAlias(list, (option.item,)) | None, None
    shown: Any = {"help": opt.help, "metavar": option.metavar, "min": opt.least, "hidden": opt.hidden}
    if opt.positional:
        about = typer.Argument(**shown)
    else:
        flags = opt.flags or ((flag(name),) if option.item is bool else ())
        about = typer.Option(*flags, rich_help_panel=opt.panel, **shown)
    annotation = getitem(cast("Any", Annotated), (kind, about))
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _tupled(option: Option, value: Any) -> Any:  # noqa: ANN401 - of any type
    if option.several:
        return option.default if value is None else tuple(_piped(option, one) for one in value)
    return _piped(option, value)


def _piped(option: Option, value: Any) -> Any:  # noqa: ANN401 - of any type
    named = option.opt.positional and option.opt.metavar in _INPUTS
    return STDIN if named and value == Path("-") else value


def _refuse_standard_input_twice(values: Mapping[str, Any]) -> None:
    named = [one for value in values.values() for one in (value if isinstance(value, tuple) else (value,))]
    if named.count(STDIN) > 1:
        raise InputError("- stands for several files", "Name it once: standard input is one file.")
