"""DataCite's records as papers, as /dois sends them.

Format: https://support.datacite.org/docs/api-get-doi, schema: https://datacite-metadata-schema.readthedocs.io
Any field may be null, missing, or hold a code for an unknown value: `(:unav)`, `:tba`. A date may be a range, a moment
or several lines long. Only the general type is a closed list; the specific one is any text in any language. A record
states relations to other DOIs, of which few are versions. A creator may be several people in one text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from shared.bibliography.dates import is_partial_date, known_date
from shared.bibliography.identifiers import Identifiers, arxiv_of_doi, read_arxiv, read_doi, reference_keys
from shared.bibliography.languages import language_code
from shared.bibliography.licences import is_free, read_licence
from shared.bibliography.paper import Author, Location, OpenAccess, Paper, Version
from shared.bibliography.paper_types import read_paper_type
from shared.bibliography.person_names import read_name
from shared.bibliography.text import plain_text
from shared.errors import BrokenRecord
from shared.json_types import read_count

# All that `read_paper` reads of a record, for sparse fieldsets.
FIELDS = (
    "doi", "state", "titles", "creators", "publisher", "container", "publicationYear", "dates", "language", "types",
    "relatedIdentifiers", "version", "rightsList", "descriptions", "url", "citationCount",
)  # fmt: skip
# DataCite's general types -> types of `Paper`; the others are not papers (`Software`, `Image`): `other`.
TYPES = {
    "Book": "book", "BookChapter": "book-chapter", "ConferencePaper": "conference-paper",
    "DataPaper": "journal-article", "Dataset": "dataset", "Dissertation": "dissertation",
    "JournalArticle": "journal-article", "Preprint": "preprint", "Report": "report",
}  # fmt: skip
TEXT = "Text"  # a general type of which the specific one says more: an article, a thesis, a project
_UNKNOWN = re.compile(r"\(?:(?:unac|unal|unap|unas|unav|unkn|none|null|tba|etal)\)?\.?", re.I)
_VERSIONS = {
    "IsVersionOf", "HasVersion", "IsNewVersionOf", "IsPreviousVersionOf", "IsIdenticalTo", "IsVariantFormOf",
    "IsOriginalFormOf",
}  # fmt: skip
_CITED = {"Cites", "References"}
# Of OpenAIRE, and of COAR's Access Rights (https://vocabularies.coar-repositories.org/access_rights/).
_ACCESS = re.compile(r"info:eu-repo/semantics/(open|restricted|closed|embargoed)Access|access_right/(c_[0-9a-z]{4})\b")
_OPEN = {"open", "c_abf2"}
# The dates that may be that of publication, the best first: arXiv states the day as `Submitted` alone.
_DATES = ("Issued", "Available", "Submitted")
_MOST_VERSIONS = 50  # of hundreds in a concept's record


def read_paper(record: Mapping[str, Any], rank: int, latest_year: int) -> Paper:
    """One record as a paper; years after `latest_year` are ignored. Raises BrokenRecord without a title or DOI."""
    own = record.get("attributes")
    attributes: Mapping[str, Any] = own if isinstance(own, Mapping) else {}
    doi = read_doi(attributes.get("doi") or record.get("id"))
    title, others = _titles(attributes)
    if not doi or not title:
        raise BrokenRecord(f"DataCite's {doi} has no title")
    arxiv = arxiv_of_doi(doi)
    kind = _type(attributes, arxiv)
    container = attributes.get("container") or {}
    authors = tuple(author for author in map(_author, attributes.get("creators") or []) if author)
    year, published = _published(attributes, latest_year)
    ends = dict.fromkeys(filter(None, (_known(container.get(name)) for name in ("firstPage", "lastPage"))))
    relations = attributes.get("relatedIdentifiers") or []
    return Paper(
        provider="datacite",
        rank=rank,
        title=title,
        alternative_titles=others,
        ids=Identifiers(doi=doi, arxiv=arxiv),
        authors=authors,
        author_count=len(authors) or None,
        year=year,
        publication_date=published,
        journal=_place(attributes, kind),
        volume=_known(container.get("volume")),
        issue=_known(container.get("issue")),
        pages="-".join(ends) or None,
        type=kind,
        language=language_code(attributes.get("language")),
        abstract=_abstract(attributes),
        citation_count=attributes.get("citationCount"),
        open_access=_open_access(attributes),
        versions=tuple(_versions(relations, doi))[:_MOST_VERSIONS],
        references=reference_keys(_named(it) for it in relations if it.get("relationType") in _CITED),
        landing_page=attributes.get("url") or None,
    )


def _known(text: Any) -> str | None:
    """A text without markup; None for the codes of unknown values."""
    plain = plain_text(str(text)) if text is not None else None
    return None if not plain or _UNKNOWN.fullmatch(plain) else plain


def _titles(attributes: Mapping[str, Any]) -> tuple[str | None, tuple[str, ...]]:
    """The title; and the others: translated or alternative ones, and the title with its subtitle."""
    entries = [(_known(entry.get("title")), entry.get("titleType")) for entry in attributes.get("titles") or []]
    titles = [text for text, kind in entries if text and kind != "Subtitle"]
    main = next((text for text, kind in entries if text and not kind), titles[0] if titles else None)
    subtitles = [f"{main}: {text}" for text, kind in entries if text and kind == "Subtitle"][:1]
    return main, tuple(text for text in dict.fromkeys([*titles, *subtitles]) if text != main)


def _author(creator: Mapping[str, Any]) -> Author | None:
    name, family, given = (_known(creator.get(part)) for part in ("name", "familyName", "givenName"))
    if creator.get("nameType") == "Organizational":
        return Author(name=name) if name else None
    if name and ";" in name:
        return Author(name=name)  # several people, which nothing divides safely
    return Author(family=family, given=given) if family else read_name(name)


def _type(attributes: Mapping[str, Any], arxiv: str | None) -> str | None:
    """arXiv registers its preprints as texts; the specific type of a text is read as people write types."""
    types = attributes.get("types") or {}
    general = types.get("resourceTypeGeneral")
    if arxiv:
        return "preprint"
    if general == TEXT:
        return read_paper_type(_known(types.get("resourceType")) or "")
    return TYPES.get(general, "other") if general else None


def _published(attributes: Mapping[str, Any], latest_year: int) -> tuple[int | None, str | None]:
    """Year and date. The date is the most exact one within the year that DataCite states: that year may be another
    calendar's, which is then in the future.
    """
    stated = str(attributes.get("publicationYear") or "").strip()
    year = (read_count(stated) or 0) if len(stated) == len("2026") else 0
    if not 0 < year <= latest_year:
        return None, None
    dates = {entry.get("dateType"): _known(entry.get("date")) or "" for entry in attributes.get("dates") or []}
    days = [dates[kind].partition("T")[0].partition("/")[0] for kind in _DATES if kind in dates]
    best = max((day for day in days if is_partial_date(day) and day[:4] == stated), key=len, default=None)
    return year, known_date(best, year)


def _place(attributes: Mapping[str, Any], kind: str | None) -> str | None:
    """The journal or series, else the repository that published what no journal has; never a publishing house."""
    title = _known((attributes.get("container") or {}).get("title"))
    publisher = attributes.get("publisher")
    name = publisher.get("name") if isinstance(publisher, Mapping) else publisher
    return title or (_known(name) if kind in ("preprint", "dataset", "other") else None)


def _abstract(attributes: Mapping[str, Any]) -> str | None:
    """The abstract in the record's language, else the first; other descriptions are notes and file lists."""
    entries = attributes.get("descriptions") or []
    abstracts = [it for it in entries if it.get("descriptionType") == "Abstract" and _known(it.get("description"))]
    own = language_code(attributes.get("language"))
    of_language = [it for it in abstracts if own and language_code(it.get("lang")) == own]
    return next((_known(it.get("description")) for it in [*of_language, *abstracts]), None)


