"""The caller's own name for a request, so that it can be sent again: the header `Idempotency-Key`.

https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
"""

MAX_KEY_CHARS = 255
