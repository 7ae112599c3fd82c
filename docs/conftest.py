"""Pages whose code `tests/manual/test_tutorials.py` runs are no doctests: they show tables and pictures."""

collect_ignore_glob = ["tutorials/*", "gallery/*"]
