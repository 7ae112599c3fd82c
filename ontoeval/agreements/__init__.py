"""Agreement: what several annotators said of the same samples, how far they agree, and what they say together."""
