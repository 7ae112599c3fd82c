"""The C floor computes what ontoeval computes, on sets that may be empty."""

import numpy as np
import pytest

import ontoeval as oe
from benchmarks.floor import Floor, library

pytestmark = pytest.mark.skipif(library() is None, reason="no C compiler")

HIERARCHY = oe.read_ontology(oe.ontologies.path("photo")).hierarchy()


@pytest.fixture(params=range(3), ids=["empty", "few", "many"])
def sides(request):
    rng = np.random.default_rng(request.param)
    shape = (200, len(HIERARCHY.label_vocabulary))
    truth = rng.random(shape) < 0.02 + 0.1 * request.param
    prediction = truth ^ (rng.random(shape) < 0.02)
    prediction[0] = False
    truth[:2] = False
    return [
        oe.LabelSets.from_array(side, vocabulary=HIERARCHY.label_vocabulary) for side in (truth, prediction)
    ]


@pytest.mark.parametrize(
    ("kernel", "options", "measure"),
    [
        ("micro_f", {}, "F"),
        ("macro_f", {}, "F(average='macro', undefined=0.0)"),
        ("hierarchical_f", {}, "hF"),
        ("ontology_score", {}, "OS(penalise='none')"),
        ("ontology_score", {"rules": True}, "OS"),
        ("ontology_score_by_paths", {}, "OS(penalise='none')"),
    ],
    ids=["micro F", "macro F", "hF", "OS", "OS with rules", "OS by paths"],
)
def test_a_kernel_gives_the_score_of_the_package(sides, kernel, options, measure):
    expected = oe.evaluate(*sides, hierarchy=HIERARCHY, measures=measure)[measure]
    assert Floor(sides[0], sides[1], hierarchy=HIERARCHY).prepared(kernel, **options)() == pytest.approx(
        expected, abs=1e-12
    )


def test_the_kernel_of_krstinic_gives_the_matrix_of_the_package(sides):
    expected = oe.confusion_matrix(*sides, rule="krstinic").matrix
    np.testing.assert_allclose(Floor(*sides).krstinic(), np.asarray(expected), atol=1e-12)
