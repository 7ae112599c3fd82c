"""Labels of another version of an ontology, or of a consensus, written as a file writes labels."""

from __future__ import annotations

import numpy as np

from ontoeval.audit.patches import Copy, copy_of
from ontoeval.audit.raw_labels import read_raw_labels
from ontoeval.audit.relabelling import Relabelling
from ontoeval.audit.resolved_labels import Naming, ResolvedLabels
from ontoeval.audit.versions import Migration, joining
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, enumerate_some, pluralise
from ontoeval.labels.name_resolution import Names
from ontoeval.labels.reading import LabelFileReader
from ontoeval.labels.reading_options import LabelReading, NameOptions
from ontoeval.labels.writers import LabelRows
from ontoeval.ontology.model import Ontology
from ontoeval.plumbing.files import FilePath
from ontoeval.plumbing.sparse import pattern


def spelt_sets(subject: ResolvedLabels) -> LabelSets:
    """Take the labels of a file as they are spelt; refuse samples that have several rows."""
    raw = subject.raw
    if again := [raw.samples[row] for row in np.flatnonzero(raw.has_several_rows).tolist()]:
        problem = f"{pluralise(len(again), 'sample')} with several rows: {enumerate_some(again)}"
        raise InputError(problem, "Keep one row of each sample.", where=raw.source)
    return LabelSets(raw.matrix, Vocabulary(raw.spellings), raw.samples)


def _rows_to_write(moved: Migration, subject: ResolvedLabels, new: Ontology) -> LabelRows:
    """Write the concepts that are used as the file writes concepts."""
    naming, translated = subject.naming, subject.names.concept_map
    own = {move.becomes: move.concept for move in moved.moves if move.how == "new" and not translated}
    own |= {move.becomes: naming[move.concept] for move in moved.moves if move.how.startswith("same")}
    naming = naming.with_names(Names.from_options(new, NameOptions(concept_map=translated)), own)
    return named_rows(moved.sets, naming)


def named_rows(sets: LabelSets, naming: Naming) -> LabelRows:
    """Name the concepts that are used as a file names concepts."""
    used = np.unique(sets.matrix.indices)
    names = Vocabulary(tuple(naming[sets.vocabulary[column]] for column in used.tolist()))
    return LabelRows(sets.samples, names, sets.matrix[:, used])


def migrated_copy(moved: Migration, subject: ResolvedLabels, new: Ontology, reading: LabelReading) -> Copy:
    """Write the labels of the new version into the file."""
    raw, names, rows = subject.raw, subject.names.concept_map, _rows_to_write(moved, subject, new)
    written = dict(zip(np.unique(moved.sets.matrix.indices).tolist(), rows.vocabulary, strict=True))
    index = moved.sets.vocabulary.index
    becomes = {move.concept: written[index[move.becomes]] for move in moved.moves if move.becomes}
    called = {}
    for text, meaning in zip(raw.spellings, subject.meanings, strict=True):
        for key in (names.get(text, text), *meaning.concepts):
            if key in becomes:
                called[text] = becomes[key]
                break
    every, anew = np.arange(len(raw.rows)), bool(raw.ledger.negated) or raw.scored
    labels = Relabelling(rows, every, every, np.zeros(every.size, bool), called)
    return copy_of(raw, labels, reading.layout.separator, anew=anew)


def agreed_copy(path: FilePath, agreed: LabelSets, reading: LabelFileReader, naming: Naming) -> Copy:
    """Write a consensus into a file; of the annotations of each sample only the nearest one stays."""
    raw = read_raw_labels(path, reading, None, keep=True)
    subjects, index = raw.subjects or raw.rows, agreed.vocabulary.index
    meanings = ((text, reading.names.meaning(text)[0]) for text in raw.spellings)
    meant = {text: found[0] for text, found in meanings if len(found) == 1}
    called = {text: naming[name] for text, name in meant.items()}
    places = [(n, index[meant[text]]) for n, text in enumerate(raw.spellings) if meant.get(text) in index]
    own = pattern(raw.matrix @ joining(places, (len(raw.spellings), len(index))))
    if odd := sorted({*agreed.samples} ^ {*subjects}):
        raise InputError(f"only the file or the consensus has the samples {enumerate_some(odd)}", "")
    wanted = agreed.matrix[[agreed.row[name] for name in subjects]]
    both = np.asarray(own.multiply(wanted).sum(axis=1)).ravel()
    sizes, wished = np.diff(own.indptr), np.diff(wanted.indptr)
    which = np.unique(np.array(subjects), return_inverse=True)[1]
    # Labels are added beside others, so an annotation that shares none is the last to be taken.
    order = np.lexsort((sizes + wished - 2 * both, (both == 0) & (wished > 0), which))
    kept = np.sort(order[np.unique(which[order], return_index=True)[1]])
    rows = named_rows(agreed.take([subjects[row] for row in kept.tolist()]), naming)
    labels = Relabelling(rows, kept, np.arange(kept.size), np.zeros(kept.size, bool), called)
    return copy_of(raw, labels, reading.layout.separator, anew=raw.scored)
