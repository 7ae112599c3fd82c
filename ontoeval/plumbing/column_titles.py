"""Usual titles of columns and keys of records, by role."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ontoeval.errors import InputError

USUAL_SAMPLE = frozenset(
    {"id", "sample", "item", "instance", "example", "record", "document", "doc", "entry"}
    | {"image", "photo", "picture", "clip", "file", "filename", "fname", "name", "pmid", "ytid"}
    | {"image index", "movie", "celex"}
)
"""Titles of the column of the samples that go before the others of `SAMPLE`."""

SAMPLE = USUAL_SAMPLE | frozenset(
    {"task", "unit", "study", "case", "hit", "question", "video", "audio", "path", "scan"}
    | {"frame", "track", "song", "recording", "specimen", "observation", "article", "paper", "post", "url"}
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

CODES = re.compile("code|(?:.*[ _-])?codes")
"""Titles of columns of labels where the texts are codes."""

SCORE = frozenset({"score", "value", "confidence", "probability", "share"})
"""Titles of the column of the scores."""

SCORES = frozenset({"scores", "values", "confidences", "probabilities", "shares"})
"""Titles of a column with the scores of all concepts of a sample."""

SAMPLE_WEIGHT = frozenset({"weight", "sample_weight", "sample weight", "sample-weight"})
"""Titles of the column of the sample weights."""

OWN_SAMPLE_WEIGHT = SAMPLE_WEIGHT - {"weight"}
"""Titles that mean sample weights in any table: a weight may also be that of a patient."""

FLAG = frozenset(
    {"present", "absent", "excluded", "negated", "negative", "negation", "polarity", "assertion", "qualifier"}
    | {"is_present", "is_absent", "is_excluded", "is_negated", "is_negative", "rejected", "deleted", "answer"}
)
"""Titles of a column that marks labels as present or absent."""

GROUP = frozenset({"group", "cluster", "site", "patient", "transect", "location", "plot", "annotator"})
"""Titles of the column of the groups that samples come from."""

ANNOTATOR = frozenset(
    {"annotator", "rater", "worker", "user", "coder", "judge", "expert", "labeler", "labeller"}
    | {
        "rad",
        "radiologist",
        "reader",
        "observer",
        "participant",
        "performer",
        "assessor",
        "who",
        "listener",
        "viewer",
    }
    | {"tagger", "indexer", "reviewer"}
)
"""Titles of the column of the annotators."""

_BESIDE = re.compile(
    r"(start|end|begin|onset|offset)([ _-]?times?)?([ _-]?(s|sec|seconds|ms))?|title|text|abstract"
    r"|source|split|fold|aspect|sample[ _-]?weight"
)


PARQUET_INDEX = "__index_level_0__"
"""Title of an index without a name in Parquet files of pandas, which write it last."""

_INDEX = re.compile(rf"(?i:unnamed: 0(\.\d+)?|{PARQUET_INDEX})?")  # blank in CSV; pandas calls a blank so


def index_width(titles: Iterable[str]) -> int:
    """Count the first columns with titles of a data frame's index, which gives way to a column of samples."""
    return next((n for n, one in enumerate(titles) if not _INDEX.fullmatch(one) or (n and not one)), 0)


def normalise_title(name: str) -> str:
    """Normalise the title of a column for comparison."""
    apart = name.strip()
    if apart[-1:] not in {"d", "D", "e", "E"}:  # as most of what may be a million titles
        return apart.lower()
    if apart.endswith(("Id", "ID", "Name")):
        apart = re.sub(r"(?<=[a-z])(?=(?:I[Dd]|Name)$)", "_", apart)
    apart = apart.lower()
    return re.sub(r"(?<=.)[ _-](id|name)$", "", apart) if apart.endswith(("id", "name")) else apart


def is_plural(title: str) -> bool:
    """Whether a title is that of a column with all labels of a sample."""
    name = normalise_title(title)
    return name in CONCEPTS or (name != "code" and CODES.fullmatch(name) is not None)


def is_ignorable(name: str) -> bool:
    """Whether a column besides samples and labels may be ignored."""
    return _BESIDE.fullmatch(name) is not None


