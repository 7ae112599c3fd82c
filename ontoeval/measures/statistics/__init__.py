"""What is summed: additive statistics of a batch, one row per sample."""
