"""The command line as tests call it: with what it prints, or how it refuses."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from typer.testing import CliRunner, Result

from ontoeval.cli import app, main


def call(*arguments: object) -> Result:
    """Call a command; an error that it does not foresee is the test's."""
    return CliRunner().invoke(app, list(map(str, arguments)), catch_exceptions=False, env={"COLUMNS": "160"})


def refusal(
    arguments: Iterable[object],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    code: int = 3,
) -> str:
    """Call a command as a shell does, and give the message with which it ends: by default a refusal."""
    monkeypatch.setattr("sys.argv", ["ontoeval", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == code
    return " ".join(capsys.readouterr().err.split())
