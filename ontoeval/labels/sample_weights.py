"""Files of sample weights: what each sample counts for."""

from __future__ import annotations

from ontoeval.errors import InputError
from ontoeval.labels.cells import parse_number
from ontoeval.labels.name_resolution import rows_by_role
from ontoeval.labels.sources import read_source
from ontoeval.plumbing.column_titles import SAMPLE, SAMPLE_WEIGHT
from ontoeval.plumbing.files import FilePath


def read_sample_weights(source: FilePath) -> dict[str, float]:
    """Read the columns of samples and of weights; a sample may have several rows with one weight."""
    file = read_source(source)
    found: dict[str, tuple[float, int]] = {}
    for line, row in rows_by_role(file, {"sample": SAMPLE, "weight": SAMPLE_WEIGHT}):
        sample, weight = row["sample"], parse_number(row["weight"])
        if weight is None or weight < 0:
            raise InputError(
                f"the weight of {sample!r} is {row['weight']!r}",
                "Write a finite number of at least 0.",
                where=file.where,
                row=line,
            )
        first, before = found.setdefault(sample, (weight, line))
        if first != weight:
            file.refuse(
                f"{sample!r} has the weight {weight:g}, and {first:g} in row {before:,}", "Keep one.", line
            )
    return {sample: weight for sample, (weight, _) in found.items()}
