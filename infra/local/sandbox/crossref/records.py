"""Crossref's records, with publishers' variants of titles, dates and abstracts in the shares of recorded answers."""

from __future__ import annotations

import html
from typing import Any

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.crossref.deposits import date_of, deposit_of, share
from infra.local.sandbox.crossref.references import references_of
from infra.local.sandbox.facts import Fact, variant
from infra.local.sandbox.orcids import orcid_of

TYPES = {"conference-paper": "proceedings-article", "preprint": "posted-content", "book-chapter": "book-chapter"}
UPDATES = {
    "retracted": ("retraction", "Retraction"), "corrected": ("correction", "Correction"),
    "concern": ("expression_of_concern", "Expression of concern"),
}  # fmt: skip


def crossref_type(fact: Fact) -> str:
    """Return Crossref's type; reviews, letters and notices are journal articles."""
    return TYPES.get(fact.type, "journal-article")


def issued(fact: Fact) -> str:
    """Return the publication date as precisely as it is known, or an empty text."""
    return fact.publication_date or str(fact.year or "")


def work_of(fact: Fact, corpus: Corpus) -> dict[str, Any]:
    """Return the whole record, without a score; elements without a value are missing, except those in ALWAYS_PRESENT.

    DOIs are in lower case: none of 545 recorded ones has a capital.
    """
    date = date_of(issued(fact))
    page = {"page": fact.pages} if fact.pages and ("-" in fact.pages or variant(fact, 2)) else {}
    doi = (fact.doi or "").lower()
    work = {
        "prefix": doi.partition("/")[0],
        "DOI": doi,
        "URL": f"https://doi.org/{doi}",
        "resource": {"primary": {"URL": f"https://doi.org/{doi}"}},
        "type": crossref_type(fact),
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
        "is-referenced-by-count": fact.citation_count or 0,
        "reference-count": len(fact.references),
        "references-count": len(fact.references),
        "reference": references_of(fact, corpus),
        "relation": _relations(fact),
        "clinical-trial-number": _trials(fact),
        "update-to": _update_to(fact, corpus),
        "updated-by": _updated_by(fact, corpus),
        **deposit_of(fact, issued(fact)),
        **page,
        **_posted(fact, date),
    }
    return {name: value for name, value in work.items() if value or name in ALWAYS_PRESENT}


ALWAYS_PRESENT = {"container-title", "is-referenced-by-count", "reference-count", "references-count", "title"}


def _titles(fact: Fact) -> list[str]:
    """Return the HTML-escaped title, of few papers in italics or with a line break, and a translated one."""
    title = html.escape(fact.title, quote=False)
    first, _, rest = title.partition(" ")
    if share(fact, "italics", 6):
        title = f"<i>{first}</i> {rest}"
    elif share(fact, "newline", 3):
        title = f"{first}\n            {rest}"
    return [title, *([html.escape(fact.title_translated, quote=False)] if fact.title_translated else [])]


def _authors(fact: Fact) -> list[dict[str, Any]]:
    """Return people with one or two names; a name without a family name is a group's."""
    named = [
        {"family": family, **_given(family, given)} if family else {"name": given} for family, given in fact.authors
    ]
    places = ("first", *["additional"] * len(named))
    return [{**name, "sequence": place, "affiliation": []} for name, place in zip(named, places, strict=False)]


def _given(family: str, given: str | None) -> dict[str, Any]:
    """The given name, and the ORCID iD as an address of http, as in all recorded works."""
    orcid = orcid_of(family, given)
    stated = {"ORCID": f"http://orcid.org/{orcid}", "authenticated-orcid": False} if orcid else {}
    return {**({"given": given} if given else {}), **stated}


def _container(fact: Fact) -> list[str]:
    if fact.type == "preprint" or not fact.journal:
        return []
    series = ["A series of proceedings"] if fact.type == "conference-paper" and share(fact, "series", 10) else []
    return [*series, html.escape(fact.journal, quote=False)]


def _trials(fact: Fact) -> list[dict[str, str]]:
    """Return the numbers of registrations, in lower case as they are deposited; half of the publishers deposit none."""
    if not fact.nct or variant(fact, 2):
        return []
    number = {"clinical-trial-number": fact.nct.lower(), "registry": "10.18810/clinical-trials-gov"}
    other = {"clinical-trial-number": "isrctn12345678", "registry": "10.18810/isrctn", "type": "preresults"}
    return [number, other]


def _posted(fact: Fact, date: dict[str, Any]) -> dict[str, Any]:
    """Return a preprint's own elements: its server is an institution, its subject a group title."""
    if fact.type != "preprint":
        return {}
    server = {"institution": [{"name": fact.journal}]} if fact.journal else {}
    return {"subtype": "preprint", "posted": date, "group-title": (fact.topics or ("Science",))[0], **server}


def _abstract(fact: Fact) -> str | None:
    """Return JATS with or without a heading, or plain HTML; half of the papers have none."""
    if not fact.abstract or not share(fact, "abstract", 50):
        return None
    text = html.escape(fact.abstract, quote=False)
    plain, headed = f"<jats:p>{text}</jats:p>", f"<jats:title>Abstract</jats:title><jats:p>{text}</jats:p>"
    shapes = (
        *(plain,) * 5,
        headed,
        f"<jats:title>Abstract</jats:title>\n          <jats:p>{text}</jats:p>",
        f"<jats:title>ABSTRACT</jats:title>\n          <jats:p>\n            {text}\n          </jats:p>",
        f"<jats:sec>\n<jats:title />\n<jats:p>{text}</jats:p>\n</jats:sec>",
        f"<p>{text}</p>",
    )
    return shapes[variant(fact, len(shapes))]


def _relations(fact: Fact) -> dict[str, Any]:
    """Return a preprint's link to its article; articles do not link to their preprints."""
    dois = [name for name in fact.versions if name.startswith("10.")]
    if fact.type != "preprint" or not dois:
        return {}
    return {"is-preprint-of": [{"id-type": "doi", "id": name, "asserted-by": "subject"} for name in dois]}


def _update_to(fact: Fact, corpus: Corpus) -> list[dict[str, Any]]:
    """Return the updates that a notice makes to papers of the corpus."""
    return [
        _update(str(other.doi), str(other.retraction["status"]), fact)
        for other in corpus.facts
        if other.doi and other.retraction and fact.doi and other.retraction.get("notice_doi") == fact.doi
    ]


def _updated_by(fact: Fact, corpus: Corpus) -> list[dict[str, Any]]:
    """Return the notices, which need a DOI, that update a paper; two sources report a retraction."""
    notice = (fact.retraction or {}).get("notice_doi")
    if not fact.retraction or not notice:
        return []
    dated = next((other for other in corpus.facts if other.doi == notice), None)
    update = _update(notice, str(fact.retraction["status"]), dated)
    again = [{**update, "source": "retraction-watch"}] if update["type"] == "retraction" else []
    return [update, *again]


def _update(doi: str, status: str, notice: Fact | None) -> dict[str, Any]:
    kind, label = UPDATES[status]
    updated = {"updated": date_of(issued(notice))} if notice else {}
    return {"DOI": doi, "type": kind, "label": label, "source": "publisher", **updated}
