"""The request body of a saved search: what to search or to watch, when to run, and where to deliver.

Runs read complete lists: fields that shape a page (`max_results`, `detail`, `sort`, …) are stored but have no effect.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

from shared.canonical_json import canonical, digest
from shared.errors import BadRequest, FieldError, Unprocessable
from shared.json_types import JsonObject
from shared.query.syntax import Phrase, Tagged, render
from shared.query.telling_words import content_words
from shared.query.understanding import understand
from shared.saved_searches.fields import MAX_NAME_CHARS, READ_ONLY, UNFIT, SavedSearchRequest, is_name
from shared.saved_searches.parts import NO_DELIVERY, DeliveryToSet, delivery_of, inside, schedule_of
from shared.saved_searches.stored import SearchItem, StoredSchedule
from shared.search.requests.context import ContextName
from shared.search.requests.search_request import SearchRequest, read_request
from shared.search.sizes.details import RESULT_FIELDS
from shared.validation import is_blank, validated

if TYPE_CHECKING:
    from shared.answers.graph import ContextRef

MAX_A_CALLER = 100
NAMELESS = "Saved search"
WATCH_NEEDS = "needs the `type` (debate, analysis or report) and the `id` of the context"
KINDS = ("search", "watch")  # what is saved: one of them
_REQUIRED = {
    KINDS: FieldError("search", "required, unless `watch` is given"),
    ("schedule",): FieldError("schedule", "required"),
}
EXAMPLE = '{"search": {"query": "TREM2 microglia"}, "schedule": {"expression": "rate(1 day)"}}'
EXAMPLE_HINT = f"Send JSON like {EXAMPLE}."
Given = TypeVar("Given")
Read = TypeVar("Read")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRequest:
    """A valid request to create a saved search, with every default filled in."""

    name: str
    search: JsonObject | None  # as the caller sent it; None for a watch
    watch: ContextRef | None
    schedule: StoredSchedule
    delivery: DeliveryToSet
    enabled: bool

    def digest(self) -> str:
        """The digest by which a repeated request with an Idempotency-Key is recognised, despite later changes."""
        fields = {name: it for name, it in asdict(self).items() if it is not None or name not in KINDS}
        return digest(canonical(fields, spaced=True, ensure_ascii=True))

    def describes(self, saved: SearchItem) -> bool:
        """Whether this search still does what is requested: a name, or where it delivers to, may have been changed."""
        return (self.search, self.watch, self.schedule, self.enabled) == (
            saved["search"], saved["watch"], saved["schedule"], saved["enabled"],
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A valid change of a saved search; None for a part that stays. `schedule` and `delivery` are complete."""

    name: str | None = None
    search: JsonObject | None = None  # as the caller sent it
    watch: ContextRef | None = None
    schedule: StoredSchedule | None = None
    delivery: DeliveryToSet | None = None
    enabled: bool | None = None


def read_new(data: object, providers: Collection[str], now: datetime) -> NewRequest:
    """Validate a request to create a saved search. Raises BadRequest or Unprocessable, naming each wrong field."""
    missing = [
        error
        for names, error in _REQUIRED.items()
        if isinstance(data, Mapping) and all(is_blank(data.get(name)) for name in names)
    ]
    if missing and isinstance(data, Mapping) and data.get("watch") is not None and is_blank(data.get("search")):
        missing = [FieldError("watch", WATCH_NEEDS) if it.field == "search" else it for it in missing]
    change = None if missing else _read(data, providers, now, None)
    if change is None or change.schedule is None or (change.search is None and change.watch is None):
        errors = [*(missing or _REQUIRED.values()), *_wrong_fields(data)]
        raise BadRequest("; ".join(f"{it.field}: {it.message}" for it in errors), errors, hint=EXAMPLE_HINT)
    if change.search is not None and change.watch is not None:
        raise Unprocessable.field("watch", "must be left out where `search` is given")
    return NewRequest(
        name=change.name or _name_of(change.search, change.watch),
        search=change.search,
        watch=change.watch,
        schedule=change.schedule,
        delivery=change.delivery or NO_DELIVERY,
        enabled=True if change.enabled is None else change.enabled,
    )


def _wrong_fields(data: object) -> Sequence[FieldError]:
    """What is wrong with the fields of a request besides those that it lacks, such as a `query` outside of `search`."""
    try:
        validated(SavedSearchRequest, data)
    except BadRequest as error:
        return error.errors
    return ()


