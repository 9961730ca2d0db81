"""Europe PMC's sandbox reads queries and answers requests as the service does.

Expectations: the search syntax (https://europepmc.org/searchsyntax), the REST service's page
(https://europepmc.org/RestfulWebService), Lucene's classic query parser, and for refusals the reports
ContentMine/getpapers#91 and cyanheads/pubmed-mcp-server#159.
"""

from __future__ import annotations

from typing import Any

import pytest
from defusedxml.ElementTree import fromstring
from werkzeug import Request
from werkzeug.test import EnvironBuilder

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.europe_pmc.engine import UnreadableQuery, read
from infra.local.sandbox.europe_pmc.index import Entry
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.services import europe_pmc
from tests.unit.sandbox.test_europe_pmc import SEARCH, request

PAPER = Fact(
    title="Microglial TREM2 in Alzheimer's disease: a COVID-19 survey",
    authors=(("Doudna", "Jennifer A"), ("van der Maaten", "Laurens"), ("Müller", "K")),
    year=2021,
    publication_date="2021-03-05",
    journal="Journal of Glia",
    issn="9000-0001",
    doi="10.9999/Glia.2021",
    pmid="900001",
    pmcid="PMC900002",
    citation_count=12,
    is_open_access=True,
    language="en",
    abstract="Machines learn c.6965A>G from plaques.",
    mesh=("Microglia", "Alzheimer Disease"),
    keywords=("amyloid",),
)
BARE = Fact(title="Plaques", year=2019, pmid="900003", authors=(("Ito", None),), type="review", journal="Glia")


def finds(query: str, *, synonyms: bool = False) -> bool:
    return read(query, synonyms=synonyms).test(Entry(PAPER))


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("microglial survey", True),  # words are joined by AND
        ("microglial zebra", False),
        ("machine", False),  # nothing is stemmed
        ("machin*", True),
        ("how microglial do", True),  # a full text has every function word
        ("TITLE_ABS:(how AND microglial)", False),  # a title does not
        ("glia", True),  # the journal's name, for a word without a field
        ("TITLE_ABS:glia", False),
        ("TITLE_ABS:(survey AND plaques)", True),
        ("TITLE:(survey AND plaques)", False),
        ("ABSTRACT:plaques", True),
        ('TITLE:"alzheimer\'s disease"', True),
        ('TITLE:"disease alzheimer"', False),
        ("TITLE:alzheimer", True),
        ("covid-19", True),
        ("19-covid", False),
        ("c.6965A>G", True),
        ("microglial AND NOT plaques", False),
        ("microglial NOT zebra", True),
        ("microglial -plaques", False),
        ("zebra OR survey", True),
        ("zebra AND survey OR plaques", False),  # Lucene requires the first of these alone
        ("survey AND zebra OR plaques", True),
        ("(zebra AND survey) OR plaques", True),
        ("foo:survey", False),
        ("title:survey", True),
        ("MESH:microglia KW:amyloid", True),
        ('MESH:"alzheimer disease"', True),
    ],
)
def test_words_are_matched_as_they_are_written(query: str, found: bool) -> None:
    assert finds(query) is found


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("AUTH:doudna", True),
        ('AUTH:"Doudna JA"', True),
        ('AUTH:"Doudna J"', True),
        ('AUTH:"JA Doudna"', False),
        ('AUTH:"Jennifer A Doudna"', True),
        ('AUTH:"Doudna B"', False),
        ('AUTHOR:"van der Maaten L"', True),
        ('AUTH:"Maaten L"', False),
        ("AUTH:muller", True),
        ("AUTH:doud*", True),
        ('AUTH_FIRST:"Doudna JA"', True),
        ('AUTH_FIRST:"Muller K"', False),
        ('JOURNAL:"journal of glia"', True),
        ("ISSN:9000-0001", True),
        ("PUB_YEAR:2021", True),
        ("PUB_YEAR:[2015 TO 2020]", False),
        ("FIRST_PDATE:[2021-03-05 TO 2021-03-05]", True),
        ("FIRST_PDATE:[2021 TO 3000]", True),
        ("FIRST_PDATE:2021-03-06", False),
        ("CITED:[12 TO *]", True),
        ("CITED:[13 TO *]", False),
        ("OPEN_ACCESS:y", True),
        ("HAS_ABSTRACT:Y", True),
        ("HAS_ABSTRACT:n", False),
        ("SRC:med EXT_ID:900001", True),
        ("PMCID:PMC900002", True),
        ('DOI:"10.9999/glia.2021"', True),
        ("doi:10.9999/Glia.2021", True),
        ("LANG:eng", True),
        ('LANG:"ger"', False),
        ('PUB_TYPE:"journal article"', True),
        ('NOT PUB_TYPE:"review" AND survey', True),
    ],
)
def test_fields_are_matched_by_their_own_rules(query: str, found: bool) -> None:
    assert finds(query) is found


