"""How long hostile input may keep a processor busy before a test says that there is no bound."""

import sys

SECONDS = 6.0 if sys.gettrace() is None else 30.0
"""Most seconds of processor: what takes one or two must not fail on a slower machine, or while coverage counts lines."""
