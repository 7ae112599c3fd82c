"""Usual titles of columns and keys of records, by role."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

USUAL_SAMPLE = frozenset(
    {"id", "sample", "item", "instance", "example", "record", "document", "doc", "entry"}
    | {"image", "photo", "picture", "clip", "file", "filename", "fname", "name", "pmid", "ytid"}
    | {"image index", "movie", "celex"}
)
"""Titles of the column of the samples that go before the others of `SAMPLE`."""

SAMPLE = USUAL_SAMPLE | frozenset(
    {"task", "unit", "study", "case", "hit", "question", "video", "audio", "path", "scan"}
)
"""Titles of the column of the samples, in every table."""

CONCEPT = frozenset(
    {"concept", "label", "class", "tag", "category", "term", "subject", "event_label"} | {"choice"}
)
"""Titles of a column with one concept in each row."""

CONCEPTS = frozenset(
    {"concepts", "labels", "classes", "tags", "categories", "terms", "subjects"}
    | {"positive_labels", "meshmajor", "decscodes", "subject_uris"}
    | {"choices", "event_labels", "finding labels", "attribute_ids", "genres", "keywords", "cuis"}
)
"""Titles of a column with all concepts of a sample."""

SCORE = frozenset({"score", "value", "confidence", "probability"})
"""Titles of the column of the scores."""

SCORES = frozenset({"scores", "values", "confidences", "probabilities"})
"""Titles of a column with the scores of all concepts of a sample."""

SAMPLE_WEIGHT = frozenset({"weight", "sample_weight", "sample weight", "sample-weight"})
"""Titles of the column of the sample weights."""

OWN_SAMPLE_WEIGHT = SAMPLE_WEIGHT - {"weight"}
"""Titles that mean sample weights in any table: a weight may also be that of a patient."""

GROUP = frozenset({"group", "cluster", "site", "patient", "transect", "location", "plot", "annotator"})
"""Titles of the column of the groups that samples come from."""

ANNOTATOR = frozenset(
    {"annotator", "rater", "worker", "user", "coder", "judge", "expert", "labeler", "labeller"}
    | {"rad", "radiologist", "reader", "observer", "participant", "performer", "assessor"}
)
"""Titles of the column of the annotators."""

_BESIDE = re.compile(
    r"(start|end|begin|onset|offset)([ _-]?times?)?([ _-]?(s|sec|seconds|ms))?|title|text|abstract"
    r"|source|split|fold|aspect|sample[ _-]?weight"
)


def normalise_title(name: str) -> str:
    """Normalise the title of a column for comparison."""
    apart = name.strip()
    # Few names end so, and there may be a million of them.
    if apart.endswith(("Id", "ID", "Name")):
        apart = re.sub(r"(?<=[a-z])(?=(?:I[Dd]|Name)$)", "_", apart)
    apart = apart.lower()
    return re.sub(r"(?<=.)[ _-](id|name)$", "", apart) if apart.endswith(("id", "name")) else apart


def is_ignorable(name: str) -> bool:
    """Whether a column besides samples and labels may be ignored."""
    return _BESIDE.fullmatch(name) is not None


def sample_positions(names: Sequence[str]) -> list[int]:
    """Columns that may hold the samples: "id", else the usual titles, else the others."""
    return positions(names, {"id"}) or positions(names, USUAL_SAMPLE) or positions(names, SAMPLE)


def positions(names: Sequence[str], accepted: Iterable[str]) -> list[int]:
    """Positions of the columns with one of some titles."""
    accepted = frozenset(accepted)
    return [position for position, name in enumerate(names) if name in accepted]
