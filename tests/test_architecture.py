"""Who may import whom, and what `import ontoeval` loads."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import networkx as nx
import pytest

import ontoeval as oe

PACKAGE = Path(oe.__file__).parent
ROOMS = [
    "_version",
    "errors",
    "options",
    "plumbing",
    "core",
    "concepts",
    "measures",
    "evaluation",
    "confusion",
    "comparison",
    "annotators",
    "ontology",
    "labels",
    "audit",
    "reports",
    "benchmarks",
    "integrations",
    "cli",
    "__main__",
]
"""From the ground up: a room imports itself and what stands before it, and nothing else."""
UPWARDS: dict[tuple[str, ...], str] = {
    ("core", "showing"): "ontoeval.reports",
    ("core", "graphs"): "ontoeval.ontology.reading",
    ("core", "inputs"): "ontoeval.labels.paths",
    ("annotators", "given"): "ontoeval.labels.annotations",
    ("evaluation", "slices"): "ontoeval.labels.per_sample",
}
"""The modules that reach upwards: results show themselves; hierarchies and labels may be given by files."""
VIEWS = {
    "best_threshold",
    "decoding",
    "hierarchical",
    "lowest_common_ancestors",
    "operating_curve",
    "single_labels",
}
"""Measures whose view makes other label sets."""
LEVEL = {room: level for level, room in enumerate(ROOMS)}
FILES = {path.relative_to(PACKAGE).with_suffix("").parts: path for path in sorted(PACKAGE.rglob("*.py"))}
PARTS = {parts: path for parts, path in FILES.items() if parts != ("__init__",)}


def imported(path: Path) -> Iterator[str]:
    """Every module that a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "import_module":
            yield from (str(one.value) for one in node.args[:1] if isinstance(one, ast.Constant))


@pytest.mark.parametrize("parts", PARTS, ids="/".join)
def test_a_module_imports_only_from_its_own_part_and_from_those_below(parts: tuple[str, ...]) -> None:
    own = parts[0]
    for name in imported(PARTS[parts]):
        package, *inner = name.split(".")
        if package == "ontoeval":
            assert inner[0] in LEVEL, f"{name}: which room?"
            below = inner[0] == own or LEVEL[inner[0]] < LEVEL[own]
            assert below or UPWARDS.get(parts) == name, name
        if own == "ontology":
            assert package != "ontoeval" or inner[0] in {
                "errors",
                "options",
                "plumbing",
                "core",
                "ontology",
            }, name
        assert package not in {"pyoxigraph", "rdflib"} or own == "ontology", name
        sees_labels = inner[:2] in (["core", "label_sets"], ["core", "label_scores"])
        assert own != "measures" or parts[1] in VIEWS or not sees_labels, "formulas never see labels"
        assert own in {"cli", "__main__"} or inner[:1] != ["cli"], "nothing imports the command line"


def test_no_public_name_comes_from_the_command_line() -> None:
    assert ".cli" not in (PACKAGE / "__init__.pyi").read_text(encoding="utf-8")


def meanings() -> Iterator[tuple[str, str]]:
    """Every class with its place, private ones too, and every alias of a type with what it stands for."""
    for parts, path in FILES.items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                yield node.name, f"{'/'.join(parts)}:{node.lineno}"
        for node in tree.body:
            if isinstance(node, ast.Assign) and not (name := ast.unparse(node.targets[0])).isupper():
                yield name, ast.unparse(node.value)


def test_a_name_of_a_type_has_one_meaning_in_the_package() -> None:
    met: dict[str, set[str]] = {}
    for name, meaning in meanings():
        met.setdefault(name, set()).add(meaning)
    assert {name: found for name, found in met.items() if len(found) > 1} == {}


def arrows() -> Iterator[tuple[str, str]]:
    """From every module to each that it imports, wherever and for whatever."""
    names = {".".join(("ontoeval", *parts)).removesuffix(".__init__") for parts in FILES}
    for parts, path in FILES.items():
        own = ".".join(("ontoeval", *parts)).removesuffix(".__init__")
        for found in imported(path):
            name = found
            while name not in names and "." in name:
                name = name.rpartition(".")[0]
            if name in names and name not in {own, "ontoeval"}:
                yield own, name


