"""Benchmarks: runs of files scored and compared as options or a file of them say, and done again."""
