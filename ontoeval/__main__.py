"""``python -m ontoeval`` does what ``ontoeval`` does."""

from ontoeval.cli import main

if __name__ == "__main__":
    main()
