"""A paper as Crossref's record of it, with what publishers do to titles, dates and abstracts, varied by title."""

from __future__ import annotations

import html
import zlib
from typing import Any

from infra.local.sandbox.corpus import Corpus, Fact
from infra.local.sandbox.crossref_references import references_of

TYPES = {"conference-paper": "proceedings-article", "preprint": "posted-content", "book-chapter": "book-chapter"}
UPDATES = {
    "retracted": ("retraction", "Retraction"), "corrected": ("correction", "Correction"),
    "concern": ("expression_of_concern", "Expression of concern"),
}  # fmt: skip


def their_type(fact: Fact) -> str:
    """Reviews, letters and notices are journal articles, as all else in a journal is."""
    return TYPES.get(fact.type, "journal-article")


def issued(fact: Fact) -> str:
    """The date, as far as it is known; empty when it is not."""
    return fact.publication_date or str(fact.year or "")


def is_open(fact: Fact) -> bool:
    """Whether a licence is recorded."""
    return bool(fact.is_open_access)


def work_of(fact: Fact, corpus: Corpus, score: float = 1) -> dict[str, Any]:
    """The whole record; elements without a value are missing or empty, by chance."""
    date = _date(issued(fact))
    page = {"page": fact.pages} if fact.pages and ("-" in fact.pages or _dice(fact, 2)) else {}
    doi = fact.doi or ""
    work = {
        "indexed": _date("2026-11-01"),
        "publisher": "A publisher",
        "source": "Crossref",
        "prefix": doi.partition("/")[0],
        "DOI": doi if _dice(fact, 3) == 0 else doi.lower(),
        "URL": f"https://doi.org/{doi}",
        "resource": {"primary": {"URL": f"https://doi.org/{doi}"}},
        "type": their_type(fact),
        "title": _titles(fact),
        "subtitle": [],
        "author": _authors(fact),
        "container-title": _container(fact),
        "volume": fact.volume,
        "issue": fact.issue,
        "article-number": None if page else fact.pages,
        "language": fact.language if fact.language != "und" else None,
        "issued": date,
        "published": date if issued(fact) else None,
        "abstract": _abstract(fact),
        "is-referenced-by-count": fact.citation_count,
        "reference-count": len(fact.references),
        "references-count": len(fact.references),
        "reference": references_of(fact, corpus),
        "license": _license(fact, date),
        "relation": _relations(fact),
        "update-to": _update_to(fact, corpus),
        "updated-by": _updated_by(fact, corpus),
        "score": score,
        **page,
        **_posted(fact, date),
    }
    return {name: value for name, value in work.items() if value or name in KEPT}


KEPT = {
    "subtitle", "container-title", "is-referenced-by-count", "reference-count", "references-count", "relation", "score",
}  # fmt: skip


def _dice(fact: Fact, sides: int) -> int:
    return zlib.crc32(fact.title.encode()) % sides


def _date(told: str) -> dict[str, Any]:
    parts: list[int | None] = [int(part) for part in told.split("-") if part]
    return {"date-parts": [parts or [None]]}


def _titles(fact: Fact) -> list[str]:
    """Escaped as markup is; once with an empty one in front, in italics, with line breaks, or escaped again."""
    title = html.escape(fact.title, quote=False)
    first, _, rest = title.partition(" ")
    shapes = (
        [title],
        ["", title],
        [f"<i>{first}</i> {rest}"],
        [f"{first}\n            {rest}"],
        [html.escape(f'<span class="word">{title}</span>', quote=False)],
    )
    translated = [html.escape(fact.title_translated, quote=False)] if fact.title_translated else []
    return [*shapes[_dice(fact, 5)], *translated]


def _authors(fact: Fact) -> list[dict[str, Any]]:
    """Persons by two names or one; a name without a family is a group's."""
    named = [
        {"family": family, **({"given": given} if given else {})} if family else {"name": given}
        for family, given in fact.authors
    ]
    places = ("first", *["additional"] * len(named))
    return [{**name, "sequence": place, "affiliation": []} for name, place in zip(named, places, strict=False)]


def _container(fact: Fact) -> list[str]:
    if fact.type == "preprint" or not fact.journal:
        return []
    series = ["A series of proceedings"] if fact.type == "conference-paper" and _dice(fact, 2) else []
    return [*series, html.escape(fact.journal, quote=False)]


def _posted(fact: Fact, date: dict[str, Any]) -> dict[str, Any]:
    """A preprint has no container; its server is an institution, its subject a group."""
    if fact.type != "preprint":
        return {}
    server = {"institution": [{"name": fact.journal}]} if fact.journal else {}
    return {"subtype": "preprint", "posted": date, "group-title": (fact.topics or ("Science",))[0], **server}


def _abstract(fact: Fact) -> str | None:
    """JATS with or without a heading, or bare HTML; many publishers deposit none."""
    if not fact.abstract or _dice(fact, 6) == 5:
        return None
    text = html.escape(fact.abstract, quote=False)
    shapes = (
        f"<jats:title>Abstract</jats:title><jats:p>{text}</jats:p>",
        f"<jats:p>{text}</jats:p>",
        f"<jats:title>ABSTRACT</jats:title>\n          <jats:p>\n            {text}\n          </jats:p>",
        f"<p>{text}</p>",
        f"<jats:sec>\n<jats:title />\n<jats:p>{text}</jats:p>\n</jats:sec>",
    )
    return shapes[_dice(fact, 6)]


def _license(fact: Fact, date: dict[str, Any]) -> list[dict[str, Any]]:
    if not is_open(fact):
        return []
    by = {"start": date, "delay-in-days": 0, "URL": "https://creativecommons.org/licenses/by/4.0/"}
    return [{**by, "content-version": version} for version in ("tdm", "vor")]


def _relations(fact: Fact) -> dict[str, Any]:
    """The preprint names the article; the article does not name the preprint."""
    dois = [name for name in fact.versions if name.startswith("10.")]
    if fact.type != "preprint" or not dois:
        return {}
    return {"is-preprint-of": [{"id-type": "doi", "id": name, "asserted-by": "subject"} for name in dois]}


def _update_to(fact: Fact, corpus: Corpus) -> list[dict[str, Any]]:
    """What a notice updates, where its paper is known."""
    return [
        _update(str(other.doi), str(other.retraction["status"]), fact)
        for other in corpus.facts
        if other.doi and other.retraction and fact.doi and other.retraction.get("notice_doi") == fact.doi
    ]


def _updated_by(fact: Fact, corpus: Corpus) -> list[dict[str, Any]]:
    """What updates the paper: only notices with a DOI are known; retractions are told by two sources."""
    notice = (fact.retraction or {}).get("notice_doi")
    if not fact.retraction or not notice:
        return []
    dated = next((other for other in corpus.facts if other.doi == notice), None)
    update = _update(notice, str(fact.retraction["status"]), dated)
    again = [{**update, "source": "retraction-watch"}] if update["type"] == "retraction" else []
    return [update, *again]


def _update(doi: str, status: str, notice: Fact | None) -> dict[str, Any]:
    kind, label = UPDATES[status]
    updated = {"updated": _date(issued(notice))} if notice else {}
    return {"DOI": doi, "type": kind, "label": label, "source": "publisher", **updated}