def test_no_modules_import_each_other_in_a_circle() -> None:
    circles = [
        sorted(part) for part in nx.strongly_connected_components(nx.DiGraph(arrows())) if len(part) > 1
    ]
    assert not circles


DOORS = {
    *("evaluation.alignment", "evaluation.explanation"),
    *("comparison.baselines", "comparison.perturbations", "concepts.information", "concepts.cooccurrence"),
    "annotators.annotations",
    *("audit.labels", "audit.ontology_changes", "audit.versions"),
    "labels.writers",
}
"""Modules that read what is handed over; all others take label sets, batches or totals."""


def test_nothing_behind_a_door_reads_labels_again() -> None:
    inputs = "ontoeval.core.inputs."
    found = {
        ".".join(parts)
        for parts, path in FILES.items()
        for name in imported(path)
        if name.startswith(inputs)
        and name.removeprefix(inputs) not in {"Labels", "RunsOrPaths", "runs_by_name"}
    }
    assert found == DOORS


LOADED = "import sys; import ontoeval; {}; print(*sorted(sys.modules))"


@pytest.mark.parametrize("first_use", ["pass", "ontoeval.__version__", "dir(ontoeval)"])
def test_importing_the_package_loads_nothing_heavy(first_use: str) -> None:
    script = LOADED.format(first_use)
    loaded = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, text=True
    ).stdout.split()
    assert "ontoeval" in loaded
    assert not {"numpy", "scipy", "rdflib", "networkx", "typer", "rich", "pandas"} & set(loaded)


def test_evaluating_loads_neither_rdf_nor_frames() -> None:
    script = LOADED.format("ontoeval.evaluate([[1, 0]], [[1, 1]]).scores")
    loaded = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, text=True
    ).stdout.split()
    assert "numpy" in loaded
    assert not {"rdflib", "networkx", "typer", "rich", "pandas", "narwhals"} & set(loaded)


@pytest.mark.parametrize("public", oe.__all__)
def test_every_public_name_is_there(public: str) -> None:
    assert getattr(oe, public) is not None
    assert public in dir(oe)


ROOMS_OF_NAMES = [room for room in oe.__all__ if (PACKAGE / room / "__init__.pyi").is_file()]


@pytest.mark.parametrize("room", ROOMS_OF_NAMES)
def test_a_room_lists_its_public_names_whatever_was_imported_before(room: str) -> None:
    for parts in PARTS:
        if parts[0] == room:
            import_module(".".join(("ontoeval", *parts)).removesuffix(".__init__"))
    names = dir(getattr(oe, room))
    assert names
    for public in names:
        named = getattr(getattr(oe, room), public)
        is_module = room == "integrations" or public in {"ontologies", "figures"}
        assert isinstance(named, ModuleType) == is_module, public


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("no_such_name", ""),
        ("perturb", ": use ontoeval.comparison.perturb"),
        ("evalute", ": use ontoeval.evaluate or ontoeval.evaluation"),
        ("read_agreemint", ": use ontoeval.read_agreement"),
    ],
)
def test_a_name_that_is_not_at_the_top_is_an_error_that_says_where_it_is(name: str, hint: str) -> None:
    with pytest.raises(AttributeError, match=f"^No ontoeval attribute {name}{hint}$"):
        getattr(oe, name)


def test_scoring_without_an_ontology_loads_no_reader_of_rdf(tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    file.write_text("id,labels\np1,a\n", encoding="utf-8")
    program = (
        f"import sys; sys.argv[1:] = ['score', {str(file)!r}, {str(file)!r}, '-m', 'F']; sys.exit = print"
    )
    program += "; from ontoeval.__main__ import main; main(); print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "1.0000" in done.stdout
    assert not {"rdflib", "ontoeval.ontology.rdf", "ontoeval.ontology.reading"} & set(done.stdout.split())


def test_no_field_has_a_default_that_an_older_python_refuses() -> None:
    wrong = [
        f"{path}:{node.lineno}"
        for path in FILES.values()
        for kind in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(kind, ast.ClassDef) and "dataclass" in "".join(map(ast.unparse, kind.decorator_list))
        for node in kind.body
        if isinstance(node, ast.AnnAssign) and node.value is not None
        and ast.unparse(node.value).removeprefix("field(default=").startswith("MappingProxyType(")
    ]  # fmt: skip
    assert wrong == []  # Python 3.11 takes a mapping proxy for mutable
