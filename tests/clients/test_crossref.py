"""habanero and crossrefapi, two independent clients of Crossref, against the sandbox: the calls of their manuals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from infra.local.sandbox.server import Sandbox

habanero = pytest.importorskip("habanero")
restful = pytest.importorskip("crossref.restful")

DOI = "10.1038/s41586-021-03819-2"  # AlphaFold, which the corpus has
OTHER = "10.1016/j.neuron.2013.02.026"
Call = Callable[[Any], Any]


@pytest.fixture
def client(sandbox: Sandbox) -> Any:
    """habanero's client of the sandbox."""
    return habanero.Crossref(base_url=sandbox.base_urls["CROSSREF_BASE_URL"], mailto="dev@example.org")


@pytest.fixture
def works(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """crossrefapi's module, whose addresses are those of the sandbox; it waits for no rate."""
    base = sandbox.base_urls["CROSSREF_BASE_URL"]

    def address(endpoint: str | None = None, context: str | None = None) -> str:
        return "/".join([base, *(part for part in (context, endpoint) if part)])

    monkeypatch.setattr(restful, "build_url_endpoint", address)
    monkeypatch.setattr(restful, "sleep", lambda seconds: None)
    yield restful


def items(answer: Any) -> list[Any]:
    """The items of habanero's answer; of several pages, those of all."""
    return [item for page in (answer if isinstance(answer, list) else [answer]) for item in page["message"]["items"]]


HABANERO: dict[str, tuple[Call, Callable[[Any], bool]]] = {
    "query": (lambda cr: cr.works(query="TREM2 microglia"), lambda it: len(items(it)) > 1),
    "select": (
        lambda cr: cr.works(query="TREM2", select="DOI,title"), lambda it: set(items(it)[0]) == {"DOI", "title"}
    ),
    "one id": (lambda cr: cr.works(ids=DOI), lambda it: it["message"]["DOI"] == DOI),
    "two ids": (lambda cr: cr.works(ids=[DOI, OTHER]), lambda it: len(it) == 2),
    "filter": (
        lambda cr: cr.works(query="brain", filter={"from_pub_date": "2020", "type": "journal-article"}),
        lambda it: all(work["issued"]["date-parts"][0][0] >= 2020 for work in items(it)),
    ),
    "has_orcid": (
        lambda cr: cr.works(query="TREM2", filter={"has_orcid": True}),
        lambda it: bool(items(it)) and all("ORCID" in str(work["author"]) for work in items(it)),
    ),
    "orcid": (lambda cr: cr.works(filter={"orcid": "0000-0001-5222-4987"}), lambda it: len(items(it)) > 3),
    "alternative_id": (
        lambda cr: cr.works(filter={"alternative_id": "S0092867417305780"}),
        lambda it: [work["DOI"] for work in items(it)] == ["10.1016/j.cell.2017.05.018"],
    ),
    "cursor": (
        lambda cr: cr.works(query="brain protein", cursor="*", cursor_max=60, limit=20),
        lambda it: len({work["DOI"] for work in items(it)}) == len(items(it)) > 20,
    ),
    "facet": (
        lambda cr: cr.works(query="brain", limit=0, facet="type-name:*"),
        lambda it: it["message"]["facets"]["type-name"]["value-count"] > 0,
    ),
    "sample": (lambda cr: cr.works(sample=3), lambda it: len(items(it)) == 3),
    "sort": (
        lambda cr: cr.works(query="brain", sort="created", order="asc"),
        lambda it: (times := [work["created"]["timestamp"] for work in items(it)]) == sorted(times),
    ),
    "query_author": (
        lambda cr: cr.works(query_author="colonna"),
        lambda it: all("Colonna" in str(work["author"]) for work in items(it)) and bool(items(it)),
    ),
    "query_affiliation": (lambda cr: cr.works(query_affiliation="princeton"), lambda it: items(it) == []),
    "query_bibliographic": (
        lambda cr: cr.works(query_bibliographic="Highly accurate protein structure prediction with AlphaFold Jumper"),
        lambda it: items(it)[0]["DOI"] == DOI,
    ),
    "random_dois": (lambda cr: cr.random_dois(3), lambda it: len(it) == 3),
    "registration_agency": (lambda cr: cr.registration_agency(DOI), lambda it: it == ["Crossref"]),
    "journals": (lambda cr: cr.journals(query="nature", limit=2), lambda it: len(items(it)) == 2),
    "journal": (lambda cr: cr.journals(ids=issn(cr)), lambda it: it["message"]["ISSN"] != []),
    "works of a journal": (lambda cr: cr.journals(ids=issn(cr), works=True), lambda it: len(items(it)) > 0),
    "members": (lambda cr: cr.members(query="springer"), lambda it: items(it)[0]["id"] == 297),
    "types": (lambda cr: cr.types(), lambda it: len(items(it)) == 30),
    "funders": (lambda cr: cr.funders(query="science"), lambda it: items(it)[0]["id"] == "100000001"),
    "licenses": (lambda cr: cr.licenses(query="creativecommons"), lambda it: isinstance(items(it), list)),
}  # fmt: skip


def issn(cr: Any) -> str:
    """The ISSN of a journal of the corpus."""
    return str(items(cr.journals(query="nature", limit=1))[0]["ISSN"][0])


@pytest.mark.parametrize("call", HABANERO)
def test_habanero(client: Any, call: str) -> None:
    send, holds = HABANERO[call]
    assert holds(send(client))


@pytest.mark.parametrize(
    "send",
    [
        pytest.param(lambda cr: cr.works(ids="10.9999/none"), id="unknown"),
        pytest.param(lambda cr: cr.works(query="widget", cursor="thing"), id="cursor"),
        pytest.param(lambda cr: cr.journals(sort="score"), id="parameter"),
        pytest.param(lambda cr: cr.works(ids=DOI, query_author="x"), id="field-query"),
    ],
)
def test_habanero_reports_refusals(client: Any, send: Call) -> None:
    with pytest.raises(Exception, match=r"40[04]|[Nn]ot found|does not support|invalid"):
        send(client)


CROSSREFAPI: dict[str, tuple[Call, Callable[[Any], bool]]] = {
    "doi": (lambda api: api.Works().doi(DOI), lambda it: it["DOI"] == DOI),
    "agency": (lambda api: api.Works().agency(DOI), lambda it: it["agency"]["id"] == "crossref"),
    "count": (lambda api: api.Works().query("microglia").count(), lambda it: it > 5),
    "iteration": (
        lambda api: list(api.Works().query("brain protein learning")),
        lambda it: len({work["DOI"] for work in it}) == len(it) > 20,
    ),
    "sample": (lambda api: list(api.Works().sample(4)), lambda it: len(it) == 4),
    "filter and sort": (
        lambda api: [work["issued"]["date-parts"][0][0] for work in
                     api.Works().query(author="wang").filter(from_pub_date="2018").sort("published").order("asc")],
        lambda it: it == sorted(it) and it[0] >= 2018,
    ),
    "facet": (
        lambda api: api.Works().query("brain").facet("type-name", 5),
        lambda it: it["type-name"]["value-count"] > 0,
    ),
    "journals": (lambda api: list(api.Journals().query("nature")), lambda it: len(it) > 0),
    "types": (lambda api: api.Types().type("journal-article"), lambda it: it["label"] == "Journal Article"),
    "members": (lambda api: api.Members().member("297"), lambda it: it["id"] == 297),
}  # fmt: skip


@pytest.mark.parametrize("call", CROSSREFAPI)
def test_crossrefapi(works: Any, call: str) -> None:
    send, holds = CROSSREFAPI[call]
    assert holds(send(works))
