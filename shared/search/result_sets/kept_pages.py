"""Finished pages of cached answers, kept in a process: many callers send the same request.

A page is kept by the version of its result set, which is a digest of all that it says, and by every field of the
request that can change a word of it, as the caller wrote it. What each answer has of its own (`kg`, `search_time_ms`,
`request_id`) is set anew. Only text is kept: no answer shares an object with another.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Any

from shared.canonical_json import compact_json, digest
from shared.search.requests.form_fields import CALL_FIELDS

if TYPE_CHECKING:
    from shared.answers.search import SearchAnswer
    from shared.search.requests.search_request import SearchRequest
    from shared.search.result_sets.store import SearchResults

MOST_CHARS = 8_000_000  # of all kept pages; ten standard papers have 25,000
LARGEST_PART = 8  # a page has at most this part of them


class KeptPages:
    """The pages that were answered last."""

    def __init__(self, most_chars: int = MOST_CHARS) -> None:
        self._most, self._chars = most_chars, 0
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._lock = Lock()  # `make serve` answers several requests in parallel

    def get(self, name: str) -> SearchAnswer | None:
        """A copy of the page with this name, if it is kept."""
        with self._lock:
            text = self._texts.get(name)
            if text is None:
                return None
            self._texts.move_to_end(name)
        answer: SearchAnswer = json.loads(text)
        return answer

    def keep(self, name: str, answer: SearchAnswer) -> None:
        """Keep a page, unless it is very large; the pages that were not asked for longest give way."""
        text = compact_json(answer)
        if len(text) * LARGEST_PART > self._most:
            return
        with self._lock:
            self._chars += len(text) - len(self._texts.pop(name, ""))
            self._texts[name] = text
            while self._chars > self._most:
                self._chars -= len(self._texts.popitem(last=False)[1])


def page_name(result_set: SearchResults, request: SearchRequest) -> str | None:
    """The name of the first page of a result set for this request; None if it is not kept."""
    known: Any = result_set
    if "version" not in known or request.cursor or request.author_in_words:
        return None
    fields = request.model_dump(mode="json", exclude=CALL_FIELDS)
    named = [known["version"], known["summary"]["cache"], sorted(request.model_fields_set - CALL_FIELDS), fields]
    return digest(compact_json(named))  # a name may have more characters than its page
