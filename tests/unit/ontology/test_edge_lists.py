"""Edge lists and adjacency lists: which column holds the parents, and what may stand around them."""

import pytest

from ontoeval.errors import CycleError, InputError, ParameterError

LINKS = [("animal", "cat"), ("animal", "dog"), ("dog", "poodle")]
FIRST = "parents first, as always without titles"


@pytest.mark.parametrize(
    "content",
    [
        "animal cat\nanimal dog\ndog poodle\n",
        "animal  cat \nanimal\tdog\ndog poodle",
        "animal\tcat\nanimal\tdog\ndog\tpoodle\n",
        "animal,cat\nanimal,dog\ndog,poodle\n",
        '# links\n"animal", "cat"\n,\n"animal","dog"\n#"a","b"\n"dog","poodle"\n',
        "animal;cat\r\nanimal;dog\r\ndog;poodle\r\n",
        "animal cat\ranimal dog\rdog poodle\r",
        "# is-a\n\nanimal cat\n\n# more\nanimal dog\ndog poodle\n",
        "animal cat {}\nanimal dog {'weight': 2}\ndog poodle {}\n",
        "animal\tcat\t\nanimal\tdog\t\t\ndog\tpoodle\n",
        "# weighted\nanimal cat 0.5\nanimal dog 1\ndog poodle 2e-3\n",
    ],
)
def test_without_titles_parents_come_first(content, read_text):
    ontology = read_text(content)
    assert list(ontology.graph.edges) == LINKS
    assert ontology.source.format == "edge list"
    assert ontology.report.read_as == f"edge list: {FIRST}"


@pytest.mark.parametrize(
    "content",
    [
        "parent,child\nanimal,cat\nanimal,dog\ndog,poodle\n",
        "child,parent\ncat,animal\ndog,animal\npoodle,dog\n",
        "CHILD,PARENT\ncat,animal\ndog,animal\npoodle,dog\n",
        "child\tparent\ncat\tanimal\ndog\tanimal\npoodle\tdog\nanimal\n",
        "Parent ID;Child ID\nanimal;cat\nanimal;dog\ndog;poodle\n",
        "id,parent_id\nanimal,\ncat,animal\ndog,animal\npoodle,dog\n",
        '"source","concept","broader"\n1,cat,animal\n2,dog,animal\n3,poodle,dog\n',
        "parent child\nanimal cat\nanimal dog\ndog poodle\n",
        "subclass,superclass,since\ncat,animal,1758\ndog,animal,\npoodle,dog\n",
        "taxon_id,parent_taxon_id,rank\nanimal,,kingdom\ncat,animal,\ndog,animal,\npoodle,dog,\n",
        "taxonID\tparentNameUsageID\ncat\tanimal\ndog\tanimal\npoodle\tdog\n",
        "conceptType,conceptUri,broaderType,broaderUri\nS,cat,K,animal\nS,dog,K,animal\nS,poodle,K,dog\n",
        "conceptUri;broaderConceptUri\ncat;animal\ndog;animal\npoodle;dog\n",
        "Term,Broader Term\ncat,animal\ndog,animal\npoodle,dog\n",
        "class,parent class\ncat,animal\ndog,animal\npoodle,dog\n",
        "uri,skos:broader\ncat,animal\ndog,animal\npoodle,dog\n",
        "ID\tLabel\tParent\nID\tA rdfs:label\tSC %\ncat\t\tanimal\ndog\t\tanimal\npoodle\t\tdog\n",
    ],
)
def test_titles_say_which_column_holds_the_parents_in_either_order(content, read_text):
    ontology = read_text(content)
    assert list(ontology.graph.edges) == LINKS
    assert "columns are called" in ontology.report.read_as


def test_what_comes_first_can_be_said(read_text):
    ontology = read_text("cat animal\ndog animal\npoodle dog\n", direction="child-parent")
    assert list(ontology.graph.edges) == LINKS
    assert ontology.report.read_as == "edge list: children first, as asked"
    assert list(read_text("a b\nc d\n", direction="parent-child").graph.edges) == [("a", "b"), ("c", "d")]


