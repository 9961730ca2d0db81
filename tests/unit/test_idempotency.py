"""What both stores of Idempotency-Keys derive from a key."""

from __future__ import annotations

import pytest

from shared.errors import Conflict
from shared.idempotency import key_reused, scoped_key


@pytest.mark.parametrize(
    ("caller", "key", "scoped"),
    [
        # As earlier versions stored them: whole for citations, the first 20 digits as the id of a saved search.
        ("local", "example", "328ccf1bf83546e663e837fe0e758664d1ae7d00dfd3de80852116ce42e51d1b"),
        ("", "1", "efdd30d1dda5a1a329ee9d0bf61387ee7e254ec69477e17ce1c4370d28e2b2db"),
    ],
)
def test_a_stored_key_is_found(caller: str, key: str, scoped: str) -> None:
    assert scoped_key(caller, key) == scoped


def test_callers_do_not_share_keys() -> None:
    assert scoped_key("a", "b") != scoped_key("b", "a")
    assert len({scoped_key("a", "1"), scoped_key("b", "1"), scoped_key("a", "2")}) == 3


def test_a_reused_key_is_a_conflict_that_says_what_to_do() -> None:
    error = key_reused()
    assert isinstance(error, Conflict)
    assert error.message == "another request was sent with this Idempotency-Key"
    assert error.hint == "Use a new key."
