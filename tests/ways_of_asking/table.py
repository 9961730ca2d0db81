"""All ways of asking, by kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tests.ways_of_asking.way import Way
from tests.ways_of_asking.ways import (
    expressions,
    field_tags,
    filters,
    greek,
    habits,
    identifiers,
    journals,
    keywords,
    other_services,
    pasted,
    people,
    pubmed_filters,
    questions,
    signs,
    strangers,
    strategies,
    titles,
)

_MODULES = (
    keywords,
    questions,
    titles,
    signs,
    expressions,
    field_tags,
    pubmed_filters,
    other_services,
    strategies,
    pasted,
    habits,
    strangers,
    people,
    journals,
    identifiers,
    greek,
    filters,
)
KINDS: Mapping[str, Sequence[Way]] = {
    module.KIND: tuple(replace(way, kind=module.KIND) for way in module.WAYS) for module in _MODULES
}
ABOUT: Mapping[str, str] = {module.KIND: str(module.__doc__) for module in _MODULES}