def sample_positions(names: Sequence[str]) -> list[int]:
    """Columns that may hold the samples: "id", else the usual titles, else the others."""
    return positions(names, {"id"}) or positions(names, USUAL_SAMPLE) or positions(names, SAMPLE)


def sample_titles(titles: Sequence[str]) -> list[str]:
    """Titles of the columns that may hold the samples."""
    return [titles[n] for n in sample_positions([*map(normalise_title, titles)])]


def positions(names: Sequence[str], accepted: Iterable[str]) -> list[int]:
    """Positions of the columns with one of some titles."""
    accepted = frozenset(accepted)
    return [position for position, name in enumerate(names) if name in accepted]


def are_columns(value: Mapping[Any, Any]) -> bool:
    """Whether a mapping holds lists under usual titles of samples and of labels, as a table does."""
    titles = {normalise_title(str(title)) for title in value} if len(value) < _MOST_TITLES else set[str]()
    labels = [one for one in titles if one in CONCEPT | CONCEPTS or CODES.fullmatch(one)]
    listed = all(isinstance(one, list | tuple) or hasattr(one, "tolist") for one in value.values())
    return listed and bool(labels) and not SAMPLE.isdisjoint(titles)


_MOST_TITLES = 100
"""More keys of a mapping are not compared with titles: they name samples."""


class LabelColumns(NamedTuple):
    """Positions of the columns of samples, labels and scores; of several labels in a row if `plural`."""

    sample: int
    concept: int
    score: int | None
    plural: bool


def label_columns(names: Sequence[str], asked: str | None = None) -> LabelColumns | None:
    """Columns of a table of labels by their normalised titles; None where these leave a doubt."""
    concept, score = positions(names, CONCEPT | CONCEPTS), positions(names, SCORE | SCORES)
    alike = numbered_alike(names) if concept else []
    if len(concept) > 1 or not (concept or asked) or (alike[1:] and names[concept[0]] in alike):
        return None
    others = [n for n in range(len(names)) if n not in {*concept, *score}]
    rest = [n for n in others if not is_ignorable(names[n])] or others
    index, named = index_width(names), called_sample(names, rest)
    rest = [n for n in rest if n >= index or not named]
    if asked and not concept and len(rest) == 2 and names[rest[0]] in {*SAMPLE, *names[:index]}:  # noqa: PLR2004
        concept, rest = rest[1:], rest[:1]  # the sample's column is known, so the other is the concept's
    if len(concept) == 1 and names[concept[0]] in CONCEPTS and len(rest) > 1 and ANNOTATOR.isdisjoint(names):
        # All labels of a sample are listed, whatever the other columns hold.
        rest = called_sample(names, rest)
    if len(concept) != 1 or len(rest) != 1 or len(score) > 1:
        return None
    plural = asked == "wide" or (not asked and names[concept[0]] in CONCEPTS)
    if score and not asked and (names[score[0]] in SCORES) != plural:
        return None
    return LabelColumns(rest[0], concept[0], score[0] if score else None, plural)


def called_sample(names: Sequence[str], places: Sequence[int]) -> list[int]:
    """Columns among some that may hold the samples."""
    return [places[n] for n in sample_positions([names[n] for n in places])]


def numbered_alike(titles: Iterable[str]) -> list[str]:
    """Most titles that differ from one another by a number only, such as l1 and l2."""
    alike: dict[str, list[str]] = {}
    number, letter = re.compile(r"[ ._-]?\d+"), re.compile(r"[^\W_]")
    usual = CONCEPT | CONCEPTS
    for title in titles:  # of which there may be a million
        stem = number.sub("", title)
        if (stem != title and letter.search(stem)) or title in usual or CODES.fullmatch(title):
            alike.setdefault(stem, []).append(title)
    return max((some for some in alike.values() if some[1:]), key=len, default=[])


def refuse_flags(titles: Iterable[str]) -> None:
    """Refuse an unread column that marks labels as present or absent: all rows would be present labels."""
    if flags := [title for title in titles if normalise_title(title) in FLAG]:
        raise InputError(
            f"{flags[0]!r} may mark labels as absent, but is not read, so that all would be present",
            "Leave out the rows of absent labels, and then the column; or, of a table of NOT, excluded or "
            "absent, name it (negation_column=, --negation-column).",
        )
