"""What crossrefapi can say to Crossref, each of its orders, fields, facets and filters, is known to the sandbox."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from infra.local.sandbox.server import Sandbox

restful = pytest.importorskip("crossref.restful")
WORKS = restful.Works
# `submitted` is not among the orders of the API's documentation.
ORDERS = sorted({*WORKS.SORT_VALUES} - {"submitted"})


@pytest.fixture
def api(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Any:
    """crossrefapi's module, whose addresses are those of the sandbox; it waits for no rate."""
    base = sandbox.base_urls["CROSSREF_BASE_URL"]

    def address(endpoint: str | None = None, context: str | None = None) -> str:
        return "/".join([base, *(part for part in (context, endpoint) if part)])

    monkeypatch.setattr(restful, "build_url_endpoint", address)
    monkeypatch.setattr(restful, "sleep", lambda seconds: None)
    return restful


def test_every_order_lists_all_works(api: Any) -> None:
    found = {order: len(list(api.Works().query("microglia").sort(order))) for order in ORDERS}
    assert set(found.values()) == {api.Works().query("microglia").count()}
    assert all(list(api.Works().query("trem2").sort("created").order(order)) for order in WORKS.ORDER_VALUES)


def test_every_field_query_is_known(api: Any) -> None:
    counts = {field: api.Works().query(**{field: "nature"}).count() for field in WORKS.FIELDS_QUERY}
    assert counts["container_title"] > 0 == counts["event_name"]


def test_every_facet_and_every_element_is_known(api: Any) -> None:
    assert all("value-count" in api.Works().query("brain").facet(name)[name] for name in WORKS.FACET_VALUES)
    for element in WORKS.FIELDS_SELECT:
        assert all(set(work) <= {element} for work in api.Works().query("trem2").select(element))


CALLS: dict[str, Callable[[Any], Any]] = {
    "elements of a sample": lambda api: all(
        set(work) == {"DOI", "prefix"} for work in api.Works().sample(5).select(["DOI", "prefix"])
    ),
    "rates": lambda api: api.Works().x_rate_limit_limit and api.Works().x_rate_limit_interval,
    "etiquette": lambda api: api.Works(etiquette=api.Etiquette("a", "1", "u", "e@x.org")).query("brain").count() > 0,
    "unknown DOI": lambda api: api.Works().doi("10.9999/none") is None and not api.Works().doi_exists("10.9999/none"),
    "funders": lambda api: list(api.Funders().query("science")) and api.Funders().funder("100000001"),
    "works of a funder": lambda api: api.Funders().works("100000001").count() == 0,
    "members": lambda api: list(api.Members().query("springer")) and api.Members().member_exists("297"),
    "works of a member": lambda api: api.Members().works("297").query("brain").count() > 0,
    "types": lambda api: list(api.Types().all()) and api.Types().type_exists("journal-article"),
    "works of a type": lambda api: api.Types().works("journal-article").count() > 0,
    "prefix": lambda api: api.Prefixes().prefix("10.1038") and api.Prefixes().works("10.1038").count() > 0,
    "unknown journal": lambda api: not api.Journals().journal_exists("0000-0000"),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_call_of_the_manual(api: Any, call: str) -> None:
    assert CALLS[call](api)
