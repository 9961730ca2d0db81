"""The address of a page that names one paper is an id of it, on every route and in every tool, as it is in a search."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import httpx
import pytest

from infra.local.machine import Machine
from tests.integration.mcp_calls import called, resource
from tests.integration.papers_calls import call, fetch

pytestmark = pytest.mark.slow  # lookups of several papers

NEJM, NEJM_PAGE = "10.1056/nejmoa1211851", "https://www.nejm.org/doi/full/10.1056/NEJMoa1211851?query=TOC"
ELIFE, ELIFE_PAGE = "10.7554/elife.20391", "https://elifesciences.org/articles/20391"
PAGES = {
    NEJM_PAGE: NEJM,
    ELIFE_PAGE: ELIFE,
    "https://www.nature.com/articles/nature04533.pdf": "10.1038/nature04533",
    "https://link.springer.com/article/10.1186/1750-1326-9-20?utm_source=x#Abs1": "10.1186/1750-1326-9-20",
    "https://www.medrxiv.org/content/10.1101/2020.06.22.20137273v1.full.pdf": "10.1101/2020.06.22.20137273",
    "https://onlinelibrary.wiley.com/doi/epdf/10.1111/j.1471-4159.2009.06042.x": "10.1111/j.1471-4159.2009.06042.x",
    "DOI 10.1093/hmg/ddu277": "10.1093/hmg/ddu277",
    "info:doi/10.1016/j.cell.2015.01.049": "10.1016/j.cell.2015.01.049",
}  # fmt: skip
NO_PAPER = (
    "https://www.nejm.org/toc/nejm/368/2",
    "https://scholar.google.com/scholar?q=TREM2+microglia",
    f"https://example.org/?a={NEJM}&b={ELIFE}",
    f"DOI {NEJM} and others",
)


def test_the_batch_reads_them_as_a_search_does(running: Machine) -> None:
    answer = fetch(running, "POST", "/v1/papers", {"ids": [*PAGES, *NO_PAPER], "detail": "compact"})
    found = {it["id"]: it["paper"] and it["paper"]["doi"] for it in answer["papers"]}
    assert found == {**PAGES, **dict.fromkeys(NO_PAPER)}
    assert {it["status"] for it in answer["papers"] if it["id"] in NO_PAPER} == {"not_asked"}
    assert called(running, "get_papers", ids=[*PAGES, *NO_PAPER])["found"] == len(PAGES)
    for page in (NEJM_PAGE, ELIFE_PAGE):
        (result,) = fetch(running, "POST", "/v1/literature-search", {"query": page})["results"]
        assert result["doi"] == PAGES[page]


@pytest.mark.parametrize(
    ("path", "field"), [("/v1/citation-network", "seeds"), ("/v1/similar", "seeds"), ("/v1/exports", "ids")]
)
def test_other_requests_take_them(running: Machine, path: str, field: str) -> None:
    form = {"format": "csl-json"} if field == "ids" else {}
    by_page, by_doi = (fetch(running, "POST", path, {field: [name], **form}) for name in (ELIFE_PAGE, ELIFE))
    for answer in (by_page, by_doi):
        if isinstance(answer, dict):
            for name in ("search_time_ms", "request_id", "cache", "kg", "providers"):
                answer.pop(name, None)
    assert by_page == by_doi


def test_a_path_takes_one(running: Machine) -> None:
    page = ELIFE_PAGE.replace("/", "%2F")
    assert fetch(running, "GET", f"/v1/papers/{page}")["paper"]["doi"] == ELIFE
    status, problem = call(running, "GET", "/v1/papers/https:%2F%2Fwww.nejm.org%2Ftoc%2Fnejm%2F368%2F2")
    assert (status, problem["errors"][0]["field"]) == (422, "id")


LANCET = "10.1016/s0140-6736(20)31180-6"
LANCET_PAGE = "https://www.thelancet.com/journals/lancet/article/PIIS0140-6736(20)31180-6/fulltext"
SIMILAR_PAGE = "https://europepmc.org/article/MED/36107206/similar"


@pytest.mark.parametrize(("page", "key"), [(LANCET_PAGE, f"doi:{LANCET}"), (SIMILAR_PAGE, "doi:10.1084/jem.20212479")])
def test_an_encoded_address_that_ends_like_a_route_is_an_id(
    running: Machine, address: str, page: str, key: str
) -> None:
    paper = httpx.get(f"{address}/v1/papers/{quote(page, safe='')}", params={"detail": "compact"}, timeout=30).json()
    assert (paper["id"], paper["paper"]["key"]) == (page, key)
    text = httpx.get(f"{address}/v1/papers/{quote(page, safe='')}/fulltext", timeout=30).json()
    assert (text["key"], "sections" in text) == (key, True)
    assert resource(running, f"literature://papers/{quote(page, safe='')}")["paper"]["key"] == key


def test_a_context_cites_one(running: Machine) -> None:
    body: dict[str, Any] = {"context": {"type": "report", "id": "pages"}, "papers": [NEJM_PAGE]}
    for answer in (fetch(running, "POST", "/v1/citations", body), called(running, "cite_in_context", **body)):
        assert [it["key"] for it in answer["mentions"]] == [f"doi:{NEJM}"]


def test_fetch_opens_one(running: Machine) -> None:
    opened: Any = called(running, "fetch", id=NEJM_PAGE)
    assert opened["metadata"]["doi"] == NEJM
