"""Files that were made to do harm: each is refused, or read, at once, within bounds, and without a network."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.request import urlopen

import pytest

import ontoeval as oe
from ontoeval.errors import CycleError, InputError, OntoevalError, ParameterError
from tests.patience import SECONDS

OWL = "http://www.w3.org/2002/07/owl#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
TURTLE = f"@prefix : <urn:a#> .\n@prefix owl: <{OWL}> .\n@prefix rdfs: <{RDFS}> .\n"
XML = f'<rdf:RDF xmlns:rdf="{RDF}" xmlns:owl="{OWL}" xmlns:rdfs="{RDFS}">\n'
SKY = '<owl:Class rdf:about="urn:a#sky"><rdfs:label>{}</rdfs:label></owl:Class></rdf:RDF>'
JSON = '{{"@id": "urn:a#sky", "@type": "' + OWL + 'Class", "urn:p": {}}}'
LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
MANY = 300_000


def each(count: int, template: str) -> str:
    """Write something for each number: $n is the number, $m the next."""
    return "".join(template.replace("$n", str(n)).replace("$m", str(n + 1)) for n in range(count))


# What is read: for each the number of concepts.
HEAVY: dict[str, tuple[Callable[[], str], int]] = {
    "a literal of 10 MB in one row, RDF/XML": (lambda: XML + SKY.format("a" * 10**7), 1),
    "a literal of many rows, RDF/XML": (lambda: XML + SKY.format("a\n" * MANY), 1),
    "a literal of many escapes, RDF/XML": (lambda: XML + SKY.format("&amp;" * MANY), 1),
    "20,000 entities": (
        lambda: (
            "<!DOCTYPE r [" + each(20_000, '<!ENTITY e$n "$n">') + f"]>{XML}" + SKY.format(each(20_000, "&e$n;"))
        ),
        1,
    ),
    "400 attributes": (
        lambda: XML + '<owl:Class rdf:about="urn:a" ' + each(400, "rdfs:a$n='1' ") + "/></rdf:RDF>", 1
    ),
    "elements 3,000 deep": (
        lambda: XML + "<owl:Class><rdfs:subClassOf>" * 1_500 + "</rdfs:subClassOf></owl:Class>" * 1_500
        + SKY.format("sky"),
        1,
    ),
    "10 MB in one row, Turtle": (lambda: TURTLE + f':sky a owl:Class ; rdfs:label "{"a" * 10**7}" .', 1),
    "empty comments among many brackets, Turtle": (
        lambda: TURTLE + "#\n" + each(200, ":a :b [ :b :c ] .\n#\n") + ":sky a owl:Class .", 1
    ),
    "10 MB of blanks, Turtle": (lambda: TURTLE + " " * 10**7 + ":sky a owl:Class .", 1),
    "an IRI of 10 MB": (lambda: TURTLE + f":sky a owl:Class ; rdfs:seeAlso <urn:{'a' * 10**7}> .", 1),
    "10 MB in one row, N-Triples": (
        lambda: f'<urn:a> <{RDF}type> <{OWL}Class> .\n<urn:a> <{RDFS}label> "{"a" * 10**7}" .\n',
        1,
    ),
    "7 MB in one row, JSON-LD": (lambda: JSON.format(f'"{"a" * (7 * 10**6)}"'), 1),
    "a literal of many rows, Turtle": (
        lambda: TURTLE + ':sky a owl:Class ; rdfs:label """' + "aa\n" * MANY + '""" .', 1
    ),
    "a literal of many escapes, Turtle": (
        lambda: TURTLE + ':sky a owl:Class ; rdfs:label "' + r"\t" * MANY + '" .', 1
    ),
    "a literal of many quotes, Turtle": (lambda: TURTLE + f""":sky a owl:Class ; rdfs:label "{"'" * MANY}" .""", 1),
    "200 quoted triples beside each other": (
        lambda: TURTLE + ":sky a owl:Class .\n" + each(200, "<< :a$n rdfs:subClassOf :b >> :p :q .\n"), 1
    ),
    "a chain of 3,000 links": (
        lambda: TURTLE + each(3_000, ":c$n rdfs:subClassOf :c$m .\n"),
        3_001,
    ),
    "a chain of 3,000 that were replaced": (
        lambda: TURTLE + ":c3000 a owl:Class ."
        + each(3_000, ":c$n a owl:Class ; owl:deprecated true ; <http://purl.org/dc/terms/isReplacedBy> :c$m .\n"),
        1,
    ),
    "a ring of 3,001 that are equal": (
        lambda: TURTLE + ":c3000 owl:equivalentClass :c0 ; a owl:Class ."
        + each(3_000, ":c$n a owl:Class ; owl:equivalentClass :c$m .\n"),
        1,
    ),
    "exclusions of 20,000 classes by each other": (
        lambda: TURTLE + "[] a owl:AllDisjointClasses ; owl:members ( " + ":c " * 20_000 + ") . :c a owl:Class .",
        1,
    ),
    "20 axioms of 900 classes that exclude each other": (
        lambda: TURTLE + ":a a owl:Class .\n" + "".join(
            "[] a owl:AllDisjointClasses ; owl:members ( " + each(900, f":c{axiom}-$n ") + ") .\n"
            for axiom in range(20)
        ),
        1,
    ),
    "30,000 prefixes, Turtle": (
        lambda: each(30_000, "@prefix p$n: <urn:p$n#> .\n") + TURTLE + ":a a owl:Class .", 1
    ),
    "400 prefixes, RDF/XML": (
        lambda: XML.replace(">", " " + each(400, "xmlns:p$n='urn:p$n#' ") + ">") + SKY.format("sky"), 1
    ),
    "transitive links between 100 and 100 and 100": (
        lambda: "@prefix : <http://www.w3.org/2004/02/skos/core#> .\n" + "".join(
            each(100, f"<urn:{level}-$n> :broaderTransitive <urn:{level + 1}-{m}> .\n")
            for level in (0, 1) for m in range(100)
        ),
        300,
    ),
}  # fmt: skip

