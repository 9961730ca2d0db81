"""A saved search as a caller asks for it: what to search, when, and where the news shall go.

A run reads whole lists, so what shapes a page (`max_results`, `detail`, `sort`, …) is kept but changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from shared.bibliography.stop_words import QUERY_STOP_WORDS
from shared.bibliography.text import fold
from shared.errors import BadRequest, FieldError, Unprocessable
from shared.query.syntax import Phrase, parse, render
from shared.saved_searches.fields import MAX_NAME_CHARS, READ_ONLY, UNFIT, AskedDelivery, SavedSearchRequest, is_name
from shared.saved_searches.parts import delivery_of, inside, schedule_of
from shared.search.request import SearchRequest, read_request
from shared.search.sizes import RESULT_FIELDS
from shared.validation import is_blank, validated

MAX_A_CALLER = 100
NAMELESS = "Saved search"
Read = TypeVar("Read")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What a caller wants of a saved search; None where nothing is said."""

    name: str | None = None
    search: Mapping[str, Any] | None = None  # as given, valid
    schedule: Mapping[str, Any] | None = None  # {expression, timezone, flexible_minutes: int | None}
    # {webhook, sns, baseline}: of a webhook that shall be set or enabled {url}, else the one that there is, or None
    delivery: Mapping[str, Any] | None = None
    enabled: bool | None = None


def read_new(data: Any, providers: Collection[str], now: datetime) -> Change:
    """A saved search to be. Raises BadRequest or Unprocessable, naming each field at fault."""
    missing = [name for name in ("search", "schedule") if isinstance(data, Mapping) and is_blank(data.get(name))]
    if missing:
        faults = [FieldError(name, "required") for name in missing]
        raise BadRequest("; ".join(f"{name}: required" for name in missing), faults, hint=EXAMPLE_HINT)
    change = _read(data, providers, now, {})
    name = change.name or _name_of(change.search or {})
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


def read_change(data: Any, providers: Collection[str], now: datetime, saved: Mapping[str, Any]) -> Change:
    """What becomes of a saved search, as far as it is named; `schedule` and `delivery` are whole, with what stays.

    Raises BadRequest or Unprocessable.
    """
    named = {name: it for name, it in data.items() if name not in READ_ONLY} if isinstance(data, Mapping) else data
    return _read(named, providers, now, saved)


def _read(data: Any, providers: Collection[str], now: datetime, saved: Mapping[str, Any]) -> Change:
    asked = validated(SavedSearchRequest, data)
    faults: list[BadRequest] = []
    change = Change(
        name=asked.name,
        search=_part(faults, asked.search, lambda it: _search(it, providers)),
        schedule=_part(faults, asked.schedule, lambda it: schedule_of(it, now, saved.get("schedule"))),
        delivery=_part(faults, asked.delivery, lambda it: delivery_of(it, saved.get("delivery"))),
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


def _search(search: Mapping[str, Any], providers: Collection[str]) -> Mapping[str, Any]:
    request = inside("search", lambda: read_request(dict(search), providers, RESULT_FIELDS))
    if request.cursor:
        message = "has no meaning here: a saved search asks anew each time"
        raise Unprocessable.field("search.cursor", message)
    return search


def _name_of(search: Mapping[str, Any]) -> str:
    """Its query, as far as that can be a name."""
    query = validated(SearchRequest, search).wordings[0]
    name = re.sub(f"[{UNFIT}]+", " ", query)[:MAX_NAME_CHARS].strip()
    return name if is_name(name) else NAMELESS


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
    telling = [word for word in words if fold(word) and fold(word) not in QUERY_STOP_WORDS] or words
    return telling[0] if len(telling) == 1 else f"({' AND '.join(telling)})"
