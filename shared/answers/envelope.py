"""The envelope of an answer: what every answer made from providers' replies says of itself (product contract 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from shared.answers.content_trust import UNTRUSTED


class Envelope(TypedDict):
    """The fields that such answers share."""

    complete: bool
    providers: Mapping[str, Mapping[str, Any]]  # provider -> leg report
    cache: str
    kg: Mapping[str, int]  # {"queued": papers, "skipped": papers}
    hints: Sequence[Mapping[str, str]]
    search_time_ms: int
    request_id: str
    content_trust: str


def envelope(about: Mapping[str, Any], *, kg: Mapping[str, int], search_time_ms: int, request_id: str) -> Envelope:
    """The envelope of an answer; `about` has at least `complete`, `providers` and `cache`, and may have `hints`."""
    return {
        "complete": about["complete"],
        "providers": about["providers"],
        "cache": about["cache"],
        "kg": kg,
        "hints": about.get("hints", ()),
        "search_time_ms": search_time_ms,
        "request_id": request_id,
        "content_trust": UNTRUSTED,
    }


def in_order(order: Sequence[str], own: Mapping[str, Any], shared: Envelope) -> dict[str, Any]:
    """An answer's own fields and its envelope, in the published order; a field not in `order` is left out."""
    fields = {**shared, **own}
    return {name: fields[name] for name in order}
