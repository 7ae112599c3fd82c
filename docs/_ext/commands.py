"""A page for each command, written from its parameters when the manual is built."""

import inspect
from importlib import import_module
from pathlib import Path
from types import NoneType
from typing import Literal, get_args, get_origin

from measures import cell, remove_others, table, write_if_new
from typer.models import ArgumentInfo

from ontoeval.cli import COMMANDS
from ontoeval.cli.commands import PANELS, flatten_options, merged_options
from ontoeval.options import flag

FOLDER = "reference/cli"
FEW = 3
"""Choices that are written behind an option; more have a sentence."""


def parameters_of(name):
    """Describe the parameters of a command by panel: spelling, default and meaning."""
    entry = COMMANDS[name]
    module, _, function = entry.place.partition(":")
    command = getattr(import_module(f"ontoeval.cli.{module}"), function)
    panels = {panel: [] for panel in ("Arguments", *(panel or "Options" for panel in PANELS))}
    flat = flatten_options(command, merged_options(command), entry)
    for one in inspect.signature(flat).parameters.values():
        if one.name == "ctx":
            continue
        kind, about = get_args(one.annotation)
        if about.hidden:
            continue
        if isinstance(about, ArgumentInfo):
            panel, flags = "Arguments", [about.metavar or one.name.upper()]
        else:
            panel, flags = about.rich_help_panel or "Options", flags_of(about) or [flag(one.name)]
        spelling = [f"`{text}`" for spelt in flags for text in spelt.split("/")]
        if panel != "Arguments" and (value := value_of(kind, about.metavar)):
            spelling[-1] = f"{spelling[-1][:-1]} {value}`"
        choices = choices_of(kind)
        more = f" One of {', '.join(f'`{value}`' for value in choices)}." if len(choices) > FEW else ""
        row = (cell(", ".join(spelling)), default_of(one.default), cell(f"{about.help or ''}{more}"))
        panels.setdefault(panel, []).append(row)
    return {panel: rows for panel, rows in panels.items() if rows}


def flags_of(about):
    """Spellings of an option: typer takes the first for a default where the type is annotated."""
    first = [about.default] if isinstance(about.default, str) and about.default.startswith("-") else []
    return [*first, *(about.param_decls or ())]


def choices_of(kind):
    """List the values of an option that has a choice."""
    if get_origin(kind) is Literal:
        return list(map(str, get_args(kind)))
    return [value for one in get_args(kind) for value in choices_of(one)]


def value_of(kind, metavar):
    """Write what stands behind an option: few choices, the word for its value, or nothing for a flag."""
    choices = choices_of(kind)
    if metavar or len(choices) > FEW:
        return metavar or "NAME"
    if choices:
        return "|".join(choices)
    kinds = [one for one in get_args(kind) or (kind,) if one is not NoneType]
    return "" if bool in kinds else getattr(kinds[0], "__name__", "VALUE").upper()


def default_of(value):
    """Write the default of a parameter."""
    if value is inspect.Parameter.empty:
        return "required"
    if value is None or value == ():
        return "–"
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"`{value}`"


def page(name):
    """Write the page of a command."""
    entry = COMMANDS[name]
    module, _, function = entry.place.partition(":")
    doc = inspect.getdoc(getattr(import_module(f"ontoeval.cli.{module}"), function)) or ""
    panels = parameters_of(name)
    arguments = "".join(f" {row[0].strip('`')}" for row in panels.get("Arguments", ()))
    parts = [
        f"---\norphan: true\n---\n\n# `ontoeval {name}`\n\n{doc}\n",
        f"```text\nontoeval {name}{arguments} [OPTIONS]\n```\n",
        "## Examples\n",
        "\n".join(["```console", *(f"$ {wrapped(example)}" for example in entry.examples), "```\n"]),
    ]
    for panel, rows in panels.items():
        parts += [
            f"## {panel}\n",
            table(("argument" if panel == "Arguments" else "option", "default", "meaning"), rows),
        ]
    parts.append("Other commands: [Command line](../../command-line.md).\n")
    return "\n".join(parts)


def wrapped(example, width=80):
    """Break a command before an option where its line would be scrolled."""
    lines = [""]
    for word in example.split(" -"):
        text = word if not lines[-1] and len(lines) == 1 else f" -{word}"
        if len(lines[-1]) + len(text) > width:
            lines[-1] += " \\"
            lines.append(f"   {text}")
        else:
            lines[-1] += text
    return "\n".join(lines)


def write_pages(app):
    """Write the page of every command, and their list."""
    source = Path(app.srcdir, FOLDER)
    rows = []
    remove_others(source, COMMANDS)
    for name, entry in COMMANDS.items():
        write_if_new(source / f"{name}.md", page(name))
        doc = entry.listed(name).help.partition("\n\n")[0]
        rows.append((entry.panel, f"[`ontoeval {name}`]({FOLDER}/{name}.md)", doc))
    write_if_new(source / "commands.txt", table(("for", "command", "does"), rows))


def setup(app):
    """Write the pages before Sphinx looks for pages."""
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