# What is refused: for each a part of the message.
REFUSED: dict[str, tuple[Callable[[], str], str]] = {
    "a billion laughs": (
        lambda: f'<!DOCTYPE r [<!ENTITY l0 "ha">{LAUGHS}]>{XML}{SKY.format("&l9;")}',
        "'l1' is made of other entities",
    ),
    "an entity within itself": (
        lambda: f'<!DOCTYPE r [<!ENTITY a "&a;">]>{XML}{SKY.format("&a;")}',
        "'a' is made of other entities",
    ),
    "a blow-up with the square": (
        lambda: f'<!DOCTYPE r [<!ENTITY a "{"a" * 100_000}">]>{XML}{SKY.format("&a;" * 100_000)}',
        "'a' stands for 100,000 characters",
    ),
    "a blow-up by short entities": (
        lambda: f'<!DOCTYPE r [<!ENTITY a "{"a" * 1_000}">]>{XML}{SKY.format("&a;" * MANY)}',
        "its entities would lengthen the file by 286 MiB",
    ),
    "an external entity": (
        lambda: f'<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]>{XML}{SKY.format("&a;")}',
        "'a' is external",
    ),
    "an external parameter entity": (
        lambda: f'<!DOCTYPE r [<!ENTITY % a SYSTEM "file:///etc/passwd"> %a;]>{XML}{SKY.format("")}',
        "'a' is external",
    ),
    "elements 100,000 deep": (
        lambda: XML + "<owl:Class><rdfs:subClassOf>" * 50_000 + "</rdfs:subClassOf></owl:Class>" * 50_000 + "</rdf:RDF>",
        "elements are nested more than 5,000 deep",
    ),
    "10 MB in one row, JSON-LD": (lambda: JSON.format(f'"{"a" * 10**7}"'), "a text in it is too long"),
    "a literal of many rows that is never closed": (
        lambda: TURTLE + ':sky rdfs:label """' + "aaa\n" * MANY, "row 4: this is not valid Turtle: Unexpected end"
    ),
    "a literal of many escapes that is never closed": (
        lambda: '<a> <b> "' + r"\"" * 3_000_000, "not valid Turtle"
    ),
    "a list that 3,000 classes exclude": (
        lambda: TURTLE + "_:u owl:unionOf ( " + each(3_000, ":c$n ") + ") .\n"
        + each(3_000, ":d$n a owl:Class ; owl:disjointWith _:u .\n"),
        "long lists of classes are used by many others",
    ),
    "a list that 3,000 classes lie below": (
        lambda: TURTLE + "_:u owl:intersectionOf ( " + each(3_000, ":c$n ") + ") .\n"
        + each(3_000, ":d$n a owl:Class ; rdfs:subClassOf _:u .\n"),
        "long lists of classes are used by many others",
    ),
    "brackets 3,000 deep, Turtle": (
        lambda: TURTLE + ":a rdfs:subClassOf " + "[ rdfs:subClassOf " * 3_000 + ":b" + " ]" * 3_000 + " .",
        "row 4: brackets are nested too deeply",
    ),
    "lists 3,000 deep, Turtle": (
        lambda: TURTLE + ":a rdfs:subClassOf " + "( " * 3_000 + ")" * 3_000 + " .", "nested too deeply"
    ),
    "200,000 attributes": (
        lambda: XML + '<owl:Class rdf:about="urn:a" ' + each(200_000, "rdfs:a$n='1' ") + "/></rdf:RDF>",
        "an element has more than 500 attributes",
    ),
    "200,000 prefixes, RDF/XML": (
        lambda: XML.replace(">", " " + each(200_000, "xmlns:p$n='urn:p$n#' ") + ">") + SKY.format("sky"),
        "an element has more than 500 namespaces",
    ),
    "prefixes in elements inside each other": (
        lambda: XML + each(600, "<owl:Class><p$n:a xmlns:p$n='urn:p$n#'>"),
        "an element has more than 500 namespaces",
    ),
    "brackets that are never closed": (lambda: TURTLE + ":a :b " + "[ :b " * MANY, "nested too deeply"),
    "quoted triples that are never closed": (lambda: TURTLE + ":a :b " + "<< :a :b " * MANY, "nested too deeply"),
    "quoted triples 3,000 deep": (
        lambda: TURTLE + ":a :b " + "<<:a :b " * 3_000 + ":c" + " >>" * 3_000 + " .", "nested too deeply"
    ),
    "braces 3,000 deep, N3": (
        lambda: TURTLE + "{ :a :b " * 3_000 + ":c" + " }" * 3_000 + " => { } .", "nested too deeply"
    ),
    "JSON 3,000 deep": (lambda: JSON.format('{"urn:p": ' * 3_000 + "1" + "}" * 3_000), "nested too deeply"),
    "JSON lists 100,000 deep": (lambda: JSON.format("[" * 100_000 + "]" * 100_000), "nested too deeply"),
    "terms 100,000 times over": (
        lambda: '{"@context": {' + each(100_000, '"t$n": "t$m:x", ') + '"t100000": "urn:e"}}',
        "endless or too long",
    ),
    "terms in a circle": (lambda: '{"@context": {"a": "b:x", "b": "a:y"}, "@id": "a:b"}', "endless or too long"),
    "20,000 contexts below one of 20,000 terms": (
        lambda: (
            '{"@context": {' + each(20_000, '"t$n": "urn:$n", ') + '"u": "urn:u"}, "@graph": ['
            + each(20_000, '{"@context": {"v": "urn:v"}, "@id": "urn:$n"}, ') + "{}]}"
        ),
        "repeat the terms of those around them",
    ),
    "10,000 terms with contexts": (
        lambda: '{"@context": {' + each(10_000, '"t$n": {"@id": "urn:$n", "@context": {"u": "urn:u"}}, ') + '"u": "urn:u"}}',
        "repeat the terms of those around them",
    ),
    "a term with a context 20,000 times, below 20,000 terms": (
        lambda: (
            '{"@context": {' + each(20_000, '"t$n": "urn:$n", ') + '"u": {"@id": "urn:u", "@context": {"v": "urn:v"}}},'
            '"@graph": [' + each(20_000, '{"@id": "urn:$n", "u": {"@id": "urn:x"}}, ') + "{}]}"
        ),
        "repeat the terms of those around them",
    ),
    "a number of 100,000 digits": (lambda: JSON.format("1" * 100_000), "this JSON-LD cannot be read"),
    "a context on the disk": (
        lambda: '{"@context": "file:///etc/passwd", "@id": "urn:a"}', "'file:///etc/passwd' lies outside the file"
    ),
    "a context beside the file": (
        lambda: '{"@context": "context.jsonld", "@id": "urn:a"}', "'context.jsonld' lies outside the file"
    ),
}  # fmt: skip


