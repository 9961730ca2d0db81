"""The licence of a record has one name, however its source writes it, and a free one makes a paper open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from shared.bibliography.paper import OpenAccess
from shared.providers.records import core, crossref, datacite

PAGE = "https://example.org/1"


def of_crossref(*licences: dict[str, Any], **work: Any) -> OpenAccess:
    """The open access of a work with these licences."""
    return crossref.read_paper(
        {"DOI": "10.5555/a", "title": ["A"], "URL": PAGE, "license": licences, **work}, 1
    ).open_access


READERS: dict[str, Callable[[str], OpenAccess]] = {
    "core": lambda text: core.read_paper({"id": 1, "title": "A", "downloadUrl": PAGE, "license": text}, 1).open_access,
    "crossref": lambda text: of_crossref({"URL": text}),
    "datacite": lambda text: (
        datacite.read_paper(
            {
                "attributes": {
                    "doi": "10.5555/a",
                    "titles": [{"title": "A"}],
                    "url": PAGE,
                    "rightsList": [{"rightsUri": text}],
                }
            },
            1,
            2026,
        ).open_access
    ),
}
ADDRESSES = [
    ("https://creativecommons.org/licenses/by/4.0/", "cc-by-4.0"),
    ("http://creativecommons.org/licenses/by/4.0", "cc-by-4.0"),
    ("https://creativecommons.org/licences/by/4.0/", "cc-by-4.0"),
    ("https://www.creativecommons.org/licenses/BY-NC-ND/3.0/us/legalcode", "cc-by-nc-nd-3.0"),
    ("https://creativecommons.org/licenses/nc-sa/1.0/", "cc-nc-sa-1.0"),
    ("https://creativecommons.org/licenses/devnations/2.0/", "cc-devnations-2.0"),
    ("https://creativecommons.org/licenses/publicdomain/", "public-domain"),
    ("https://creativecommons.org/licenses/by/", "cc-by"),
    ("https://creativecommons.org/publicdomain/zero/1.0/", "cc0-1.0"),
    ("https://creativecommons.org/publicdomain/zero/", "cc0"),
    ("https://creativecommons.org/publicdomain/mark/1.0/", "public-domain"),
]
NOT_FREE = [
    ("https://arxiv.org/licenses/nonexclusive-distrib/1.0/", "arxiv-nonexclusive"),
    ("https://www.elsevier.com/tdm/userlicense/1.0/", None),
    ("https://www.springernature.com/gp/researchers/text-and-data-mining", None),
    ("http://doi.wiley.com/10.1002/tdm_license_1.1", None),
    ("https://creativecommons.org/", None),
    ("", None),
]  # fmt: skip


@pytest.mark.parametrize("source", READERS)
@pytest.mark.parametrize(("address", "licence"), ADDRESSES)
def test_every_source_names_a_creative_commons_licence_alike(source: str, address: str, licence: str) -> None:
    access = READERS[source](address)
    assert (access.is_oa, access.license) == (True, licence)
    assert [place.license for place in access.locations] == [licence]


@pytest.mark.parametrize(("address", "_licence"), NOT_FREE)
def test_a_licence_that_is_not_free_says_nothing_of_open_access_at_crossref(address: str, _licence: str | None) -> None:
    assert of_crossref({"URL": address}) == OpenAccess()


@pytest.mark.parametrize(("address", "licence"), NOT_FREE)
def test_a_licence_that_is_not_free_opens_no_data_set(address: str, licence: str | None) -> None:
    access = READERS["datacite"](address)
    assert (access.is_oa, access.license) == (None, licence)


BY, ZERO = "https://creativecommons.org/licenses/by/4.0/", "https://creativecommons.org/publicdomain/zero/1.0/"


def test_a_licence_of_crossref_after_an_embargo_does_not_count() -> None:
    assert of_crossref({"URL": BY, "delay-in-days": 365}) == OpenAccess()
    assert of_crossref({"URL": BY, "delay-in-days": 365}, {"URL": ZERO, "delay-in-days": 0}).license == "cc0-1.0"


@pytest.mark.parametrize(
    ("content", "version"),
    [("vor", "publishedVersion"), ("am", "acceptedVersion"), ("unspecified", None), ("tdm", None)],
)
def test_a_licence_of_crossref_is_of_the_version_that_it_names(content: str, version: str | None) -> None:
    assert of_crossref({"URL": BY, "content-version": content}).locations[0].version == version


def test_a_licence_for_text_mining_counts_behind_all_others() -> None:
    assert (
        of_crossref({"URL": ZERO, "content-version": "tdm"}, {"URL": BY, "content-version": "vor"}).license
        == "cc-by-4.0"
    )
