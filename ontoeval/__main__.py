"""The program: ``ontoeval``, and ``python -m ontoeval``."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from types import FrameType


def main() -> NoReturn:
    """Load the commands and run them; an interrupt until then ends without a traceback."""
    before = signal.signal(signal.SIGINT, _leave)
    from ontoeval.cli import main as run

    signal.signal(signal.SIGINT, before)
    run()


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    del frame
    os._exit(128 + number)


if __name__ == "__main__":
    main()
