"""Draw the picture of the manual's first page: four runs by hF, by the ontology score and by F.

python examples/make_picture.py --out leaderboard.svg
"""

from __future__ import annotations

import argparse
from pathlib import Path

import ontoeval as oe
from ontoeval.reports.paper import drawing, new_figure

PANELS = {"hF": "hF, which ranks", "OS": "OS, the ontology score", "F": "F, without ontology"}


def main(arguments: list[str] | None = None) -> None:
    """Compare the runs of the shipped benchmark, and draw one panel for each measure."""
    parser = argparse.ArgumentParser(description="Draw the picture of the manual's first page.")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE")
    path = parser.parse_args(arguments).out
    ontology, folder = oe.read_ontology("photo"), oe.ontologies.benchmark()
    truth = oe.read_labels(folder / "truth.csv", ontology)
    runs = {file.stem: oe.read_labels(file, ontology) for file in sorted(folder.glob("runs/*.csv"))}
    agreement = oe.read_agreement(folder / "agreement.csv", ontology)
    comparison = oe.compare(
        truth,
        runs,
        hierarchy=ontology,
        agreement=agreement,
        measures=[*PANELS],
        baselines=["prior", "permuted"],
    )
    with drawing():
        figure = new_figure(6.5, 2.1)
        panels = figure.subplots(1, len(PANELS), sharex=True, sharey=True)
        for ax, (measure, title) in zip(panels, PANELS.items(), strict=True):
            oe.figures.scores(comparison, measure, by="hF", ax=ax)
            ax.set_title(title, loc="left")
            ax.set_xlabel(f"{measure} with 95 % intervals")
        figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main()
