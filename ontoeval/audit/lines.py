"""Lines: where in its file a finding is seen."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontoeval.audit.finding import Finding


class Lines(NamedTuple):
    """The lines of a file in which its rows begin."""

    first: NDArray[np.int32]
    later: NDArray[np.int32]
    sample: NDArray[np.intp]

    @classmethod
    def of(cls, starts: NDArray[np.int32], sample_of_row: NDArray[np.intp]) -> Lines:
        """Tell the first row of each sample from the others."""
        first = np.unique(sample_of_row, return_index=True)[1]
        later = np.delete(np.arange(starts.size), first)
        return cls(starts[first], starts[later], sample_of_row[later])

    def showing(self, finding: Finding, most: int) -> tuple[int, ...]:
        """Tell in which lines a finding is seen."""
        met = [] if finding.line is None else [finding.line]
        starts = self.first[finding.rows[:most]].tolist() if finding.seen_in != "later" else []
        if finding.seen_in != "first":
            starts = sorted((*starts, *self.later[np.isin(self.sample, finding.rows)].tolist()))
        # What is met first is met in a header, or in the first sample: then nearer than where this begins.
        inside = met and starts and starts[0] <= met[0]
        return tuple(dict.fromkeys((*met, *starts[1 if inside else 0 :])))[:most]
