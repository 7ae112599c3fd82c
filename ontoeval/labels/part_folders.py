"""Label files that other engines have cut by sample into folders of files: scored part by part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Self, cast

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.graphs import AnyHierarchy, AnyOntology, front_door
from ontoeval.core.resampling import Bootstrap
from ontoeval.errors import InputError, pluralise
from ontoeval.evaluation.alignment import SideOptions
from ontoeval.evaluation.parts import PartScoring, PartTotals, differences_of
from ontoeval.evaluation.scoring import Evaluation
from ontoeval.labels.parquet import read_footer
from ontoeval.labels.reading import LabelFileReader, decoded_file
from ontoeval.labels.reading_options import AS_RECOGNISED, LabelReading
from ontoeval.labels.scored_parts import CountedSets, Decoded, PartJob, PartReading, digests_of
from ontoeval.measures.base import Measures
from ontoeval.plumbing.files import FilePath, checked_path, dataset_files
from ontoeval.plumbing.processes import Workers


@dataclass(frozen=True)
class PartFiles:
    """Files that another engine has written, one for each part."""

    where: str
    files: tuple[str, ...]

    @classmethod
    def from_source(cls, source: FilePath | Sequence[FilePath]) -> Self:
        """Find the files of a folder in their order, part.2 before part.10; or take those that are listed."""
        if not isinstance(source, str | PathLike):
            files = tuple(map(checked_path, source))
            return cls(f"{files[0]} to {Path(files[-1]).name}" if files else "no files", files)
        folder = Path(source)
        if not folder.is_dir():
            return cls(str(source), (checked_path(source),))
        return cls(str(source), dataset_files(folder) or dataset_files(folder, "*"))

    def decoded(self, number: int, reading: LabelFileReader) -> Decoded | None:
        """Decode a file; None for one of Parquet without rows, as Spark writes them."""
        file = self.files[number]
        if file.endswith(".parquet") and not read_footer(file).num_rows:
            return None
        return decoded_file(file, reading)


@front_door
def score_parts(
    truth: FilePath | Sequence[FilePath],
    runs: Mapping[str, FilePath | Sequence[FilePath]],
    ontology: AnyOntology | None = None,
    *,
    hierarchy: AnyHierarchy | None = None,
    agreement: Mapping[str, float] | None = None,
    measures: Measures | None = None,
    bootstrap: Bootstrap | None = None,
    workers: Workers | None = None,
    reading: LabelReading = AS_RECOGNISED,
) -> dict[str, Evaluation]:
    r"""Score runs whose files another engine has cut by sample: Spark, Dask, DuckDB or another.

    Parts are read and scored one by one, and their sums are added, so memory follows the largest part. The
    scores have the same bits as those of the whole files.

    Parameters
    ----------
    truth
        A folder of files, such as ``part-00000.parquet`` and ``part-00001.parquet``, or a list of files: the
        parts, in this order. Each is a file that `read_labels` reads.
    runs
        The same for each run, by its name. Part i of every run holds the samples of part i of the truth, with
        all their rows.
    ontology
        Has the concepts that may be labels, and their hierarchy; see `read_labels`.
    hierarchy
        The hierarchy of the concepts; by default that of the ontology.
    agreement, measures
        See `evaluate`; of the measures those whose parts can be added.
    bootstrap
        Resamples for `Evaluation.interval`, with ``weights="poisson"``.
    workers
        Number of processes, by default 1; or a client of a Dask cluster, whose workers can read the files.
        The scores are the same to the last bit.
    reading
        How the files are read; a threshold applies to the runs alone.

    Returns
    -------
    dict of str to Evaluation
        The scores of each run.

    Raises
    ------
    InputError
        If a file cannot be read, folders have different numbers of parts, a part of a run has other samples
        than that of the truth, or a sample is in several parts.
    MeasureError
        If a measure needs all samples at once.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> truth, run = (pathlib.Path(tempfile.mkdtemp()) for _ in range(2))
    >>> for folder, rows in {truth: ["p1,sky", "p2,sea"], run: ["p1,sky", "p2,sky"]}.items():
    ...     for number, row in enumerate(rows):
    ...         _ = (folder / f"{number}.csv").write_text(f"id,labels\n{row}\n")
    >>> score_parts(truth, {"run": run}, measures="F")["run"].scores
    {'F': 0.5}
    """
    named = {"the truth": truth, **{f"the run {run!r}": files for run, files in runs.items()}}
    files = {name: PartFiles.from_source(source) for name, source in named.items()}
    first, *others = files.values()
    for name, other in files.items():
        if not other.files or len(other.files) != len(first.files):
            raise InputError(
                f"{pluralise(len(other.files), 'file')} of {name}, but {len(first.files):,} of the truth",
                "Write one file for each part of the truth and of every run.",
                where=other.where,
            )
    of_truth = replace(reading, threshold=None, layout=replace(reading.layout, value_column=None))
    readings = [of_truth, *[reading] * len(others)]
    readers = [LabelFileReader.from_options(ontology, one) for one in readings]
    if ontology is not None and hierarchy is None:
        hierarchy = ontology.hierarchy()
    parts, vocabulary = PartReading([*files.values()], readers, len(first.files)).resolved(workers)
    scoring = PartScoring.from_options(SideOptions(hierarchy, agreement=agreement), measures, vocabulary)
    job = PartJob(parts, replace(scoring, bootstrap=bootstrap), digests=True)

    def check(number: int, found: PartTotals) -> None:
        for run, both in zip(others, found.unmatched, strict=True):
            if any(side.number for side in both):
                remedy = "Let part i of every folder hold the same samples: cut all by the same checksum."
                where = f"{first.files[number]} and {run.files[number]}"
                raise InputError(differences_of(*both), remedy, where=where)

    reported, found = job.done(workers, check=check)
    _refuse_repeated(first, readers[0], cast("CountedSets", reported[0].sets).digests)
    return dict(zip(runs, job.evaluations(reported, found.totals), strict=True))


def _refuse_repeated(truth: PartFiles, reading: LabelFileReader, digests: NDArray[np.uint64]) -> None:
    """Refuse samples that several parts have, and name one."""
    every, count = np.unique(digests, return_counts=True)
    if not (again := every[count > 1]).size:
        return
    decoded = ((file, truth.decoded(number, reading)) for number, file in enumerate(truth.files))
    found = [
        (name, file)
        for file, entries in decoded
        for name in (entries[0].samples if entries is not None else ())
        if digests_of([name])[0] == again[0]
    ]
    raise InputError(
        f"sample {found[0][0]!r} is in both parts; {pluralise(again.size, 'sample')} in all are in several",
        "Let all rows of a sample lie in one part: cut all files by a checksum of the sample.",
        where=" and ".join(file for _, file in found[:2]),
    )
