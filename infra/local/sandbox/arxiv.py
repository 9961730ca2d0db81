"""arXiv's API: Atom feeds, its query syntax, its errors under HTTP 200, and DOIs as authors type them in."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from xml.etree.ElementTree import Element, SubElement, register_namespace, tostring

from werkzeug import Request, Response

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact, variant
from shared.bibliography.identifiers import arxiv_of_doi, read_arxiv, read_doi
from shared.bibliography.text import fold
from shared.errors import Unprocessable
from shared.query.query import first_day

_ATOM, _OPENSEARCH = "http://www.w3.org/2005/Atom", "http://a9.com/-/spec/opensearch/1.1/"
_ARXIV = "http://arxiv.org/schemas/atom"
_NOW = "2026-11-20T03:10:11Z"
_DATES = re.compile(r"submittedDate:\[(\S+) TO (\S+)\]")
_FIELD = re.compile(r'\b(au|jr|ti|abs|all):("[^"]*"|[^\s()]+)')
_KNOWN = re.compile(r"\b(?:ti|au|abs|co|jr|cat|rn|all|submittedDate):")
_SORTS = {"relevance": "relevance", "submittedDate": "date", "lastUpdatedDate": "date"}
register_namespace("", _ATOM)
register_namespace("opensearch", _OPENSEARCH)
register_namespace("arxiv", _ARXIV)


def answer(request: Request, corpus: Corpus) -> Response:
    """Answer GET and POST /api/query; any other path is not found."""
    if request.path != "/api/query":
        return Response("<!doctype html><title>404 Not Found</title>", status=404, content_type="text/html")
    parameters = request.values
    numbers = {name: parameters.get(name, default) for name, default in (("start", "0"), ("max_results", "10"))}
    for name, value in numbers.items():
        if not value.isdecimal():
            return _error(f"{name} must be an integer", name, status=200)
    start, length = int(numbers["start"]), int(numbers["max_results"])
    if length > 2000 or parameters.get("sortBy", "relevance") not in _SORTS:
        return _error("a parameter is out of its range", "parameter", status=400)
    query, ids = parameters.get("search_query", ""), parameters.get("id_list", "")
    if invalid := [part for part in ids.split(",") if part and not read_arxiv(part)]:
        return _error(f"incorrect id format for {invalid[0]}", invalid[0], status=400)
    try:
        facts = _facts(query, ids, _SORTS[parameters.get("sortBy", "relevance")], corpus)
    except (Unprocessable, ValueError):
        return _error("the query cannot be read", "query", status=400)
    if parameters.get("sortOrder") == "ascending":
        facts.reverse()
    title = f"arXiv Query: search_query={_canonical(query)}&id_list={ids}&start={start}&max_results={length}"
    return _feed(title, [_entry(fact) for fact in facts[start : start + length]], len(facts), start, length)


def error_envelope() -> Response:
    """Return an error as the API sends it: a feed with one entry, under HTTP 200."""
    return _error("start must be an integer", "start", status=200)


def _facts(query: str, ids: str, sort: str, corpus: Corpus) -> list[Fact]:
    if ids:
        found = (corpus.find("arxiv", arxiv_id=read_arxiv(part)) for part in ids.split(","))
        return [fact for fact in found if fact]
    matches, words = _parsed(query)
    facts = [hit.fact for hit in corpus.search("arxiv", words, matches, sort)]
    return sorted(facts, key=_submitted, reverse=True) if sort == "date" else facts


def _parsed(query: str) -> tuple[Callable[[Fact], bool], str]:
    """Parse a query into a filter (authors, journals, dates) and the remaining words, in our own syntax."""
    dates = _DATES.search(query)
    since, until = (_day(dates[1]), _day(dates[2])) if dates else ("", "9")
    wanted = [(name, fold(value)) for name, value in _FIELD.findall(query) if name in ("au", "jr")]
    rest = _FIELD.sub(lambda term: "\0" if term[1] in ("au", "jr") else term[2], _DATES.sub("\0", query))
    rest = re.sub(r"\(\0(?: AND \0)*\)", "\0", rest)
    rest = re.sub(r" AND \0|\0 AND ", "", rest).replace("ANDNOT", "NOT")

    def matches(fact: Fact) -> bool:
        authors = fold(" ".join(f"{given or ''} {family or ''}" for family, given in fact.authors))
        fields = {"au": f" {authors} ", "jr": f" {fold(fact.journal or '')} "}
        return since <= _submitted(fact)[:10] <= until and all(f" {value} " in fields[name] for name, value in wanted)

    return matches, rest


def _day(minute: str) -> str:
    """Convert `202001312359` to `2020-01-31`; since 2025 the API rejects other lengths."""
    if not re.fullmatch(r"\d{12}", minute):
        raise ValueError(minute)
    return f"{minute[:4]}-{minute[4:6]}-{minute[6:8]}"


def _canonical(query: str) -> str:
    """Return the query as the feed's title shows it: without a known prefix, all fields are searched."""
    return query if not query or _KNOWN.search(query) else f"all:{query}"


