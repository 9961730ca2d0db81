"""What all sources are able to do, by their files."""

from __future__ import annotations

from functools import cache

from infra.functions import provider_names
from shared.providers.capabilities import ProviderCapabilities
from tests.benchmarks.mutate_answers import module_of


@cache
def capabilities() -> dict[str, ProviderCapabilities]:
    """Those of all sources."""
    specs = [module_of(name).SPEC for name in provider_names()]
    return {
        spec.name: ProviderCapabilities(
            operations=spec.operations, lookup_names=spec.lookup_names, match_citations=spec.match_citations,
            match_titles=spec.match_titles,
            finds_misspelt=spec.finds_misspelt, requests_per_second=spec.requests_per_second,
            translates=spec.translates, tracks_integrity=spec.tracks_integrity, disciplines=sorted(spec.disciplines),
        )
        for spec in specs
    }  # fmt: skip
