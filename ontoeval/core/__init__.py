"""What all stands on: vocabularies, hierarchies, label sets, batches, sparse arrays, resamples and files."""
