"""What a provider allows, from its declaration, the operator and the headers of its answers."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from functions.providers import crossref, openalex
from infra.functions import provider_names, provider_spec
from shared.aws.runtime.settings import limit_overrides
from shared.rate_limits.limits import (
    MAX_WINDOW_REQUESTS,
    Limits,
    Overrides,
    RateLimitHeaders,
    limits_for,
    limits_from_json,
    limits_of,
    limits_to_json,
    rate_headers,
    with_header_limits,
)

NOW = datetime(2026, 11, 22, 8, 0, tzinfo=UTC)
SPEC = replace(
    provider_spec("pubmed"), requests_per_second=3.0, requests_per_second_with_key=10.0, concurrency=2,
    requests_per_day=100,
)  # fmt: skip

RATES = [
    pytest.param(1 / 3, 1, 3.0, id="one in three seconds"),
    pytest.param(1.0, 1, 1.0, id="one a second"),
    pytest.param(3.0, 3, 1.0, id="three a second"),
    pytest.param(2.5, 2, 0.8, id="two and a half a second"),
    pytest.param(150.0, MAX_WINDOW_REQUESTS, 1 / 3, id="so many that the window is made shorter"),
]


@pytest.mark.parametrize(("rate", "requests", "window_s"), RATES)
def test_a_rate_is_a_number_of_requests_in_a_window(rate: float, requests: int, window_s: float) -> None:
    limits = limits_of(replace(SPEC, requests_per_second=rate), has_key=False)
    assert limits.requests == requests
    assert limits.window_s == pytest.approx(window_s)


def test_a_key_has_its_own_rate() -> None:
    assert limits_of(SPEC, has_key=True).requests == 10
    assert limits_of(replace(SPEC, requests_per_second_with_key=None), has_key=True).requests == 3


def test_the_operators_limits_override_the_declared_ones() -> None:
    limits = limits_of(SPEC, has_key=True, overrides=Overrides(requests_per_second=0.5, concurrency=5))
    assert (limits.requests, limits.window_s, limits.concurrency, limits.a_day) == (1, 2.0, 5, 100)
    assert (limits.rate_is_set, limits.concurrency_is_set) == (True, True)


@pytest.mark.parametrize(("is_set", "stated", "requests"), [
    pytest.param(False, 5.0, 5, id="declared, and the provider allows more"),
    pytest.param(False, 1.0, 1, id="declared, and the provider allows less"),
    pytest.param(True, 5.0, 3, id="set, and the provider allows more"),
    pytest.param(True, 1.0, 1, id="set, and the provider allows less"),
    pytest.param(False, None, 3, id="the provider says nothing"),
])  # fmt: skip
def test_stated_limits_apply_but_never_loosen_the_operators(is_set: bool, stated: float | None, requests: int) -> None:
    limits = Limits(requests=3, window_s=1.0, concurrency=3, rate_is_set=is_set, concurrency_is_set=is_set)
    found = with_header_limits(limits, stated, int(stated) if stated else None)
    assert (found.requests, found.concurrency) == (requests, requests)


HEADERS = {"x-rate-limit-limit": "10", "x-rate-limit-interval": "2s", "x-concurrency-limit": "3"}
POOLS = [
    pytest.param(HEADERS, RateLimitHeaders(requests_per_second=5.0, concurrency=3), id="all"),
    pytest.param({"x-rate-limit-limit": "10"}, RateLimitHeaders(requests_per_second=10.0), id="no interval: a second"),
    pytest.param({}, RateLimitHeaders(), id="none"),
    pytest.param(dict.fromkeys(HEADERS, "soon"), RateLimitHeaders(), id="no numbers"),
    pytest.param(dict.fromkeys(HEADERS, "0"), RateLimitHeaders(), id="nothing at all would be allowed"),
    pytest.param(dict.fromkeys(HEADERS, "9" * 400), RateLimitHeaders(), id="more digits than a number has"),
    pytest.param({"x-rate-limit-limit": "1" + "\t" * 60_000 + "!"}, RateLimitHeaders(), id="60,000 tabs"),
    pytest.param(
        {"x-rate-limit-limit": "9" * 15, "x-concurrency-limit": "9" * 15},
        RateLimitHeaders(requests_per_second=1_000_000.0, concurrency=1_000),
        id="the most that is believed",
    ),
    pytest.param(
        {"x-rate-limit-limit": "0.000001", "x-rate-limit-interval": "9999999s"},
        RateLimitHeaders(requests_per_second=1 / 86_400),
        id="the least: one request a day",
    ),
]


@pytest.mark.parametrize(("headers", "stated"), POOLS)
def test_crossref_names_rate_interval_and_connections(headers: dict[str, str], stated: RateLimitHeaders) -> None:
    assert crossref._POOL(headers, NOW) == stated


def test_pubmed_names_its_requests_a_second() -> None:
    assert rate_headers("x-ratelimit-limit")({"x-ratelimit-limit": "10"}, NOW) == RateLimitHeaders(
        requests_per_second=10.0
    )


CREDITS = {"x-ratelimit-limit": "1000", "x-ratelimit-remaining": "972", "x-ratelimit-reset": "64142"}
SPENT = RateLimitHeaders(credits_left=972, credits_a_day=1000, credits_reset_s=64142.0)
ALLOWANCES = [
    pytest.param(CREDITS, SPENT, id="some are left"),
    pytest.param(
        {**CREDITS, "x-ratelimit-prepaid-remaining-usd": "2.5"}, RateLimitHeaders(), id="there is money on the account"
    ),
    pytest.param({**CREDITS, "x-ratelimit-onetime-remaining": "100"}, RateLimitHeaders(), id="given once"),
    pytest.param({"x-ratelimit-remaining": "7"}, RateLimitHeaders(credits_left=7), id="the total is not stated"),
    pytest.param({}, RateLimitHeaders(), id="none"),
    pytest.param({**CREDITS, "x-ratelimit-reset": "1795334460"}, replace(SPENT, credits_reset_s=60.0), id="an epoch"),
    pytest.param({**CREDITS, "x-ratelimit-reset": "1795334460000"}, replace(SPENT, credits_reset_s=60.0), id="in ms"),
    pytest.param(
        {**CREDITS, "x-ratelimit-reset": "9" * 15}, replace(SPENT, credits_reset_s=86_400.0), id="in 31,000 years"
    ),
    pytest.param({**CREDITS, "x-ratelimit-reset": "9" * 400}, replace(SPENT, credits_reset_s=None), id="400 digits"),
    pytest.param(dict.fromkeys(CREDITS, "9" * 400), RateLimitHeaders(), id="400 digits in all"),
]


@pytest.mark.parametrize(("headers", "stated"), ALLOWANCES)
def test_openalex_names_its_credits(headers: dict[str, str], stated: RateLimitHeaders) -> None:
    assert openalex.read_limits(headers, NOW) == stated


@pytest.mark.usefixtures("declared_limits")
def test_settings_override_by_the_providers_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EUROPE_PMC_REQUESTS_PER_SECOND", "0.5")
    monkeypatch.setenv("EUROPE_PMC_CONCURRENCY", "2")
    monkeypatch.setenv("EUROPE_PMC_REQUESTS_PER_DAY", "1000")
    assert limit_overrides("europe_pmc") == Overrides(requests_per_second=0.5, concurrency=2, requests_per_day=1000)
    assert limit_overrides("pubmed") == Overrides()


@pytest.mark.parametrize(("name", "value"), [
    ("ARXIV_REQUESTS_PER_SECOND", "fast"), ("ARXIV_REQUESTS_PER_SECOND", "0"), ("ARXIV_REQUESTS_PER_SECOND", "nan"),
    ("ARXIV_REQUESTS_PER_SECOND", "inf"), ("ARXIV_CONCURRENCY", "1.5"), ("ARXIV_REQUESTS_PER_DAY", "-3"),
])  # fmt: skip
def test_a_bad_setting_is_named_with_its_value(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(RuntimeError, match=f"{name}.*'{value}'"):
        limit_overrides("arxiv")


DECLARED = {
    "arxiv": (1, 3.0, 1), "crossref": (3, 1.0, 3), "europe_pmc": (5, 1.0, 4), "openalex": (10, 1.0, None),
    "paperclip": (1, 1.0, None), "pubmed": (3, 1.0, None), "semantic_scholar": (1, 1.0, None),
}  # fmt: skip


@pytest.mark.parametrize(("rate", "parts"), [(None, 3), (3.0, 3), (3.5, 1), (30.0, 1), (2.0, 1)])
def test_single_records_of_crossref_are_light_unless_the_operator_sets_another_rate(
    rate: float | None, parts: int
) -> None:
    spec = provider_spec("crossref")
    limits = limits_of(spec, has_key=False, overrides=Overrides(requests_per_second=rate))
    assert limits.parts == parts
    taken = {path: limits_for(spec, limits, path).parts_taken for path in ("/works", "/works/10.1%2Fx", "/types")}
    assert taken == {"/works": parts, "/works/10.1%2Fx": 1, "/types": parts}


@pytest.mark.parametrize(("stated", "parts"), [(3.0, 3), (1.0, 1), (2.9, 1), (4.0, 1), (10.0, 1), (None, 3)])
def test_light_requests_count_like_others_at_any_other_rate_than_the_declared_one(
    stated: float | None, parts: int
) -> None:
    limits = limits_of(provider_spec("crossref"), has_key=False)
    assert with_header_limits(limits, stated, None).parts == parts


@pytest.mark.parametrize("name", ["arxiv", "crossref"])
def test_a_declaration_holds_the_limits(name: str) -> None:
    limits = limits_of(provider_spec(name), has_key=False)
    assert limits_from_json(json.loads(json.dumps(limits_to_json(limits)))) == limits


@pytest.mark.parametrize("name", sorted(DECLARED))
def test_without_a_key_each_provider_is_requested_by_its_terms(name: str) -> None:
    limits = limits_of(provider_spec(name), has_key=False)
    assert (limits.requests, limits.window_s, limits.concurrency) == DECLARED[name]
    assert name in provider_names()
