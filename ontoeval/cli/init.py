"""``ontoeval init``: a benchmark file to start from, with everything that it can say."""

from __future__ import annotations

import inspect
import json
import re
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import typer

from ontoeval.cli.benchmark_file import FILE, RESULTS, alternatives, keys
from ontoeval.cli.option_table import OPTIONS
from ontoeval.cli.terminal import tell
from ontoeval.core.writing import write_all
from ontoeval.errors import InputError

_HEAD = """\
A benchmark: `ontoeval run` does what is said here, again and again, and writes a folder of results. Keys
are the options of `ontoeval compare`, and paths start where this file lies. What is commented out is as it is
by default, or an example.
"""

_FIRST = ("truth", "runs", "ontology", "agreement", "names", "measures", "baselines", "by", "seed", "out")
"""What comes first; all else follows in the order of the options."""

_EXAMPLES: dict[str, Any] = {
    "ontology": "photo",
    "agreement": "agreement.csv",
    "imports": ["http://example.org/food=food.owl"],
    "weights": ["size=weights.csv"],
    "measures": ["OS", "F", "F(average='macro')"],
    "baselines": ["empty", "prior", "random"],
    "by": ["splits.csv", "branch", "level"],
    "agreement_default": 1.0,
    "threshold": 0.5,
    "correction": "tukey",
    "preset": "sklearn",
    "repeats": "refuse",
    "out": RESULTS,
    "long": "values.parquet",
    "report": "report.html",
    "images": "photos",
    "figures": "figures",
}
"""Values of keys without default, where the name of a file says too little."""

_WIDTH = 110


def init(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the file is to lie.")] = Path(),
) -> None:
    """Write a commented benchmark file; what lies beside it is filled in, nothing is overwritten."""
    path = folder / FILE
    if path.exists():
        raise InputError("this file is there already", "Edit it, or name another folder.", where=path)
    found = _found(folder)
    # It weights the score of an ontology.
    agreement = None if "ontology" in found else found.pop("agreement", None)
    write_all({path: template(found)})
    lines = [f"{key} = {_toml(value)}" for key, value in found.items()]
    if agreement is not None:
        lines.append(f"agreement = {_toml(agreement)} is left out: it needs an ontology, and none lies there")
    tell([f"{path} is written; `ontoeval run {path}` does what it says", *lines], "table")


def template(found: dict[str, Any]) -> str:
    """Write a benchmark file with every key."""
    required = {"truth": "truth.csv", "runs": ["runs"]}
    blocks = [_commented(_HEAD)]
    order = [*_FIRST, *(key for key in keys() if key not in _FIRST)]
    for key in order:
        parameter = keys()[key]
        kind, option = parameter.annotation, OPTIONS[key]
        choices = [text for one in alternatives(kind) if get_origin(one) is Literal for text in get_args(one)]
        known = {**required, **found}
        value = known[key] if key in known else _example(key, parameter, choices or [option.metavar])
        line = f"{key} = {_toml(value)}"
        # On the command line an option is repeated; here it has a list.
        said = re.sub(r"[;.] can be repeated\b", "", option.help, flags=re.IGNORECASE)
        said += f" One of: {', '.join(choices)}." if choices else ""
        blocks.append(_commented(said) + (line if key in known else f"# {line}") + "\n")
    return "\n".join(blocks)


def _example(key: str, parameter: inspect.Parameter, shown: Sequence[str]) -> Any:  # noqa: ANN401 - whatever TOML can hold
    if key in _EXAMPLES:
        return _EXAMPLES[key]
    if parameter.default is not None:
        return parameter.default
    return [shown[0]] if "list" in str(parameter.annotation) else shown[0]


def _found(folder: Path) -> dict[str, Any]:
    """Guess from their names which files are meant."""
    names = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    found: dict[str, Any] = {}
    for key, stems in (("truth", ("truth",)), ("agreement", ("agreement",)), ("names", ("names", "teams"))):
        meant = [name for name in names if Path(name).stem.lower() in stems and (folder / name).is_file()]
        if meant:
            found[key] = meant[0]
    if (folder / "runs").is_dir():
        found["runs"] = ["runs"]
    ontologies = [
        name for name in names if Path(name).suffix.lower() in {".owl", ".ttl", ".obo", ".rdf", ".skos"}
    ]
    if len(ontologies) == 1:
        found["ontology"] = ontologies[0]
    return found


def _commented(text: str) -> str:
    return "".join(f"# {line}\n" for line in textwrap.wrap(text, _WIDTH - 2, break_on_hyphens=False))


def _toml(value: Any) -> str:  # noqa: ANN401 - whatever TOML can hold
    """Write texts, numbers and lists; of these JSON is TOML, but for one sign."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
