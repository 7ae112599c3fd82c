"""Ontology and label files, read alike for all commands, and remarks on them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ontoeval.errors import InputError, ParameterError, enumerate_some, pluralise
from ontoeval.labels.formats import PARQUET, Layout, Recognised
from ontoeval.labels.reading_options import LabelReading, ReadingOptions
from ontoeval.plumbing.checks import unit_interval

if TYPE_CHECKING:
    from ontoeval.core.choices import Threshold
    from ontoeval.core.hierarchy import Hierarchy
    from ontoeval.core.label_scores import LabelScores
    from ontoeval.core.label_sets import LabelSets
    from ontoeval.core.vocabulary import Vocabulary
    from ontoeval.labels.resolved import LabelFile, ScoreFile
    from ontoeval.labels.scored_parts import CountedSets
    from ontoeval.ontology.file_formats import OntologyFormat
    from ontoeval.ontology.model import Draft, Ontology

FileKind = Literal["labels", "ontology"]
"""What a file holds."""

WITHHELD = "The reason is withheld (--public): without that option the message has it."


@contextmanager
def withholding(where: object, problem: str, *, public: bool) -> Iterator[None]:
    """Hide what an error reveals of the truth, whatever the error is, where entrants read along.

    All that reads the truth, or computes with it, does so in here: no message can slip through that quotes a
    label, a sample or a row of the truth.
    """
    try:
        yield
    except Exception:
        if not public:
            raise
        raise InputError(problem, WITHHELD, where=where) from None  # no traceback shows what it stands for


@dataclass(frozen=True)
class Reader:
    """The ontology of one call, and how its label files are read."""

    ontology: Ontology | None
    reading: LabelReading
    public: bool = False
    soft: bool = False
    """Whether the truth may be shares of annotators, or annotations."""

    @property
    def required_ontology(self) -> Ontology:
        """The ontology, of a command whose ontology is no option."""
        assert self.ontology is not None  # noqa: S101 - its parser requires it
        return self.ontology

    @property
    def hierarchy(self) -> Hierarchy | None:
        """The hierarchy of the ontology, if there is one."""
        return None if self.ontology is None else self.ontology.hierarchy()

    @property
    def run_reading(self) -> LabelReading:
        """The options for runs, which may lack scores, and the column that marks labels as absent."""
        return replace(self.reading, layout=self.reading.layout.with_optional("negation_column"), mixed=True)

    def _truth(self, path: Path, negative: Literal[0, -1] | None = None) -> LabelFile:
        """Read true labels, to which no threshold applies."""
        from ontoeval.labels.reading import read_label_file, read_verified_file

        with withholding(path, "the truth cannot be read as it is", public=self.public):
            if negative is not None:
                layout = replace(self.reading.layout, separator=None)
                if layout.negation_column:
                    layout = replace(layout, value_column=None)
                reading = LabelReading(self.reading.names, layout)
                return read_verified_file(path, self.ontology, reading, negative=negative)
            try:
                return read_label_file(path, self.ontology, self.reading.of_truth)
            except InputError:
                from ontoeval.labels.annotations import read_soft_file

                soft = read_soft_file(path, self.ontology, self.reading.of_truth) if self.soft else None
                if soft is None:
                    raise
                return soft

    def labels(
        self,
        *paths: Path,
        negative: Literal[0, -1] | None = None,
        scores: bool = False,
        step: Callable[[], None] = lambda: None,
    ) -> list[Any]:
        """Read label files; of several, the first is the truth, which may hold verified labels.

        With `scores` the others are files of scores, to which no threshold is applied.
        """
        from ontoeval.labels.reading import read_label_file, read_score_file
        from ontoeval.labels.resolved import refuse_all_uncut

        if scores and (close := self.reading.close):
            raise ParameterError("--close", close, "measures of labels alone; Fmax adds the ancestors itself")
        layout = replace(self.reading.layout, negation_column=None)
        of_scores = replace(self.reading, threshold=None, layout=layout)
        files: list[LabelFile | ScoreFile] = []
        for path in paths:
            if len(paths) > 1 and not files:
                files.append(self._truth(path, negative))
            else:
                reading = of_scores if scores else self.run_reading if files else self.reading
                known = content_of(files[0]).vocabulary.spellings.know if files else None
                read = read_score_file if scores else read_label_file
                files.append(read(path, self.ontology, replace(reading, known=known)))
            step()
        refuse_all_uncut(files[1:])
        shared = _shared_vocabulary(files)
        return [file.within(shared) for file in files]

    @property
    def threshold(self) -> Threshold | None:
        """The least scores that make labels, for measures of labels."""
        from ontoeval.labels.per_concept import read_thresholds

        given, names = self.reading.threshold, self.reading.names
        if not isinstance(given, str | os.PathLike):
            return given
        return read_thresholds(given, self.ontology, concepts=names.concepts, concept_map=names.concept_map)

    def remarks(self, files: Sequence[LabelFile | ScoreFile], *, brief: bool = False) -> list[str]:
        """List the formats of files, the truth first, and what was left out of them."""
        forms = [f"{files[0].source}: the truth, which is not described"] if self.public else []
        formats: dict[str, list[str]] = {}
        described = files[self.public :]
        for file in described:
            formats.setdefault(str(file.format), []).append(str(file.source))
        for form, sources in formats.items():
            forms.append(f"{_joined(sources, ' and ', brief=brief)}: {form}")
        lines = [note for file in described for note in file.notes]
        if alike := [str(file.source) for file in described if _is_constant(getattr(file, "sets", None))]:
            lines.append(f"All samples have the same labels: {_joined(alike, ' and ', brief=brief)}")
        if uncut := [file.source for file in described if file.uncut]:
            lines.append(f"Labels as they are, without threshold: {enumerate_some(uncut)}")
        if isinstance(mapped := self.reading.names.concept_map, str | os.PathLike):
            digest = sha256(Path(mapped).read_bytes()).hexdigest()
            lines.append(f"labels are translated by the concept map {mapped}; sha256 {digest[:12]}")
        lines += [] if self.ontology is None else _remarks_on(self.ontology)
        return [*lines, "; ".join(forms)] if brief else [*forms, *lines]  # in short, forms come last

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
            unit_interval("--agreement-default", default)
        names = self.reading.names
        return read_agreement(
            path, self.ontology, default=default, concepts=names.concepts, concept_map=names.concept_map
        )

    def sample_weights(self, path: Path | None, file: LabelFile) -> dict[str, float] | None:
        """Read the sample weights; refuse a truth whose column of weights is not used."""
        from ontoeval.core.sample_weights import weights_of
        from ontoeval.labels.recognition import is_table
        from ontoeval.plumbing.column_titles import OWN_SAMPLE_WEIGHT, normalise_title

        if path is None:
            own = next((one for one in file.format.unused if normalise_title(one) in OWN_SAMPLE_WEIGHT), None)
            if own is not None:
                use = str(file.source) if is_table(file.format) else "FILE, a table sample,weight"
                raise InputError(
                    f"the truth has {own!r}, but no sample weights are asked for",
                    f"Use it: --sample-weights {use}. Or take it out of the truth.",
                    where=file.source,
                )
            return None
        truth = file.sets
        with withholding(path, "the sample weights do not fit the truth", public=self.public):
            weights = weights_of(path, truth.samples)
        return dict(zip(truth.samples, weights.tolist(), strict=True))

    def sample_groups(self, path: Path | None, truth: LabelSets) -> dict[str, str] | None:
        """Read the group of each sample, if a file of groups was named."""
        from ontoeval.core.sample_weights import group_names

        if path is None:
            return None
        with withholding(path, "the groups do not fit the samples of the truth", public=self.public):
            return group_names(path, truth.samples)

    def read_known_labels(self, path: Path | None) -> LabelSets | None:
        """Read the labels that were known of samples before, if a file of them was named."""
        from ontoeval.labels.reading import read_label_file

        if path is None:
            return None
        if self.ontology is None:
            raise ParameterError("--known", str(path), "--ontology beside it, whose ancestors are known too")
        return read_label_file(path, self.ontology, replace(self.reading, threshold=None, close=False)).sets

    def weighted_hierarchy(
        self, weights: Sequence[str], corpus: Path | None
    ) -> tuple[Hierarchy | None, list[str]]:
        """Add weights of files, and information from a corpus of annotations, to the hierarchy."""
        from ontoeval.concepts.information import with_information
        from ontoeval.labels.per_concept import read_weights
        from ontoeval.labels.reading import read_label_file

        hierarchy = self.hierarchy
        if hierarchy is None:
            options = (("--weights", ", ".join(weights)), ("--information-from", str(corpus or "")))
            for option, value in options:
                if value:
                    expected = "an --ontology beside it, whose concepts it weights"
                    expected += "; weights of samples are --sample-weights FILE" * (option == "--weights")
                    raise ParameterError(option, value, expected)
            return None, []
        remarks = []
        if corpus is not None:
            # Some challenges estimate it from the very truth.
            with withholding(corpus, "the annotations cannot be used", public=self.public):
                file = read_label_file(corpus, self.ontology, replace(self.reading, threshold=None))
                hierarchy = with_information(hierarchy, file.sets, corpus=str(corpus), withheld=self.public)
            remarks = [] if self.public else [f"{file.source}: {file.format}", *file.notes]
        for text in weights:
            name, equals, path = text.partition("=")
            if not (name and equals and path):
                raise ParameterError("--weights", text, "a name and a file: NAME=FILE")
            values = read_weights(path, self.ontology, concept_map=self.reading.names.concept_map)
            hierarchy = hierarchy.with_weight(name, values, source=values.source)
        return hierarchy, remarks


def reader_of(options: ReadingOptions, *, public: bool = False) -> Reader:
    """Read the ontology, if there is one."""
    draft = read_draft(options)
    if draft is None:
        return Reader(None, options.labels, public)
    from ontoeval.ontology.model import Ontology, compile_draft

    ontology = draft if isinstance(draft, Ontology) else compile_draft(draft)
    return Reader(ontology, options.labels, public)


def read_draft(options: ReadingOptions, *, annotated: bool = False) -> Draft | Ontology | None:
    """Read the file of the ontology, as far as cycles do no harm."""
    if options.ontology is None:
        return None
    from ontoeval.labels.name_resolution import read_concepts
    from ontoeval.ontology.reading import read_draft

    concepts, names = None, options.labels.names
    if names.concepts is not None:
        concepts = read_concepts(names.concepts, concept_map=names.concept_map)
    hierarchy = options.hierarchy
    imports = _import_files(options.imports) or None
    reading = replace(hierarchy, root=hierarchy.root or None, imports=imports, concepts=concepts)
    draft = read_draft(options.ontology, reading, annotated=annotated)
    return draft if options.show == "label" else draft.showing(options.show)


def kinds_at(path: Path, layout: Layout, ontology_format: OntologyFormat | None) -> dict[FileKind, str]:
    """Recognise what a file holds, in words; both kinds where its contents leave it open."""
    from ontoeval.ontology.file_formats import FORMATS
    from ontoeval.ontology.reading import ontology_file, recognise_file

    if path.is_dir():
        return {"labels": "a folder"}
    if not path.exists() and Path(ontology_file(str(path))) != path:
        return {"ontology": "shipped"}
    form, none = None, None
    try:
        form = _label_format(path, layout)
    except InputError as error:
        none = error
    try:
        syntax, shown = recognise_file(path, ontology_format)
    except InputError as error:
        if none is None:
            return {"labels": str(form)}
        raise _neither(none, error) from None
    labels, hierarchy = _may_be(form, syntax, shown=shown)
    found: dict[FileKind, str] = {"labels": str(form or "rows without titles"), "ontology": FORMATS[syntax]}
    return {kind: words for (kind, words), may in zip(found.items(), (labels, hierarchy), strict=True) if may}


def _may_be(form: Recognised | None, syntax: str, *, shown: bool) -> tuple[bool, bool]:
    """Whether a file that an ontology reader takes may be labels, and whether it may be an ontology."""
    from ontoeval.plumbing.column_titles import SAMPLE, normalise_title

    if form is None or not shown:
        # Pairs without titles may be labels; titles of labels are no names of concepts.
        return not shown, form is None or form.format in {"cafa", "imageclef"}
    # Titles of parents make a table of any two columns a hierarchy, unless one is for samples.
    samples = syntax != "edges" or not form.header
    return samples or normalise_title(form.header[form.sample]) in {*SAMPLE, ""}, True


def _label_format(path: Path, layout: Layout) -> Recognised | None:
    """Format of a label file; None where no labels can stand below the titles."""
    from ontoeval.labels.cells import TRUTH_VALUES, parse_number
    from ontoeval.labels.recognition import parse, recognised
    from ontoeval.labels.sources import read_label_source
    from ontoeval.labels.statements import DecoderOptions

    form, rows = recognised(read_label_source(path), layout)
    if form.format == "json":  # which begins alike, whatever it holds
        with suppress(InputError):
            parse(rows, form, DecoderOptions(scores=True, repeats=True))
            return form
        parse(rows, form, DecoderOptions(repeats=True))
    if form.format != "columns" or form.delimiter == PARQUET:
        return form
    first = rows.first(form.delimiter)
    values = [first[place] for place in form.values_at if place < len(first)]
    numbers = all(one.lower() in TRUTH_VALUES or parse_number(one) is not None for one in values)
    return form if numbers else None


def _neither(labels: InputError, ontology: InputError) -> InputError:
    """Choose the error for a file that is not recognised: the one that knows what it is, or labels'."""
    from ontoeval.labels.recognition import REMEDY
    from ontoeval.labels.sources import NO_LABELS
    from ontoeval.ontology.syntax import READ

    if labels.problem == NO_LABELS or (labels.remedy == REMEDY and ontology.remedy != READ):
        return ontology
    if labels.problem != ontology.problem:
        labels.add_remedy(f"If it is an ontology, pass --kind ontology: {ontology.problem}.")
    return labels


