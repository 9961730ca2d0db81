"""A saved search as a caller asks for it: what to search, when, and where the news shall go.

`schedule` may be a text alone (`"rate(1 day)"`); `search` takes the fields of a literature search. A run reads whole
lists, so what shapes a page (`max_results`, `detail`, `sort`, …) is kept but changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from shared.errors import BadRequest, FieldError, Unprocessable
from shared.input_faults import absent, validated
from shared.query_syntax import Phrase, parse, render
from shared.request import SearchRequest, Whole, read_request
from shared.saved.addresses import check_url
from shared.saved.schedule import Schedule, flexible_minutes, read_schedule
from shared.sizes import RESULT_FIELDS
from shared.text import fold

MAX_NAME_CHARS = 200
MAX_A_CALLER = 100
WINDOW_MINUTES = 1440  # the longest flexible window that EventBridge Scheduler takes
_SMALL = frozenset("a an and are as at by for from how in is its of on or the to what which with".split())  # noqa: SIM905
Read = TypeVar("Read")


def _expression(value: Any) -> Any:
    return {"expression": value} if isinstance(value, str) else value


class AskedSchedule(BaseModel):
    """`rate(…)` or `cron(…)`, in a time zone, and within how many minutes after the hour a run may begin."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    expression: str = Field(max_length=256)
    timezone: str = Field("UTC", max_length=50)
    flexible_minutes: Whole | None = Field(None, ge=0, le=WINDOW_MINUTES)


class AskedWebhook(BaseModel):
    """Where events are sent."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    url: str = Field(max_length=2_000)


class AskedDelivery(BaseModel):
    """Beside the feed, which is always there: a webhook, the topic; and whether the first run's papers go too."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    webhook: dict[str, Any] | None = None
    sns: bool = False
    baseline: bool = False


class SavedSearchRequest(BaseModel):
    """All that can be said of a saved search. What has fields of its own is read by itself, so that each is named."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    name: str | None = Field(None, min_length=1, max_length=MAX_NAME_CHARS)
    search: dict[str, Any] | None = None
    schedule: Annotated[dict[str, Any] | None, BeforeValidator(_expression)] = None
    delivery: dict[str, Any] | None = None
    enabled: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What a caller wants of a saved search; None where nothing is said."""

    name: str | None = None
    search: Mapping[str, Any] | None = None  # as given, valid
    schedule: Mapping[str, Any] | None = None  # {expression, timezone, flexible_minutes: int | None}
    delivery: Mapping[str, Any] | None = None  # {webhook: {url} | None, sns, baseline}
    enabled: bool | None = None


def read_new(data: Any, providers: Collection[str], now: datetime) -> Change:
    """A saved search to be. Raises BadRequest or Unprocessable, naming each field at fault."""
    missing = [name for name in ("search", "schedule") if isinstance(data, Mapping) and absent(data.get(name))]
    if missing:
        faults = [FieldError(name, "required") for name in missing]
        raise BadRequest("; ".join(f"{name}: required" for name in missing), faults, hint=EXAMPLE_HINT)
    change = read_change(data, providers, now)
    name = change.name or _query_of(change.search or {})[:MAX_NAME_CHARS]
    delivery = change.delivery or AskedDelivery().model_dump()
    return Change(
        name=name,
        search=change.search,
        schedule=change.schedule,
        delivery=delivery,
        enabled=True if change.enabled is None else change.enabled,
    )


EXAMPLE = '{"search": {"query": "TREM2 microglia"}, "schedule": {"expression": "rate(1 day)"}}'
EXAMPLE_HINT = f"Send JSON like {EXAMPLE}."


def read_change(data: Any, providers: Collection[str], now: datetime) -> Change:
    """Some fields of a saved search, all of them valid. Raises BadRequest or Unprocessable."""
    asked = validated(SavedSearchRequest, data)
    faults: list[BadRequest] = []
    change = Change(
        name=asked.name,
        search=_part(faults, asked.search, lambda it: _search(it, providers)),
        schedule=_part(faults, asked.schedule, lambda it: _schedule(it, now)),
        delivery=_part(faults, asked.delivery, _delivery),
        enabled=asked.enabled,
    )
    if faults:
        raise _refusal(faults)
    return change


def _part(faults: list[BadRequest], given: Read | None, read: Callable[[Read], Mapping[str, Any]]) -> Any:
    """What a part says; None when there is none, or when its faults were noted."""
    try:
        return None if given is None else read(given)
    except BadRequest as error:
        faults.append(error)
        return None


def _refusal(faults: list[BadRequest]) -> BadRequest:
    """One refusal for all parts: what cannot be read counts more than what cannot be."""
    malformed = [error for error in faults if not isinstance(error, Unprocessable)]
    told = "; ".join(error.message for error in faults)
    return type((malformed or faults)[0])(told, [it for error in faults for it in error.errors])


def _inside(part: str, read: Callable[[], Read]) -> Read:
    """What `read` returns; its refusal names the fields as fields of the part."""
    try:
        return read()
    except BadRequest as error:
        inside = [FieldError(f"{part}.{fault.field}", fault.message) for fault in error.errors]
        raise type(error)("; ".join(f"{it.field}: {it.message}" for it in inside), inside, hint=error.hint) from None


def _search(search: Mapping[str, Any], providers: Collection[str]) -> Mapping[str, Any]:
    request = _inside("search", lambda: read_request(dict(search), providers, RESULT_FIELDS))
    if request.cursor:
        message = "has no meaning here: a saved search asks anew each time"
        raise Unprocessable(f"search.cursor: {message}", [FieldError("search.cursor", message)])
    return search


def _schedule(given: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    asked = _inside("schedule", lambda: validated(AskedSchedule, given))
    read: Schedule = read_schedule(asked.expression, asked.timezone, now=now)
    minutes = flexible_minutes(read, now) if asked.flexible_minutes is None else asked.flexible_minutes
    return {"expression": read.expression, "timezone": read.timezone, "flexible_minutes": minutes or None}


def _delivery(given: Mapping[str, Any]) -> dict[str, Any]:
    asked = _inside("delivery", lambda: validated(AskedDelivery, given))
    if asked.webhook is None:
        return asked.model_dump()
    webhook = asked.webhook
    read = _inside("delivery.webhook", lambda: validated(AskedWebhook, webhook))
    check_url(read.url)
    return {**asked.model_dump(), "webhook": read.model_dump()}


def _query_of(search: Mapping[str, Any]) -> str:
    return validated(SearchRequest, search).wordings[0]


def watched(search: Mapping[str, Any], providers: Collection[str]) -> SearchRequest:
    """The search that a run makes of it: every word counts, and retracted papers are seen, to tell of them.

    A ranked search shows its best papers first and may go on for ever; an alert must know where its papers end.
    """
    asked = read_request(dict(search), providers)
    wordings = tuple(dict.fromkeys(every_word(text) for text in asked.wordings))
    changes = {"query": wordings[0], "queries": wordings[1:], "include_retracted": True, "sort": "relevance"}
    return asked.model_copy(update=changes)


def every_word(query: str) -> str:
    """The query with its free words joined by AND, the smallest left out: `role of TREM2` -> `(role AND TREM2)`."""
    node = parse(query)
    if isinstance(node, Phrase):
        return query
    return render(node, words=_all_of, phrase=lambda text: f'"{text}"')


def _all_of(text: str) -> str:
    words = text.split()
    telling = [word for word in words if fold(word) and fold(word) not in _SMALL] or words
    return telling[0] if len(telling) == 1 else f"({' AND '.join(telling)})"
