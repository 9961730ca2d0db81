"""Paperclip's hits as papers: structured ones, and entries of a rendered list.

Format: https://paperclip.gxl.ai/docs
A preprint may have the DOI of its article; names contain TeX accents, footnote marks and affiliations.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from shared.bibliography.dates import known_date
from shared.bibliography.identifiers import (
    Identifiers,
    pmc_address,
    read_arxiv,
    read_doi,
    read_openalex,
    read_pmcid,
    read_pmid,
)
from shared.bibliography.paper import Author, Location, OpenAccess, Paper, Version
from shared.bibliography.person_names import read_name
from shared.bibliography.preprints import is_preprint_doi
from shared.bibliography.text import plain_text
from shared.errors import BrokenRecord
from shared.json_types import read_count

# Prefixes of the document ids of preprint servers.
_SERVERS = {"arx_": "arXiv", "bio_": "bioRxiv", "med_": "medRxiv"}
_CORPORA = {"", "pmc", "biomedrxiv", "biorxiv", "medrxiv", "arxiv", "papers", "abstracts"}  # not journals
_TYPES = {
    "research-article": "journal-article", "case-report": "journal-article", "brief-report": "journal-article",
    "review-article": "review", "systematic-review": "systematic-review", "editorial": "editorial", "letter": "letter",
    "correction": "erratum", "retraction": "retraction-notice", "article-commentary": "other", "other": "other",
}  # fmt: skip
_ENTRY = re.compile(r"^ {0,4}(\d+)\. +(\S.*)$")
_DOCUMENT = re.compile(
    r" *(?:PMC\d+|[a-z]{2,4}_[\w./-]+|\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?: · |$)"
)
_DATE = re.compile(r"(?:1[5-9]|20)\d\d(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")
_TEX_ACCENT = re.compile(r"\{?\\(['`^\"~=.]|[cv](?=[ {]))\s*\{?\\?([A-Za-z])\}{0,2}")
_ACCENTS = dict(zip("'`^\"~=.cv", "\u0301\u0300\u0302\u0308\u0303\u0304\u0307\u0327\u030c", strict=True))


def read_entries(listing: str) -> list[dict[str, Any]]:
    """The hits of a rendered list: `  1. title` and the lines up to the next number."""
    blocks: list[list[str]] = []
    for line in listing.splitlines():
        start = _ENTRY.match(line)
        if start and read_count(start[1]) == len(blocks) + 1:
            blocks.append([start[2]])
        elif blocks and line.strip():
            blocks[-1].append(line)
    return [_entry(block) for block in blocks]


def _entry(lines: list[str]) -> dict[str, Any]:
    """A rendered hit under the keys of a structured one; a wrapped title continues at the margin."""
    place = next((number for number, line in enumerate(lines) if number and _DOCUMENT.match(line)), len(lines))
    wrapped = [line for line in lines[1:place] if not line.startswith("    ")]
    document, *labels = [part.strip() for part in "".join(lines[place : place + 1]).split(" · ")]
    date = labels.pop() if labels and _DATE.fullmatch(labels[-1]) else None
    rest = [line.strip() for line in lines[place + 1 :]]
    summary = " ".join(line for line in rest if not line.startswith("http"))
    return {
        "document_id": document, "title": " ".join([lines[0], *wrapped]), "pub_date": date,
        "authors": " ".join(line for line in lines[1:place] if line not in wrapped), "source": " · ".join(labels),
        "url": next((line for line in rest if line.startswith("http")), None),
        "tldr": summary.strip('"') if summary.startswith('"') else None,
    }  # fmt: skip


def read_paper(record: Mapping[str, Any], rank: int) -> Paper:
    """One hit as a paper. Raises BrokenRecord without a title or a known id."""
    document_id = str(record.get("document_id") or "")
    document = f"arx_{document_id}" if read_arxiv(document_id) else document_id  # a lookup omits the prefix
    server, pmcid, title = _SERVERS.get(document[:4]), read_pmcid(document), _text(record.get("title"))
    if not title or not (server or pmcid or document.startswith("oa_")):
        raise BrokenRecord(f"{document or 'a hit without an id'} is not a paper with a title")
    doi = read_doi(record.get("doi")) or read_doi(record.get("url"))
    published = doi if server and doi and not is_preprint_doi(doi) else None
    authors, author_count = _authors(_text(record.get("authors")) or "", server)
    journal = plain_text(record.get("journal_title") or record.get("journal") or record.get("source")) or ""
    citations, kind = record.get("citations"), "preprint" if server else _TYPES.get(record.get("article_type") or "")
    dated = _DATE.match(str(record.get("pub_date") or record.get("pub_year") or ""))
    date = known_date(dated[0]) if dated else None
    ids = Identifiers(
        doi=None if published else doi, pmid=read_pmid(record.get("pmid")), paperclip=document,
        pmcid=pmcid or read_pmcid(record.get("pmc_id")), openalex=read_openalex(document.removeprefix("oa_")),
        arxiv=read_arxiv(re.sub(r"^([A-Za-z.-]+)(\d{7})$", r"\1/\2", document[4:])) if server == "arXiv" else None,
    )  # fmt: skip
    return Paper(
        provider="paperclip", rank=rank, title=title, ids=ids, authors=authors, author_count=author_count,
        year=int(date[:4]) if date else None, publication_date=date, landing_page=record.get("url") or None,
        journal=server or (journal if journal.casefold() not in _CORPORA else None),
        citation_count=citations if isinstance(citations, int) else None, type=kind,
        abstract=_text(record.get("abstract")), tldr=_text(record.get("tldr")), open_access=_open_access(ids, server),
        versions=(Version("published", doi=published),) if published else (),
    )  # fmt: skip


def _text(markup: str | None) -> str | None:
    r"""Plain text, TeX accents written out: `Adri\'an` is Adrián."""
    return plain_text(_TEX_ACCENT.sub(lambda found: found[2] + _ACCENTS[found[1]], markup or ""))


def _authors(names: str, server: str | None) -> tuple[tuple[Author, ...], int | None]:
    """Authors and their number; a list that `...` truncates has no number, and its last name is left out.

    Names may have footnote marks and, on arXiv, affiliations.
    """
    truncated = names.endswith(("...", "…"))
    text = re.sub(r"\([^()]*(?:\)|$)", " ", names.rstrip(".…") if truncated else names)
    parts = re.split(r",\s*and\s|[,;]|\sand\s" if server == "arXiv" else r"[,;]", text)
    authors = tuple(filter(None, (read_name(part.strip(" *†‡§")) for part in (parts[:-1] if truncated else parts))))
    return authors, None if truncated else len(authors) or None


def _open_access(ids: Identifiers, server: str | None) -> OpenAccess:
    """PubMed Central and the preprint servers have free copies; for other documents it is unknown."""
    url = f"https://doi.org/{ids.doi}" if server and ids.doi else None
    url = f"https://arxiv.org/abs/{ids.arxiv}" if ids.arxiv else url
    url = pmc_address(ids.pmcid) if ids.pmcid else url
    places = (Location(url=url, version="submittedVersion" if server else None, host="repository"),) if url else ()
    return OpenAccess(is_oa=True if server or url else None, url=url, locations=places)
