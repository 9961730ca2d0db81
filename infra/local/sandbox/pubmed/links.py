"""PubMed's API, continued: elink returns references and citations by PMID, ecitmatch the PMID of a citation."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement

from werkzeug import Response

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.pubmed.index import tokens
from infra.local.sandbox.pubmed.vocabulary import OTHER_NAMES, title_abbreviation
from infra.local.sandbox.pubmed.wire import Args, as_xml, doctype, error, requested

NAME = "pubmed"
LINK_NAMES = {"pubmed_pubmed": "Similar articles", "pubmed_pubmed_citedin": "Cited In",
              "pubmed_pubmed_refs": "References for this PMC Article"}  # fmt: skip
OWN_SCORE = 2_147_483_647  # of a paper in its own list
MAX_LISTED = 3  # of several matching papers, the matcher lists up to three; of more it returns the count
UNKNOWN_JOURNAL = "NOT_FOUND;INVALID_JOURNAL"


def links(args: Args, corpus: Corpus) -> Response:
    """Answer one elink: a set of links for each `id` parameter, whose ids (one or several) are linked together."""
    root, head = Element("eLinkResult"), doctype("eLinkResult", "elink", "20101123")
    groups = [[pmid for pmid in re.split(r"[,\s]+", value) if pmid] for value in args.getlist("id")]
    groups = groups or ([ids] if (ids := requested(args)) else [])
    names = args.get("linkname", ",".join(LINK_NAMES)).split(",")
    message = _error(args, [pmid for group in groups for pmid in group], names)
    if message:
        return error("eLinkResult", message, head)
    for group in groups:
        _link_set(SubElement(root, "LinkSet"), group, names, args.get("cmd", "neighbor"), corpus)
    return as_xml(root, head)


def _link_set(links: Element, pmids: list[str], names: list[str], command: str, corpus: Corpus) -> None:
    """Add the requested ids, and the linked papers under the name of each link: similar papers have a score."""
    SubElement(links, "DbFrom").text = NAME
    _ids(SubElement(links, "IdList"), pmids)
    facts = [fact for fact in (corpus.find(NAME, pmid=pmid) for pmid in pmids) if fact]
    for name in names:
        linked = {str(other.pmid): score for fact in facts for other, score in _linked(name, fact, corpus)}
        if not linked:
            continue
        found = SubElement(links, "LinkSetDb")
        SubElement(found, "DbTo").text = NAME
        SubElement(found, "LinkName").text = name
        with_scores = command == "neighbor_score"  # without them, the newest come first
        for pmid in sorted(linked, key=lambda pmid: (-linked[pmid] if with_scores else 0, -int(pmid))):
            link = SubElement(found, "Link")
            _ids(link, [pmid])
            if with_scores:
                SubElement(link, "Score").text = str(linked[pmid])


def _error(args: Args, pmids: list[str], names: list[str]) -> str | None:
    if args.get("dbfrom", NAME) != NAME or args.get("db", NAME) != NAME:
        return f"Invalid db name specified: {args.get('db' if args.get('dbfrom', NAME) == NAME else 'dbfrom')}"
    if args.get("cmd", "neighbor") not in ("neighbor", "neighbor_score"):
        return f"Unknown command: {args['cmd']}"
    if not pmids or not all(pmid.isdigit() for pmid in pmids):
        return "Empty id list; nothing todo"
    unknown = [name for name in names if name not in LINK_NAMES]
    return f"Invalid linkname: {unknown[0]}" if unknown else None


def _ids(parent: Element, pmids: Iterable[str]) -> None:
    for pmid in pmids:
        SubElement(parent, "Id").text = pmid


def _linked(name: str, fact: Fact, corpus: Corpus) -> list[tuple[Fact, int]]:
    """Each linked paper with a score; the scores of references and citations are all 0."""
    if name == "pubmed_pubmed":
        return _similar(fact, corpus)
    others = corpus.cited(NAME, fact) if name == "pubmed_pubmed_refs" else corpus.citing(NAME, fact)
    return [(other, 0) for other in others]


def _similar(fact: Fact, corpus: Corpus) -> list[tuple[Fact, int]]:
    """The paper itself and others with words of its title, each scored by how many."""
    words = {word for word in tokens(fact.title) if len(word) > MAX_LISTED}
    shared = [(other, len(words & set(tokens(other.title)))) for other in corpus.covered(NAME)]
    return [
        (other, OWN_SCORE if other is fact else count * 1_000_000)
        for other, count in shared
        if count > 1 or other is fact
    ]


def matches(bdata: str, corpus: Corpus) -> str:
    """Return each line with its result; the answer ends at a line without a journal."""
    lines = []
    for line in bdata.split("\r"):
        fields = line.split("|")
        if len(fields) < 6 or not fields[0].strip():
            break
        journal, year, volume, page, author, key = fields[:6]
        held = [fact for fact in corpus.covered(NAME) if tokens(journal) in _journal_names(fact)]
        found = [fact for fact in held if _fits(fact, year, volume, page)]
        known = author if any(tokens(author)[:1] == tokens(fact.authors[0][0] or "")[:1]
                              for fact in found if fact.authors) else ""  # fmt: skip
        lines.append("|".join([journal, year, volume, page, known, key, _result(found) if held else UNKNOWN_JOURNAL]))
    return "".join(f"{line}\n" for line in lines)


def _journal_names(fact: Fact) -> set[tuple[str, ...]]:
    title = fact.journal or ""
    short = title_abbreviation(title)
    names = (title, title.removeprefix("The "), short, *OTHER_NAMES.get(short, ()))
    return {tokens(name) for name in names} - {()}


def _fits(fact: Fact, year: str, volume: str, page: str) -> bool:
    pairs = ((year, str(fact.year)), (volume, fact.volume), (page, re.split(r"[-–]", fact.pages or "")[0]))
    return all(given.strip() == known for given, known in pairs if given.strip())


def _result(found: list[Fact]) -> str:
    pmids = [str(fact.pmid) for fact in found]
    if len(pmids) > 1:
        return f"AMBIGUOUS {','.join(pmids)}" if len(pmids) <= MAX_LISTED else f"AMBIGUOUS ({len(pmids)} citations)"
    return pmids[0] if pmids else "NOT_FOUND"
