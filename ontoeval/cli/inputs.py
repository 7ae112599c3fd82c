"""Inputs: the files of one call, read alike for all commands, and what is to be said of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ontoeval.cli.public import withholding
from ontoeval.core.checks import share
from ontoeval.core.named_matrix import only_samples
from ontoeval.errors import ParameterError, counted, listed

if TYPE_CHECKING:
    from ontoeval.core.hierarchy import Hierarchy
    from ontoeval.core.label_scores import LabelScores
    from ontoeval.core.label_sets import LabelSets
    from ontoeval.core.vocabulary import Vocabulary
    from ontoeval.labels.resolved import LabelFile, ScoreFile
    from ontoeval.ontology.model import Ontology


_UNREADABLE = "the truth cannot be read as it is"


@dataclass(frozen=True)
class Inputs:
    """How the files of one call are read."""

    ontology: Ontology | None
    reading: Mapping[str, Any]
    public: bool = False

    @property
    def hierarchy(self) -> Hierarchy | None:
        """The hierarchy of the ontology, if there is one."""
        return None if self.ontology is None else self.ontology.hierarchy()

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that are read beside labels: the ontology, and what options name."""
        own = [] if self.ontology is None else [Path(self.ontology.source.path)]
        return (*own, *(value for value in self.reading.values() if isinstance(value, Path)))

    @property
    def _of_labels(self) -> dict[str, Any]:
        """Options of files to which no threshold applies."""
        return {key: value for key, value in self.reading.items() if key != "threshold"}

    @property
    def _of_names(self) -> dict[str, Any]:
        """Options of files that name concepts, and nothing else that labels have."""
        return {key: value for key, value in self.reading.items() if key in {"concepts", "concept_map"}}

    def labels(self, *paths: Path, step: Callable[[], None] = lambda: None) -> list[LabelFile]:
        """Read label files."""
        from ontoeval.labels.reading import read_label_file

        files: list[LabelFile] = []
        for path in paths:
            truth = len(paths) > 1 and not files
            reading = self._of_labels if truth else self.reading
            with withholding(path, _UNREADABLE, public=self.public and truth):
                files.append(read_label_file(path, self.ontology, **reading))
            step()
        shared = _shared((file.source, file.sets) for file in files)
        return [replace(file, sets=file.sets.within(shared)) for file in files]

    def scores(
        self, truth: Path, *runs: Path, step: Callable[[], None] = lambda: None
    ) -> tuple[LabelFile, list[ScoreFile]]:
        """Read true labels, and runs as scores, to which no threshold is applied."""
        from ontoeval.labels.reading import read_label_file, read_score_file

        if close := self.reading.get("close"):
            raise ParameterError("--close", close, "measures of labels alone; Fmax adds the ancestors itself")
        with withholding(truth, _UNREADABLE, public=self.public):
            true = read_label_file(truth, self.ontology, **self._of_labels)
        step()
        files: list[ScoreFile] = []
        for path in runs:
            files.append(read_score_file(path, self.ontology, **self._of_labels))
            step()
        shared = _shared([(true.source, true.sets), *((file.source, file.scores) for file in files)])
        files = [replace(file, scores=file.scores.within(shared)) for file in files]
        return replace(true, sets=true.sets.within(shared)), files

    @property
    def threshold(self) -> float | Mapping[str, float] | None:
        """What makes labels of scores, for measures of labels."""
        from ontoeval.labels.per_concept import read_thresholds

        given = self.reading.get("threshold")
        if not isinstance(given, Path):
            return given
        return read_thresholds(given, self.ontology, **self._of_names)

    def remarks(self, files: Sequence[LabelFile | ScoreFile], *, brief: bool = False) -> list[str]:
        """Say how files were read, the truth first: formats, by some files or all, and what was left out."""
        if self.public:
            told = self._told(files[1:], brief=brief)
            return [f"{files[0].source}: the truth, of which nothing is said", *told]
        return self._told(files, brief=brief)

    def _told(self, files: Sequence[LabelFile | ScoreFile], *, brief: bool) -> list[str]:
        sources: dict[str, list[str]] = {}
        for file in files:
            sources.setdefault(str(file.format), []).append(str(file.source))
        formats = [f"{_some(alike, brief=brief)}: {form}" for form, alike in sources.items()]
        return [*formats, *(note for file in files for note in file.notes), *self._not_imported()]

    def _not_imported(self) -> list[str]:
        if self.ontology is None or not self.ontology.report.imports.count:
            return []
        count, examples = self.ontology.report.imports.count, self.ontology.report.imports.examples
        what = f"{count:,} ontologies that it imports are" if count > 1 else "an ontology that it imports is"
        named = listed(examples, total=count)
        return [f"{self.ontology.source.path}: {what} not read: {named} (--import says where it lies)"]

    def unclosed(self, files: Sequence[LabelFile], *, brief: bool = False) -> list[str]:
        """Say which files, of these the truth first, hold sets that lack ancestors of their labels."""
        if self.ontology is None or self.reading.get("close"):
            return []
        vocabulary = files[0].sets.vocabulary
        hierarchy = self.ontology.hierarchy().with_labels(vocabulary)
        told = files[1:] if self.public else files
        counts = {file.source: (int(file.sets.unclosed(hierarchy).sum()), len(file.sets)) for file in told}
        found = [f"{count:,} of {total:,} in {source}" for source, (count, total) in counts.items() if count]
        if not found:
            return []
        named = f"{found[0]}, and others in {_more(found)}" if brief and len(found) > 1 else ", ".join(found)
        return [f"Sets that are not closed upwards (--close adds the ancestors): {named}"]

    def agreement(self, path: Path | None, default: float | None) -> Mapping[str, float] | None:
        """Read the annotators' agreement, if a file of it was named."""
        from ontoeval.labels.per_concept import read_agreement

        if path is None:
            if default is not None:
                raise ParameterError("--agreement-default", default, "an --agreement file beside it")
            return None
        if self.ontology is None:
            raise ParameterError("--agreement", str(path), "an --ontology beside it, whose score it weights")
        if default is not None:
            share("--agreement-default", default)
        return read_agreement(path, self.ontology, default=default, **self._of_names)

    def known(self, weights: Sequence[str], corpus: Path | None) -> tuple[Hierarchy | None, list[str]]:
        """Give the hierarchy the weights of files, and the information that a corpus of annotations holds."""
        from ontoeval.concepts.information import with_information
        from ontoeval.labels.per_concept import read_weights
        from ontoeval.labels.reading import read_label_file

        hierarchy = self.hierarchy
        if hierarchy is None:
            for option, value in (("--weights", weights), ("--information-from", corpus)):
                if value:
                    raise ParameterError(
                        option, str(value), "an --ontology beside it, whose concepts it weights"
                    )
            return None, []
        remarks = []
        if corpus is not None:
            # Some challenges estimate it from the very truth.
            with withholding(corpus, "the annotations cannot be used", public=self.public):
                file = read_label_file(corpus, self.ontology, **self._of_labels)
                hierarchy = with_information(hierarchy, file.sets, corpus=str(corpus), withheld=self.public)
            remarks = [] if self.public else [f"{file.source}: {file.format}", *file.notes]
        for text in weights:
            name, equals, path = text.partition("=")
            if not (name and equals and path):
                raise ParameterError("--weights", text, "a name and a file: NAME=FILE")
            values = read_weights(path, self.ontology, concept_map=self.reading.get("concept_map"))
            hierarchy = hierarchy.with_weight(name, values, source=values.source)
        return hierarchy, remarks


