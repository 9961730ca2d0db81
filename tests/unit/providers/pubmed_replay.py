"""PubMed answers in two steps: what its tests share to feed both."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, SubElement, fromstring, tostring

from functions.providers import pubmed
from shared.bibliography.paper import Paper
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from tests.recorded.every_recording import folder, manifest
from tests.replay import OWN_RECORDINGS, replay

OWN = OWN_RECORDINGS / "pubmed"


def found(*pmids: str, **more: Any) -> dict[str, Any]:
    """An answer of esearch that names these ids."""
    return {"esearchresult": {"count": str(len(pmids)), "idlist": list(pmids), **more}}


def article(pmid: str = "1", inner: str = "", around: str = "", data: str = "", title: str = "A title.") -> str:
    """One PubmedArticle: `inner` stands in its Article, `around` beside it, `data` in PubmedData."""
    return (
        f"<PubmedArticle><MedlineCitation><PMID>{pmid}</PMID><Article><ArticleTitle>{title}</ArticleTitle>{inner}"
        f"</Article>{around}</MedlineCitation><PubmedData>{data}</PubmedData></PubmedArticle>"
    )


def article_set(*articles: str) -> str:
    """An answer of efetch."""
    return f"<PubmedArticleSet>{''.join(articles)}</PubmedArticleSet>"


def paper_of(record: str) -> Paper:
    """The one paper of one record, through both steps."""
    pmid = fromstring(record).findtext(".//PMID") or ""
    reply = replay(pubmed, found(pmid), article_set(record))
    assert len(reply.papers) == 1, reply.warnings
    return reply.papers[0]


def replay_records(path: Path) -> ProviderReply:
    """A body of efetch, after an answer of esearch that names its records in reverse."""
    root = fromstring(path.read_bytes())
    own = ("PubmedArticle/MedlineCitation/PMID", "PubmedBookArticle/BookDocument/PMID")
    pmids = [pmid.text or "" for place in own for pmid in root.findall(place)] or ["1"]
    return replay(pubmed, found(*reversed(pmids)), path, query=Query(text="test", limit=len(pmids)))


def replay_step(name: str) -> ProviderReply:
    """One of the full recordings in the step to which it belongs: all but esearch's and JSON are second bodies."""
    path, entry = folder("pubmed") / name, manifest("pubmed")[name]
    if path.suffix == ".xml" and not name.startswith("esearch"):
        return replay_records(path)
    kind = (entry.get("headers") or {}).get("content-type")
    if path.suffix == ".xml" or not name.startswith("esearch"):
        return replay(pubmed, path, status=entry["status"], content_type=kind)
    return replay(pubmed, path, _records_of(json.loads(path.read_bytes())["esearchresult"]["idlist"]))


def _records_of(pmids: list[str]) -> bytes:
    root = Element("PubmedArticleSet")
    for pmid in pmids:
        citation = SubElement(SubElement(root, "PubmedArticle"), "MedlineCitation")
        SubElement(citation, "PMID").text = pmid
        SubElement(SubElement(citation, "Article"), "ArticleTitle").text = f"Title of {pmid}."
    return tostring(root)