def read_change(data: object, providers: Collection[str], now: datetime, saved: SearchItem) -> Change:
    """Validate a change of a saved search; read-only fields are ignored. Raises BadRequest or Unprocessable."""
    named = {name: it for name, it in data.items() if name not in READ_ONLY} if isinstance(data, Mapping) else data
    change = _read(named, providers, now, saved)
    kind, other = KINDS if saved["search"] is not None else KINDS[::-1]
    if getattr(change, other) is not None:
        raise Unprocessable.field(other, f"must be left out: this one has a `{kind}`; save another")
    if change.name is None and (change.search is not None or change.watch is not None) and _is_derived(saved):
        return replace(change, name=_name_of(change.search, change.watch))
    return change


def _read(data: object, providers: Collection[str], now: datetime, saved: SearchItem | None) -> Change:
    requested = validated(SavedSearchRequest, data)
    schedule, delivery = (saved["schedule"], saved["delivery"]) if saved else (None, None)
    errors: list[BadRequest] = []
    change = Change(
        name=requested.name,
        search=_part(errors, requested.search, lambda it: _search(it, providers)),
        watch=_part(errors, requested.watch, _watch),
        schedule=_part(errors, requested.schedule, lambda it: schedule_of(it, now, schedule)),
        delivery=_part(errors, requested.delivery, lambda it: delivery_of(it, delivery)),
        enabled=requested.enabled,
    )
    if errors:
        raise _combined(errors)
    return change


def _part(errors: list[BadRequest], given: Given | None, read: Callable[[Given], Read]) -> Read | None:
    """Read one part; None when it is is_blank, or when its error was added to `errors`."""
    try:
        return None if given is None else read(given)
    except BadRequest as error:
        errors.append(error)
        return None


def _combined(errors: list[BadRequest]) -> BadRequest:
    """Combine the errors of all parts into one: 400 if any part is malformed, else 422."""
    malformed = [error for error in errors if not isinstance(error, Unprocessable)]
    message = "; ".join(error.message for error in errors)
    return type((malformed or errors)[0])(message, [it for error in errors for it in error.errors])


def _search(search: JsonObject, providers: Collection[str]) -> JsonObject:
    request = inside("search", lambda: read_request(dict(search), providers, RESULT_FIELDS))
    if request.cursor:
        raise Unprocessable.field(
            "search.cursor", "not supported: every run of a saved search starts from the beginning"
        )
    if not request.searched:
        raise Unprocessable.field(
            "search.query", "needs words to search for: identifiers are looked up, never searched"
        )
    return search


def _watch(watch: JsonObject) -> ContextRef:
    context = inside("watch", lambda: validated(ContextName, watch))
    return {"type": context.type, "id": context.id}


def _is_derived(saved: SearchItem) -> bool:
    """Whether the name is the one that a search without a name gets, and not another that the caller gave."""
    try:
        return saved["name"] in (_name_of(saved["search"], saved["watch"]), NAMELESS)
    except BadRequest:  # a search that was valid when it was saved
        return False


def _name_of(search: JsonObject | None, watch: ContextRef | None) -> str:
    """Return the query, the author or the type and id of the context, as a name, as far as it can be one."""
    text = f"{watch['type']} {watch['id']}" if watch else ""
    if search is not None:
        request = validated(SearchRequest, search)
        text = request.wordings[0] or f"papers by {request.author}"
    name = re.sub(f"[{UNFIT}]+", " ", text)[:MAX_NAME_CHARS].strip()
    return name if is_name(name) else NAMELESS


def monitoring_request(search: JsonObject, providers: Collection[str]) -> SearchRequest:
    """Return the request that a run sends: every word is required, and retracted papers are included to report them.

    An ordinary search ranks its best papers first and may match without end; an alert needs a complete set of papers.
    """
    request = read_request(dict(search), providers)
    wordings = tuple(dict.fromkeys(require_all_terms(text) for text in request.wordings))
    changes = {"query": wordings[0], "queries": wordings[1:], "include_retracted": True, "sort": "relevance"}
    return request.model_copy(update=changes)


def require_all_terms(query: str) -> str:
    """Join the free words of a query by AND, without stop words: `role of TREM2` -> `(role AND TREM2)`."""
    understood = understand(query)
    if not understood.is_searchable or isinstance(understood.node, Phrase | Tagged):
        return query
    return render(understood.node, words=_all_of, phrase=lambda text: f'"{text}"', tagged=lambda term: term.written)


def _all_of(text: str) -> str:
    terms = content_words(text)
    return terms[0] if len(terms) == 1 else f"({' AND '.join(terms)})"