def written(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8", newline="")
    return path


@pytest.mark.parametrize("case", HEAVY)
def test_a_heavy_file_is_read_at_once(case: str, tmp_path: Path) -> None:
    make, concepts = HEAVY[case]
    path = written(tmp_path / "photo.owl", make())
    begin = time.process_time()
    ontology = oe.read_ontology(path)
    assert time.process_time() - begin < SECONDS
    assert len(ontology.hierarchy().vocabulary) == concepts


@pytest.mark.parametrize("case", REFUSED)
def test_a_hostile_file_is_refused_at_once(case: str, tmp_path: Path) -> None:
    make, part = REFUSED[case]
    path = written(tmp_path / "photo.owl", make())
    begin = time.process_time()
    with pytest.raises(InputError) as error:
        oe.read_ontology(path)
    assert time.process_time() - begin < SECONDS
    message = str(error.value)
    assert message.startswith(str(path))
    assert part in message
    assert len(message) < 1_000
    assert "root:" not in message  # how the file begins that some of them point to


@pytest.mark.parametrize("length", [1, 2, 3, 10, 3_000])
def test_cycles_of_every_length_are_errors(length: int, tmp_path: Path) -> None:
    # A class lies below itself in any case; a SKOS concept does not.
    skos = "http://www.w3.org/2004/02/skos/core#broader"
    links = "".join(f"<urn:c{n}> <{skos}> <urn:c{(n + 1) % length}> .\n" for n in range(length))
    begin = time.process_time()
    with pytest.raises(CycleError, match=r"photo.nt: the hierarchy has 1 cycle"):
        oe.read_ontology(written(tmp_path / "photo.nt", links))
    assert time.process_time() - begin < SECONDS


# --- Packed files, and what is no text ---


def zipped(path: Path, data: bytes, *, copies: int = 1) -> None:
    archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1)
    with archive, archive.open("photo.ttl", "w") as member:
        for _ in range(copies):
            member.write(data)


