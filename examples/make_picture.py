"""Draw the pictures of the manual's first page: what measures see of a wrong label, and a confusion matrix.

python examples/make_picture.py --out docs/_static
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import ontoeval as oe
from ontoeval.reports.paper import drawing, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TRUE, ANSWERS = "trees", {"plants": "#0072B2", "mountains": "#D55E00"}
LINKS = [("landscape_element", "plants"), ("landscape_element", "mountains"), ("plants", "trees")]
PLACES = {"landscape_element": (1, 2), "plants": (0.25, 1), "mountains": (1.75, 1), "trees": (0.25, 0)}
LABELS = ["trees", "flowers", "mountains", "lake", "river", "sea", "snow", "birds", "cats", "dogs", "cars"]
DARK = "@media (prefers-color-scheme: dark) { svg { filter: invert(1) hue-rotate(180deg) } }"


def nearness() -> Figure:
    """Draw two wrong answers in their tree, and the scores that measures give them."""
    scores = {
        answer: oe.evaluate([[TRUE]], [[answer]], hierarchy="photo", measures=["F", "hF", "OS"])
        for answer in ANSWERS
    }
    figure = new_figure(6.5, 1.9)
    tree, bars = figure.subplots(1, 2)
    for ends in LINKS:
        tree.plot(*zip(*map(PLACES.__getitem__, ends), strict=True), color="#c8ccd2", zorder=1)
    for name, (x, y) in PLACES.items():
        said = {TRUE: " (true)"}.get(name, " (predicted)" * (name in ANSWERS))
        look = {"facecolor": ANSWERS.get(name, "#e8ebf0"), "edgecolor": "none", "boxstyle": "round,pad=0.4"}
        ink = "white" if name in ANSWERS else "black"
        tree.text(x, y, name.replace("_", " ") + said, ha="center", va="center", bbox=look, color=ink)
    tree.set(xlim=(-0.5, 2.5), ylim=(-0.4, 2.4))
    tree.set_axis_off()
    for at, (answer, found) in enumerate(scores.items()):
        for row, score in enumerate(found.values()):
            place = row + 0.2 * (2 * at - 1)
            bars.barh(place, score, height=0.36, color=ANSWERS[answer])
            bars.text(score + 0.02, place, f"{score:.2f}  {answer}", va="center")
            bars.set_yticks(range(row + 1), labels=list(found)[: row + 1])
    bars.set(ylim=(len(found) - 0.4, -0.6), xlim=(0, 1.3))
    bars.set_xticks([0, 0.5, 1])
    bars.spines["left"].set_visible(False)
    bars.spines["bottom"].set_bounds(0, 1)
    bars.set_title(f"score of an answer where {TRUE!r} is true", loc="left")
    return figure


def confusion() -> Figure:
    """Draw the confusion matrix of eleven labels of a shipped run."""
    folder = oe.ontologies.benchmark()
    files = (folder / "truth.csv", folder / "runs" / "near-miss.csv")
    sides = (oe.read_labels(file, "photo") for file in files)
    arrays = [side.matrix[:, side.vocabulary.positions(LABELS)].toarray() for side in sides]
    figure = new_figure(4.4, 3.4)
    oe.confusion_matrix(*arrays, classes=LABELS).plot(ax=figure.subplots())
    return figure


def main(arguments: list[str] | None = None) -> None:
    """Draw both pictures; where a browser is dark, their lightness is turned round."""
    parser = argparse.ArgumentParser(description="Draw the pictures of the manual's first page.")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER")
    folder = parser.parse_args(arguments).out
    with drawing():
        for name, draw in {"nearness": nearness, "confusion": confusion}.items():
            path = folder / f"{name}.svg"
            draw().savefig(path, metadata={"Date": None})
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace("</style>", f" {DARK}</style>", 1), encoding="utf-8")


if __name__ == "__main__":
    main()
