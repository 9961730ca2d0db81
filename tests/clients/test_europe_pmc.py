"""The client `pyeuropepmc` against the sandbox, as its documentation uses it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("pyeuropepmc")

from pyeuropepmc import ArticleClient, QueryBuilder, SearchClient

from infra.local.sandbox.server import Sandbox

REVIEW = "29618526"  # the PMID of a paper of the corpus with references


@pytest.fixture
def base(sandbox: Sandbox) -> str:
    """The address of the service."""
    return f"{sandbox.base_urls['EUROPE_PMC_BASE_URL']}/europepmc/webservices/rest/"


@pytest.fixture
def client(base: str) -> Iterator[Any]:
    """A client of the sandbox without waits."""
    with SearchClient(rate_limit_delay=0) as made:
        made.BASE_URL = base
        yield made


@pytest.fixture
def articles(base: str) -> Iterator[Any]:
    """A client for the lists of one article."""
    with ArticleClient(rate_limit_delay=0) as made:
        made.BASE_URL = base
        yield made


@pytest.mark.parametrize(
    "query",
    [
        "TREM2 microglia",
        'TITLE:"TREM2"',
        "TITLE_ABS:(TREM2 AND microglia) AND PUB_YEAR:[2013 TO 2024]",
        'AUTH:"Colonna M" AND TREM2',
        "MESH:microglia AND HAS_ABSTRACT:y",
        "TREM2 AND CITED:[10 TO *] sort_cited:y",
    ],
)
def test_a_search_finds_papers(client: Any, query: str) -> None:
    found = client.search(query, resultType="core")["resultList"]["result"]
    assert found
    assert all("trem2" in str(record).lower() or "triggering" in str(record).lower() for record in found)


@pytest.mark.parametrize("form", ["json", "xml", "dc"])
def test_each_format_is_parsed(client: Any, form: str) -> None:
    found = client.search_and_parse("TITLE_ABS:TREM2", format=form, page_size=5)
    assert len(found) == 5
    assert all(record["title"] for record in found)


def test_pages_are_walked_to_the_end(client: Any) -> None:
    query = "TITLE_ABS:(TREM2 OR microglia OR CRISPR)"
    found = client.search_all(query, page_size=10)
    assert len({record["id"] for record in found}) == len(found) == client.get_hit_count(query) > 20


def test_ids_alone_are_listed(client: Any) -> None:
    assert client.search_ids_only(f"EXT_ID:{REVIEW} AND SRC:MED") == [REVIEW]


def test_a_built_query_is_understood(client: Any) -> None:
    built = QueryBuilder().keyword("TREM2", field="title").and_().date_range(start_year=2013, end_year=2020).build()
    years = {record["pubYear"] for record in client.search(built)["resultList"]["result"]}
    assert years
    assert years <= {str(year) for year in range(2013, 2021)}


def test_a_long_query_is_posted(client: Any) -> None:
    query = " OR ".join([f"EXT_ID:{REVIEW}", *(f"EXT_ID:{number}" for number in range(1, 200))])
    assert client.search_post(query)["hitCount"] == 1


def test_synonyms_widen_a_search(client: Any) -> None:
    assert client.get_hit_count("TITLE_ABS:crispr", synonym=True) >= client.get_hit_count("TITLE_ABS:crispr") > 0


def test_references_and_citations_are_listed(articles: Any) -> None:
    references = articles.get_references("MED", REVIEW)
    assert references["hitCount"] > 0
    cited = next(item for item in references["referenceList"]["reference"] if item["match"] == "Y")
    citing = articles.get_citations("MED", cited["id"])["citationList"]["citation"]
    assert REVIEW in {item["id"] for item in citing}


def test_a_paper_is_found_by_what_it_cites(client: Any, articles: Any) -> None:
    cited = next(
        it for it in articles.get_references("MED", REVIEW)["referenceList"]["reference"] if it["match"] == "Y"
    )
    assert REVIEW in client.search_ids_only(QueryBuilder().cites(cited["id"], "med").build())


BUILT: dict[str, Callable[[Any], Any]] = {
    "author": lambda on: on.field("author", "Colonna M"),
    "journal": lambda on: on.field("journal", "Nature"),
    "open access": lambda on: on.field("open_access", True),
    "heading": lambda on: on.field("mesh", "Microglia"),
    "language": lambda on: on.field("language", "eng"),
    "type": lambda on: on.field("pub_type", "review"),
    "dates": lambda on: on.date_range(start_date="2013-01-01", end_date="2020-12-31"),
    "source": lambda on: on.source("MED"),
    "operators": lambda on: on.keyword("TREM2").and_().field("author", "Colonna M").or_().keyword("CRISPR"),
    "exclusion": lambda on: on.keyword("TREM2").not_().keyword("CRISPR"),
    "abstract": lambda on: on.keyword("TREM2", field="abstract"),
}


@pytest.mark.parametrize("form", BUILT)
def test_a_built_query_of_each_kind_finds_papers(client: Any, form: str) -> None:
    assert client.get_hit_count(BUILT[form](QueryBuilder(validate=False)).build()) > 0


CALLS: dict[str, Callable[[Any], Any]] = {
    "details": lambda on: on.get_article_details("MED", REVIEW)["result"]["id"] == REVIEW,
    "page": lambda on: len(on.get_references("MED", REVIEW, page=1, page_size=3)["referenceList"]["reference"]) == 3,
    "counts": lambda on: on.get_reference_count("MED", REVIEW) > 0 <= on.get_citation_count("MED", REVIEW),
    "citations as XML": lambda on: on.get_citations("MED", REVIEW, format="xml"),
}


@pytest.mark.filterwarnings("ignore")  # the client warns of its own
@pytest.mark.parametrize("call", CALLS)
def test_a_call_for_one_article(articles: Any, call: str) -> None:
    assert CALLS[call](articles)


@pytest.mark.parametrize("name", ["get_database_links", "get_lab_links", "get_data_links"])
def test_lists_of_links_are_refused(articles: Any, name: str) -> None:
    with pytest.raises(Exception, match="HTTP404"):
        getattr(articles, name)("MED", REVIEW)
