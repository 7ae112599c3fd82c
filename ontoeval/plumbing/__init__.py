"""Files, data frames, JSON, sparse arrays, workers and memory; of other rooms only `errors` is imported."""
