"""The caller's own name for a request, so that it can be sent again: the header `Idempotency-Key`.

https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/

Two routes take it, and store it in two ways:

    POST /v1/citations        Powertools stores the first answer under the key, for a day; a repetition returns it
    POST /v1/saved-searches   the key determines the search's id, so that the stored search itself is the record: a
                              repetition returns the search as it is now, for as long as it exists

A recorded citation has no item of its own that could carry the key. A stored answer of a new saved search would hold
its webhook's secret, and would outlive a search that was deleted meanwhile.
"""

from __future__ import annotations

from shared.canonical_json import digest
from shared.errors import Conflict

MAX_KEY_CHARS = 255


def scoped_key(caller: str, key: str) -> str:
    """A key within one caller's keys: 64 hexadecimal digits."""
    return digest(f"{caller}\n{key}")


def key_reused() -> Conflict:
    """The error for a request that differs from the first one under its key."""
    return Conflict("another request came under this Idempotency-Key", hint="Use a new key for it.")
