"""Which saved search a request with an Idempotency-Key is about, if it was sent before, and the id of a new one.

The key determines the ids, so that of two equal requests at once one alone creates an item. Once the first search says
something else than the request, because it was changed, the next one is saved under the key's second id, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence

from shared.idempotency import key_reused, scoped_key
from shared.saved_searches.request import MAX_A_CALLER, NewRequest
from shared.saved_searches.stored import StoredSearch

ID_CHARS = 20


def ids_of(caller: str, key: str) -> list[str]:
    """The ids of the searches that are saved under this key, in their order: as many as a caller may have."""
    # A key has no line break: no other key has these ids.
    names = [key, *(f"{key}\n{number}" for number in range(1, MAX_A_CALLER))]
    return [scoped_key(caller, name)[:ID_CHARS] for name in names]


def saved_before(own: Sequence[StoredSearch], ids: Sequence[str], request: NewRequest) -> StoredSearch | None:
    """The caller's search that this request has saved, if it still says the same. Raises Conflict for another request.

    A search that was changed meanwhile is none: an answer with it would call saved what is not.
    """
    under_key = [it for it in own if it["id"] in ids]
    if any(it["asked"] != request.digest() for it in under_key):
        raise key_reused()
    return next((it for it in under_key if request.describes(it)), None)


def first_free(own: Sequence[StoredSearch], ids: Sequence[str]) -> str:
    """The id for a new search: the first that none of the caller's searches has."""
    taken = {it["id"] for it in own}
    return next(it for it in ids if it not in taken)
