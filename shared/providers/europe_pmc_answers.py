"""Europe PMC's envelopes: of a search, of a single article, and of the lists of references and citations.

Manual: https://europepmc.org/RestfulWebService
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shared.errors import BadResponse, RateLimited, RequestRejected, Unavailable
from shared.json_types import read_count

_LISTS = {"references": ("referenceList", "reference"), "citations": ("citationList", "citation")}


def read_items(body: Any, operation: str) -> tuple[list[Any], int]:
    """The items of one page, and their total number; the list may be absent if it is empty."""
    envelope = _envelope(body)
    wrapper, name = _LISTS[operation]
    total, listing = envelope.get("hitCount"), envelope.get(wrapper) or {}
    items = (listing.get(name) if isinstance(listing, Mapping) else None) or []
    items = [items] if isinstance(items, Mapping) else items
    if not isinstance(total, int) or not isinstance(items, list):
        raise BadResponse(f"Europe PMC answered without a list of {operation}")
    return items, total


def _envelope(body: Any) -> Mapping[str, Any]:
    """The envelope. Raises ProviderError for an error in it, which is sent under HTTP 200."""
    envelope: Mapping[str, Any] = body if isinstance(body, Mapping) else {}
    if code := str(envelope.get("errCode", "")):
        kind = RateLimited if code == "429" else Unavailable if code.startswith("5") else RequestRejected
        raise kind("Europe PMC reported an error instead of results")
    return envelope


def read_records(body: Any, *, may_end: bool = False) -> tuple[list[Any], int | None]:
    """The records of a search or of a single-article answer, and their total number.

    The page behind the last record is empty: `may_end` accepts it.
    """
    envelope = _envelope(body)
    listing = envelope.get("resultList", envelope)
    found = listing.get("result") if isinstance(listing, Mapping) else None
    records = [found] if isinstance(found, Mapping) else found
    total = read_count(envelope.get("hitCount"))
    if not isinstance(records, list) or (not records and total != 0 and not may_end):
        raise BadResponse("Europe PMC answered without the results that it counts")
    return records, total
