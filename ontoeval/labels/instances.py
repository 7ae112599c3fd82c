"""Annotations of images in JSON, as COCO writes them: which categories have instances in each image."""

from __future__ import annotations

from typing import Any

from ontoeval.errors import InputError
from ontoeval.labels.entries import LABELS_NOT_SCORES, Entries, entries_of_lists

_PARTS = ("images", "annotations", "categories")
_WRITE = "Write images, annotations and categories as COCO does, with 'id', 'image_id' and 'category_id'."


def is_instances(content: object) -> bool:
    """Tell whether these are annotations of COCO."""
    return isinstance(content, dict) and all(isinstance(content.get(part), list) for part in _PARTS)


def from_instances(content: dict[str, Any], where: str, *, scores: bool) -> Entries:
    """Take the entries from annotations of COCO: the names of the categories that occur in each image."""
    if scores:
        raise InputError("these annotations have no scores", LABELS_NOT_SCORES, where=where)
    names = {
        _key(item, "id", "a category", where): _key(item, "name", "a category", where)
        for item in content["categories"]
    }
    found: dict[str, dict[str, None]] = {
        _key(item, "id", "an image", where): {} for item in content["images"]
    }
    if not found:
        raise InputError("there are no images in it", "Is it the right file?", where=where)
    for item in content["annotations"]:
        image, category = (_key(item, key, "an annotation", where) for key in ("image_id", "category_id"))
        if image not in found or category not in names:
            what, number = ("image", image) if image not in found else ("category", category)
            raise InputError(
                f"an annotation speaks of {what} {number}, which is not there", _WRITE, where=where
            )
        found[image][names[category]] = None
    samples = tuple(found)
    return entries_of_lists(
        samples, [list(labels) for labels in found.values()], place=lambda n: f"image {samples[n]}"
    )


def _key(item: object, key: str, what: str, where: str) -> str:
    value = item.get(key) if isinstance(item, dict) else None
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise InputError(f"{what} without {key!r}", _WRITE, where=where)
    return str(value).strip()
