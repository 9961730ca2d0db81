"""Pages of a listing: where the next one begins, by number or by cursor, and the request as it is reported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from shared.errors import BadResponse
from shared.providers.provider import Page, ProviderSpec
from shared.query.question import Listing

# What identifies the caller is not part of a query.
_OF_THE_CALLER = ("mailto", "email", "tool", "api_key")


def sent(spec: ProviderSpec, path: str, params: Mapping[str, str | int | list[str] | None], method: str = "GET") -> str:
    """A request as it was sent, unescaped, without key and contact address."""
    shown = "&".join(f"{name}={value}" for name, value in params.items() if name not in _OF_THE_CALLER)
    return f"{method} {spec.base_url}{path}?{shown}"


def start_of(request: Listing) -> int:
    """The number of the page's first record, from 0, at a provider whose positions are numbers."""
    return int(request.position or 0)


def size_of(request: Listing, spec: ProviderSpec, reach: int) -> int:
    """How many records to request for the page; the provider lists `reach` records in all.

    The next page begins so many records further on, so a provider must be asked for exactly as many.
    """
    return min(request.size, spec.page_limit, reach - start_of(request))


def followed(page: Page, request: Listing, size: int, reach: int) -> Page:
    """The page, for which `size` records were requested, with the position of the next one; see `size_of`."""
    end, total = start_of(request) + size, page.total or 0
    if end >= total:
        return page
    return replace(page, limit_reached=True) if end >= reach else replace(page, next_position=str(end))


def position_after(records: Sequence[object], total: int | None, cursor: object, spec: ProviderSpec) -> str | None:
    """The position of the page after these records, at a provider with cursors; None if there is none.

    `cursor`: as the page states it; anything but a text is none. Raises BadResponse for a page without records that
    names a next one: the list has broken off, and what was read of it is not all.
    """
    if not isinstance(cursor, str) or not cursor:
        return None
    if not records and total != 0:
        raise BadResponse(f"{spec.title} sent an empty page, which names a next one")
    return cursor if records else None
