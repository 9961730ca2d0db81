"""DOIs that a publisher's address names without their prefix (`shared.bibliography.publisher_rules`)."""

from __future__ import annotations

import re
from collections.abc import Iterator

# All of the rules' addresses have one of these; the resolver of DOIs is none of them.
_ADDRESS = re.compile(r"\.(?:com|io|(?<!doi\.)org)/", re.IGNORECASE)


def dois_in_addresses(text: str) -> Iterator[tuple[int, int, str]]:
    """Start and end of each address and the DOI that it names, in lower case; not in order of place."""
    return _found(text, assumed=False)


def assumed_dois(text: str) -> Iterator[tuple[int, int, str]]:
    """The same of addresses whose papers may have another DOI, or none."""
    return _found(text, assumed=True)


def doi_of_address(address: str) -> str | None:
    """The one DOI that an address names by either kind of rule."""
    dois = {doi for *_, doi in (*dois_in_addresses(address), *assumed_dois(address))}
    return dois.pop() if len(dois) == 1 else None


def _found(text: str, *, assumed: bool) -> Iterator[tuple[int, int, str]]:
    if not _ADDRESS.search(text):  # as in most queries and printed references
        return
    from shared.bibliography.publisher_rules import ASSUMED, KNOWN  # twenty expressions, a hundredth of a cold start

    for form, prefix in ASSUMED if assumed else KNOWN:
        for found in form.finditer(text):
            yield found.start(), found.end(), (prefix + found["id"]).lower()
