"""Agreement: what several people say of the same samples, how far they agree, and what most of them say."""
