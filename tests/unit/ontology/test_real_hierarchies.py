"""Published hierarchies outside of RDF, not part of the project: what was counted in them by other means."""

from typing import Any

import networkx as nx
import pytest

import ontoeval as oe
from ontoeval.errors import InputError

# file, terms, is_a between live terms, roots, several parents, depth, isolated, obsolete, exclusions
OBO = [
    # Two of its terms are said to be equal and are one: two links and a concept with several parents fewer.
    ("go/go-nucleus.obo", 176, 221 - 2, 4, 43 - 1, 13, 0, 0, 17),
    ("go/goslim_generic.obo", 149, 148, 3, 2, 3, 0, 0, 0),
    ("obonet_tests/brenda-subset.obo", 2, 0, 1, 0, 0, 1, 1, 0),
    ("obonet_tests/taxrank.obo", 61, 60, 1, 0, 1, 0, 0, 0),
    ("owlapi_tests/caro.obo", 48, 47, 1, 0, 6, 0, 0, 0),
    ("pronto_tests/go.obo", 2, 0, 2, 0, 0, 2, 0, 0),
    ("pronto_tests/hp.obo", 2, 1, 1, 0, 1, 0, 0, 0),
    ("pronto_tests/mp.obo", 1, 0, 1, 0, 0, 1, 0, 0),
    ("pronto_tests/ms.obo", 2956 + 1, 2833, 97, 185, 7, 28, 282, 0),  # one is named and not described
    ("pronto_tests/uo.obo", 378, 396, 2, 20, 4, 0, 0, 0),
    ("so/so.obo", 2615, 2509, 4, 106, 13, 0, 211, 2),
    ("uberon/uberon_hist.obo", 4958, 7173, 2, 1868, 13, 0, 111, 167),  # stated by 304 clauses, most twice
]


def by_is_a(ontology: oe.Ontology) -> "nx.DiGraph[str]":
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(ontology.graph)
    edges: Any = ontology.graph.edges(data="kind")
    graph.add_edges_from((parent, child) for parent, child, kind in edges if kind == "is_a")
    return graph


@pytest.mark.parametrize(
    ("file", "terms", "links", "roots", "several", "depth", "isolated", "obsolete", "exclusions"), OBO
)
def test_terms_of_obo_are_as_many_as_were_counted(
    file, terms, links, roots, several, depth, isolated, obsolete, exclusions, data
):
    ontology = oe.read_ontology(data / "ontologies" / file)
    report, graph = ontology.report, by_is_a(ontology)
    assert report.found == terms
    assert report.links.get("is_a", 0) == graph.number_of_edges() == links
    assert report.roots.count == roots
    assert sum(degree > 1 for _, degree in graph.in_degree) == several
    assert report.levels == nx.dag_longest_path_length(graph) == depth
    assert sum(not degree for _, degree in ontology.graph.degree) == isolated
    assert sum(tally.count for tally in report.left_out.values()) == obsolete
    assert sum(report.exclusions.values()) == exclusions


# file, concepts, links, roots, several parents, depth
PLAIN = [
    ("audioset/ontology.json", 632, 670, 7, 38, 5),
    ("openimages/bbox_labels_600_hierarchy.json", 602, 647, 1, 45, 5),
    ("openimages/bbox_hierarchy.json", 612, 668, 1, 56, 5),
    ("breeds_imagenet/modified/class_hierarchy.txt", 1328, 1327, 1, 0, 8),
    ("mbm_isa/imagenet_isa.txt", 1372, 1371, 1, 0, 15),
    ("mbm_isa/inaturalist19_isa.txt", 1190, 1189, 1, 0, 7),
    ("mbm_isa/tiered_imagenet_isa.txt", 843, 842, 1, 0, 12),
    ("hiercls/inat21.csv", 16344, 16343, 1, 0, 7),
    ("mesh_bioasq/mesh_hierarchy.txt", 27900, 37796, 1, 8072, 17),
    ("mesh_bioasq/mesh_hiearchy_int.txt", 27900, 37796, 1, 8072, 17),
    ("coco_panoptic/panoptic_coco_categories.json", 133 + 27, 133, 27, 0, 1),  # person lies in person
    ("uat_skos/UAT.json", 2372 - 97, 2645, 108 - 97, 332, 10),  # without the 97 deprecated ones
]


@pytest.mark.parametrize(("file", "concepts", "links", "roots", "several", "depth"), PLAIN)
def test_other_hierarchies_are_as_large_as_was_counted(file, concepts, links, roots, several, depth, data):
    report = oe.read_ontology(data / "ontologies" / file).report
    assert (report.concepts, sum(report.links.values())) == (concepts, links)
    assert (report.roots.count, report.several_parents.count, report.levels) == (roots, several, depth)


