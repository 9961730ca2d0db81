"""What can be said of a saved search; that the published schema accepts the same; and what a run makes of its query."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import cache, partial
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from shared.api.openapi import openapi_document
from shared.errors import BadRequest, Unprocessable
from shared.saved_searches.request import NewRequest, monitoring_request, read_change, read_new, require_all_terms

PROVIDERS = ("arxiv", "crossref", "pubmed")
NOW = datetime(2026, 11, 22, 6, tzinfo=UTC)
SEARCH, HOOK = {"query": "TREM2"}, {"webhook": {"url": "https://hooks.example.org/"}}
DAILY: dict[str, Any] = {"search": SEARCH, "schedule": "rate(1 day)"}
STRICT: dict[str, Any] = {"search": SEARCH, "schedule": {"expression": "rate(1 day)"}}  # the published form
NOWHERE: Any = {"webhook": None, "sns": False, "baseline": False}
THERE = {**HOOK["webhook"], "status": "active", "disabled_reason": None, "set_at": "2026-11-22T06:00:00Z"}
SAVED: Any = {
    "name": "mine", "search": SEARCH, "watch": None, "enabled": True,
    "delivery": {"webhook": THERE, "sns": True, "baseline": False},
    "schedule": {"expression": "rate(1 day)", "timezone": "Europe/Berlin", "flexible_minutes": 45},
}  # fmt: skip


def new(**fields: Any) -> NewRequest:
    return read_new({**DAILY, **fields}, PROVIDERS, NOW)


def test_searches_by_author_alone_have_different_names() -> None:
    names = [new(search={"author": author}).name for author in ("Doudna JA", "Zhang Feng")]
    assert names == ["papers by Doudna JA", "papers by Zhang Feng"]


def test_an_absent_field_has_its_default() -> None:
    assert new() == NewRequest(
        name="TREM2",
        search=SEARCH,
        watch=None,
        schedule={"expression": "rate(1 day)", "timezone": "UTC", "flexible_minutes": 1440},
        delivery=NOWHERE,
        enabled=True,
    )


@pytest.mark.parametrize("query", ["2020", "10.1084/jem.20212479", "36107206[pmid]"])
def test_a_query_that_no_run_would_search_for_is_refused(query: str) -> None:
    with pytest.raises(Unprocessable) as refused:
        new(search={"query": query})
    assert [fault.field for fault in refused.value.errors] == ["search.query"]


@pytest.mark.parametrize("name", [
    "a\nb", "a\x00", "a\u202eb", "a\u2066b", "a\u2028b", "\u200b", "\ufeff\u200b ", "\u200d", "a\x85", "a\u061c", "a\n",
], ids=ascii)  # fmt: skip
def test_a_name_that_cannot_be_shown_in_a_line_is_refused(name: str) -> None:
    with pytest.raises(Unprocessable) as refused:
        new(name=name)
    assert [fault.field for fault in refused.value.errors] == ["name"]
    assert "bidirectional" in refused.value.message
    assert not validator("SavedSearchRequest").is_valid({**STRICT, "name": name})


@pytest.mark.parametrize("name", ["a", " Gehirn – täglich ", "مي‌خواهم", "👩‍🔬", "微胶"])
def test_a_name_in_any_script_is_unchanged(name: str) -> None:
    assert new(name=name).name == name
    assert validator("SavedSearchRequest").is_valid({**STRICT, "name": name})


@pytest.mark.parametrize(("query", "name"), [("a\u202eb", "ab"), ("a\u2028b", "a b"), ("\u200dx", "\u200dx")])
def test_a_query_gives_its_name_without_what_a_name_may_not_hold(query: str, name: str) -> None:
    assert new(search={"query": query}).name == name


@pytest.mark.parametrize(("search", "name"), [
    ({"queries": ["", "one ", "two"]}, "one"), ({"query": "  TREM2   microglia "}, "TREM2 microglia"),
    ({"query": "\t", "queries": "two", "sort": {}, "fields": None}, "two"), ({"query": "x" * 1000}, "x" * 200),
])  # fmt: skip
def test_an_unnamed_saved_search_is_named_after_its_query(search: dict[str, Any], name: str) -> None:
    assert new(search=search).name == name
    assert new(search=search, name="mine").name == "mine"


@pytest.mark.parametrize("name", ["max_tokens", "abstract_chars", "min_citations", "author"])
def test_null_in_a_changed_search_is_the_same_as_a_missing_field_as_in_every_request(name: str) -> None:
    change = read_change({"search": {**SEARCH, name: None}}, PROVIDERS, NOW, SAVED)
    assert change.search is not None
    assert monitoring_request(change.search, PROVIDERS) == monitoring_request(SEARCH, PROVIDERS)


def test_the_search_is_stored_unchanged() -> None:
    given = {"query": " TREM2 ", "max_results": "5", "providers": "pubmed, arxiv", "cursor": ""}
    assert new(search=given).search == given


@pytest.mark.parametrize(("given", "stored"), [
    ({"expression": "RATE( 1  Days )", "timezone": None, "flexible_minutes": ""}, ("rate(1 day)", "UTC", 1440)),
    ({"expression": "rate(90 minutes)"}, ("rate(90 minutes)", "UTC", 90)),
    ({"expression": "rate(1 minute)"}, ("rate(1 minute)", "UTC", None)),
    ({"expression": "cron(0 7 * * ? *)", "timezone": "europe/berlin"}, ("cron(0 7 * * ? *)", "Europe/Berlin", 60)),
    ({"expression": "rate(1 day)", "flexible_minutes": 0}, ("rate(1 day)", "UTC", None)),
    ({"expression": "rate(1 day)", "flexible_minutes": "0030"}, ("rate(1 day)", "UTC", 30)),
    ({"expression": "rate(1 day)", "flexible_minutes": 1440.0}, ("rate(1 day)", "UTC", 1440)),
])  # fmt: skip
def test_a_schedule_is_stored_in_the_form_of_eventbridge_scheduler(
    given: Any, stored: tuple[str, str, int | None]
) -> None:
    assert new(schedule=given).schedule == dict(
        zip(("expression", "timezone", "flexible_minutes"), stored, strict=True)
    )


def test_errors_of_all_parts_are_reported_together_and_unreadable_input_takes_precedence() -> None:
    impossible = {
        "search": {"query": "(a OR b AND c"},
        "schedule": "rate(1 week)",
        "delivery": {"webhook": {"url": "http://a.b"}},
    }
    with pytest.raises(Unprocessable) as caught:
        new(**impossible)
    fields = ["search.query", "schedule.expression", "delivery.webhook.url"]
    assert [fault.field for fault in caught.value.errors] == fields
    assert all(field in caught.value.message for field in fields)
    with pytest.raises(BadRequest) as refused:
        new(**impossible | {"delivery": {"webhook": {}, "sms": True}})
    assert not isinstance(refused.value, Unprocessable)
    assert [fault.field for fault in refused.value.errors] == [*fields[:2], "delivery.sms"]


@cache
def validator(name: str) -> Draft202012Validator:
    components = openapi_document("https://api.example.org", PROVIDERS)["components"]
    return Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": components})


PARTS: list[dict[str, Any]] = [
    {}, {"name": "x" * 200}, {"name": "x" * 201}, {"name": ""}, {"name": 5}, {"enabled": "off"}, {"enabled": "maybe"},
    {"enabled": 2}, {"enabled": 1}, {"more": None}, {"owner": "me"},
    {"search": None}, {"search": {}}, {"search": "a"}, {"search": [SEARCH]}, {"search": {"queries": ["a", None]}},
    {"search": {"queries": [""]}}, {"search": {**SEARCH, "cursor": ""}}, {"search": {**SEARCH, "format": "ris"}},
    {"search": {**SEARCH, "fields": "title"}}, {"search": {**SEARCH, "fields": "titel"}},
    {"search": {**SEARCH, "max_results": "100"}}, {"search": {**SEARCH, "max_results": "101"}},
    {"search": {**SEARCH, "providers": "scopus"}}, {"search": {"max_results": 5}}, {"search": {"cursor": "x"}},
    {"schedule": None}, {"schedule": ""}, {"schedule": 5}, {"schedule": ["rate(1 day)"]}, {"schedule": {}},
    {"schedule": {"expression": "rate(1 day)", "more": 1}}, {"schedule": {"timezone": "UTC"}},
    *({"schedule": {"expression": "rate(1 day)", "timezone": it}} for it in ("", None, [], 5, "UTC", ["UTC"])),
    *({"schedule": {"expression": "rate(1 day)", "flexible_minutes": it}}
      for it in (0, 1440, 1441, -1, "0", "1440", "01440", "1441", "-1", 1.5, 5.0, True, None, "", [], "ten", [5])),
    {"delivery": {}}, {"delivery": "sns"}, {"delivery": {"sns": "yes"}}, {"delivery": {"sns": 5}}, {"delivery": HOOK},
    {"delivery": {**HOOK, "more": 1}}, {"delivery": {"webhook": None}}, {"delivery": {"webhook": {}}},
    {"delivery": {"webhook": "https://a.example.org"}}, {"delivery": {"webhook": {"url": "http://a.example.org"}}},
    {"delivery": {"webhook": {"url": ""}}}, {"delivery": {"webhook": {"url": None}}},
    {"delivery": {"webhook": {"url": "HTTPS://a.example.org"}}}, {"delivery": {"webhook": {"secret": "x"}}},
    {"delivery": {"webhook": {"url": "https://a.example.org/" + "x" * 2000}}},
    {"delivery": {"baseline": True, "sns": False, "webhook": []}},
    {"name": "a\u202eb"}, {"name": "\u200b"}, {"id": 5}, {"feed": {}}, {"delivery": {"webhook": {"status": "active"}}},
    {"delivery": {"webhook": {"status": 5, "url": ""}}}, {"delivery": {"webhook": {"status": "a", "more": 1}}},
]  # fmt: skip

WITHOUT_A_QUERY: list[dict[str, Any]] = [
    {"search": {}}, {"search": {"queries": [""]}}, {"search": {"max_results": 5}},
]  # fmt: skip


@pytest.mark.parametrize("part", PARTS, ids=lambda it: json.dumps(it)[:70])
@pytest.mark.parametrize(("name", "read", "rest"), [
    ("SavedSearchRequest", read_new, STRICT), ("SavedSearchChange", partial(read_change, saved=SAVED), {}),
], ids=["new", "change"])  # fmt: skip
def test_every_input_that_the_published_schema_allows_is_accepted(
    name: str, read: Any, rest: Any, part: dict[str, Any]
) -> None:
    try:
        accepted = bool(read({**rest, **part}, PROVIDERS, NOW))
    except BadRequest:
        accepted = False
    if part in WITHOUT_A_QUERY and (
        part["search"] or name == "SavedSearchRequest"
    ):  # the schema does not state that a search needs a query
        assert not accepted
    else:
        assert accepted or not validator(name).is_valid({**rest, **part})


@pytest.mark.parametrize(("query", "required"), [
    ("TREM2", "TREM2"),
    ("role of TREM2 in the microglia", "(role AND TREM2 AND microglia)"),
    ("of the", "(of AND the)"),
    ('"role of TREM2"', '"role of TREM2"'),
    ("of TREM2 OR tau tangles", "TREM2 OR (tau AND tangles)"),
])  # fmt: skip
def test_all_terms_of_a_query_are_required(query: str, required: str) -> None:
    assert require_all_terms(query).strip("()") == required.strip("()")


def test_a_run_requires_all_terms_in_one_order_and_includes_retracted_papers() -> None:
    search = {"query": "TREM2 tau", "queries": ["tau TREM2", "TREM2 tau"], "sort": "date", "include_retracted": False}
    run = monitoring_request(search, PROVIDERS)
    assert [*run.wordings] == ["(TREM2 AND tau)", "(tau AND TREM2)"]
    assert (run.sort, run.include_retracted) == ("relevance", True)
