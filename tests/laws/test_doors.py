"""The same labels have the same scores at every door: which concepts may be labels does not follow the form."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from io import StringIO
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from tests.commands import call
from tests.laws.cases import fewer

CONCEPTS = "abcdefghij"
FLAT = ("Hamming", "F(average='macro', undefined=0)", "Accuracy")
MEASURES = (*FLAT, "tF", "tKappa", "OS", "hF", "OS(cost='lin')")
Labels = dict[str, list[str]]


class Question(NamedTuple):
    """Truth and run, and what says which concepts may be labels."""

    truth: Labels
    run: Labels
    edges: tuple[tuple[str, str], ...]
    listed: tuple[str, ...] | None


@st.composite
def questions(draw: st.DrawFn) -> Question:
    """Draw labels of few samples, with and without a hierarchy and a list."""
    some = st.sets(st.sampled_from(CONCEPTS), min_size=1, max_size=4).map(sorted)
    truth, run = ({f"p{n}": draw(some) for n in range(1, 4)} for _ in range(2))
    parents = [draw(st.sampled_from(CONCEPTS[:n])) for n in range(1, len(CONCEPTS))]
    edges = tuple(zip(parents, CONCEPTS[1:], strict=True)) if draw(st.booleans()) else ()
    used = {*chain.from_iterable((*truth.values(), *run.values()))}
    listed = None if draw(st.booleans()) else tuple(sorted(used | draw(st.sets(st.sampled_from(CONCEPTS)))))
    return Question(truth, run, edges, listed)


def wide(labels: Labels, names: Sequence[str]) -> pd.DataFrame:
    """A column of 0 and 1 for each name."""
    rows = [[int(name in some) for name in names] for some in labels.values()]
    return pd.DataFrame(rows, index=list(labels), columns=list(names))


def evaluated(how: dict[str, Any], truth: Any, run: Any) -> dict[str, float]:
    """Score, and count the concepts."""
    found = oe.evaluate(truth, run, **how)
    return {**found.scores, "concepts": len(found.totals.vocabulary)}


def doors(asked: Question, folder: Path) -> Iterator[tuple[str, Callable[[], Mapping[str, float]]]]:
    """Every door, by its name."""
    truth, run, edges, listed = asked
    names, ontology = sorted({*chain.from_iterable((*truth.values(), *run.values()))}), folder / "tree.csv"
    ontology.write_text("parent,child\n" + "".join(f"{a},{b}\n" for a, b in edges), encoding="utf-8")
    for side, labels in (("truth", truth), ("run", run)):
        rows = "".join(f"{sample},{';'.join(some)}\n" for sample, some in labels.items())
        (folder / f"{side}.csv").write_text(f"id,labels\n{rows}", encoding="utf-8")
        wide(labels, names).to_csv(folder / f"{side}-wide.csv", index_label="id")
    (folder / "list.txt").write_text("\n".join(("concept", *(listed or ()))), encoding="utf-8")
    measures = MEASURES if edges else FLAT
    free: dict[str, Any] = {"hierarchy": list(edges) or None, "measures": measures}
    how, tree = {**free, "classes": listed}, ontology if edges else None
    sets, from_frame, read = oe.LabelSets.from_sets, oe.LabelSets.from_frame, oe.read_labels
    forms: dict[str, Callable[[Labels], Any]] = {
        "dictionary": dict,
        "lists": lambda one: list(one.values()),
        "label sets": sets,
        "wide frame": lambda one: wide(one, names),
        "sets of a wide frame": lambda one: from_frame(wide(one, names)),
        "long frame": lambda one: pd.DataFrame(
            [(sample, label) for sample, some in one.items() for label in some], columns=["id", "label"]
        ),
        "series": pd.Series,
    }
    for name, form in forms.items():
        yield name, partial(evaluated, how, form(truth), form(run))
    both = [sets(one, vocabulary=listed) for one in (truth, run)]
    yield "label sets of the list", partial(evaluated, free, *both)
    yield "dictionary beside sets", partial(evaluated, how, truth, sets(run))
    yield "sets beside a dictionary", partial(evaluated, how, sets(truth), run)
    yield "compare", lambda: oe.compare(truth, {"one": sets(run)}, **how).first.scores
    options = [*chain.from_iterable(("-m", one) for one in measures), "--format", "csv"]
    options += ["--ontology", str(tree)] if tree else []
    options += ["--concepts", str(folder / "list.txt")] if listed else []
    for end in ("", "-wide"):
        files = [folder / f"{side}{end}.csv" for side in ("truth", "run")]
        yield f"read_labels{end}", partial(evaluated, how, *map(read, files))
        both = [read(one, tree, concepts=listed) for one in files]
        yield f"read_labels{end} with what lists concepts", partial(evaluated, free, *both)
        yield f"command{end}", partial(_printed, *files, *options)


def _printed(*arguments: object) -> dict[str, float]:
    table = pd.read_csv(StringIO(call("score", *arguments).stdout))
    return {name: float(table[name].iloc[0]) for name in table.columns if name != "run"}


@fewer
@given(asked=questions())
def test_scores_do_not_depend_on_the_door(asked: Question) -> None:
    with TemporaryDirectory() as folder:
        found = {name: dict(score()) for name, score in doors(asked, Path(folder))}
    first = found["dictionary"]
    assert {name: one for name, one in found.items() if {**first, **one} != first} == {}
