"""Where a paper can be read for free: every copy that its records tell of, each once, and the best one first.

Open is what can be opened: a copy with an address. Closed is what one source calls closed while none names a copy. A
flag without an address leaves the question open. The links of a record that calls the paper closed are no free copies.

One address told in two ways (http or https, www, a final slash, the letters of a DOI, PubMed Central's old and new
pages) is one copy: what one account of it lacks is taken from another, and where they differ most sources win.

The best copy, whose address and licence are the paper's: the published version before the accepted one before the
submitted one before an unknown one; then the publisher's before a repository's; then one with a licence before one
without; then the first address in the order of the alphabet.

Under `open_access` the provenance names those who agree; who calls an open paper closed, or a paper open without
naming a copy, is kept under `open_access.closed` and `open_access.open`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from operator import attrgetter
from urllib.parse import urlsplit

from shared.bibliography.paper import Location, OpenAccess, Paper
from shared.merging.pool import Pool, most_agreed, providers

Told = tuple[Location, str]  # a copy, and the provider that tells of it
_BEST_VERSION_FIRST = ("publishedVersion", "acceptedVersion", "submittedVersion", None)
_CENTRAL = re.compile(r"(?:pmc\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pmc)/articles/(?:pmc)?(\d+)", re.I)
_RUN_TOGETHER = re.compile(r"cc(by)(nc)?(nd|sa)?")


def merged_open_access(pool: Pool) -> tuple[OpenAccess, dict[str, tuple[str, ...]]]:
    """Whether and where the paper is open, and who says so, and who says otherwise."""
    by_address: defaultdict[str, list[Told]] = defaultdict(list)
    for record in pool.records:
        for copy in _copies(record):
            by_address[address_of(copy.url)].append((copy, record.provider))
    locations = tuple(sorted(map(_one_copy, by_address.values()), key=best_first))
    naming = {provider for accounts in by_address.values() for _, provider in accounts}
    closing = set(providers(it for it in pool.records if it.open_access.is_oa is False))
    opening = set(providers(it for it in pool.records if it.open_access.is_oa))
    said = {
        "open_access": naming | opening if locations else closing,
        "open_access.closed": closing if locations else set(),
        "open_access.open": set() if locations else opening,
    }
    provenance = {name: tuple(sorted(who)) for name, who in said.items() if who}
    if not locations:
        return OpenAccess(is_oa=False if closing else None), provenance
    return OpenAccess(True, locations[0].url, locations[0].license, locations), provenance


def best_first(copy: Location) -> tuple[int, bool, bool, str]:
    """What orders copies, the least being the best one: see above."""
    known = copy.version if copy.version in _BEST_VERSION_FIRST else None
    return _BEST_VERSION_FIRST.index(known), copy.host != "publisher", copy.license is None, copy.url


def address_of(url: str) -> str:
    """What two ways of writing one address have in common; of what is no address the text itself."""
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


def _copies(record: Paper) -> Iterator[Location]:
    """The copies of a record that does not call the paper closed; its best address may stand among none of them."""
    access = record.open_access
    if access.is_oa is False:
        return
    told = [copy for copy in access.locations if copy.url]
    yield from told
    if access.url and address_of(access.url) not in {address_of(copy.url) for copy in told}:
        yield Location(access.url, license=access.license)


def _one_copy(accounts: Sequence[Told]) -> Location:
    """One copy as most of its accounts have it; of its addresses the shortest that is secure."""

    def agreed(name: str) -> str | None:
        value_of = attrgetter(name)
        told = [(value, provider) for copy, provider in accounts if (value := value_of(copy))]
        winner: str | None = most_agreed(told, lambda value: value)[0]
        return winner

    licences = [(spelled_alike(copy.license), provider) for copy, provider in accounts if copy.license]
    url = min((copy.url for copy, _ in accounts), key=lambda it: (not it.startswith("https:"), len(it), it))
    return Location(
        url, version=agreed("version"), license=most_agreed(licences, lambda it: it)[0], host=agreed("host")
    )


def spelled_alike(licence: str) -> str:
    """`CC BY-NC`, `cc by-nc` and `CCBYNC` -> `cc-by-nc`; other names in lower case."""
    name = re.sub(r"[\s_-]+", "-", licence.strip().lower())
    together = _RUN_TOGETHER.fullmatch(name)
    return "-".join(("cc", *filter(None, together.groups()))) if together else name
