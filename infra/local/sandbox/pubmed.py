"""PubMed's API: esearch returns ids, efetch returns records, with NCBI's quirks.

elink and ecitmatch are in `pubmed_links`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

from werkzeug import Request, Response

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.pubmed_links import links, matches
from infra.local.sandbox.pubmed_records import publication_types, record
from shared.bibliography.text import fold
from shared.query.query import first_day, last_day

NAME = "pubmed"
TOOLS = "/entrez/eutils/"
DEFAULT_RETMAX, MAX_RESULTS = 20, 9_999
IGNORABLE_FIELDS = ("ta", "ti")  # an unknown term in these fields is ignored
SET_HEAD = (
    '<?xml version="1.0" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" '
    '"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">\n'
)
# A group of types, a range of dates, a quoted phrase or plain words, each with its field.
_CLAUSE = re.compile(r'\s(AND|NOT) (\([^()]*\[(?:pt|filter)\]\)|"[^"]*"\[\w+\]|[^()\[\]"]+\[\w+\])')
_TERM = re.compile(r'"?([^"()\[\]]+?)"?\[(\w+)\]')
_TAG = re.compile(r"\[[^\]]*\]")
_PLAIN = re.compile(r'[()"]|\b(?:AND|OR|NOT)\b')


def answer(request: Request, corpus: Corpus) -> Response:
    """Answer one request; parameters may be in the URL or in a form."""
    args = request.values
    if request.path == f"{TOOLS}esearch.fcgi":
        return _search(args, corpus)
    if request.path == f"{TOOLS}efetch.fcgi":
        return _fetch(args, corpus)
    if request.path == f"{TOOLS}elink.fcgi":
        return _xml(links(args, corpus))
    if request.path == f"{TOOLS}ecitmatch.cgi":
        return Response(matches(args.get("bdata", ""), corpus), content_type="text/plain")
    return Response("<html><body><h1>404 Not Found</h1></body></html>", status=404, content_type="text/html")


def error_envelope() -> Response:
    """Return an outage, which the API reports under HTTP 200."""
    return _search_error("Search Backend failed: Unable to open connection to #PMQuerySrv?dbaf=pubmed")


def _search_error(message: str) -> Response:
    return _json({"ERROR": message})


def _json(result: Mapping[str, Any]) -> Response:
    body = {"header": {"type": "esearch", "version": "0.3"}, "esearchresult": result}
    return Response(json.dumps(body), content_type="application/json; charset=UTF-8")


def _xml(root: Element, status: int = 200, head: str = '<?xml version="1.0" ?>\n') -> Response:
    body = head + tostring(root, encoding="unicode")
    return Response(body, status=status, content_type="text/xml; charset=UTF-8")


def _search(args: Mapping[str, str], corpus: Corpus) -> Response:
    if args.get("db", NAME) != NAME:
        return _search_error(f"Invalid db name specified: {args['db']}")
    if not args.get("term", "").strip():
        return _search_error("Empty term and query_key - nothing todo")
    start, wanted = _number(args, "retstart", 0), _number(args, "retmax", DEFAULT_RETMAX)
    if start >= MAX_RESULTS:
        return _search_error(f"Search Backend failed: Exception: 'retstart' cannot be larger than {MAX_RESULTS - 1}")
    text, keep, unknown = _read_term(args["term"], corpus)
    sort = "date" if args.get("sort") in ("pub_date", "date") else "relevance"
    hits = corpus.search(NAME, text, keep, sort) if text else []
    ids = [str(hit.fact.pmid) for hit in hits[start : start + min(wanted, MAX_RESULTS)]]
    result: dict[str, Any] = {
        "count": str(len(hits)), "retmax": str(len(ids)), "retstart": str(start), "idlist": ids,
        "translationset": [], "querytranslation": args["term"] if hits else "",
    }  # fmt: skip
    if unknown:
        result["errorlist"] = {"phrasesnotfound": unknown, "fieldsnotfound": []}
    messages = [] if hits else ["No items found."]
    if wanted > MAX_RESULTS:
        messages.append(f"Restrictions achieved. start and count adjusted to {start}, {MAX_RESULTS}")
    if messages:
        result["warninglist"] = {"phrasesignored": [], "quotedphrasesnotfound": [], "outputmessages": messages}
    return _json(result) if args.get("retmode") == "json" else _search_xml(result)


def _number(args: Mapping[str, str], name: str, default: int) -> int:
    return int(args[name]) if args.get(name, "").isdigit() else default


def _search_xml(result: Mapping[str, Any]) -> Response:
    root = Element("eSearchResult")
    for name in ("Count", "RetMax", "RetStart"):
        SubElement(root, name).text = result[name.lower()]
    ids = SubElement(root, "IdList")
    for pmid in result["idlist"]:
        SubElement(ids, "Id").text = pmid
    return _xml(root)


def _fetch(args: Mapping[str, str], corpus: Corpus) -> Response:
    """Return the records in descending order of PMID, whatever the order of the request; unknown ids are missing."""
    requested = [pmid for pmid in re.split(r"[,\s]+", args.get("id", "")) if pmid]
    root = Element("eFetchResult")
    if not requested:
        SubElement(root, "ERROR").text = "Supplied id parameter is empty."
        return _xml(root)
    if not any(pmid.isdigit() and int(pmid) for pmid in requested):
        SubElement(root, "ERROR").text = "ID list is empty! Possibly it has no correct IDs."
        return _xml(root, 400)
    found = {fact.pmid: fact for fact in (corpus.find(NAME, pmid=pmid) for pmid in requested) if fact}
    root = Element("PubmedArticleSet")
    root.extend(record(found[pmid]) for pmid in sorted(found, key=lambda pmid: -int(pmid or 0)))
    return _xml(root, head=SET_HEAD)


def _read_term(term: str, corpus: Corpus) -> tuple[str, Callable[[Fact], bool], list[str]]:
    """Return the words in our own syntax, the filters as one function, and the unknown terms that PubMed ignores."""
    filters: list[tuple[bool, list[tuple[str, str]]]] = []
    unknown: list[str] = []
    for operator, clause in _CLAUSE.findall(term):
        fields = [(value.strip().removeprefix("OR "), field) for value, field in _TERM.findall(clause)]
        if (
            operator == "AND"
            and not any(_matches(fact, *fields[0]) for fact in corpus.facts)
            and fields[0][1] in IGNORABLE_FIELDS
        ):
            unknown.append(clause)
        else:
            filters.append((operator == "AND", fields))
    text = _TAG.sub("", _CLAUSE.sub("", term)).strip()
    if text.count('"') % 2:  # an unclosed quotation mark is ignored
        text = text.replace('"', " ")
    if not _PLAIN.search(text.removeprefix("(").removesuffix(")")):
        words = text.strip("()").split()
        absent = [word for word in words if len(word) > 3 and not corpus.search(NAME, word)]
        unknown = [*absent, *unknown]
        text = " ".join(word for word in words if word not in absent)

    def keep(fact: Fact) -> bool:
        return all(wanted == any(_matches(fact, *field) for field in fields) for wanted, fields in filters)

    return text, keep, unknown


def _matches(fact: Fact, value: str, field: str) -> bool:
    """Return whether a paper matches one term with a field."""
    match field:
        case "dp":
            return _in_range(fact, *value.split(":"))
        case "ta":
            return fold(fact.journal or "") == fold(value)
        case "ti":
            return f" {fold(value)} " in f" {fold(fact.title_translated or fact.title)} "
        case "au":
            return any(_is_author(family, given, fold(value).split()) for family, given in fact.authors)
        case "pt":
            return value.lower() in (kind.lower() for kind in publication_types(fact))
        case "sb":
            return bool(fact.pmcid or fact.is_open_access)
        case "filter":
            return fact.type.startswith("book")
    return f" {fold(value)} " in f" {fold(fact.title)} | {fold(fact.abstract or '')} "


def _in_range(fact: Fact, first: str, last: str | None = None) -> bool:
    """Compare dates; a year alone counts as its first of January."""
    date = fact.publication_date or (str(fact.year) if fact.year else None)
    start, end = first.replace("/", "-"), (last or first).replace("/", "-")
    return date is not None and first_day(start) <= first_day(date) <= last_day(end)


def _is_author(family: str | None, given: str | None, wanted: list[str]) -> bool:
    """Match `Doudna`, `Doudna JA` (or fewer initials), or full names in either order."""
    names = fold(family or "").split()
    rest = [word for word in wanted if word not in names]
    if not names or len(rest) + len(names) > len(wanted):
        return False
    initials = "".join(name[0] for name in fold(given or "").split())
    return all(word in fold(given or "").split() or initials.startswith(word) for word in rest)
