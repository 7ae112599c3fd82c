"""``python -m ontoeval.cli`` does what ``ontoeval`` does."""

from ontoeval.cli import main

main()
