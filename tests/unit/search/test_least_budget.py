"""The budget that a refusal names is enough for the same request sent again, whose sources take another time."""

from __future__ import annotations

import pytest

from shared.errors import Unprocessable
from shared.search.sizes.token_budget import kept_within

LEGS = 7


@pytest.mark.parametrize("requested", range(150, 400, 7))
def test_the_least_budget_is_enough_where_every_source_takes_longer(requested: int) -> None:
    requested_ids = [f"10.1000/{number:0{requested % 40}}" for number in range(requested // 5)]
    first, again = ({"ids": requested_ids, "elapsed_ms": [took] * LEGS} for took in (9, 9_999))
    with pytest.raises(Unprocessable) as refused:
        kept_within(first, 100)
    named = int(str(refused.value.errors[0].message).rpartition(" ")[2])
    assert kept_within(again, named) is again