@pytest.mark.parametrize("titles", ["source,target", "from,to"])
def test_titles_that_do_not_say_what_is_above_need_a_direction(titles, read_text):
    content = titles + "\ncat,animal\ndog,animal\npoodle,dog\n"
    assert list(read_text(content, direction="child-parent").graph.edges) == LINKS
    with pytest.raises(InputError, match=r"row 1: the first row, .* does not say which column"):
        read_text(content)


@pytest.mark.parametrize(
    "titles", ["id,labels", "taxon,parent", "child,supertype", "label,concept", "concept,agreement"]
)
def test_titles_without_both_are_no_link(titles, read_text):
    with pytest.raises(InputError, match=r"does not say which column holds the parents.*Call the columns"):
        read_text(titles + "\ncat,animal\ndog,animal\n")


def test_titles_win_over_nothing_but_contradict_a_direction(read_text):
    assert read_text("child,parent\ncat,animal\n", direction="child-parent").graph.number_of_edges() == 1
    with pytest.raises(
        ParameterError, match=r"direction='parent-child': expected nothing, as .*'child', 'parent'"
    ):
        read_text("child,parent\ncat,animal\n", direction="parent-child")


def test_a_column_of_labels_is_read(read_text):
    ontology = read_text("id,name,parent\n1,Animal,\n2,Cat,1\n3,,1\n")
    assert dict(ontology.graph.nodes(data="label")) == {"1": "Animal", "2": "Cat", "3": "3"}
    assert ontology.resolve("cat") == "2"


def test_parents_by_label_beside_children_by_identifier_are_refused(read_text):
    with pytest.raises(
        InputError, match="the parents 'Animal' are labels, while the children have identifiers"
    ):
        read_text("id,name,parent\n1,Animal,\n2,Cat,Animal\n")


def test_names_are_kept_as_they_are_written(read_text):
    ontology = read_text("/m/0jbk /m/01yrx\n/m/0jbk GO:0005634\n/m/0jbk n:a/b#c\n")
    assert set(ontology.graph) == {"/m/0jbk", "/m/01yrx", "GO:0005634", "n:a/b#c"}
    assert set(dict(ontology.graph.nodes(data="iri")).values()) == {""}
    assert ontology.spellings.find("0jbk") == ()


def test_addresses_in_the_web_are_iris(read_text):
    ontology = read_text(
        "http://a.org/x#animal,http://a.org/x#cat\nhttp://a.org/x#animal,http://a.org/x#dog\n"
    )
    assert list(ontology.graph) == ["animal", "cat", "dog"]
    assert ontology.resolve("<http://a.org/x#cat>") == "cat"


def test_a_repeated_link_is_counted(read_text):
    report = read_text("1 2\n1 3\n1 2 \n1 2").report
    assert report.links == {"edge list": 2}
    assert report.unused["links that are there again"].count == 2


def test_a_table_of_names_is_not_taken_for_a_hierarchy(read_text):
    with pytest.raises(
        InputError, match=r"each of its 2 rows stands alone: this may be a table of names.*direction"
    ):
        read_text("n1 cat\nn2 dog\n")
    assert list(read_text("animal cat").graph.edges) == [("animal", "cat")]


def test_roots_may_be_listed_with_an_empty_parent(read_text):
    content = "child,parent\nanimal,\nplant,\ncat,animal\n"
    assert set(read_text(content).graph) == {"animal", "cat", "plant"}
    content = content.removeprefix("child,parent\n")
    assert set(read_text(content, direction="child-parent").graph) == {"animal", "cat", "plant"}


