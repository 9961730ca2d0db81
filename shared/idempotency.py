"""The header `Idempotency-Key`, with which a caller can safely retry a request.

https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/

Two routes accept it and store it in two ways:

    POST /v1/citations        Powertools stores the first answer under the key for a day; a retry returns it, or, if it
                              lacks what providers did not answer, records the same facts once more and answers anew
    POST /v1/saved-searches   the key determines the search's id, so that the stored search is the record: a retry
                              returns it, as long as it exists and does what the request says; else there is a new one

A recorded citation has no item of its own for the key. The stored answer of a new saved search would contain its
webhook secret, and would outlive a search that has been deleted.
"""

from __future__ import annotations

from shared.canonical_json import digest
from shared.errors import Conflict

MAX_KEY_CHARS = 255


def scoped_key(caller: str, key: str) -> str:
    """A digest of the caller and the key: 64 hexadecimal digits."""
    return digest(f"{caller}\n{key}")


def key_reused() -> Conflict:
    """The error for a request that differs from the first one with its key."""
    return Conflict("another request was sent with this Idempotency-Key", hint="Use a new key.")
