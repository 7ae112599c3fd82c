"""Pictures of samples: embedded, linked to where they lie in a folder, or linked to a URL."""

from __future__ import annotations

import os
import re
from base64 import b64encode
from pathlib import Path
from typing import NamedTuple, Protocol
from urllib.parse import quote, urlsplit

from ontoeval.core.files import FilePath
from ontoeval.errors import InputError, ParameterError

KINDS = {
    ".avif": "avif",
    ".gif": "gif",
    ".jpeg": "jpeg",
    ".jpg": "jpeg",
    ".png": "png",
    ".webp": "webp",
}
"""Kinds of pictures that browsers show, by the ends of file names."""

SMALL, TOTAL = 48 * 1024, 1_500_000
"""Bytes of a file that is embedded, and of all of them."""

SAMPLE = "{sample}"


class Picture(NamedTuple):
    """Where a picture is."""

    address: str
    asked: bool = False


class Pictures(Protocol):
    """Finds pictures of samples."""

    @property
    def sources(self) -> tuple[str, ...]:
        """Where pictures come from, as a content security policy names it."""

    def of(self, sample: str) -> Picture | None:
        """Find the picture of a sample."""


class NoPictures:
    """There are no pictures."""

    sources = ()

    def of(self, sample: str) -> None:
        """Find nothing."""
        del sample


class InFolder:
    """Pictures that are files of a folder, named like the samples."""

    sources = ("'self'", "file:")

    def __init__(self, folder: FilePath, page: FilePath) -> None:
        self._folder, self._page = Path(folder).resolve(), Path(page).resolve()
        if not self._folder.is_dir():
            raise InputError("there is no such folder of pictures", "Name a folder.", where=folder)
        self._left = TOTAL

    def of(self, sample: str) -> Picture | None:
        """Find the picture of a sample: a file called like it, with or without its end."""
        for end in ("", *KINDS, *(end.upper() for end in KINDS)):
            try:
                file = (self._folder / f"{sample}{end}").resolve()
                # A sample may be called ../../secret: only what lies in the folder is a picture.
                if file.suffix.lower() in KINDS and file.is_relative_to(self._folder) and file.is_file():
                    return self._shown(file)
            except (OSError, ValueError):  # a name that is too long, or holds a zero byte
                return None
        return None

    def _shown(self, file: Path) -> Picture:
        size = file.stat().st_size
        if size <= min(SMALL, self._left):
            self._left -= size
            return Picture(
                f"data:image/{KINDS[file.suffix.lower()]};base64,{b64encode(file.read_bytes()).decode()}"
            )
        relative = os.path.relpath(file, self._page)
        return Picture(quote(Path(relative).as_posix()))


class Elsewhere:
    """Pictures of a server, each under an address that holds the sample's name."""

    def __init__(self, pattern: str) -> None:
        parts = urlsplit(pattern)
        if (
            parts.scheme not in {"http", "https"}
            or not re.fullmatch(r"[A-Za-z0-9.-]+(:\d+)?", parts.netloc)
            or SAMPLE not in pattern
        ):
            raise ParameterError(
                "images", pattern, f"a folder, or an address such as https://example.org/{SAMPLE}.jpg"
            )
        self._pattern = pattern
        self.sources = (f"{parts.scheme}://{parts.netloc}",)

    def of(self, sample: str) -> Picture:
        """Name the address of a sample's picture; nothing is fetched."""
        return Picture(self._pattern.replace(SAMPLE, quote(sample, safe="")), asked=True)


def pictures(images: FilePath | None, page: FilePath = ".") -> Pictures:
    """Choose where pictures of samples come from."""
    if images is None:
        return NoPictures()
    if isinstance(images, str) and "://" in images:
        return Elsewhere(images)
    return InFolder(images, page)
