"""OpenAlex's API: requests with the key in a header, the names of works in filters and paths, the works of an answer.

Manuals: https://developers.openalex.org/guides/authentication,
https://developers.openalex.org/guides/page-through-results
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from shared.bibliography.paper_ids import scheme_of, value_of
from shared.clock import A_MOMENT_S
from shared.errors import BadResponse, RateLimited, RequestRejected
from shared.json_types import read_count

if TYPE_CHECKING:
    from shared.providers.http_client import Client

# By id scheme: the filter for several names, and the path for a single one.
_FILTERS = {"doi": "doi", "openalex": "ids.openalex", "pmid": "ids.pmid"}
_PATHS = {"doi": "/works/doi:", "openalex": "/works/", "pmid": "/works/pmid:"}
_NO_VALUE = re.compile(r"""[,|"!]|[a-z_]{2}:""")  # a filter has another meaning for these signs, and for a field's name
_NAMES_CHARS = 3500  # of one filter, escaped: with the rest of the URL that is less than 4 KB


def get(path: str, params: Mapping[str, str], client: Client, *, follow_redirects: bool = False) -> Any:
    """GET and decode JSON. Raises ProviderError, with words for a spent allowance."""
    headers = {"authorization": f"Bearer {client.key}"} if client.key else {}
    try:
        answer = client.request("GET", path, params=params, headers=headers, follow_redirects=follow_redirects)
        return client.decode_json(answer)
    except RateLimited as error:
        spent = (error.retry_after_s or 0) > A_MOMENT_S
        reason = "OpenAlex's allowance for the day is spent; it is renewed at midnight UTC" if spent else error.message
        raise RateLimited(reason, retry_after_s=error.retry_after_s, status=error.status) from error


def work_named(name: str, select: str, client: Client) -> list[Any]:
    """A single work, for a merged one its successor; empty if OpenAlex does not know it."""
    try:
        return read_works(get(path_of(name), {"select": select}, client, follow_redirects=True))[0]
    except RequestRejected as error:
        if error.status == 404:
            return []
        raise


def groups(names: Sequence[str], most: int) -> list[tuple[str, ...]]:
    """The names by scheme, in groups of at most `most` that fit into a filter and a URL."""
    found: list[list[str]] = []
    for scheme in _FILTERS:
        chars_left = 0
        for name in (name for name in names if scheme_of(name) == scheme):
            if scheme == "doi" and _NO_VALUE.search(value_of(name)):
                found.insert(0, [name])
                continue
            chars = len(quote(f"{value_of(name)}|", safe=""))
            if chars > chars_left or len(found[-1]) == most:
                found.append([])
                chars_left = _NAMES_CHARS
            found[-1].append(name)
            chars_left -= chars
    return [tuple(group) for group in found]


def path_of(name: str) -> str:
    """The path of a single work, which is free of charge."""
    return _PATHS[scheme_of(name)] + quote(value_of(name), safe="")


def filter_of(group: Sequence[str]) -> str:
    """The filter that finds the works of these names, all of one scheme."""
    return f"{_FILTERS[scheme_of(group[0])]}:{'|'.join(map(value_of, group))}"


def read_works(body: Any, *, may_end: bool = False) -> tuple[list[Any], int | None]:
    """The works of a list or of a single-work answer, and their total number.

    The page behind the last work is empty: `may_end` accepts it.
    """
    if isinstance(body, Mapping) and isinstance(body.get("results"), list):
        meta = body.get("meta")
        count = read_count(meta.get("count")) if isinstance(meta, Mapping) else None
        if body["results"] or count == 0 or may_end:  # groups come with an empty list of works
            return body["results"], count
    elif isinstance(body, Mapping) and "error" not in body and ("id" in body or "doi" in body):
        return [body], 1
    raise BadResponse("OpenAlex answered without a list of works")


def next_cursor(body: Any) -> Any:
    """The cursor of the next page as it is stated; the last page has none."""
    return body["meta"].get("next_cursor") if isinstance(body.get("meta"), Mapping) else None
