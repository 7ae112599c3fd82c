"""Results as tables, for people and for programs; knows nothing of measures."""
