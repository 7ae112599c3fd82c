"""What all tests share: how hard Hypothesis tries, and where real data lies."""

import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# typer colours its help wherever GitHub's machines run it, and looks at this as it is imported.
os.environ["_TYPER_FORCE_DISABLE_TERMINAL"] = "1"

from ontoeval.cli import terminal

# Shells let programs in the background ignore Ctrl-C, and what these start ignores it as well: tests of interrupts
# would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What the commands print is compared as text: no line may break where a folder happens to have a long name.
terminal.out.width = terminal.err.width = 400

collect_ignore = [
    "border/sessions",  # test_sessions.py runs what these show
    "fuzz",  # it takes minutes, and finds something else each time: `tox -e fuzz`
]

# The same examples in every run: a failure is the change's, not the day's. `tox -e thorough` tries more, and
# `tox -e thorough -- --hypothesis-profile=release tests/laws` many and ever new ones.
settings.register_profile("few", derandomize=True, deadline=None, max_examples=12, print_blob=True)
settings.register_profile("thorough", settings.get_profile("few"), max_examples=40)
settings.register_profile(
    "release", deadline=None, max_examples=2_000, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("few")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Count no lines of tests in folders that are costly and cover little more."""
    for item in items:
        if not {"browser", "invalid", "peers"}.isdisjoint(item.path.parts):
            item.add_marker(pytest.mark.no_cover)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line how many tests were skipped for which reasons."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ").split(": No module")[0] for report in skipped
    )
    if reasons:
        counts = "; ".join(f"{count} × {reason}" for reason, count in reasons.most_common())
        terminalreporter.write_line(f"skipped: {counts}", yellow=True)


@pytest.fixture(scope="session")
def data() -> Path:
    """Real ontologies and label files, which are no part of the project: ONTOEVAL_DATA names their folder."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    folder = Path(os.environ.get("ONTOEVAL_DATA", beside))
    if not folder.is_dir():
        pytest.skip(f"no real data at {folder}: set ONTOEVAL_DATA to their folder")
    return folder


@pytest.fixture(autouse=True)
def _no_open_figures() -> Iterator[None]:
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")