def files_of(options: ReadingOptions) -> dict[str, Path]:
    """List the files that options of reading name, by how messages name them."""
    found: dict[str, Path] = {}
    if options.ontology is not None:
        from ontoeval.ontology import ontologies
        from ontoeval.ontology.reading import ontology_file

        path = Path(ontology_file(options.ontology))
        shipped = path.parent == ontologies.path("photo").parent
        found[f"{path.stem} (shipped)" if shipped else str(path)] = path
    named = (options.labels.names.concepts, options.labels.names.concept_map, options.labels.threshold)
    others = [*_import_files(options.imports).values(), *named]
    return found | {str(one): Path(one) for one in others if isinstance(one, str | Path)}


def _import_files(imports: Sequence[str]) -> dict[str, str]:
    """Files by the IRIs that import them."""
    files: dict[str, str] = {}
    for text in imports:
        iri, sign, path = text.partition("=")
        while sign and not Path(path).exists() and "=" in path:  # an IRI may hold the sign as well
            more, _, path = path.partition("=")
            iri = f"{iri}={more}"
        if not sign:
            raise ParameterError("--import", text, "IRI=FILE")
        files[iri] = path
    return files


def _remarks_on(ontology: Ontology) -> Iterator[str]:
    """Name the imports that were not read, and the links that were cut."""
    source, report = ontology.source.path, ontology.report
    yield from filter(None, [ontology.hierarchy().sources.get("columns")])
    if count := report.imports.count:
        many = f"{count:,} ontologies that it imports are"
        what = many if count > 1 else "an ontology that it imports is"
        named = enumerate_some(report.imports.examples, total=count)
        yield f"{source}: {what} not read: {named} (--import names a local copy)"
    if count := report.cut.count:
        links = f"{pluralise(count, 'link')} {'was' if count == 1 else 'were'} cut to break cycles"
        yield f"{source}: {links}, child -> parent: {enumerate_some(report.cut.examples)}"


