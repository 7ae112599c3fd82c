"""Only what users meet is documented in full: everything else gets a sentence or two."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

import ontoeval as oe
from ontoeval import errors
from ontoeval.audit.findings import rules_of
from ontoeval.labels.formats import FORMATS, Recognised
from ontoeval.labels.recognition import LABEL_FORMATS

PACKAGE = Path(oe.__file__).parent
MANUAL = PACKAGE.parent / "docs" / "api.md"
SECTION = re.compile(r"^(Parameters|Returns|Yields|Raises|Attributes|Notes|References)\n-{4,}", re.MULTILINE)


def shown() -> Iterator[Any]:
    """What the public names reach: they themselves, what the manual adds to them, errors and measures."""
    yield from (getattr(oe, name) for name in oe.__all__)
    measures = (entry.measure for entry in oe.CATALOGUE)
    yield from (one if inspect.isclass(one) else type(one) for one in measures)
    yield from vars(errors).values()
    for table in (
        oe.comparison.AXIOMS,
        oe.comparison.BASELINES,
        oe.comparison.CORRELATIONS,
        oe.comparison.PERTURBATIONS,
    ):
        yield from (table.values() if hasattr(table, "values") else table)
    page = MANUAL.read_text(encoding="utf-8")
    for root, name in re.findall(r"^- `(oe|ontoeval)\.([\w.]+)`$", page, re.MULTILINE):
        home, _, own = name.rpartition(".")
        yield attrgetter(name)(oe) if root == "oe" else getattr(import_module(f"ontoeval.{home}"), own)
    for module in (oe.figures, oe.ontologies):
        yield from (value for name, value in vars(module).items() if not name.startswith("_"))


def public() -> set[tuple[str, str]]:
    """Module and name of all that is documented in full; of classes also what they inherit."""
    found: set[tuple[str, str]] = set()
    for value in shown():
        for one in inspect.getmro(value) if inspect.isclass(value) else (value,):
            home, name = getattr(one, "__module__", None), getattr(one, "__qualname__", None)
            if home and name:
                found.add((home, name))
                members = vars(one) if inspect.isclass(one) else ()
                found.update((home, f"{name}.{member}") for member in members)
    return found


PUBLIC = public()


def test_the_manual_lists_every_public_object() -> None:
    page = MANUAL.read_text(encoding="utf-8")
    rooms = (
        "annotators",
        "audit",
        "comparison",
        "concepts",
        "confusion",
        "core",
        "evaluation",
        "labels",
        "measures",
    )
    names = {"oe": oe.__all__} | {f"oe.{room}": getattr(oe, room).__all__ for room in rooms}
    public = {
        f"{home}.{name}"
        for home, listed in names.items()
        for name in listed
        if not inspect.ismodule(getattr(attrgetter(home.partition(".")[2])(oe) if "." in home else oe, name))
    }
    assert {name for name in public - {"oe.__version__"} if f"- `{name}`" not in page} == set()


def definitions(node: ast.AST, outer: str = "") -> Iterator[tuple[str, str]]:
    """Name and docstring of all functions and classes."""
    for child in ast.iter_child_nodes(node):
        name = outer
        if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            name = f"{outer}.{child.name}" if outer else child.name
            yield name, ast.get_docstring(child) or ""
        yield from definitions(child, name)


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_internals_are_documented_without_sections(path: Path) -> None:
    module = ".".join(("ontoeval", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(
        ".__init__"
    )
    tree = ast.parse(path.read_text(encoding="utf-8"))
    full = [name for name, text in definitions(tree) if SECTION.search(text) and (module, name) not in PUBLIC]
    assert not full, "give a sentence instead, or make them public"


def test_what_the_guide_for_contributors_names_exists() -> None:
    root = PACKAGE.parent
    spans = set(re.findall(r"`([^`\n]+)`", (root / "CONTRIBUTING.md").read_text(encoding="utf-8")))
    words = {word for span in spans for word in span.split()}
    files = {word for word in words if re.fullmatch(r"\w[\w.-]*(/[\w.-]+)+/?|\w+\.(py|toml|bib|md)", word)}
    code = [path for folder in ("ontoeval", "tests") for path in (root / folder).rglob("*.*")]
    assert [
        file for file in files if not (root / file).exists() and file not in {one.name for one in code}
    ] == []
    texts = (path.read_text(encoding="utf-8") for path in code if path.suffix in {".py", ".toml"})
    defined = r"(?:def|class|import|\.) *(\w+)|(\w+) *[:=]|[\"'](\w+)[\"']"
    found = re.findall(defined, "\n".join((*texts, (root / "pyproject.toml").read_text(encoding="utf-8"))))
    known = {name for names in found for name in names} | {*dir(builtins)}
    names = {
        span.partition("(")[0] for span in spans - files if re.fullmatch(r"[A-Za-z_][\w.]*(\(.*\))?", span)
    }
    assert [name for name in names if not known.issuperset(name.split("."))] == []


def test_every_format_of_label_files_that_can_be_asked_for_is_declared() -> None:
    assert sorted(LABEL_FORMATS) == sorted(FORMATS)
    for row in LABEL_FORMATS.values():
        assert "{" not in str(Recognised("wide", ",", words=row.words))


def test_the_manual_has_every_rule_of_an_audit() -> None:
    pages = " ".join(page.read_text(encoding="utf-8") for page in (PACKAGE.parent / "docs").glob("*.md"))
    assert [
        rule for kind in ("labels", "ontology", "run") for rule in rules_of(kind) if f"`{rule}`" not in pages
    ] == []
