"""Where a paper can be read for free: every copy that its records list, each once, the best one first.

A paper is open if a copy has an address. It is closed if a source calls it closed and none lists a copy. A flag without
an address leaves the question open. The links of a record that calls the paper closed are not free copies.

Two spellings of one address (http or https, www, a final slash, the case of a DOI, PubMed Central's old and new pages)
are one copy: each of its values is the one that most sources state.

The best copy, whose address and licence are the paper's: the published version before the accepted one before the
submitted one before an unknown one; then the publisher's before a repository's; then one with a licence before one
without; then the first address in alphabetical order.

The provenance lists the providers that agree under `open_access`; providers that call an open paper closed under
`open_access.closed`, and those that call a paper open without listing a copy under `open_access.open`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter
from urllib.parse import urlsplit

from shared.bibliography.identifiers import PMC_PAGE
from shared.bibliography.licences import spelled_alike, without_version
from shared.bibliography.paper import Location, OpenAccess
from shared.merging.pool import Pool, Provenance, most_agreed

ProviderCopy = tuple[Location, str]  # a copy, and the provider that lists it
BEST_VERSION_FIRST = ("publishedVersion", "acceptedVersion", "submittedVersion", None)
_CENTRAL = re.compile(PMC_PAGE, re.I)
_NOT_STATED = OpenAccess()  # one for all


def merged_open_access(pool: Pool) -> tuple[OpenAccess, Provenance]:
    """Whether and where the paper is open; the providers that state it, and those that state otherwise."""
    by_address: defaultdict[str, list[ProviderCopy]] = defaultdict(list)
    opening: set[str] = set()
    closing: set[str] = set()
    for record in pool.records:
        is_open = record.open_access.is_oa
        if is_open is not None:
            (opening if is_open else closing).add(record.provider)
        for copy in _copies(record.open_access):
            by_address[address_of(copy.url)].append((copy, record.provider))
    if not by_address and not opening and not closing:
        return _NOT_STATED, {}
    locations = tuple(sorted(map(_one_copy, by_address.values()), key=best_first))
    listing = {provider for copies in by_address.values() for _, provider in copies}
    stated_by = {
        "open_access": listing | opening if locations else closing,
        "open_access.closed": closing if locations else set(),
        "open_access.open": set() if locations else opening,
    }
    provenance = {name: tuple(sorted(names)) for name, names in stated_by.items() if names}
    if not locations:
        return OpenAccess(is_oa=False if closing else None), provenance
    return OpenAccess(True, locations[0].url, locations[0].license, locations), provenance


def best_first(copy: Location) -> tuple[int, bool, bool, str]:
    """The sort key of a copy; the best copy has the least."""
    known = copy.version if copy.version in BEST_VERSION_FIRST else None
    return BEST_VERSION_FIRST.index(known), copy.host != "publisher", copy.license is None, copy.url


@lru_cache(maxsize=8192)
def address_of(url: str) -> str:
    """The address in a form that all its spellings share; the text itself if it is not an address."""
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return url
    host = parts.netloc.lower().removeprefix("www.").removeprefix("dx.")
    path = parts.path.rstrip("/")
    if central := _CENTRAL.fullmatch(host + path):
        return f"pmc:{central[1]}"
    address = host + (path.lower() if host == "doi.org" else path)
    return f"{address}?{parts.query}" if parts.query else address


def _copies(access: OpenAccess) -> Sequence[Location]:
    """The copies of a record that does not call the paper closed; its best address may be missing from its list."""
    if access.is_oa is False:
        return ()
    listed = [copy for copy in access.locations if copy.url]
    if access.url and address_of(access.url) not in [address_of(copy.url) for copy in listed]:
        listed.append(Location(access.url, license=access.license))
    return listed


def _one_copy(copies: Sequence[ProviderCopy]) -> Location:
    """Merge the descriptions of one copy: the values that most providers state, and its shortest secure address."""
    first = copies[0][0]
    if all(copy == first for copy, _ in copies[1:]):  # mostly: one provider lists it, or all took it from one source
        licence = spelled_alike(first.license) if first.license else None
        return Location(first.url, version=first.version or None, license=licence, host=first.host or None)

    def agreed(name: str) -> str | None:
        read = attrgetter(name)
        values: list[tuple[str, str]] = [(value, provider) for copy, provider in copies if (value := read(copy))]
        return most_agreed(values, lambda value: value)[0]

    url = min((copy.url for copy, _ in copies), key=lambda it: (not it.startswith("https:"), len(it), it))
    return Location(url, version=agreed("version"), license=_licence(copies), host=agreed("host"))


def _licence(copies: Sequence[ProviderCopy]) -> str | None:
    """The licence that most providers name, in the version that most of them name: `cc-by` agrees with `cc-by-4.0`."""
    named = [(spelled_alike(copy.license), provider) for copy, provider in copies if copy.license]
    kinds = [(without_version(name), provider) for name, provider in named]
    kind, _ = most_agreed(kinds, str)
    versions = [(name, provider) for name, provider in named if name != kind and without_version(name) == kind]
    version, _ = most_agreed(versions, str)
    return version or kind
