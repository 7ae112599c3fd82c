"""Letters: groups of runs that are not distinguishable."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase
from typing import Any

import numpy as np
from numpy.typing import NDArray


def letters_of(alike: NDArray[np.bool_], tested: NDArray[np.bool_], order: Sequence[int]) -> tuple[str, ...]:
    """Give each largest set of runs that are all alike a letter, from the best run on."""
    from networkx import Graph, find_cliques

    place = {run: at for at, run in enumerate(order) if tested[run]}
    graph: Any = Graph()
    graph.add_nodes_from(place)
    graph.add_edges_from((a, b) for a in place for b in place if a < b and alike[a, b])
    cliques = sorted(sorted(place[run] for run in clique) for clique in find_cliques(graph))
    letters = [""] * len(alike)
    for number, clique in enumerate(cliques):
        for at in clique:
            letters[order[at]] += _letter(number)
    return tuple(letters)


def _letter(number: int) -> str:
    """Name a group: a to z, then a1 and so on."""
    round_, letter = divmod(number, len(ascii_lowercase))
    return ascii_lowercase[letter] + (str(round_) if round_ else "")