def test_marks_of_audioset_are_read(data):
    report = oe.read_ontology(data / "ontologies/audioset/ontology.json").report
    assert report.abstract.count == 23
    assert report.unused["restrictions 'blacklist'"].count == 67


def test_most_a_node_has_four_parents_in_audioset_and_seven_in_mesh(data):
    for file, most in (("audioset/ontology.json", 4), ("mesh_bioasq/mesh_hierarchy.txt", 7)):
        assert (
            max(degree for _, degree in oe.read_ontology(data / "ontologies" / file).graph.in_degree) == most
        )


def test_parts_and_repeated_subtrees_of_open_images_are_counted(data):
    report = oe.read_ontology(data / "ontologies/openimages/bbox_labels_600_hierarchy.json").report
    assert report.unused["Part, which is no is-a"].count == 53
    assert report.unused["links that are there again"].count == 794 - 647
    report = oe.read_ontology(data / "ontologies/openimages/bbox_hierarchy.json").report
    assert report.unused["links that are there again"].count == 692 - 668


def test_the_class_person_of_coco_is_not_its_supercategory(data):
    graph = oe.read_ontology(data / "ontologies/coco_panoptic/panoptic_coco_categories.json").graph
    assert list(graph.predecessors("person")) == ["person (supercategory)"]


@pytest.mark.parametrize("name", ["so/so", "go/go-nucleus"])
def test_obo_and_owl_of_one_ontology_are_one_hierarchy(name, data):
    obo, owl = (oe.read_ontology(data / "ontologies" / f"{name}.{suffix}") for suffix in ("obo", "owl"))
    assert list(obo.graph) == list(owl.graph)
    assert list(obo.graph.edges) == list(owl.graph.edges)
    assert list(map(str, obo.exclusions)) == list(map(str, owl.exclusions))
    assert obo.labels == owl.labels


def test_relations_of_obo_and_owl_are_the_same_requirements(data):
    obo, owl = (oe.read_ontology(data / f"ontologies/so/so.{suffix}") for suffix in ("obo", "owl"))
    assert obo.requirements == owl.requirements
    assert not any(rule.precondition for rule in obo.requirements)


@pytest.mark.parametrize("suffix", ["obo", "owl", "json", "owl.ttl"])
def test_identifiers_of_the_gene_ontology_are_understood_in_every_format(suffix, data):
    ontology = oe.read_ontology(data / "ontologies" / f"go/go-nucleus.{suffix}")
    iri = "http://purl.obolibrary.org/obo/GO_0005634"
    for spelling in ("GO:0005634", "GO_0005634", iri, f"<{iri}>", "nucleus"):
        assert ontology.resolve(spelling) == "GO_0005634"
    assert ontology.resolve("GO:0050791") == "GO_0050789"  # an alternative identifier


def test_obo_graphs_have_the_edges_of_obo_but_no_unions(data):
    graphs, obo = (
        oe.read_ontology(data / f"ontologies/go/go-nucleus.{suffix}") for suffix in ("json", "obo")
    )
    assert set(graphs.graph) == set(obo.graph)
    only_in_obo = obo.graph.edges - graphs.graph.edges
    assert {obo.graph.edges[edge]["kind"] for edge in only_in_obo} == {"union_of"}
    assert graphs.graph.edges <= obo.graph.edges


def test_the_nested_and_the_skos_form_of_a_thesaurus_are_one_hierarchy(data):
    nested, skos = (
        oe.read_ontology(data / f"ontologies/uat_skos/UAT.{suffix}") for suffix in ("json", "rdf")
    )
    assert list(nested.graph.edges) == list(skos.graph.edges)
    assert nested.hierarchy().digest == skos.hierarchy().digest


@pytest.mark.parametrize(
    ("file", "found"),
    [
        ("sonyc_ust/dcase-ust-taxonomy.yaml", "written in YAML"),
        ("breeds_imagenet/modified/dataset_class_info.json", "no hierarchy is recognised in this JSON"),
        ("breeds_imagenet/modified/node_names.txt", "may be a table of names"),
        ("mesh_bioasq/mapping.txt", "may be a table of names"),
        ("openimages/dict.csv", "may be a table of names"),
        ("mesh_bioasq/README.txt", "syntax is not recognised"),
        ("owlapi_tests/primer.manchestersyntax.txt", "OWL Manchester syntax"),
        ("go/go-nucleus.ofn", "OWL functional syntax"),
    ],
)
def test_what_is_no_hierarchy_is_refused_with_words(file, found, data):
    with pytest.raises(InputError, match=found):
        oe.read_ontology(data / "ontologies" / file)