def _open_access(attributes: Mapping[str, Any]) -> OpenAccess:
    """What the rights state: a licence, and whether the files are open; neither says that the files can be read."""
    rights = attributes.get("rightsList") or []
    texts = [str(it.get(name) or "") for it in rights for name in ("rightsUri", "rightsIdentifier", "rights")]
    licence = next((name for text in texts if (name := read_licence(text))), None)
    stated = {found[1] or found[2] for text in texts if (found := _ACCESS.search(text))}
    is_open = False if stated - _OPEN else True if stated or is_free(licence) else None
    url = attributes.get("url")
    if not is_open or not url:
        return OpenAccess(is_open, license=licence)
    return OpenAccess(True, url, licence, (Location(url, license=licence, host="repository"),))


def _named(relation: Mapping[str, Any]) -> Identifiers:
    """The ids of a related work: its DOI, also in a URL, or its arXiv id."""
    written = str(relation.get("relatedIdentifier") or "").strip()
    match relation.get("relatedIdentifierType"):
        case "DOI":
            doi = read_doi(written)
            return Identifiers(doi=doi, arxiv=arxiv_of_doi(doi))
        case "arXiv":
            return Identifiers(arxiv=read_arxiv(written))
    return Identifiers()


def _versions(relations: Sequence[Mapping[str, Any]], doi: str) -> Iterator[Version]:
    """The other versions, each once. What arXiv calls a version of its preprint is the published article."""
    known = {doi, None}
    for relation in relations:
        other = _named(relation)
        name = other.doi or other.arxiv
        if relation.get("relationType") in _VERSIONS and name not in known:
            known.add(name)
            yield Version("published" if arxiv_of_doi(doi) else "version", doi=other.doi, arxiv=other.arxiv)
