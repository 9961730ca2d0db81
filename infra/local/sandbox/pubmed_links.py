"""PubMed's API, continued: elink returns references and citations by PMID, ecitmatch the PMID of a citation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from xml.etree.ElementTree import Element, SubElement

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from shared.bibliography.text import fold

NAME = "pubmed"
LINK_NAMES = ("pubmed_pubmed_refs", "pubmed_pubmed_citedin")
MAX_LISTED = 3  # of several matching papers, the matcher lists up to three; of more it returns the count
UNKNOWN_JOURNAL = "NOT_FOUND;INVALID_JOURNAL"


def links(args: Mapping[str, str], corpus: Corpus) -> Element:
    """Return an eLinkResult: the requested ids as one set, and the linked papers under the name of each link."""
    root = Element("eLinkResult")
    requested = [pmid for pmid in re.split(r"[,\s]+", args.get("id", "")) if pmid]
    names = args.get("linkname", ",".join(LINK_NAMES)).split(",")
    error = _error(args, requested, names)
    if error:
        SubElement(root, "ERROR").text = error
        return root
    links = SubElement(root, "LinkSet")
    SubElement(links, "DbFrom").text = NAME
    _ids(SubElement(links, "IdList"), requested)
    facts = [fact for fact in (corpus.find(NAME, pmid=pmid) for pmid in requested) if fact]
    for name in names:
        pmids = {str(other.pmid) for fact in facts for other in _linked(name, fact, corpus)}
        if pmids:
            found = SubElement(links, "LinkSetDb")
            SubElement(found, "DbTo").text = NAME
            SubElement(found, "LinkName").text = name
            for pmid in sorted(pmids, key=int, reverse=True):
                _ids(SubElement(found, "Link"), [pmid])
    return root


def _error(args: Mapping[str, str], requested: list[str], names: list[str]) -> str | None:
    if args.get("dbfrom") != NAME or args.get("db", NAME) != NAME:
        return "Invalid db name specified"
    if not requested or not all(pmid.isdigit() for pmid in requested):
        return "Empty id list; nothing todo"
    unknown = [name for name in names if name not in LINK_NAMES]
    return f"Invalid linkname: {unknown[0]}" if unknown else None


def _ids(parent: Element, pmids: Iterable[str]) -> None:
    for pmid in pmids:
        SubElement(parent, "Id").text = pmid


def _linked(name: str, fact: Fact, corpus: Corpus) -> list[Fact]:
    return corpus.cited(NAME, fact) if name == "pubmed_pubmed_refs" else corpus.citing(NAME, fact)


def matches(bdata: str, corpus: Corpus) -> str:
    """Return each line with its result; the answer ends at a line without a journal."""
    lines = []
    for line in bdata.split("\r"):
        fields = line.split("|")
        if len(fields) < 6 or not fields[0].strip():
            break
        journal, year, volume, page, author, key = fields[:6]
        held = [fact for fact in corpus.facts if fact.pmid and fact.journal and fold(fact.journal) == fold(journal)]
        found = [fact for fact in held if _fits(fact, year, volume, page)]
        known = author if any(fold(author).split()[:1] == fold(fact.authors[0][0] or "").split()[:1]
                              for fact in found if fact.authors) else ""  # fmt: skip
        lines.append("|".join([journal, year, volume, page, known, key, _result(found) if held else UNKNOWN_JOURNAL]))
    return "".join(f"{line}\n" for line in lines)


def _fits(fact: Fact, year: str, volume: str, page: str) -> bool:
    pairs = ((year, str(fact.year)), (volume, fact.volume), (page, re.split(r"[-–]", fact.pages or "")[0]))
    return all(given.strip() == known for given, known in pairs if given.strip())


def _result(found: list[Fact]) -> str:
    pmids = [str(fact.pmid) for fact in found]
    if len(pmids) > 1:
        return f"AMBIGUOUS {','.join(pmids)}" if len(pmids) <= MAX_LISTED else f"AMBIGUOUS ({len(pmids)} citations)"
    return pmids[0] if pmids else "NOT_FOUND"
