"""Examples that need other libraries run with them: those of docstrings, and those of the manual's page."""

from __future__ import annotations

import doctest
import inspect
import re
from pathlib import Path

import pytest

import ontoeval as oe

PAGE = Path(__file__).parents[2] / "docs" / "integrations.md"
CODE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
# What has a prompt runs with the other pages.
PLAIN = [block for block in CODE.findall(PAGE.read_text(encoding="utf-8")) if ">>>" not in block]


def needs(block: str) -> list[str]:
    return [name for name in re.findall(r"^(?:import|from) (\w+)", block, re.MULTILINE) if name != "ontoeval"]


@pytest.mark.parametrize("name", ["sklearn.scorer", "torchmetrics.OntoevalMetric"])
def test_the_examples_of_docstrings_are_right(name):
    library, own = name.split(".")
    pytest.importorskip(library)
    module = getattr(oe.integrations, library)
    text = str(inspect.getdoc(getattr(module, own))).replace("# doctest: +SKIP", "")
    examples = doctest.DocTestParser().get_doctest(text, dict(vars(module)), name, None, 0)
    assert len(examples.examples) > 2
    assert doctest.DocTestRunner().run(examples).failed == 0


@pytest.mark.parametrize("block", PLAIN, ids=lambda block: needs(block)[-1])
@pytest.mark.filterwarnings("default")
def test_the_examples_of_the_page_run(block, tmp_path, monkeypatch):
    for library in needs(block):
        pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    # The small distribution of MLflow writes to files alone.
    monkeypatch.setenv("MLFLOW_TRACKING_URI", str(tmp_path / "runs"))
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    exec(compile(block, str(PAGE), "exec"), {"__name__": "example"})  # noqa: S102 - our own