@pytest.mark.parametrize(
    ("content", "row", "found"),
    [
        ("a b\na c d\n" + "a e\n" * 60, 2, "3 fields where a parent and a child are due: 'a c d'"),
        ("a b\n\n" + "a c\n" * 60 + "a\n", 63, "1 fields where a parent and a child are due: 'a'"),
        ("a,b\na,c\n,d\n", 3, "1 fields where a parent and a child are due"),
        ("parent,child\na,b\na,\n", 3, "1 fields where 2 fields are due"),
        ("parent,child\na,b\na,c,d\n", 3, "3 fields where 2 fields are due: 'a c d'"),
        ('parent,child\na,b\n"a,c\n', 3, "the quotes are wrong"),
        ('parent,child\na,b\n"a"x,c\n', 3, "the quotes are wrong: one is not closed, or text follows it"),
    ],
)
def test_a_row_that_is_no_link_is_an_error_with_its_number(content, row, found, read_text):
    with pytest.raises(InputError, match=f"photo, row {row}: {found}"):
        read_text(content, input_format="edges")


def test_a_concept_above_itself_is_a_cycle(read_text):
    with pytest.raises(CycleError, match="b -> b"):
        read_text("a b\nb b\n")


def test_a_chain_of_three_thousand_links_is_read(read_text):
    assert read_text("".join(f"c{i} c{i + 1}\n" for i in range(3000))).report.levels == 3000


TAXONOMY = "Root\tanimal\tplant\nanimal\tcat\tdog\tcow\ndog\tpoodle\n"


def test_a_row_may_hold_a_parent_and_all_its_children(read_text):
    ontology = read_text(TAXONOMY)
    assert ontology.source.format == "adjacency list"
    assert set(ontology.graph.successors("animal")) == {"cat", "cow", "dog"}
    assert ontology.report.roots.examples == ("Root",)


def test_adjacency_lists_with_blanks_or_upwards_are_read_where_one_says_so(read_text):
    content = "# networkx\nanimal cat dog\ncat\ndog poodle\n"
    assert list(read_text(content, input_format="adjacency").graph.edges) == LINKS
    content = "cat animal\npoodle dog\ndog animal\n"
    options = {"input_format": "adjacency", "direction": "child-parent"}
    assert list(read_text(content, **options).graph.edges) == LINKS


def test_a_direction_is_refused_where_the_format_has_its_own(read_text):
    for content in ("[Term]\nid: X:1\n", "@prefix : <urn:a> .", '{"a": ["b"]}'):
        with pytest.raises(ParameterError, match="direction='child-parent': expected nothing"):
            read_text(content, direction="child-parent")
    with pytest.raises(ParameterError, match="direction='down'"):
        read_text("a b\n", direction="down")


BIOPORTAL = """Class ID,Preferred Label,Obsolete,Parents
urn:animal,animal,FALSE,http://www.w3.org/2002/07/owl#Thing
urn:pet,pet,FALSE,
urn:cat,cat,FALSE,urn:animal|urn:pet
urn:auroch,auroch,TRUE,http://www.w3.org/2002/07/owl#DeprecatedClass
"""


def test_a_cell_may_hold_several_parents(read_text):
    ontology = read_text(BIOPORTAL)
    assert set(ontology.graph.edges) == {("urn:animal", "urn:cat"), ("urn:pet", "urn:cat")}
    assert ontology.graph.nodes["urn:cat"]["label"] == "cat"
    assert ontology.report.left_out["deprecated"].examples == ("urn:auroch",)
    for cell in ("pet|animal", "pet;animal", '"pet, animal"'):
        content = f"id,parent\nanimal,\npet,\ncat,{cell}\n"
        assert set(read_text(content).graph.edges) == {("animal", "cat"), ("pet", "cat")}


def test_a_name_with_a_sign_that_separates_stays_whole_where_it_is_a_concept(read_text):
    content = "child,parent\nAF|AFL,\nAF,AF|AFL\n"
    assert list(read_text(content).graph.edges) == [("AF|AFL", "AF")]
    content = "child,parent\nlimes,fruits; citrus\n"
    assert list(read_text(content).graph.edges) == [("fruits; citrus", "limes")]


@pytest.mark.parametrize("nothing", ["NULL", "nan", "None", "-", "-1", "N/A"])
def test_what_programs_write_for_nothing_is_no_parent(nothing, read_text):
    ontology = read_text(f"child,parent\nanimal,{nothing}\ncat,animal\n")
    assert list(ontology.graph.edges) == [("animal", "cat")]
    assert ontology.report.unused[f"{nothing!r} as a parent, which stands for none"].count == 1


