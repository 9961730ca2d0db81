"""The limits of the sources, lifted or as declared: each in `os.environ` and in what Crossref's sandbox states."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from infra.functions import provider_names
from infra.local.sandbox.services import crossref
from shared.rate_limits import slots

STATED, HIGH_RATE = crossref.stated_limits, slots.HIGH_RATE
# More than any test sends in a second.
UNLIMITED = {
    **{f"{name.upper()}_REQUESTS_PER_SECOND": "1000" for name in provider_names()},
    **{f"{name.upper()}_CONCURRENCY": "100" for name in provider_names()},
}


@contextmanager
def unlimited_sources() -> Iterator[None]:
    """While inside, no request waits for a permit; permits are those of the declared limits, not of high rates."""
    with (
        patch.dict(os.environ, UNLIMITED),
        patch.object(slots, "HIGH_RATE", math.inf),
        patch.object(crossref, "stated_limits", return_value={}),
    ):
        yield


@contextmanager
def limited_sources() -> Iterator[None]:
    """While inside, the declared limits hold, whatever is set outside."""
    with (
        patch.dict(os.environ),
        patch.object(slots, "HIGH_RATE", HIGH_RATE),
        patch.object(crossref, "stated_limits", STATED),
    ):
        for name in UNLIMITED:
            os.environ.pop(name, None)
        yield
