"""The bibliographic facts that the sandbox serves.

`papers.jsonl` contains the facts; the abstracts are short sentences written for this project. A provider's own id that
is missing in the facts is generated in a range that no real record uses: OpenAlex ids begin with `W99`, Semantic
Scholar ids with sixteen zeros. Further facts that are missing come from `synthetic_facts`.

What differs from record to record in a real API (missing fields, markup, letter case) depends here on `variant`: on the
paper's title alone, so that every response is reproducible.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from infra.local.sandbox.synthetic_facts import with_synthetic_facts

PAPERS = Path(__file__).with_name("papers.jsonl")


@dataclass(frozen=True, slots=True)
class Fact:
    """One paper's bibliographic facts; `authors` are (family, given), at most 25."""

    title: str
    authors: tuple[tuple[str | None, str | None], ...] = ()
    author_count: int | None = None
    year: int | None = None
    publication_date: str | None = None
    journal: str | None = None
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    type: str = "journal-article"
    doi: str | None = None
    pmid: str | None = None
    pmcid: str | None = None
    arxiv_id: str | None = None
    s2_paper_id: str | None = None
    openalex_id: str | None = None
    citation_count: int | None = None
    is_open_access: bool | None = None
    oa_url: str | None = None
    language: str | None = None
    retraction: Mapping[str, Any] | None = None  # raw: status, notice_doi, notice_pmid
    versions: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    abstract: str | None = None
    title_translated: str | None = None
    issn: str | None = None
    mesh: tuple[str, ...] = ()  # main headings
    keywords: tuple[str, ...] = ()
    nct: str | None = None  # of the registration of the trial that the paper reports


def variant(fact: Fact, count: int) -> int:
    """Return a number from 0 to count - 1 that depends only on the paper's title."""
    return zlib.crc32(fact.title.encode()) % count


def read_facts() -> tuple[Fact, ...]:
    """Read the facts, and generate the provider ids that are missing."""
    return tuple(_with_ids(json.loads(line), n) for n, line in enumerate(PAPERS.read_text("utf-8").splitlines()))


def _with_ids(row: dict[str, Any], number: int) -> Fact:
    row = with_synthetic_facts(row)
    row["authors"] = tuple((author.get("family"), author.get("given")) for author in row.get("authors", ()))
    for name in ("versions", "references", "topics", "mesh", "keywords"):
        row[name] = tuple(row.get(name, ()))
    row.setdefault("openalex_id", f"W99{number:08d}")
    row.setdefault("s2_paper_id", "0" * 16 + hashlib.sha256(row["title"].encode()).hexdigest()[:20] + f"{number:04d}")
    known = {item.name for item in fields(Fact)}
    return Fact(**{name: value for name, value in row.items() if name in known})