def test_a_word_for_nothing_is_a_parent_where_it_is_a_concept(read_text):
    content = "child,parent\nNA,\nCanada,NA\n"
    assert list(read_text(content).graph.edges) == [("NA", "Canada")]


def test_parents_that_are_named_as_another_column_has_it_are_refused(read_text):
    with pytest.raises(InputError, match=r"the parents, such as '7', are named by column 1, the children by"):
        read_text("number,parent,name\n7,,Animals\n8,7,Cats\n9,7,Dogs\n")


def test_an_outline_is_no_edge_list(read_text):
    with pytest.raises(InputError, match="the syntax is not recognised"):
        read_text("- animal\n- cat\n- dog\n")


@pytest.mark.parametrize(
    "content",
    [
        "taxon\tabove\trank\nanimal\t\tkingdom\ncat\tanimal\tspecies\n",
        "cat\tis_a\tanimal\nanimal\tis_a\tbeing\n",
        "animal\tcat\tis_a\nanimal\tdog\tis_a\ndog\tpoodle\tis_a\n",
    ],
)
def test_a_table_of_other_columns_is_no_adjacency_list(content, read_text):
    with pytest.raises(InputError, match="the syntax is not recognised"):
        read_text(content)
    assert read_text(content, input_format="adjacency").source.format == "adjacency list"


@pytest.mark.parametrize("title", ["parent", "parents"])
def test_a_bar_separates_parents_that_have_no_rows_of_their_own(title, read_text):
    links = read_text(f"child,{title}\ncat,animal|pet\ndog,animal\n").graph.edges
    assert set(links) == {("animal", "cat"), ("pet", "cat"), ("animal", "dog")}


@pytest.mark.parametrize("cell", ["animal;pet", '"animal,pet"', '"animal, pet"'])
def test_other_signs_separate_parents_where_the_title_says_so_or_all_are_known(cell, read_text):
    expected = {("animal", "cat"), ("pet", "cat"), ("animal", "dog")}
    assert set(read_text(f"child,parents\ncat,{cell}\ndog,animal\n").graph.edges) == expected
    known = read_text(f"child,parent\ncat,{cell}\ndog,animal\nrat,pet\n").graph.edges
    assert set(known) == expected | {("pet", "rat")}


@pytest.mark.parametrize("cell", ["animal;pet", '"animal, pet"'])
def test_a_cell_that_may_hold_one_parent_or_several_is_refused(cell, read_text):
    with pytest.raises(
        InputError, match=r"may be one parent or several: 'animal' is in the table, 'pet' is not"
    ):
        read_text(f"child,parent\ncat,{cell}\ndog,animal\n")
    ontology = read_text(f"child,parent\ncat,{cell}\n")
    (unused,) = ontology.report.unused
    assert "could separate parents" in unused


@pytest.mark.parametrize("titles", ["id,parent,parent", "id,parent,parent_2", "id,id,parent"])
def test_a_second_column_of_the_same_is_refused(titles, read_text):
    with pytest.raises(InputError, match=r"row 1: the columns .* hold the same, and one would be lost"):
        read_text(titles + "\nx,a,b\n")


def test_a_second_label_of_a_concept_is_counted(read_text):
    ontology = read_text("id,name,parent\n1,Animal,\n2,Cat,1\n2,Kitten,1\n")
    assert ontology.graph.nodes["2"]["label"] == "Cat"
    assert ontology.report.unused["labels of a concept that has another"].examples == ("2",)


def test_a_quoted_field_may_be_long_and_have_rows_quotes_and_signs_inside(read_text):
    text = 'a ""big"" one,\n' * 20_000
    content = f'child,parent,note\n# an "odd remark\ncat,"animal","{text}"\n"the ""dog""",animal,\n'
    assert set(read_text(content).graph.edges) == {("animal", "cat"), ("animal", 'the "dog"')}
    with pytest.raises(InputError, match="row 20,005: the quotes are wrong"):
        read_text(content + '"x')
