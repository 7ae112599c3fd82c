"""What is promised about installing: versions, the data that come along, and one command for everyone."""

import re
import tomllib
from importlib.metadata import metadata, version
from itertools import chain
from pathlib import Path

import pytest

import ontoeval
from ontoeval.errors import OntoevalError
from ontoeval.ontology import ontologies

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def contents(folder: Path) -> dict[Path, bytes]:
    return {file.relative_to(folder): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def padded(number: str) -> str:
    """Write 1.26 as 1.26.0: they are one release."""
    return number + ".0" * (2 - number.count("."))


def test_the_minimum_environment_tests_the_minimum_versions():
    extras = {name: some for name, some in PROJECT["optional-dependencies"].items() if name != "integrations"}
    requirements = [*PROJECT["dependencies"], *chain(*extras.values())]
    promised = dict(re.findall(r"^([a-z]+)>=([0-9.]+)", "\n".join(requirements), re.MULTILINE))
    file = (ROOT / "tests" / "minimum-versions.txt").read_text(encoding="utf-8")
    # A line with a remark is a dependency of a dependency.
    tested = dict(re.findall(r"^([a-z]+)==([0-9.]+)$", file, re.MULTILINE))
    assert {name: padded(number) for name, number in tested.items()} == {
        name: padded(number) for name, number in promised.items()
    }


def test_the_extra_all_is_all_extras_but_one_of_gigabytes():
    extras = PROJECT["optional-dependencies"]
    named = re.fullmatch(r"ontoeval-metrics\[(.*)\]", extras["all"][0])
    assert named is not None
    assert sorted(named[1].split(",")) == sorted(set(extras) - {"all", "integrations"})


def test_the_installed_version_is_that_of_the_sources():
    assert version("ontoeval-metrics") == ontoeval.__version__


def test_the_package_says_that_it_is_typed():
    assert (Path(ontoeval.__file__).parent / "py.typed").is_file()


def test_every_ontology_of_the_repository_comes_along():
    files = {file.stem: file.read_bytes() for file in (ROOT / "ontologies").glob("*.ttl")}
    assert files
    assert {name: ontologies.path(name).read_bytes() for name in ontologies.names()} == files


def test_the_benchmark_comes_along_whole():
    files = contents(ROOT / "examples" / "benchmark")
    assert files
    assert contents(ontologies.benchmark()) == files


def test_an_ontology_is_found_with_and_without_its_suffix():
    name = ontologies.names()[0]
    assert ontologies.path(name) == ontologies.path(f"{name}.ttl")


def test_an_unknown_ontology_is_an_error_that_names_near_ones():
    name = ontologies.names()[0]
    with pytest.raises(OntoevalError, match=rf"'{re.escape(name)}x'.*near:.*'{re.escape(name)}'"):
        ontologies.path(f"{name}x")


def test_the_address_of_the_repository_is_the_same_everywhere():
    address = re.compile(r"https://(?:raw\.githubusercontent|github)\.com/([\w-]+)/ontoeval\b")
    named = {
        owner
        for file in ("pyproject.toml", "CITATION.cff", ".github/ISSUE_TEMPLATE/config.yml")
        for owner in address.findall((ROOT / file).read_text(encoding="utf-8"))
    }
    assert len(named) == 1


def test_the_index_shows_the_readme_with_links_that_work_there():
    shown = str(metadata("ontoeval-metrics").json["description"])
    targets = re.findall(r"\]\(([^)\s]+)\)", shown)
    assert len(targets) > 5
    assert all(target.startswith(("https://", "#")) for target in targets)
    assert f"/v{ontoeval.__version__}/docs/_static/" in shown, "the picture of this version"


def test_the_licences_of_data_and_scripts_come_along():
    described = metadata("ontoeval-metrics")
    licences = "Apache-2.0 AND BSD-3-Clause AND CC0-1.0 AND ISC AND MIT AND Zlib"
    assert described["License-Expression"] == licences
    files = {Path(name).name for name in described.get_all("License-File") or ()}
    assert files == {"LICENSE", "CC0-1.0.txt", "plotly.js.txt"}
    named = (ROOT / "LICENSES" / "plotly.js.txt").read_text(encoding="utf-8")
    assert set(re.findall(r"^\S+ [\d.]+ \((.*)\)$", named, re.MULTILINE)) <= set(licences.split(" AND "))


@pytest.mark.parametrize("file", ["README.md", "CONTRIBUTING.md"])
def test_readers_are_given_the_command_that_continuous_integration_runs(file):
    command = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()[-1]
    assert command in (ROOT / file).read_text(encoding="utf-8").splitlines()
