"""OpenAlex's works by their names: filters for several, and paths for one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote

from shared.bibliography.paper_ids import scheme_of, value_of

# By id scheme: the filter for several names, and the path for a single one.
_FILTERS = {"doi": "doi", "openalex": "ids.openalex", "pmid": "ids.pmid"}
_PATHS = {"doi": "/works/doi:", "openalex": "/works/", "pmid": "/works/pmid:"}
_NO_VALUE = re.compile(r"""[,|"!]|[a-z_]{2}:""")  # a filter has another meaning for these signs, and for a field's name
_NAMES_CHARS = 3500  # of one filter, escaped: with the rest of the URL that is less than 4 KB


def groups(names: Sequence[str], most: int) -> list[tuple[str, ...]]:
    """The names by scheme, in groups of at most `most` that fit into a filter and a URL."""
    found: list[list[str]] = []
    for scheme in _FILTERS:
        chars_left = 0
        for name in (name for name in names if scheme_of(name) == scheme):
            if scheme == "doi" and _NO_VALUE.search(value_of(name)):
                found.insert(0, [name])
                continue
            chars = len(quote(f"{value_of(name)}|", safe=""))
            if chars > chars_left or len(found[-1]) == most:
                found.append([])
                chars_left = _NAMES_CHARS
            found[-1].append(name)
            chars_left -= chars
    return [tuple(group) for group in found]


def path_of(name: str) -> str:
    """The path of a single work, which is free of charge."""
    return _PATHS[scheme_of(name)] + quote(value_of(name), safe="")


def filter_of(group: Sequence[str]) -> str:
    """The filter that finds the works of these names, all of one scheme."""
    return f"{_FILTERS[scheme_of(group[0])]}:{'|'.join(map(value_of, group))}"
