"""Replay: what many files are read as and what commands print, by this checkout and by an earlier one."""
