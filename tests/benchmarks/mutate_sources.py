"""What all sources are able to do, by their files."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from infra.functions import provider_names, provider_spec
from shared.providers.capabilities import ProviderCapabilities


@cache
def capabilities() -> dict[str, ProviderCapabilities]:
    """Those of all sources, each as one that is queried although no request names it."""
    return {name: replace(provider_spec(name), optional=False) for name in provider_names()}
