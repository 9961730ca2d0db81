"""One variable names the functions of all providers."""

from __future__ import annotations

import pytest

from shared.providers.function_names import function_names


def test_the_variable_is_a_name_with_the_providers_place_in_it() -> None:
    names = function_names("literature-search-prod-*:live", ["arxiv", "pmc_text"])
    assert names == {"arxiv": "literature-search-prod-arxiv:live", "pmc_text": "literature-search-prod-pmc_text:live"}


@pytest.mark.parametrize("named", ["", "literature-search-prod", "a-*-*:live", '{"arxiv": "literature-search-arxiv"}'])
def test_a_variable_without_one_place_for_the_provider_is_refused(named: str) -> None:
    with pytest.raises(ValueError, match="the functions of providers"):
        function_names(named, ["arxiv"])
