"""What may be said of the truth where entrants read along: nothing but the scores.

Under ``--public`` a command reads the truth, and whatever is computed from it, within `withholding`. What
goes wrong there is not told, whatever it is: a message that quotes a label, a sample or a row of the truth
cannot slip through because nobody thought of it. All other errors are about what entrants have themselves:
their run, the ontology, the options.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ontoeval.core.named_matrix import only_samples
from ontoeval.errors import InputError, ParameterError, counted, listed

if TYPE_CHECKING:
    from ontoeval.cli.inputs import Inputs
    from ontoeval.core.label_scores import LabelScores
    from ontoeval.core.label_sets import LabelSets

WITHHELD = "Why is withheld (--public): without that option the message says it."


@contextmanager
def withholding(where: object, problem: str, *, public: bool) -> Iterator[None]:
    """Let no error say what the truth holds."""
    try:
        yield
    except Exception:
        if not public:
            raise
        raise InputError(problem, WITHHELD, where=where) from None  # no traceback shows what it stands for


def refuse_unless_public_concepts(inputs: Inputs) -> None:
    """Refuse to make the concepts out of the labels of the truth."""
    if inputs.ontology is None and "concepts" not in inputs.reading:
        expected = "an --ontology or a list of --concepts beside it: else the truth says which there are"
        raise ParameterError("--public", "given", expected)


def refuse_other_samples(path: Path, truth: LabelSets, run: LabelSets | LabelScores) -> None:
    """Refuse a run of other samples than the truth, and list only those that the run has."""
    lacking, beyond = only_samples(truth, run)
    parts = [counted(len(lacking), "missing sample")] if lacking else []
    parts += [f"{counted(len(beyond), 'unknown sample')} ({listed(beyond)})"] if beyond else []
    if parts:
        remedy = "Give labels, or an empty set, to each of the samples; or pass --missing empty."
        raise InputError("; ".join(parts), remedy, where=path)