PACK: dict[str, Callable[[Path, bytes], object]] = {
    "gz": lambda path, data: path.write_bytes(gzip.compress(data)),
    "bz2": lambda path, data: path.write_bytes(bz2.compress(data)),
    "xz": lambda path, data: path.write_bytes(lzma.compress(data)),
    "zip": zipped,
}


@pytest.mark.parametrize("kind", PACK)
def test_a_packed_file_is_read_like_what_it_holds(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"photo.{kind}"
    PACK[kind](path, (TURTLE + ":sky a owl:Class .").encode())
    assert list(oe.read_ontology(path).graph) == ["sky"]


@pytest.mark.parametrize("kind", PACK)
def test_a_packed_file_that_is_cut_off_is_an_error(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"photo.{kind}"
    PACK[kind](path, (TURTLE + "".join(f":c{n} a owl:Class .\n" for n in range(500))).encode())
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(InputError, match=f"photo.{kind}: this .* file (is cut off|cannot be unpacked)"):
        oe.read_ontology(path)


def test_a_bomb_of_zeros_is_refused_before_it_fills_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "photo.zip"
    zipped(path, bytes(2**20), copies=300)
    begin = time.process_time()
    with pytest.raises(InputError, match="this is no text file"):
        oe.read_ontology(path)
    assert time.process_time() - begin < SECONDS


def test_an_archive_in_an_archive_is_not_unpacked_again(tmp_path: Path) -> None:
    path = tmp_path / "photo.gz"
    path.write_bytes(gzip.compress(gzip.compress(TURTLE.encode())))
    with pytest.raises(InputError, match=r"compressed|no text"):
        oe.read_ontology(path)


ENCODED = [
    (b"\xef\xbb\xbf" + (TURTLE + ":sky a owl:Class .").encode(), None),
    (b"\xef\xbb\xbf" + (XML + SKY.format("sky")).encode(), None),
    ((XML + SKY.format("sky")).encode("utf-16"), None),
    ((TURTLE + ":sky a owl:Class .").encode("utf-16-le"), r"no text|UTF-16"),
    ((TURTLE + ":sky a owl:Class .").encode("utf-32"), r"no text|UTF-16|UTF-32"),
    ((TURTLE + ':sky rdfs:label "Bäume" .').encode("latin-1"), "row 4: the byte 0xE4 is not UTF-8"),
    ((XML + SKY.format("Bäume")).encode("latin-1"), "not well-formed XML"),
    (b'<?xml version="1.0" encoding="no-such"?>' + XML.encode(), "not well-formed XML"),
    (
        b'<?xml version="1.0" encoding="UTF-16"?>' + XML.encode() + SKY.format("sky").encode(),
        "not well-formed XML",
    ),
    ((TURTLE + ":sky a owl:Class .").encode() + b"\0" * 100, r"not valid Turtle|no text"),
    (b"\0" * 1_000, "no text"),
    (os.urandom(0) + bytes(range(256)) * 40, r"no text|not UTF-8|not recognised"),
    (b"\xef\xbb\xbf", "the file is empty"),
]


@pytest.mark.parametrize(("data", "refusal"), ENCODED, ids=range(len(ENCODED)))
def test_a_file_in_another_encoding_is_read_or_refused_with_what_is_wrong(
    data: bytes, refusal: str | None, tmp_path: Path
) -> None:
    path = tmp_path / "photo.owl"
    path.write_bytes(data)
    if refusal is None:
        assert list(oe.read_ontology(path).graph) == ["sky"]
    else:
        with pytest.raises(InputError, match=refusal):
            oe.read_ontology(path)


# --- Imports ---


def test_a_file_may_import_itself_under_many_names(tmp_path: Path) -> None:
    path = tmp_path / "photo.ttl"
    wanted = "".join(f"<urn:o> owl:imports <urn:o{n}> .\n" for n in range(1_000))
    written(path, TURTLE + wanted + ":sky a owl:Class .")
    ontology = oe.read_ontology(path, imports={f"urn:o{n}": path for n in range(1_000)})
    assert list(ontology.graph) == ["sky"]


def test_a_chain_of_a_thousand_imports_is_read(tmp_path: Path) -> None:
    files = {}
    for number in range(1_000):
        turtle = f":c{number} a owl:Class . <urn:o{number}> owl:imports <urn:o{number + 1}> ."
        files[f"urn:o{number}"] = written(tmp_path / f"o{number}.ttl", TURTLE + turtle)
    begin = time.process_time()
    ontology = oe.read_ontology(files["urn:o0"], imports=files)
    assert time.process_time() - begin < SECONDS
    assert len(ontology.hierarchy().vocabulary) == 1_000
    assert ontology.report.imports.examples == ("urn:o1000",)


def test_an_imported_file_is_as_little_trusted_as_the_first(tmp_path: Path) -> None:
    first = written(tmp_path / "photo.ttl", TURTLE + ":sky a owl:Class . <urn:o> owl:imports <urn:bomb> .")
    bomb = written(tmp_path / "bomb.owl", REFUSED["a billion laughs"][0]())
    with pytest.raises(InputError, match=r"bomb.owl, row 1: the entity 'l1' is made of other entities"):
        oe.read_ontology(first, imports={"urn:bomb": bomb})


# --- The network ---


class _Recorder(BaseHTTPRequestHandler):
    """Answers whatever is asked, and notes it."""

    def do_GET(self) -> None:
        self.server.asked.append(self.path)  # type: ignore[attr-defined]
        self.send_response(200)
        self.end_headers()
        self.wfile.write(f"<urn:secret> <{RDF}type> <{OWL}Class> .".encode())

    do_HEAD = do_POST = do_GET  # noqa: N815 - the names of http.server

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.fixture(scope="module")
def server() -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Recorder)
    server.asked = []  # type: ignore[attr-defined]
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_server_notes_what_is_asked(server: ThreadingHTTPServer) -> None:
    with urlopen(f"http://127.0.0.1:{server.server_port}/control") as answer:
        assert b"secret" in answer.read()
    assert server.asked == ["/control"]  # type: ignore[attr-defined]
    server.asked.clear()  # type: ignore[attr-defined]


POINTERS = {
    "an external entity": '<!DOCTYPE r [<!ENTITY a SYSTEM "{url}">]>' + XML + SKY.format("&a;"),
    "an external declaration": '<!DOCTYPE r SYSTEM "{url}">' + XML + SKY.format("sky"),
    "a public declaration": '<!DOCTYPE r PUBLIC "-//W3C//DTD XHTML 1.0//EN" "{url}">' + XML + SKY.format("sky"),
    "a parameter entity": '<!DOCTYPE r [<!ENTITY % a SYSTEM "{url}"> %a;]>' + XML + SKY.format("sky"),
    "a style sheet": '<?xml-stylesheet type="text/xsl" href="{url}"?>' + XML + SKY.format("sky"),
    "a schema": XML.replace(
        "<rdf:RDF", '<rdf:RDF xmlns:x="http://www.w3.org/2001/XMLSchema-instance" x:schemaLocation="urn:a {url}"'
    ) + SKY.format("sky"),
    "an inclusion": XML + '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{url}"/>' + SKY.format("sky"),
    "a base": XML.replace("<rdf:RDF", '<rdf:RDF xml:base="{url}"') + SKY.format("sky"),
    "a base, Turtle": "@base <{url}> .\n" + TURTLE + "<#sky> a owl:Class .",
    "imports": TURTLE + ':sky a owl:Class . <urn:o> a owl:Ontology ; owl:imports <{url}> , "{url}" .',
    "imports, RDF/XML": XML + '<owl:Ontology rdf:about="urn:o"><owl:imports rdf:resource="{url}"/></owl:Ontology>'
    + SKY.format("sky"),
    "imports, OBO": "format-version: 1.2\nimport: {url}\n\n[Term]\nid: X:1\nname: sky\n",
    "a remote context": '{{"@context": "{url}", "@id": "urn:a"}}',
    "a remote context in a list": '{{"@context": [{{"a": "urn:a"}}, "{url}"], "@id": "urn:a"}}',
    "a remote context of a term": '{{"@context": {{"a": {{"@id": "urn:a", "@context": "{url}"}}}}, "@id": "urn:a"}}',
    "an imported context": '{{"@context": {{"@version": 1.1, "@import": "{url}"}}, "@id": "urn:a"}}',
    "a schema of JSON": '{{"$schema": "{url}", "$ref": "{url}", "nodes": [{{"id": "a"}}], "links": []}}',
    "a web page": '<html><head><link rel="alternate" type="text/turtle" href="{url}"/></head></html>',
}  # fmt: skip


@pytest.mark.parametrize("case", POINTERS)
def test_nothing_that_a_file_points_to_is_asked_for(
    case: str, server: ThreadingHTTPServer, tmp_path: Path
) -> None:
    url = f"http://127.0.0.1:{server.server_port}/secret"
    content = POINTERS[case]
    content = content.format(url=url) if "{{" in content else content.replace("{url}", url)
    path = written(tmp_path / "photo.owl", content)
    choices: tuple[dict[str, str] | None, ...] = (None, {})
    for imports in choices:
        try:
            told = " ".join(oe.read_ontology(path, imports=imports).graph)
        except OntoevalError as error:
            told = str(error).replace(url, "")
        assert "secret" not in told
    assert server.asked == []  # type: ignore[attr-defined]


def test_no_address_is_a_path(server: ThreadingHTTPServer, tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{server.server_port}/secret"
    photo = written(tmp_path / "photo.ttl", TURTLE + f":sky a owl:Class . <urn:o> owl:imports <{url}> .")
    calls: list[Callable[[], object]] = [
        lambda: oe.read_ontology(url),
        lambda: oe.read_ontology(Path(url)),
        lambda: oe.read_ontology(url.replace("http", "HTTP")),
        lambda: oe.read_ontology(f"file://{photo}"),
        lambda: oe.read_ontology(photo, imports={url: url}),
    ]
    for call in calls:
        with pytest.raises((InputError, ParameterError), match=r"an address in the web|no such file"):
            call()
    assert server.asked == []  # type: ignore[attr-defined]


# --- The memory ---

LIMITED = """
import resource, sys
from ontoeval.errors import OntoevalError
from ontoeval import read_ontology
resource.setrlimit(resource.RLIMIT_AS, (1_500 * 2**20, 1_500 * 2**20))
for path in sys.argv[1:]:
    try:
        read_ontology(path)
    except OntoevalError as error:
        print("refused")
    else:
        print("read")
"""


@pytest.mark.skipif(os.name != "posix", reason="memory can be limited on POSIX alone")
def test_bombs_do_not_need_more_memory_than_there_is(tmp_path: Path) -> None:
    bombs = [
        written(tmp_path / f"{number}.owl", REFUSED[case][0]())
        for number, case in enumerate(
            (
                "a billion laughs",
                "a blow-up with the square",
                "a blow-up by short entities",
                "JSON 3,000 deep",
            )
        )
    ]
    bombs.append(written(tmp_path / "list.ttl", REFUSED["a list that 3,000 classes lie below"][0]()))
    zipped(tmp_path / "zeros.zip", bytes(2**20), copies=300)
    command = [sys.executable, "-c", LIMITED, *map(str, bombs), str(tmp_path / "zeros.zip")]
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == ["refused"] * 6