@pytest.mark.parametrize(
    ("query", "found"), [("dementia", False), ("alzheimer", True), ("crispr", False), ('"tumor"', False)]
)
def test_synonyms_are_added_on_demand_and_not_to_quoted_words(query: str, found: bool) -> None:
    titled = Entry(Fact(title="Dementia and neoplasms", pmid="1"))
    assert read("alzheimer").test(titled) is False
    assert read("alzheimer", synonyms=True).test(titled) is True
    assert read('"alzheimer"', synonyms=True).test(titled) is False
    assert finds(query, synonyms=True) is found


@pytest.mark.parametrize(
    "query",
    [
        "",
        "*",
        "-aardvark",
        "NOT a",
        "(a",
        "a)",
        "()",
        "a AND",
        "OR a",
        '"open',
        "a^5",
        "a~",
        "TITLE:",
        "[1 TO 2]",
        "a!",
    ],
)
def test_an_unreadable_query_has_no_result_list(query: str) -> None:
    with pytest.raises(UnreadableQuery):
        read(query)
    assert request(SEARCH, query=query, format="json") == {"version": "6.9"}


CORPUS = Corpus((PAPER, BARE))


def numbers(**params: Any) -> list[str] | None:
    body = request(SEARCH, CORPUS, format="json", **{"query": "plaques", **params})
    return [record["id"] for record in body["resultList"]["result"]] if "resultList" in body else None


@pytest.mark.parametrize(
    ("sort", "first"),
    [
        ("CITED desc", PAPER),
        ("cited asc", BARE),
        ("P_PDATE_D asc", BARE),
        ("AUTH_FIRST desc", BARE),
        ("PUB_YEAR desc, CITED asc", PAPER),
        ("FIRST_PDATE_D desc", PAPER),
    ],
)
def test_every_single_valued_field_sorts(sort: str, first: Fact) -> None:
    found = numbers(sort=sort)
    assert found
    assert (found[0], len(found)) == (first.pmid, 2)


@pytest.mark.parametrize("order", ["sort_cited:y", "sort_date:y"])
def test_the_query_itself_may_sort(order: str) -> None:
    assert numbers(query=f"plaques {order}") == [PAPER.pmid, BARE.pmid]


@pytest.mark.parametrize("wrong", [{"sort": "CITED"}, {"sort": "YEAR desc"}, {"cursorMark": "no cursor"}])
def test_an_unknown_sort_or_cursor_has_no_result_list(wrong: dict[str, str]) -> None:
    assert numbers(**wrong) is None


def test_unknown_parameters_are_ignored() -> None:
    assert numbers(email="someone@example.org") == numbers()


def answer(**params: str) -> Any:
    environ = EnvironBuilder(SEARCH, query_string=params).get_environ()
    return fromstring(europe_pmc.answer(Request(environ), CORPUS).get_data())


def test_xml_is_the_default_format() -> None:
    root = answer(query="survey", resultType="core")
    assert (root.tag, root.findtext("hitCount"), root.findtext("request/synonym")) == ("responseWrapper", "1", "false")
    assert root.findtext("resultList/result/doi") == "10.9999/glia.2021"
    names = [author.findtext("fullName") for author in root.iter("author")]
    assert names == ["Doudna JA", "van der Maaten L", "Müller K"]


def test_dublin_core_names_every_author() -> None:
    root = answer(query="survey", format="dc")
    creators = [element.text for element in root.iter("{http://purl.org/dc/elements/1.1/}creator")]
    assert creators == ["Doudna, JA", "van der Maaten, L", "Müller, K"]
