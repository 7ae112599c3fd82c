"""Run pytest, and count covered lines where that costs next to nothing: from Python 3.12 on."""

import sys

import pytest

counting = ["--cov"] if sys.version_info >= (3, 12) else []
sys.exit(pytest.main([*counting, *sys.argv[1:]]))