def _some(texts: Sequence[str], *, brief: bool) -> str:
    """List what there is of files; in short of the first, with the number of the others."""
    if brief and len(texts) > 1:
        return f"{texts[0]} and {_more(texts)}"
    return ", ".join(texts)


def _more(texts: Sequence[str]) -> str:
    return counted(len(texts) - 1, "more file")


def remarks_on_missing(path: Path, truth: LabelSets, run: LabelSets | LabelScores) -> list[str]:
    """Say what becomes of samples that only one side has, where they are not refused."""
    lacking, beyond = only_samples(truth, run)
    sides = (
        (lacking, "of the truth that it lacks, counted as unlabelled"),
        (beyond, "that the truth lacks, left out"),
    )
    return [f"{path}: {counted(len(samples), 'sample')} {what}" for samples, what in sides if samples]


def _shared(files: Iterable[tuple[str, LabelSets | LabelScores]]) -> Vocabulary:
    """Find the concepts of all files; an error names the file and a sample of each concept."""
    from ontoeval.core.vocabulary import Vocabulary, refuse_alike

    sides = list(files)
    first = {name: side for side in reversed(sides) for name in side[1].vocabulary}

    def place(name: str) -> str:
        source, side = first[name]
        rows = side.matrix[:, [side.vocabulary.index[name]]].nonzero()[0]
        return f"{source}, sample {side.samples[rows[0]]!r}" if rows.size else source

    if len({side.vocabulary for _, side in sides}) > 1:
        refuse_alike(first, place)
    return Vocabulary.shared(side.vocabulary for _, side in sides)
