"""pyalex, an independent client of OpenAlex, against the sandbox over loopback HTTP: the calls of its own manual."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pyalex = pytest.importorskip("pyalex")
requests = pytest.importorskip("requests")

from pyalex import Authors, Sources, Works  # noqa: E402

from infra.local.sandbox.server import Sandbox  # noqa: E402

DOI = "10.1038/s41586-021-03819-2"  # AlphaFold


@pytest.fixture(autouse=True)
def _openalex(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """Send what is meant for api.openalex.org to the sandbox."""
    base = sandbox.base_urls["OPENALEX_BASE_URL"]

    def session() -> Any:
        made = requests.Session()
        get = made.get
        made.get = lambda url, **arguments: get(url.replace("https://api.openalex.org", base), **arguments)
        return made

    monkeypatch.setattr("pyalex.api._get_requests_session", session)
    monkeypatch.setitem(pyalex.config, "api_key", "a-key")
    monkeypatch.setitem(pyalex.config, "email", "dev@example.org")


def _any_work() -> Any:
    return Works().filter(has_doi=True, has_abstract=True).sort(cited_by_count="desc").get(per_page=1)[0]


CALLS: dict[str, Callable[[], Any]] = {
    "search": lambda: Works().search("microglia").get(),
    "search by title": lambda: Works().search_filter(title="microglia").get(),
    "search by title and abstract": lambda: Works().search_filter(title_and_abstract="microglia").get(),
    "search everywhere": lambda: Works().search_filter(default="microglia").get(),
    "search without stems": lambda: Works().filter(**{"title.search.exact": "microglia"}).get(),
    "search by meaning": lambda: Works().similar("How do microglia respond to amyloid?").get(),
    "count": lambda: [Works().search("microglia").count()],
    "per page": lambda: Works().get(per_page=200),
    "year": lambda: Works().filter(publication_year=2020).get(),
    "range of years": lambda: Works().filter(publication_year="2018-2020").get(),
    "open access": lambda: Works().filter(is_oa=True).get(),
    "nested open access": lambda: Works().filter(open_access={"is_oa": True}).get(),
    "with an abstract": lambda: Works().filter(has_abstract=True).get(),
    "more citations": lambda: Works().filter_gt(cited_by_count=100).get(),
    "fewer citations": lambda: Works().filter_lt(cited_by_count=100).get(),
    "not a type": lambda: Works().filter_not(type="preprint").get(),
    "one of two types": lambda: Works().filter_or(type=["preprint", "review"]).get(),
    "language": lambda: Works().filter(language="en").get(),
    "field of research": lambda: Works().filter(topics={"field": {"id": 17}}).get(),
    "several filters": lambda: Works().filter(is_oa=True, publication_year=">2015").get(),
    "by date": lambda: Works().filter(from_publication_date="2019-01-01").sort(publication_date="desc").get(),
    "selected fields": lambda: Works().select(["id", "topics", "keywords", "concepts", "mesh", "related_works"]).get(),
    "counts by year": lambda: Works().select(["id", "counts_by_year"]).get(),
    "sample": lambda: Works().sample(10, seed=535).get(),
    "groups of years": lambda: Works().search("microglia").group_by("publication_year").get(),
    "groups of types": lambda: Works().group_by("type").get(),
    "authors": lambda: Authors().search("Colonna").get(),
    "authors by a filter": lambda: Authors().search_filter(display_name="Colonna").get(),
    "one author by the ORCID iD": lambda: [Authors()["https://orcid.org/0000-0001-5222-4987"]],
    "works by an ORCID iD": lambda: Works().filter(authorships={"author": {"orcid": "0000-0001-5222-4987"}}).get(),
    "any author": lambda: [Authors().random()],
    "any source": lambda: [Sources().random()],
    "sources": lambda: Sources().search("nature").get(),
    "sources by beginning": lambda: Sources().autocomplete("natu"),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_list_has_entries(name: str) -> None:
    assert len(CALLS[name]()) > 0


def test_a_work_is_found_by_its_ids() -> None:
    by_doi = Works()[f"https://doi.org/{DOI}"]
    assert Works()[by_doi["id"]]["id"] == by_doi["id"]
    assert Works()[f"doi:{DOI}"]["id"] == by_doi["id"]
    assert Works()[by_doi["ids"]["pmid"].replace("https://pubmed.ncbi.nlm.nih.gov/", "pmid:")]["id"] == by_doi["id"]


def test_several_works_are_found_by_their_ids() -> None:
    ids = [work["id"] for work in Works().sample(5, seed=1).get()]
    assert {work["id"] for work in Works()[ids]} == set(ids)


def test_an_abstract_is_put_together() -> None:
    assert len(_any_work()["abstract"].split()) > 5


def test_related_and_cited_works_are_works() -> None:
    related = next(work["related_works"] for work in Works().get(per_page=50) if work["related_works"])
    assert len(Works()[related]) == len(related)
    work = next(work for work in Works().get(per_page=100) if work["referenced_works"])
    assert len(Works().filter(cited_by=work["id"]).get()) > 0
    assert work["id"] in {other["id"] for other in Works().filter(cites=work["referenced_works"][0]).get(per_page=200)}


def test_an_authors_works_are_found_by_the_authors_id() -> None:
    author = Authors().search("Colonna").get()[0]
    works = Works().filter(authorships={"author": {"id": author["id"]}}).get()
    assert len(works) == author["works_count"]
    assert Authors()[author["id"]]["display_name"] == author["display_name"]


@pytest.mark.parametrize("method", ["cursor", "page"])
def test_pages_show_every_work_once(method: str) -> None:
    total = Works().search("cells").count()
    pages = Works().search("cells").paginate(method=method, per_page=20)
    shown = [work["id"] for page in pages for work in page]
    assert len(shown) == len(set(shown)) == total > 20


def test_an_unknown_filter_is_a_query_error() -> None:
    with pytest.raises(pyalex.api.QueryError, match="not a valid field"):
        Works().filter(nonsense=1).get()


def test_an_unknown_work_is_an_http_error() -> None:
    with pytest.raises(requests.HTTPError, match="404"):
        Works()["W1"]


@pytest.mark.parametrize(
    "institution",
    [{"ror": "04pp8hn57"}, {"country_code": ["fr", "gb"]}, {"country_code": "fr|gb"}, {"type": "company"}],
)
def test_filters_by_an_institution_are_known_and_find_nothing(institution: Any) -> None:
    assert Works().filter(authorships={"institutions": institution}).get() == []
    assert Works().filter(institutions=institution).count() == 0
