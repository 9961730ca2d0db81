"""Semantic Scholar's requests: with the key, or without it after the gateway refused it.

Manual: https://api.semanticscholar.org/api-docs/graph. Keys that are unused for about two months are removed, and then
answered with HTTP 403; without any key the API still answers, if less often.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from shared.errors import BadResponse, Forbidden, ProviderError, RequestRejected
from shared.providers.records.semantic_scholar import raise_error

if TYPE_CHECKING:
    from shared.json_types import JsonObject
    from shared.providers.answer_bodies import Answer
    from shared.providers.http_client import Client, Fields

GRAPH = "/graph/v1/"
RECOMMENDED = "/recommendations/v1/papers/"
PAPER = f"{GRAPH}paper/"
# Fields of references and citations: a thousand abstracts would exceed the size limit of an answer.
LINK_FIELDS = (
    "paperId,externalIds,url,title,venue,publicationVenue,year,publicationDate,journal,publicationTypes,authors,"
    "citationCount,influentialCitationCount,isOpenAccess,openAccessPdf"
)
BULK_FIELDS = f"{LINK_FIELDS},abstract"  # the bulk search has no tldr
FIELDS = f"{BULK_FIELDS},tldr"
_UNKNOWN, TOO_LARGE = 404, 413  # the statuses that these answers should have: both come with 400
NOT_KNOWN = "Semantic Scholar does not know this paper"
_UNKNOWN_PAPER = re.compile(
    rb'"(?:No valid paper ids given|Input papers not found|Paper with id [^"]{1,900} not found|Title match not found)"'
)


class UnknownPaper(RequestRejected):
    """Semantic Scholar itself answered that it does not know a paper of the request."""


class Api:
    """The API for one question. `warnings` says whether the key was refused."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._key = client.key
        self.warnings: list[str] = []

    def get(self, path: str, params: Fields) -> Any:
        """GET below `/graph/v1/`, or a whole path.

        Raises UnknownPaper, or RequestRejected with the status TOO_LARGE, for these answers.
        """
        return self._decoded(lambda: self._request("GET", path, params=params))

    def post(self, path: str, params: Fields, body: JsonObject) -> Any:
        """POST a JSON body below `/graph/v1/`, or to a whole path. Raises as `get` does."""
        return self._decoded(lambda: self._request("POST", path, params=params, json=body))

    def batch(self, ids: Sequence[str], fields: str) -> list[Any]:
        """The records of these papers, in their order; None for one that it does not know."""
        try:
            records = self.post("paper/batch", {"fields": fields}, {"ids": list(ids)})
        except UnknownPaper:  # it knows none of them
            return [None] * len(ids)
        if not isinstance(records, list) or len(records) != len(ids):
            raise_error(records)
            raise BadResponse(f"Semantic Scholar did not send {len(ids)} entries for {len(ids)} ids")
        return records

    def _decoded(self, send: Callable[[], Answer]) -> Any:
        try:
            answer = send()
        except Forbidden:
            if not self._key:
                raise
            self._key = None
            self.warnings.append("Semantic Scholar refused the key (HTTP 403): the rest was queried without it")
            answer = send()
        return self._client.decode_json(answer)

    def _request(self, method: str, path: str, *, params: Fields, json: JsonObject | None = None) -> Answer:
        headers = {"x-api-key": self._key} if self._key else {}
        return self._client.request(
            method,
            path if path.startswith("/") else GRAPH + path,
            params=params,
            json=json,
            headers=headers,
            read_error=_specific_error,
        )


def _specific_error(body: bytes) -> ProviderError | None:
    """The errors that only the text of an answer tells from an invalid field, or from a 404 of something on the way."""
    if len(body) < 1000:
        if _UNKNOWN_PAPER.search(body):
            return UnknownPaper("Semantic Scholar does not know these papers", status=_UNKNOWN)
        if b"Response would exceed maximum size" in body:
            return RequestRejected("Semantic Scholar's answer would be too large", status=TOO_LARGE)
    return None
