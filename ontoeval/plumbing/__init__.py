"""Plumbing: files, data frames, JSON, sparse arrays, workers and memory; nothing here knows a concept."""
