"""Worst samples of each run, with their pictures and the explanation of their scores."""

from __future__ import annotations

import os
import re
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, urlsplit

import numpy as np

from ontoeval.core.batch import Batch
from ontoeval.core.table import cell_text
from ontoeval.errors import InputError, ParameterError
from ontoeval.evaluation.explanation import Explanation, explain_samples
from ontoeval.measures.base import info
from ontoeval.measures.ontology_score import OntologyScore
from ontoeval.plumbing.files import FilePath
from ontoeval.plumbing.sparse import stored_columns
from ontoeval.reports.page import Figure, FigureView, Section, template, verdict
from ontoeval.reports.selection import label_sets, note_left_out, per_sample

if TYPE_CHECKING:
    from ontoeval.comparison.result import Comparison

KINDS = {f".{end}": end.replace("jpg", "jpeg") for end in ("avif", "gif", "jpeg", "jpg", "png", "webp")}
"""Kinds of pictures that browsers show, by the ends of file names."""

SMALL, TOTAL = 48 * 1024, 1_500_000  # bytes of a file that is embedded, and of all of them

SAMPLE = "{sample}"


class Picture(NamedTuple):
    """Where a picture is."""

    address: str
    asked: bool = False


class Pictures:
    """Base of pictures of samples, here none, with their source for the content security policy."""

    sources: tuple[str, ...] = ()

    @property
    def host(self) -> str:
        """The server that pictures come from; "" for files."""
        return urlsplit(next(iter(self.sources), "")).netloc

    def find(self, sample: str, *, embed: bool = True) -> Picture | None:
        """Find the picture of a sample."""
        del sample, embed
        return None


class InFolder(Pictures):
    """Pictures that are files of a folder, named like the samples."""

    sources = ("'self'", "file:")

    def __init__(self, folder: FilePath, page: FilePath) -> None:
        self._folder, self._page = Path(folder).resolve(), Path(page).resolve()
        if not self._folder.is_dir():
            raise InputError("there is no such folder of pictures", "Name a folder.", where=folder)
        self._left = TOTAL

    def find(self, sample: str, *, embed: bool = True) -> Picture | None:
        """Find the picture of a sample: a file called like it, with or without its end."""
        for end in ("", *KINDS, *(end.upper() for end in KINDS)):
            try:
                file = (self._folder / f"{sample}{end}").resolve()
                # A sample may be called ../../secret: only what lies in the folder is a picture.
                if file.suffix.lower() in KINDS and file.is_relative_to(self._folder) and file.is_file():
                    return self._embed_or_link(file, embed=embed)
            except (OSError, ValueError):  # a name that is too long, or holds a zero byte
                return None
        return None

    def _embed_or_link(self, file: Path, *, embed: bool) -> Picture:
        size = file.stat().st_size
        if embed and size <= min(SMALL, self._left):
            self._left -= size
            return Picture(
                f"data:image/{KINDS[file.suffix.lower()]};base64,{b64encode(file.read_bytes()).decode()}"
            )
        relative = os.path.relpath(file, self._page)
        return Picture(quote(Path(relative).as_posix()))


class Elsewhere(Pictures):
    """Pictures of a server, each under an address that holds the sample's name."""

    def __init__(self, pattern: str) -> None:
        parts = urlsplit(pattern)
        if (
            parts.scheme not in {"http", "https"}
            or not re.fullmatch(r"[A-Za-z0-9.-]+(:\d+)?", parts.netloc)
            or SAMPLE not in pattern
        ):
            raise ParameterError(
                "images", pattern, f"a folder, or an address such as https://example.org/{SAMPLE}.jpg"
            )
        self._pattern = pattern
        self.sources = (f"{parts.scheme}://{parts.netloc}",)

    def find(self, sample: str, *, embed: bool = True) -> Picture:
        """Address of a sample's picture; nothing is fetched."""
        del embed
        return Picture(self._pattern.replace(SAMPLE, quote(sample, safe="")), asked=True)


def pictures(images: FilePath | None, page: FilePath = ".") -> Pictures:
    """Choose where pictures of samples come from."""
    if images is None:
        return Pictures()
    if isinstance(images, str) and "://" in images:
        return Elsewhere(images)
    return InFolder(images, page)


SIGNS = {"common": "✓", "false": "+", "missed": "−"}

NUMBER, RUNS = 9, 12  # samples of a run, and runs, that are shown


def worst_section(
    comparison: Comparison, pictures: Pictures | None = None, number: int = NUMBER
) -> Section | None:
    """Show the worst samples of each run."""
    pictures = pictures or Pictures()
    ordering = _chosen(comparison)
    batches = label_sets(comparison)
    if ordering is None or not batches:
        return None
    notation, scores = ordering
    measure = comparison.measures[notation]
    best = info(measure, "best")
    sign = -1 if best == info(measure, "bounds")[0] else 1
    views, runs = [], list(batches)[:RUNS]
    for run in runs:
        values, batch = scores[run], batches[run]
        order = np.argsort(sign * values, kind="stable")[:number]  # nan comes last
        worst = order[np.isfinite(values[order]) & (values[order] != best)]
        chosen = batch.take([batch.truth.samples[at] for at in worst.tolist()])
        explained: Sequence[Explanation | None] = [None] * len(chosen)
        if isinstance(measure, OntologyScore) and chosen.hierarchy is not None:
            explained = explain_samples(chosen, measure)
        cards = [
            _card(chosen, at, score, explanation, pictures)
            for at, (score, explanation) in enumerate(zip(values[worst].tolist(), explained, strict=True))
        ]
        html = template("worst").render(cards=cards, signs=SIGNS, host=pictures.host) if cards else ""
        html = html or verdict(f"No sample has errors by {notation}.")
        views.append(FigureView(html=html))
    text = f"The worst by {notation} first. ✓ right, + predicted but not true, − true but not predicted."
    if isinstance(measure, OntologyScore):
        text += (
            " Below, what each label is charged: the cost of the cheapest path to the nearest label of the "
            "other side, times the agreement of annotators if it is given; or 1 for a rule that is broken. "
            "The last line computes the score."
        )
    text += note_left_out(len(runs), len(batches))
    figure = Figure("Where it went wrong", views, [("Run", runs)], text)
    return Section("worst", "Worst samples", "What to look at first.", [figure])


def _chosen(comparison: Comparison) -> tuple[str, dict[str, Any]] | None:
    """Choose what samples are ordered by: an ontology score, which is explained, or the first that can be."""
    explained = [key for key, measure in comparison.measures.items() if isinstance(measure, OntologyScore)]
    for notation in (*explained, *comparison.measures):
        scores = per_sample(comparison, notation)
        if scores:
            return notation, scores
    return None


def _card(
    batch: Batch, at: int, score: float, explanation: Explanation | None, pictures: Pictures
) -> dict[str, Any]:
    sample, names = batch.truth.samples[at], batch.truth.vocabulary
    called = batch.vocabulary.names
    labels = [
        (kind, called.text(names[int(column)]))
        for kind, matrix in (("common", batch.common), ("missed", batch.missed), ("false", batch.false))
        for column in stored_columns(matrix, at)
    ]
    return {
        "sample": sample,
        "score": cell_text(score, 4),
        "labels": [label for label in labels if label[0] == "common" or explanation is None],
        "called": called,
        "picture": pictures.find(sample),
        "explanation": explanation,
    }
