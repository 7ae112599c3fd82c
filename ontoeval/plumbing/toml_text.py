"""TOML text of configuration files, with bounds on size and on the parts of a key."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from ontoeval.errors import InputError
from ontoeval.plumbing.json_text import reason_of
from ontoeval.plumbing.text_checks import MARK

_LARGEST, _LONGEST = 2**20, 100
"""Most bytes of a file, and most parts of a key: tomllib takes quadratic time for these."""

_PART = r"""(?:[\w-]++|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(rf"(?<![\w.-])(?:{_PART}[ \t]*+\.[ \t]*+){{{_LONGEST}}}")


def load_toml(text: str | bytes) -> dict[str, Any]:
    """Load a configuration in UTF-8."""
    remedy = "Correct the file."
    if len(text) > _LARGEST:
        raise InputError(f"a configuration of {len(text):,} bytes: 1 MiB is the most", remedy)
    try:
        text = (text if isinstance(text, str) else text.decode()).removeprefix(MARK)
        found = _LONG_KEY.search(text)
        content = {} if found else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"this is no TOML: {reason_of(error)}", remedy) from error
    if found:
        row = text.count("\n", 0, found.start()) + 1
        raise InputError(f"the key '{found[0][:20]}' has more than {_LONGEST} parts", remedy, row=row)
    return content
