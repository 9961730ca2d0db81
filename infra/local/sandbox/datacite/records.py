"""DataCite's records: those of arXiv's DOIs, and data sets and software that no other source has.

Form: recorded answers, and datacite/lupo (`app/serializers/datacite_doi_serializer.rb`). The papers are the corpus's;
what only DataCite holds is made from them by a fixed rule, under the prefix 10.5072, which DataCite keeps for tests:

- one paper in three has a data set, `Data from: <title>`, by its first three authors, which supplements it;
- one in seven has software, as repositories register it: one DOI for all versions, and one for the version.

What differs between real records depends on the paper's title alone.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact, variant
from infra.local.sandbox.orcids import orcid_of
from shared.bibliography.identifiers import arxiv_of_doi, read_doi

NAME = "datacite"
PREFIX = "10.5072"
ARCHIVE = "Example Data Archive"
_CC0 = {
    "rights": "Creative Commons Zero v1.0 Universal",
    "rightsUri": "https://creativecommons.org/publicdomain/zero/1.0/legalcode", "schemeUri": "https://spdx.org/licenses/",
    "rightsIdentifier": "cc0-1.0", "rightsIdentifierScheme": "SPDX",
}  # fmt: skip
_OPEN = {"rights": "Open Access", "rightsUri": "info:eu-repo/semantics/openAccess"}
_CLOSED = {"rightsUri": "info:eu-repo/semantics/restrictedAccess"}
_ARXIV = {
    "rights": "arXiv.org perpetual, non-exclusive license",
    "rightsUri": "http://arxiv.org/licenses/nonexclusive-distrib/1.0/",
}
_LISTS = (
    "identifiers", "creators", "titles", "subjects", "contributors", "dates", "relatedIdentifiers", "relatedItems",
    "sizes", "formats", "rightsList", "descriptions", "geoLocations", "fundingReferences",
)  # fmt: skip
_NOTICES = ("erratum", "retraction-notice")


@dataclass(frozen=True, slots=True)
class Deposit:
    """One record: `created` in milliseconds since 1970, and its attributes as they are sent."""

    doi: str
    created: int
    client: str
    attributes: dict[str, Any]


def deposits(corpus: Corpus) -> list[Deposit]:
    """All records, in the order of their DOIs."""
    found = [_of_arxiv(fact, name) for fact in corpus.covered(NAME) if (name := _arxiv_id(fact))]
    for fact in corpus.facts:
        found += _own(fact)
    return sorted(found, key=lambda it: it.doi)


def _own(fact: Fact) -> Iterator[Deposit]:
    """The data set and the software of a paper that has any."""
    if not fact.authors or fact.type in _NOTICES:
        return
    number = f"{zlib.crc32(fact.title.encode()):08x}"
    if variant(fact, 3) == 0:
        yield _data_set(fact, f"{PREFIX}/data.{number}")
    if variant(fact, 7) == 1:
        concept, version = f"{PREFIX}/code.{number}", f"{PREFIX}/code.{number}.1"
        yield _software(fact, concept, None, [_relation("HasVersion", version)])
        supplement = [_relation("IsSupplementTo", fact.doi)] if fact.doi else []
        yield _software(fact, version, "1.0.0", [*supplement, _relation("IsVersionOf", concept)])


def _arxiv_id(fact: Fact) -> str | None:
    return fact.arxiv_id or arxiv_of_doi(read_doi(fact.doi))


def _of_arxiv(fact: Fact, arxiv: str) -> Deposit:
    """A preprint: typed as a text until 2022, and dated to the day by its submission."""
    doi = f"10.48550/arxiv.{arxiv}"
    day = fact.publication_date or str(fact.year)
    is_text = (fact.year or 0) <= 2022
    dates = [{"date": f"{day}T11:44:22Z", "dateType": "Submitted", "dateInformation": "v1"}] * (len(day) == 10)
    return _deposit(
        fact, doi, client="arxiv.content",
        creators=[_person(person) for person in fact.authors], titles=[{"title": fact.title}], publisher="arXiv",
        types=_types("Text" if is_text else "Preprint", "Article", "article-journal" if is_text else "article"),
        dates=[*dates, {"date": day[:7], "dateType": "Available"}, {"date": str(fact.year), "dateType": "Issued"}],
        descriptions=_abstract(fact.abstract), rightsList=[_ARXIV], version="1",
        subjects=[{"subject": word} for word in fact.keywords], url=f"https://arxiv.org/abs/{arxiv}",
        identifiers=[{"identifier": arxiv, "identifierType": "arXiv"}],
    )  # fmt: skip


def _data_set(fact: Fact, doi: str) -> Deposit:
    kind = variant(fact, 4)
    people = [_person(person) for person in fact.authors[:3]]
    groups = [{"name": f"{fact.authors[0][0] or fact.authors[0][1]} Consortium", "nameType": "Organizational"}]
    first, _, rest = fact.title.partition(" ")
    year = f"\n    {fact.year}\n  " if kind == 2 else str(fact.year)
    return _deposit(
        fact, doi, client="example.archive",
        creators=[_whole(it) for it in (groups if kind == 1 else people)],
        titles=[{"title": f"Data from: <em>{first}</em> {rest}" if kind == 3 else f"Data from: {fact.title}"}],
        types=_types("Dataset", "dataset", "dataset"), dates=[{"date": year, "dateType": "Issued"}],
        descriptions=[
            *_abstract(f"The measurements behind the paper {fact.title}, one table for each figure."),
            {"description": "tables.csv: one row a sample", "descriptionType": "TechnicalInfo"},
        ],
        rightsList=[[_CC0], [_CC0, _OPEN], [_CLOSED], []][kind],
        relatedIdentifiers=[_relation("IsSupplementTo", fact.doi), _relation("Cites", fact.doi)] if fact.doi else [],
        subjects=[{"subject": word} for word in fact.keywords], citationCount=variant(fact, 3), language="en",
    )  # fmt: skip


def _software(fact: Fact, doi: str, version: str | None, related: Sequence[dict[str, Any]]) -> Deposit:
    return _deposit(
        fact, doi, client="example.archive",
        creators=[_person(person) for person in fact.authors[:1]],
        titles=[{"title": "Analysis scripts"}, {"title": f"for {fact.title}", "titleType": "Subtitle"}],
        types=_types("Software", "", "article"), dates=[{"date": str(fact.year), "dateType": "Issued"}],
        rightsList=[_OPEN], version=version, relatedIdentifiers=list(related),
    )  # fmt: skip


def _deposit(fact: Fact, doi: str, *, client: str, **stated: Any) -> Deposit:
    """A record with every attribute of a list; what is not stated is empty as the service sends it."""
    created = (
        datetime(max(fact.year or 2011, 2011), 1, 1, tzinfo=UTC).timestamp() + zlib.crc32(doi.encode()) % 31_000_000
    )
    moment = datetime.fromtimestamp(created, UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    empty: dict[str, Any] = {name: [] for name in _LISTS}
    attributes = {
        "doi": doi, **empty, "publisher": ARCHIVE, "container": {}, "publicationYear": fact.year, "language": None,
        "types": {}, "version": None, "url": f"https://archive.example.org/{doi}", "contentUrl": None,
        "metadataVersion": 0, "schemaVersion": "http://datacite.org/schema/kernel-4", "source": "mds", "isActive": True,
        "state": "findable", "reason": None, "viewCount": 0, "downloadCount": 0, "referenceCount": 0,
        "citationCount": 0, "partCount": 0, "partOfCount": 0, "versionCount": 0, "versionOfCount": 0,
        "created": moment, "registered": moment, "published": str(fact.year), "updated": moment, **stated,
    }  # fmt: skip
    return Deposit(doi, int(created * 1000), client, attributes)


def _types(general: str, specific: str, citeproc: str) -> dict[str, str]:
    return {"citeproc": citeproc, "resourceType": specific, "resourceTypeGeneral": general}


def _person(person: tuple[str | None, str | None]) -> dict[str, Any]:
    family, given = person
    if not family:
        return {"name": given, "nameType": "Organizational", "affiliation": [], "nameIdentifiers": []}
    parts = {"givenName": given, "familyName": family} if given else {"familyName": family}
    name = f"{family}, {given}" if given else family
    orcid = orcid_of(family, given)
    scheme = {"schemeUri": "https://orcid.org", "nameIdentifierScheme": "ORCID"}
    ids = [{**scheme, "nameIdentifier": f"https://orcid.org/{orcid}"}] if orcid else []
    return {"name": name, "nameType": "Personal", **parts, "affiliation": [], "nameIdentifiers": ids}


def _whole(creator: dict[str, Any]) -> dict[str, Any]:
    return {"affiliation": [], "nameIdentifiers": [], **creator}


def _abstract(text: str | None) -> list[dict[str, str]]:
    return [{"description": text, "descriptionType": "Abstract"}] if text else []


def _relation(relation: str, doi: str | None) -> dict[str, str]:
    return {"relationType": relation, "relatedIdentifier": (doi or "").lower(), "relatedIdentifierType": "DOI"}