def _joined(texts: Sequence[str], link: str, *, brief: bool) -> str:
    """List texts on files, or the first and how many more there are."""
    more = len(texts) - 1
    return f"{texts[0]}{link}{pluralise(more, 'more file')}" if brief and more else ", ".join(texts)


_FEWEST = 5
"""Samples that seldom have the same labels by chance."""


def _is_constant(sets: LabelSets | CountedSets | None) -> bool:
    """Whether all samples have the same labels, and are enough for a remark."""
    from ontoeval.core.label_sets import labels_of_all

    if sets is None or len(sets) < _FEWEST:
        return False
    return (sets.alike if hasattr(sets, "alike") else labels_of_all(sets)) is not None


def content_of(file: LabelFile | ScoreFile) -> LabelSets | LabelScores:
    """Label sets, or scores, of a file."""
    return file.scores if hasattr(file, "scores") else file.sets


def _shared_vocabulary(files: Sequence[LabelFile | ScoreFile]) -> Vocabulary:
    """Find the concepts of all files; an error names the file and a sample of each concept."""
    from ontoeval.core.vocabulary import common_vocabulary, refuse_alike

    sides = [(file.source, content_of(file)) for file in files]
    first = {name: side for side in reversed(sides) for name in side[1].vocabulary}

    def place(name: str) -> str:
        source, side = first[name]
        rows = side.matrix[:, [side.vocabulary.index[name]]].nonzero()[0]
        return f"{source}, sample {side.samples[rows[0]]!r}" if rows.size else source

    if len({side.vocabulary for _, side in sides}) > 1:
        refuse_alike(first, place)
    return common_vocabulary(side.vocabulary for _, side in sides)
