"""Label files that have been read: the labels or scores, and how they were read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ontoeval.core.choices import ScoreRepeats
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.errors import MOST_SHOWN, counted, listed
from ontoeval.labels.formats import Recognised


@dataclass(frozen=True, eq=False, kw_only=True)
class _File:
    """What is known of a label file beside its contents."""

    source: str
    digest: str
    format: Recognised
    dropped: Mapping[str, int]
    translated: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    repeated_scores: int = 0
    repeats: ScoreRepeats = "refuse"

    @property
    def notes(self) -> tuple[str, ...]:
        """What was not taken as it is written, in words."""
        return tuple(f"{self.source}: {note}" for note in self._notes())

    def _notes(self) -> Iterator[str]:
        if self.dropped:
            yield f"left out {_counted('that are no concepts', self.dropped)}"
        if self.translated:
            counts = {f"{text} as {name}": count for text, (name, count) in self.translated.items()}
            yield f"read {_counted('as what they stand for', counts)}"
        if self.repeated_scores:
            counts_which = {"max": "highest", "first": "first"}[self.repeats]
            yield (
                f"{counted(self.repeated_scores, 'repeated score')} of a (sample, concept) pair; "
                f"the {counts_which} score of each pair counts (--repeats {self.repeats})"
            )


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelFile(_File):
    """A label file that has been read."""

    sets: LabelSets
    repeated: int = 0
    added: int = 0
    closed: int = 0

    def _notes(self) -> Iterator[str]:
        yield from super()._notes()
        if self.repeated:
            yield f"{counted(self.repeated, 'label')} repeated for the same sample"
        if self.closed:
            sets = f"{self.closed:,} of {counted(len(self.sets), 'set')}"
            yield f"closed {sets} upwards, which added {counted(self.added, 'label')}"

    def __str__(self) -> str:
        """Say what was read."""
        return f"{self.source}: {self.format}; {counted(len(self.sets), 'sample')}"


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoreFile(_File):
    """A file of scores that has been read."""

    scores: LabelScores

    def __str__(self) -> str:
        """Say what was read."""
        return f"{self.source}: {self.format}; {counted(len(self.scores), 'sample')} with scores"


def _counted(what: str, counts: Mapping[str, int]) -> str:
    """Count labels, and show those that are most frequent."""
    shown = sorted(counts.items(), key=lambda item: -item[1])[:MOST_SHOWN]
    each = listed((f"{text} ({count:,})" for text, count in shown), total=len(counts))
    return f"{counted(sum(counts.values()), 'label')} {what}: {each}"
