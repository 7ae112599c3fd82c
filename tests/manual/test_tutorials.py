"""The pages whose code the build runs: what they print, their pictures, and their notebooks."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

for needed in ("matplotlib", "pandas", "sklearn"):
    pytest.importorskip(needed)

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [
    page
    for page in sorted([*DOCS.glob("tutorials/*.md"), *DOCS.glob("gallery/*.md")])
    if "```{picture}" in page.read_text(encoding="utf-8")
]


@pytest.fixture(scope="module")
def pictures() -> ModuleType:
    spec = importlib.util.spec_from_file_location("pictures", DOCS / "_ext" / "pictures.py")
    assert spec is not None
    assert spec.loader is not None
    sys.modules[spec.name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_runs_and_draws_a_picture_with_a_text_and_a_dark_form_for_each_block(
    page: Path, pictures: ModuleType, tmp_path: Path
) -> None:
    text = page.read_text(encoding="utf-8")
    made = pictures.made_page(page, tmp_path)
    drawn = re.findall(r"^```\{image\} (\S+)\n:alt: (.+)\n:class: drawn\n```", made, re.MULTILINE)
    assert len(drawn) == text.count("```{picture}") == len(list(tmp_path.glob("*.svg"))) >= 2
    assert "![" not in text, "a picture without the code that draws it"
    for place, alt in drawn:
        assert len(alt) > 30, "an alternative text says what the picture shows"
        svg = (tmp_path / Path(place).name).read_text(encoding="utf-8")
        assert "<use " in svg, "letters"
        # A white ground would be black text on black once lightness is turned round.
        assert re.search(r'id="patch_1">\s*<path d="[^"]*"\s*style="fill: none', svg)
    # The cells of the notebook are those that have just been run.
    (path,) = tmp_path.glob("*.ipynb")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = "\n".join(cell["source"] for cell in cells if cell["cell_type"] == "code")
    shown = re.findall(r"^(?:>>>|\.\.\.) ?(.*)$", text, re.MULTILINE)
    assert ast.dump(ast.parse("\n".join(line for line in code.splitlines() if line != "ax"))) == ast.dump(
        ast.parse("\n".join(shown))
    )


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ("```python\n>>> 1 + 1\n3\n```\n", "expected:\n3\n\nprinted:\n2"),
        ("```python\n>>> print(5)\n```\n", "printed:\n5"),
        (
            "```{picture}\n:alt: A picture that no variable holds\n>>> axes = 1\n```\n",
            "needs :alt: and an `ax`",
        ),
        (
            "```{picture}\n>>> import matplotlib.pyplot as plt\n>>> figure, ax = plt.subplots()\n```\n",
            "needs :alt:",
        ),
    ],
)
def test_a_page_that_does_not_keep_its_word_stops_the_build(
    block: str, message: str, pictures: ModuleType, tmp_path: Path
) -> None:
    page = tmp_path / "tutorials" / "t.md"
    page.parent.mkdir()
    page.write_text(f"# Title\n\n{block}", encoding="utf-8")
    with pytest.raises(pictures.PageError, match=re.escape(message)):
        pictures.made_page(page, tmp_path / "drawn")
    assert not (tmp_path / "drawn").exists()


def test_the_gallery_leads_from_every_picture_to_its_code(pictures: ModuleType) -> None:
    shown = re.findall(r'<a href="\.\./([\w/-]+)\.html#([\w-]+)"><img', "".join(pictures.thumbnails(DOCS)))
    pages = {str(page.relative_to(DOCS).with_suffix("")): page.read_text(encoding="utf-8") for page in PAGES}
    assert len(shown) == sum(text.count("```{picture}") for text in pages.values()) >= 39
    for page, anchor in shown:
        headings = re.findall(r"^## (.*)$", pages[page], re.MULTILINE)
        assert anchor in {re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-") for heading in headings}


def test_every_tutorial_ends_alike() -> None:
    for page in DOCS.glob("tutorials/t*.md"):
        last = page.read_text(encoding="utf-8").rpartition("\n## ")[2]
        assert re.match(r"What (this|these) numbers? does? not say|What this number does not say", last), (
            page.name
        )
        paragraph, onward = last.split("\n\n")[1:3]
        assert len(re.findall(r"[.?!](?=\s|$)", paragraph)) == 3, f"{page.name}: three sentences"
        assert len(re.findall(r"\]\([^)]+\)", onward)) == 1, f"{page.name}: one link on"
