"""What a provider declares reaches the functions that choose whom to query."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from infra.functions import capabilities, provider_names, provider_spec
from shared.providers.capabilities import (
    ProviderCapabilities,
    capabilities_entry,
    packed_capabilities,
    read_capabilities,
)

# No provider declares these values: each differs from its field's default.
UNUSUAL = ProviderCapabilities(
    disciplines=["computing"],
    operations={"search": [], "lookup": ["doi", "pmid"]},
    requests_per_second=0.25,
    lookup_names=7,
    match_citations=8,
    match_titles=9,
    finds_misspelt=True,
    translates=True,
    tracks_integrity=True,
    optional=True,
    registry=True,
)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: list(item) for key, item in value.items()}
    return sorted(value) if isinstance(value, (list, tuple, frozenset)) else value


@pytest.mark.parametrize("name", provider_names())
def test_every_capability_that_a_provider_declares_is_in_the_variable(name: str) -> None:
    read, declared = read_capabilities(capabilities())[name], provider_spec(name)
    for it in fields(ProviderCapabilities):
        assert _plain(getattr(read, it.name)) == _plain(getattr(declared, it.name)), it.name


@pytest.mark.parametrize("field", [it.name for it in fields(ProviderCapabilities)])
def test_every_capability_survives_the_variable(field: str) -> None:
    usual = ProviderCapabilities(operations={})
    assert getattr(UNUSUAL, field) != getattr(usual, field)
    read = read_capabilities(packed_capabilities({"made_up": capabilities_entry(UNUSUAL)}))["made_up"]
    assert getattr(read, field) == getattr(UNUSUAL, field)
