"""What an answer says of an author who was read from the words of its query, and the request without this reading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shared.search.requests.search_request import SearchRequest

if TYPE_CHECKING:
    from shared.answers.search import Hint


def as_typed(request: SearchRequest) -> SearchRequest:
    """The request with its words as they were typed, without the filters that were read from them."""
    if not (typed := request.author_in_words):
        return request
    dates: dict[str, object] = {"date_from": None, "date_to": None} if typed.year else {}
    words = request.model_copy(update={"query": typed.query, "author": None, **dates})
    words._author_in_words = None
    return words


def person_hints(request: SearchRequest, *, found: bool) -> list[Hint]:
    """How words of the query were read as an author; or that nothing was found so."""
    if not (read := request.author_in_words):
        return []
    fields = f'`author: "{read.author}"`' + (f' and `date_from`, `date_to`: "{read.year}"' if read.year else "")
    message = f"The query was read as {fields}. If that is not an author, write other words, or quote them."
    if not found:
        message = f"No paper was found with {fields}, as the query reads: its words were searched for instead."
    return [{"reason": "author", "message": message}]
