"""Which agency registered a DOI: Crossref's services hold none of those that DataCite registered.

Prefixes of the repositories whose DOIs are common in references; the agency of a prefix is fixed
(https://support.datacite.org/docs/datacite-doi-prefixes, https://doi.org/ra/<DOI>).
"""

from __future__ import annotations

_OF_DATACITE = frozenset({
    "10.1594",  # PANGAEA
    "10.3886",  # ICPSR
    "10.5061",  # Dryad
    "10.5281",  # Zenodo
    "10.6084",  # figshare
    "10.7910",  # Harvard Dataverse
    "10.15468",  # GBIF
    "10.17605",  # OSF
    "10.17632",  # Mendeley Data
    "10.48550",  # arXiv
})  # fmt: skip


def is_of_datacite(doi: str) -> bool:
    """Whether a DOI is known to be registered with DataCite; False if nothing is known about its prefix."""
    return doi.partition("/")[0] in _OF_DATACITE
