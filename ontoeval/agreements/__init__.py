"""Agreement: what several annotators say of the same samples, how far they agree, and what most of them say."""