def _submitted(fact: Fact) -> str:
    """Return the date and time of the first version, which the real API always has."""
    return f"{first_day(fact.publication_date or str(fact.year or 2000)).isoformat()}T17:59:46Z"


def _entry(fact: Fact) -> Element:
    version = f"{fact.arxiv_id}v{variant(fact, 4) + 1}"
    entry = Element(f"{{{_ATOM}}}entry")
    _add(entry, _ATOM, "id", f"http://arxiv.org/abs/{version}")
    _add(entry, _ATOM, "title", _wrapped(fact.title) if variant(fact, 2) else fact.title)
    _add(entry, _ATOM, "updated", "2024-02-03T10:00:00Z")
    _add(entry, _ATOM, "link", href=f"https://arxiv.org/abs/{version}", rel="alternate", type="text/html")
    withdrawn = (fact.retraction or {}).get("status") == "retracted"
    if not withdrawn:
        pdf = f"https://arxiv.org/pdf/{version}"
        _add(entry, _ATOM, "link", href=pdf, rel="related", type="application/pdf", title="pdf")
    _add(entry, _ATOM, "summary", f"  {_wrapped(fact.abstract or '')}\n")
    _add(entry, _ATOM, "category", term="cs.CL", scheme=_ARXIV)
    _add(entry, _ATOM, "category", term="68T05; 62H30", scheme=_ARXIV)
    _add(entry, _ATOM, "published", _submitted(fact))
    comment = "This paper has been withdrawn by the authors" if withdrawn else f"{variant(fact, 30) + 5} pages"
    _add(entry, _ARXIV, "comment", comment)
    _add(entry, _ARXIV, "primary_category", term="cs.CL")
    dois = [doi for doi in map(read_doi, (fact.doi, *fact.versions)) if doi and not arxiv_of_doi(doi)]
    if dois and fact.journal and fold(fact.journal) != "arxiv":
        _add(entry, _ARXIV, "journal_ref", f"{fact.journal} {fact.volume or ''} ({fact.year})")
    for family, given in fact.authors:
        author = _add(entry, _ATOM, "author")
        _add(author, _ATOM, "name", " ".join(part for part in (given, family) if part))
        if variant(fact, 5) == 0:
            _add(author, _ARXIV, "affiliation", "Institute of Examples")
    if dois:
        _add(entry, _ARXIV, "doi", " ".join(dois))
        _add(entry, _ATOM, "link", rel="related", href=f"https://doi.org/{dois[0]}", title="doi")
    return entry


def _wrapped(text: str) -> str:
    """Break a text in the middle, as in metadata that authors paste."""
    words = text.split()
    half = len(words) // 2
    return f"{' '.join(words[:half])}\n  {' '.join(words[half:])}" if half else text


def _error(message: str, about: str, *, status: int) -> Response:
    entry = Element(f"{{{_ATOM}}}entry")
    place = f"https://arxiv.org/api/errors#incorrect_id_format_for_{about}"
    _add(entry, _ATOM, "id", place)
    _add(entry, _ATOM, "title", "Error")
    _add(entry, _ATOM, "updated", _NOW)
    _add(entry, _ATOM, "link", href=place, rel="alternate", type="text/html")
    _add(entry, _ATOM, "summary", message)
    _add(_add(entry, _ATOM, "author"), _ATOM, "name", "arXiv api core")
    return _feed("arXiv Search Results", [entry], 1, 0, 1, status=status)


def _feed(title: str, entries: list[Element], total: int, start: int, length: int, *, status: int = 200) -> Response:
    feed = Element(f"{{{_ATOM}}}feed")
    _add(feed, _ATOM, "id", f"https://arxiv.org/api/{zlib.crc32(title.encode()):x}")
    _add(feed, _ATOM, "title", title)
    _add(feed, _ATOM, "updated", _NOW)
    for name, value in (("itemsPerPage", length), ("totalResults", total), ("startIndex", start)):
        _add(feed, _OPENSEARCH, name, str(value))
    feed.extend(entries)
    body = tostring(feed, encoding="UTF-8", xml_declaration=True)
    return Response(body, status=status, content_type="application/atom+xml; charset=utf-8")


def _add(parent: Element, namespace: str, tag: str, text: str | None = None, **attributes: str) -> Element:
    child = SubElement(parent, f"{{{namespace}}}{tag}", attributes)
    child.text = text
    return child
