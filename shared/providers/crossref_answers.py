"""Crossref's envelope around a list of works or a single work.

Manual: https://api.crossref.org
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from shared.bibliography.pii import read_pii
from shared.errors import BadResponse, RequestRejected, Unavailable
from shared.json_types import JsonObject, read_count

PII_FILTER = "alternative-id"  # the publisher's own id of a work: for Elsevier and others the PII


class NotHeld(RequestRejected):
    """Crossref has no record of the DOI."""


def not_held(body: bytes) -> NotHeld | None:
    """Crossref's own words; any other 404 is of something on the way, and says nothing about the DOI."""
    own = body[:100].strip().lower().startswith(b"resource not found")
    return NotHeld("Crossref has no record of this DOI", status=404) if own else None


def read_works(body: Any) -> tuple[list[Any], int | None]:
    """The works of a list or of a single-work answer, and their total number."""
    envelope = body if isinstance(body, Mapping) else {}
    status, kind, message = (envelope.get(name) for name in ("status", "message-type", "message"))
    if status in ("failed", "error"):
        raise (RequestRejected if status == "failed" else Unavailable)("Crossref reported an error instead of works")
    if status != "ok" or not isinstance(message, Mapping):
        raise BadResponse("Crossref answered without its envelope")
    if kind == "work" and "DOI" in message:
        return [message], 1
    works, total = message.get("items"), read_count(message.get("total-results"))
    if kind != "work-list" or not isinstance(works, list) or (not works and total != 0):
        raise BadResponse(f"Crossref answered without a list of works, of {total} in all")
    return works, total


def list_filter(name: str, values: Iterable[str]) -> str:
    """The filter for works with any of these values."""
    return ",".join(f"{name}:{value}" for value in values)


def stated_piis(work: JsonObject) -> list[str]:
    """The PIIs among a work's other ids, in normal form."""
    stated = work.get(PII_FILTER)
    texts = stated if isinstance(stated, list) else []
    return [pii for text in texts if isinstance(text, str) and (pii := read_pii(f"pii:{text}"))]
