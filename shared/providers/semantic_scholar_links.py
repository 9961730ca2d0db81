"""Semantic Scholar's references and citations of a paper: a page of at most a thousand, fewer if it would be too large.

A page may be empty although more follow; a publisher may withhold the list.
https://api.semanticscholar.org/api-docs/graph
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from shared.bibliography.paper import InTextCitation
from shared.errors import BadResponse, RequestRejected
from shared.providers.provider import Page
from shared.providers.records.semantic_scholar import read_linked, read_links
from shared.providers.records.semantic_scholar_in_text import IN_TEXT_FIELDS, read_in_text
from shared.providers.semantic_scholar_api import GRAPH, LINK_FIELDS, NOT_KNOWN, TOO_LARGE, Api, UnknownPaper
from shared.providers.semantic_scholar_syntax import api_id
from shared.query.question import Links

if TYPE_CHECKING:
    from shared.providers.http_client import Fields

_MAX_LINKS, _FEWER_LINKS = 1000, 200


def linked_page(request: Links, side: str, api: Api) -> Page:
    """The references (`side` citedPaper) or citations (citingPaper) of a paper."""
    path = f"paper/{in_path(api_id(request.name))}/{request.operation}"
    limit = min(request.limit, _MAX_LINKS)
    try:
        items, in_text, following = _links_page(api, path, side, limit)
    except UnknownPaper:
        return _no_links(path, limit, [*api.warnings, NOT_KNOWN])
    except RequestRejected as error:
        if error.status != TOO_LARGE or limit <= _FEWER_LINKS:
            raise
        limit = _FEWER_LINKS
        items, in_text, following = _links_page(api, path, side, limit)
    if items is None:
        withheld = f"the publisher does not let Semantic Scholar show this paper's {request.operation}"
        return _no_links(path, limit, [*api.warnings, withheld])
    if following and not items:
        raise BadResponse(f"Semantic Scholar sent two empty pages of {request.operation}, and says that more follow")
    papers, pointers, warnings = read_linked(items)
    if following:
        warnings.append(f"Semantic Scholar has more {request.operation} than these, and does not say how many")
    return Page(
        papers=papers,
        pointers=pointers,
        total=None if following else len(items),
        effective_query=_links_query(path, limit),
        warnings=[*api.warnings, *warnings],
        in_text=in_text,
    )


def _links_page(
    api: Api, path: str, side: str, limit: int
) -> tuple[list[Any] | None, list[InTextCitation], int | None]:
    """One page of links, or the second one if the first is empty and more follow; how they are cited in the text."""
    params: Fields = {"fields": f"{LINK_FIELDS},{IN_TEXT_FIELDS}", "limit": limit}
    body = api.get(path, params)
    items, following = read_links(body, side)
    if following and not items:
        body = api.get(path, {**params, "offset": following})
        items, following = read_links(body, side)
    return items, read_in_text(body), following


def _no_links(path: str, limit: int, warnings: list[str]) -> Page:
    return Page(papers=(), total=None, effective_query=_links_query(path, limit), warnings=warnings)


def _links_query(path: str, limit: int) -> str:
    return f"{GRAPH}{path}?limit={limit}"[:200]


def in_path(paper_id: str) -> str:
    """The id for a URL path; slashes stay, as in the API's examples, unless they would form `//` or `/.`."""
    return re.sub("/(?=[./])", "%2F", quote(paper_id, safe="/:"))
