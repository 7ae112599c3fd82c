"""Placing: which of the labels that a row writes stay there, and under which names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.csr import line
from ontoeval.labels.formats import Recognised
from ontoeval.labels.write import Rows


class Placing:
    """Takes the labels of a sample one after the other."""

    __slots__ = ("_called", "_met", "_once", "_placed")  # there may be one for each of many samples

    def __init__(self, labels: Sequence[str], called: Mapping[str, str], *, once: bool) -> None:
        self._met = dict.fromkeys(labels, False)
        self._called, self._once = called, once
        self._placed: dict[tuple[str, int], str] = {}

    def name(self, text: str, beside: int = 0) -> str | None:
        """Name a label that is written."""
        name = text if text in self._met else self._called.get(text, text)
        if name not in self._met:
            return None
        if (name, beside) not in self._placed:
            self._placed[name, beside] = text
            self._met[name] = True
            return name
        # What is repeated may be meant; what gets the name of a label that is there becomes one with it.
        return None if self._once or self._placed[name, beside] != text else name

    @property
    def missing(self) -> list[str]:
        """What is to be there and was not met."""
        return [name for name, met in self._met.items() if not met]


@dataclass(frozen=True, eq=False)
class Wanted:
    """What the rows of a corrected file are to hold."""

    form: Recognised
    final: Rows
    called: Mapping[str, str]
    once: NDArray[np.bool_]
    changed: NDArray[np.intp]

    def labels(self, number: int) -> list[str]:
        """List the labels that a row is to hold."""
        matrix, names = self.final.matrix, self.final.vocabulary.concepts
        return [names[at] for at in line(matrix, number)]

    def placing(self, number: int) -> Placing:
        """Start to take the labels of a row."""
        return Placing(self.labels(number), self.called, once=bool(self.once[number]))
