"""What every provider says of each filter and order of a search: whether its API applied it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from infra.functions import provider_spec, providers_for
from infra.local.machine import Machine, machine
from infra.local.sandbox.server import RecordedRequest, Sandbox
from shared.bibliography.paper import PAPER_TYPES
from shared.query.query import FILTERS, query_from_json

pytestmark = pytest.mark.whole_tables  # the contract of each provider

every_searched_provider = pytest.mark.parametrize("name", providers_for("search"))
# A word that each provider's part of the sandbox's corpus holds.
WORD = {"arxiv": "attention", "dblp": "attention"}
FILTERED: dict[str, dict[str, Any]] = {
    "date": {"date_from": "2014", "date_to": "2016-06"},
    "from a date": {"date_from": "2014"},
    "to a date": {"date_to": "2016-06"},
    "author": {"author": "Colonna"},
    "ORCID iD": {"author": "0000-0001-5222-4987"},
    "journal": {"journal": "Cell"},
    "open access": {"open_access": True},
    "citations": {"min_citations": 3},
    "types": {"publication_types": ["journal-article", "preprint"]},
    "all types": {"publication_types": list(PAPER_TYPES)},
    "kinds of types": {"publication_types": ["meta-analysis", "preprint", "randomized-controlled-trial"]},
    "a rare type": {"publication_types": ["dissertation"]},
    "no preprints": {"exclude_preprints": True},
    "language": {"language": "de"},
    "English": {"language": "en"},
    "field of study": {"field_of_study": "computer-science"},
    "medicine": {"field_of_study": "medicine"},
    "no retracted": {"exclude_retracted": True},
    "operators": {"text": '"TREM2" AND (microglia OR attention) NOT mouse'},
    "several": {"author": "Colonna", "field_of_study": "medicine", "exclude_preprints": True, "date_from": "2014"},
    "sorted": {"sort": "date", "min_citations": 3},
    "marks": {"text": "TREM2 (R47H) & α<β; 50% 'quoted' a:b [c] {d} ^ ~ * ? \\ / + - | ! #"},
}
# Cases with a value that some providers do not know, and so are not queried.
UNKNOWN_TO_SOME = {"ORCID iD", "medicine", "a rare type"}
# What holds for everything that a provider has, so that its API need not be asked for it.
BY_NATURE = {
    "arxiv": {"open_access", "publication_types"},
    "clinicaltrials": {"open_access", "exclude_preprints", "publication_types", "language"},
}


@pytest.fixture(scope="module")
def running() -> Iterator[Machine]:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("CONTACT_EMAIL", "dev@example.org")
        with machine(sandbox=Sandbox(faults={})) as local:
            yield local


def search(local: Machine, name: str, **query: Any) -> tuple[dict[str, Any], list[RecordedRequest]]:
    """The reply, and the requests to the API."""
    assert local.sandbox is not None
    before = len(local.sandbox.requests)
    event = {"operation": "search", "query": {"text": WORD.get(name, "TREM2"), **query}, "timeout_ms": 8000}
    return dict(local.invoke(name, event)), local.sandbox.requests[before:]


def forms(requests: list[RecordedRequest]) -> list[tuple[str, str, str]]:
    return [(it.path, it.query, it.body) for it in requests]


@every_searched_provider
@pytest.mark.parametrize("case", FILTERED)
def test_every_filter_can_be_requested_and_is_reported(running: Machine, name: str, case: str) -> None:
    reply, requests = search(running, name, **FILTERED[case])
    if reply["outcome"] == "skipped_unsupported_filter":
        assert not requests and reply["warnings"], "what cannot be queried says why"
        assert reply["total_estimate"] == 0 or case in UNKNOWN_TO_SOME, "else skipped only if it has nothing of it"
        return
    assert reply["outcome"] in ("ok", "empty"), reply["warnings"]
    assert reply["effective_query"]
    in_use = query_from_json({"text": WORD.get(name, "TREM2"), **FILTERED[case]}).filters
    said = [*reply["applied_filters"], *reply["unsupported_filters"]]
    assert sorted(said) == sorted(in_use), "each filter in use is either applied or unsupported"


@every_searched_provider
@pytest.mark.parametrize("case", [case for case in FILTERED if case not in ("operators", "marks", "several")])
def test_a_filter_that_a_provider_applies_is_part_of_its_requests(running: Machine, name: str, case: str) -> None:
    order = {field: value for field, value in FILTERED[case].items() if field == "sort"}
    _, plain = search(running, name, **order)
    reply, requests = search(running, name, **FILTERED[case])
    if set(reply["applied_filters"]) - BY_NATURE.get(name, set()):
        assert forms(requests) != forms(plain)


@every_searched_provider
@pytest.mark.parametrize("sort", ["date", "citations"])
def test_an_order_is_requested_or_a_warning_says_that_it_is_not(running: Machine, name: str, sort: str) -> None:
    spec = provider_spec(name)
    _, by_relevance = search(running, name)
    reply, requests = search(running, name, sort=sort)
    warning = f"{spec.title} cannot sort by {sort}: the papers are sorted by relevance"
    assert (warning in reply["warnings"]) is (sort not in spec.sorts)
    assert (forms(requests) == forms(by_relevance)) is (sort not in spec.sorts)


def test_the_cases_use_every_filter() -> None:
    used = {name for case in FILTERED.values() for name in query_from_json({"text": "a", **case}).filters}
    assert used == set(FILTERS)
