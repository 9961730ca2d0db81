"""A change is a JSON Merge Patch: what it does not name stays, and what GET shows can be sent back."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from shared.answers.saved_searches import SavedSearchAnswer, Webhook
from shared.errors import BadRequest, Unprocessable
from shared.saved_searches.fields import READ_ONLY, READ_ONLY_OF_WEBHOOK, AskedWebhook, SavedSearchRequest
from shared.saved_searches.request import Change, read_change

NOW = datetime(2026, 11, 22, 6, tzinfo=UTC)
URL, OTHER = "https://hooks.example.org/", "https://other.example.org/"
THERE = {"url": URL, "status": "active", "disabled_reason": None, "set_at": "2026-11-01T00:00:00Z"}
OFF = {**THERE, "status": "disabled", "disabled_reason": "the receiver answered HTTP 410", "undelivered_from": 7}
DELIVERY: Any = {"webhook": THERE, "sns": True, "baseline": False}
SCHEDULE: Any = {"expression": "rate(1 day)", "timezone": "Europe/Berlin", "flexible_minutes": 45}

DOUDNA, WATCH = {"author": "Doudna JA"}, {"type": "debate", "id": "7"}


def changed(given: dict[str, Any], **saved: Any) -> Change:
    there: Any = {
        "name": "mine",
        "search": {"query": "TREM2"},
        "watch": None,
        "schedule": SCHEDULE,
        "delivery": DELIVERY,
        **saved,
    }
    return read_change(given, ("crossref",), NOW, there)


@pytest.mark.parametrize(("saved", "given", "name"), [
    ({"name": "TREM2"}, {"search": {"query": "beta two"}}, "beta two"),
    ({"name": "mine"}, {"search": {"query": "beta two"}}, None),
    ({"name": "TREM2"}, {"search": {"query": "beta two"}, "name": "mine"}, "mine"),
    ({"name": "TREM2"}, {"enabled": False}, None),
    ({"name": "TREM2"}, {"search": DOUDNA}, "papers by Doudna JA"),
    ({"name": "papers by Doudna JA", "search": DOUDNA}, {"search": {"author": "Zhang F"}}, "papers by Zhang F"),
    ({"name": "Saved search", "search": DOUDNA}, {"search": {"author": "Zhang F"}}, "papers by Zhang F"),
    ({"name": "debate 7", "search": None, "watch": WATCH}, {"watch": {"type": "report", "id": "8"}}, "report 8"),
    ({"name": "TREM2", "search": {"query": "TREM2", "no longer": "valid"}}, {"search": {"query": "beta"}}, None),
])  # fmt: skip
def test_a_derived_name_follows_the_search(saved: dict[str, Any], given: dict[str, Any], name: str | None) -> None:
    assert changed(given, **saved).name == name


@pytest.mark.parametrize("given", [
    {}, {"name": " ", "search": {}, "schedule": "", "delivery": None, "enabled": []}, {"delivery": {}},
], ids=json.dumps)  # fmt: skip
def test_absent_and_empty_fields_are_not_changed(given: dict[str, Any]) -> None:
    assert changed(given) == Change()
    assert changed({**given, "enabled": "no"}) == Change(enabled=False)


@pytest.mark.parametrize(("given", "becomes"), [
    ({"sns": False}, {**DELIVERY, "sns": False}),
    ({"baseline": True}, {**DELIVERY, "baseline": True}),
    ({"sns": None, "baseline": "", "webhook": {}}, DELIVERY),
    ({"webhook": None}, {**DELIVERY, "webhook": None}),
    ({"webhook": {"url": URL}}, DELIVERY),
    ({"webhook": {"url": ""}}, DELIVERY),
    ({"webhook": {"status": "disabled"}}, DELIVERY),
    ({"webhook": {"url": OTHER}}, {**DELIVERY, "webhook": {"url": OTHER}}),
    ({"webhook": {"url": OTHER, "status": "disabled"}}, {**DELIVERY, "webhook": {"url": OTHER}}),
], ids=json.dumps)  # fmt: skip
def test_unnamed_fields_of_a_delivery_are_unchanged(given: dict[str, Any], becomes: dict[str, Any]) -> None:
    assert changed({"delivery": given}).delivery == becomes


@pytest.mark.parametrize(("given", "becomes"), [
    ({"sns": True}, OFF), ({"webhook": {"url": URL}}, {"url": URL}), ({"webhook": {"status": "active"}}, OFF),
    ({"webhook": {"url": URL, "status": "disabled", "disabled_reason": "x"}}, OFF),
    ({"webhook": {"url": URL, "status": "active"}}, {"url": URL}),
], ids=json.dumps)  # fmt: skip
def test_a_disabled_webhook_is_enabled_by_its_url_alone(given: dict[str, Any], becomes: dict[str, Any]) -> None:
    new_delivery = changed({"delivery": given}, delivery={**DELIVERY, "webhook": OFF}).delivery
    assert new_delivery is not None
    assert new_delivery["webhook"] == becomes


def test_without_a_webhook_its_read_only_fields_make_none() -> None:
    nothing = {**DELIVERY, "webhook": None}
    assert changed({"delivery": {"webhook": {"status": "active"}}}, delivery=nothing).delivery == nothing


@pytest.mark.parametrize(("saved", "given", "becomes"), [
    (SCHEDULE, "rate(12 hours)", ("rate(12 hours)", "Europe/Berlin", 45)),
    (SCHEDULE, {"expression": "rate(12 hours)"}, ("rate(12 hours)", "Europe/Berlin", 45)),
    (SCHEDULE, {"timezone": "UTC"}, ("rate(1 day)", "UTC", 45)),
    (SCHEDULE, {"flexible_minutes": 0, "timezone": None}, ("rate(1 day)", "Europe/Berlin", None)),
    (SCHEDULE, {"expression": "", "flexible_minutes": "7"}, ("rate(1 day)", "Europe/Berlin", 7)),
    (SCHEDULE, "rate(30 minutes)", ("rate(30 minutes)", "Europe/Berlin", 30)),  # 45 would be longer than the interval
    ({**SCHEDULE, "flexible_minutes": None}, "rate(2 days)", ("rate(2 days)", "Europe/Berlin", None)),
    ({**SCHEDULE, "flexible_minutes": 1440}, "cron(0 7 * * ? *)", ("cron(0 7 * * ? *)", "Europe/Berlin", 60)),
    ({**SCHEDULE, "flexible_minutes": 240}, "cron(0 7 * * ? *)", ("cron(0 7 * * ? *)", "Europe/Berlin", 240)),
    ({**SCHEDULE, "flexible_minutes": 1440}, {"timezone": "UTC"}, ("rate(1 day)", "UTC", 1440)),
    ({**SCHEDULE, "expression": "rate(1 hour)", "flexible_minutes": 90}, {"timezone": "UTC"},
     ("rate(1 hour)", "UTC", 90)),
])  # fmt: skip
def test_unnamed_fields_of_a_schedule_are_unchanged(
    saved: dict[str, Any], given: Any, becomes: tuple[str, str, int | None]
) -> None:
    new_schedule = changed({"schedule": given}, schedule=saved).schedule
    assert new_schedule == dict(zip(("expression", "timezone", "flexible_minutes"), becomes, strict=True))


def test_the_answer_of_get_can_be_sent_back() -> None:
    shown = dict.fromkeys(READ_ONLY, "as it was")
    webhook = {name: THERE[name] for name in ("url", "status", "disabled_reason")}
    whole = {**shown, "name": "mine", "schedule": SCHEDULE, "delivery": {**DELIVERY, "webhook": webhook}}
    assert changed(whole) == Change(name="mine", schedule=SCHEDULE, delivery=DELIVERY)


def test_the_read_only_fields_are_those_that_get_returns_and_no_request_sets() -> None:
    assert set(READ_ONLY) == set(SavedSearchAnswer.__annotations__) - set(SavedSearchRequest.model_fields)
    assert set(READ_ONLY_OF_WEBHOOK) == set(Webhook.__annotations__) - set(AskedWebhook.model_fields)


@pytest.mark.parametrize(("given", "field"), [
    ({"owner": "me"}, "owner"), ({"delivery": {"webhook": {"secret": "whsec_x"}}}, "delivery.webhook.secret"),
    ({"delivery": {"webhook": URL}}, "delivery.webhook"), ({"schedule": {"more": None}}, "schedule.more"),
    ({"schedule": {"timezone": "Nowhere"}}, "schedule.timezone"), ({"schedule": "rate(1 week)"}, "schedule.expression"),
    ({"delivery": {"webhook": {"url": "https://127.0.0.1/"}}}, "delivery.webhook.url"),
], ids=json.dumps)  # fmt: skip
def test_invalid_input_is_named(given: dict[str, Any], field: str) -> None:
    with pytest.raises((BadRequest, Unprocessable)) as refused:
        changed(given)
    assert [fault.field for fault in refused.value.errors] == [field]
