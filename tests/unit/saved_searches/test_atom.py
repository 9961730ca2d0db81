"""The Atom feed against RFC 4287: its rules, written out once more, find no fault; and they find faults in others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit
from xml.etree.ElementTree import Element

import pytest
from defusedxml.ElementTree import fromstring
from hypothesis import given
from hypothesis import strategies as st

from shared.saved_searches.atom import HEADINGS, atom_feed
from tests.unit.exports.exported_results import HOSTILE, TEXT, corpus_results, result, results

ATOM = "{http://www.w3.org/2005/Atom}"
AT = "2026-11-22T06:00:03Z"
SELF = "https://api.example.org/v1/saved-searches/s1/new?format=atom"
SEARCH: Any = {"id": "s1", "name": "TREM2 & microglia"}

# Of each element: its children as "least most", its attributes, whether it holds text. No other is in any of our feeds.
FEED = {"id": "11", "title": "11", "updated": "11", "author": "0n", "link": "0n", "category": "0n", "entry": "0n"}
ENTRY = {
    "id": "11", "title": "11", "updated": "11", "author": "0n", "link": "0n", "category": "0n", "summary": "01",
    "content": "01", "published": "01",
}  # fmt: skip
CHILDREN = {"feed": FEED, "entry": ENTRY, "author": {"name": "11", "uri": "01", "email": "01"}}
ATTRIBUTES = {
    "link": {"href", "rel", "type", "hreflang", "title", "length"}, "category": {"term", "scheme", "label"},
    "title": {"type"}, "summary": {"type"}, "content": {"type"},
}  # fmt: skip
NEEDED = {"link": {"href"}, "category": {"term"}}
EMPTY = ("feed", "entry", "author", "link", "category")
RFC_3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)")
MEDIA_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+")
NOT_IN_AN_IRI = re.compile(r'[\s<>"{}|\\^`\x00-\x1f]|%(?![0-9A-Fa-f]{2})')


def event(number: int = 1, kind: str = "new_paper", **changes: Any) -> Any:
    paper = changes.pop("paper", None) or result()
    made = {"id": f"s1-{number:08d}", "number": number, "type": kind, "at": AT, "run_id": "r1", "key": paper["key"]}
    return {**made, "preprint_key": None, "paper": paper, "message": None, **changes}


def notice(number: int = 1) -> Any:
    """An event without a paper."""
    return {**event(number, "delivery_disabled", key=None, message="Gone: 410."), "paper": None}


def document(*events: Any, saved: Any = SEARCH, next_url: str | None = None) -> str:
    return atom_feed(saved, events, self_url=SELF, next_url=next_url, updated=AT)


def faults(text: str) -> list[str]:
    """What RFC 4287 has against a feed, each with the section that says so."""
    feed = fromstring(text.encode())
    if feed.tag != f"{ATOM}feed":
        return ["4.1.1 the root is not a feed"]
    found = [fault for element in feed.iter() for fault in _element_faults(element)]
    entries = feed.findall(f"{ATOM}entry")
    signed = [it.find(f"{ATOM}author") is not None for it in entries]
    if feed.find(f"{ATOM}author") is None and not (signed and all(signed)):
        found.append("4.1.1 neither the feed nor every entry has an author")
    if not any(link.get("rel") == "self" for link in feed.findall(f"{ATOM}link")):
        found.append("4.1.1 no self link")
    ids = [it.text for it in feed.iter(f"{ATOM}id")]
    found += ["4.2.6 an id is there twice"] * (len(set(ids)) < len(ids))
    for entry in entries:
        alternate = any(link.get("rel", "alternate") == "alternate" for link in entry.findall(f"{ATOM}link"))
        if entry.find(f"{ATOM}content") is None and not alternate:
            found.append("4.1.2 neither content nor an alternate link")
    return found


def _element_faults(element: Element) -> Iterator[str]:
    name = element.tag.removeprefix(ATOM)
    tags = [child.tag.removeprefix(ATOM) for child in element]
    allowed = CHILDREN.get(name, {})
    yield from (f"undefined element {tag} in {name}" for tag in tags if tag not in allowed)
    for tag, times in allowed.items():
        if tags.count(tag) < int(times[0]) or (times[1] == "1" and tags.count(tag) > 1):
            yield f"4.1 {name} has {tags.count(tag)} of {tag}"
    yield from (f"undefined attribute {it} of {name}" for it in set(element.attrib) - ATTRIBUTES.get(name, set()))
    yield from (f"4.2 {name} has no {it}" for it in NEEDED.get(name, set()) - set(element.attrib))
    if name in EMPTY and (element.text or "").strip():
        yield f"4.1 text in {name}"
    yield from _value_faults(name, element)
    links = [(it.get("rel", "alternate"), it.get("type"), it.get("hreflang")) for it in element.findall(f"{ATOM}link")]
    alternates = [it for it in links if it[0] == "alternate"]
    if len(set(alternates)) < len(alternates):
        yield f"4.1 {name} has two alternate links of one type and language"


def _value_faults(name: str, element: Element) -> Iterator[str]:
    value = element.text or ""
    if name in ("title", "summary", "content") and element.get("type", "text") not in ("text", "html"):
        yield f"3.1.1 type of {name}"  # xhtml is allowed, and never written here
    if name in ("updated", "published") and not _is_moment(value):
        yield f"3.3 date {value!r}"
    if name == "id" and not _is_absolute(value):
        yield f"4.2.6 id {value!r} is not an absolute IRI"
    if name == "name" and not value.strip():
        yield "3.2.1 a person without a name"
    if name == "link" and not _is_absolute(element.get("href", "")):
        yield f"4.2.7.1 address {element.get('href')!r}"
    if name == "link" and element.get("type") and not MEDIA_TYPE.fullmatch(element.get("type", "")):
        yield "4.2.7.3 media type"


def _is_moment(text: str) -> bool:
    try:
        return bool(RFC_3339.fullmatch(text)) and datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def _is_absolute(text: str) -> bool:
    parts = urlsplit(text)
    return bool(parts.scheme and (parts.netloc or parts.path)) and not NOT_IN_AN_IRI.search(text)


WHOLE = document(event(2), event(1, "retracted"), next_url=f"{SELF}&cursor=a")
ENTRY_2 = "<id>urn:x-literature-search:saved-search:s1:event:s1-00000002</id>"
AUTHOR = "<author><name>Literature search</name></author>"
LINK = '<link rel="alternate" href="https://doi.org/10.1000/x" />'
BROKEN = {
    "no id": (ENTRY_2, "", "entry has 0 of id"),
    "an id twice": ("s1-00000002", "s1-00000001", "4.2.6 an id"),
    "a relative id": (ENTRY_2, "<id>s1-00000002</id>", "not an absolute IRI"),
    "an id with a blank": ("s1-00000002", "s1 2", "not an absolute IRI"),
    "no title": ('<title type="text">New: Microglia need TREM2</title>', "", "0 of title"),
    "two titles": ("<entry>", "<entry><title>x</title>", "2 of title"),
    "a date without a zone": (AT, AT[:-1], "3.3 date"),
    "the 30th of February": (AT, AT.replace("-11-22", "-02-30"), "3.3 date"),
    "a date alone": (AT, AT[:10], "3.3 date"),
    "no date": (f"<updated>{AT}</updated>", "", "0 of updated"),
    "a person without a name": (AUTHOR, "<author><name> </name></author>", "without a name"),
    "an author of bare text": (AUTHOR, "<author>Ann</author>", "author has 0 of name"),
    "two alternate links": (LINK, LINK + LINK, "two alternate links"),
    "nothing to go to": (LINK, "", "neither content nor"),
    "an address with a blank": ("10.1000/x", "10.1000/x y", "4.2.7.1 address"),
    "a link to nowhere": (LINK, '<link rel="alternate" />', "link has no href"),
    "no self link": ('rel="self"', 'rel="related"', "no self link"),
    "a type of text that is none": ('type="text"', 'type="text/plain"', "3.1.1 type"),
    "two summaries": ("<entry>", "<entry><summary>x</summary>", "2 of summary"),
    "a category without a term": ("<entry>", '<entry><category label="x" />', "category has no term"),
    "an undefined element": ("<entry>", "<entry><abstract>x</abstract>", "undefined element abstract"),
    "an undefined attribute": ("<entry>", '<entry lang="en">', "undefined attribute lang"),
    "text between elements": ("<entry>", "<entry>words", "text in entry"),
    "RSS": (WHOLE, "<rss/>", "not a feed"),
}  # fmt: skip


@pytest.mark.parametrize(("part", "instead", "fault"), BROKEN.values(), ids=BROKEN)
def test_the_atom_rules_find_errors_in_a_feed(part: str, instead: str, fault: str) -> None:
    assert part in WHOLE
    assert any(fault in found for found in faults(WHOLE.replace(part, instead)))


def test_the_rules_require_an_author_of_the_feed_or_of_every_entry() -> None:
    assert faults(WHOLE.replace(AUTHOR, "")) == []
    unsigned = document(event(2), event(1, paper=result(authors=[]))).replace(AUTHOR, "")
    assert faults(unsigned) == ["4.1.1 neither the feed nor every entry has an author"]
    assert faults(document().replace(AUTHOR, "")) == ["4.1.1 neither the feed nor every entry has an author"]


def test_a_feed_of_every_type_of_event_follows_the_atom_rules() -> None:
    events = [notice(9), *(event(number, kind) for number, kind in enumerate(HEADINGS) if kind != "delivery_disabled")]
    assert faults(document(*events, next_url=f"{SELF}&cursor=a%26b")) == []


def test_a_feed_without_events_follows_the_atom_rules() -> None:
    assert faults(document()) == []


def test_every_paper_of_the_corpus_makes_an_entry_that_follows_the_atom_rules() -> None:
    assert faults(document(*(event(number, paper=paper) for number, paper in enumerate(corpus_results())))) == []


@pytest.mark.parametrize("text", [*HOSTILE, "]]>", "\ufffe\uffff", "\u202eevil\u2066", "&#0;", ""])
def test_hostile_texts_in_any_field_follow_the_atom_rules(text: str) -> None:
    paper = result(title=text, authors=[text, "Ann"], journal=text, abstract=text, citation_uri=f"https://x.org/{text}")
    saved = {"id": text, "name": text}
    assert faults(document(event(paper=paper, id=f"{text}-1", key=text, message=text), saved=saved)) == []


@given(st.lists(results(), max_size=3), TEXT, TEXT, st.sampled_from(sorted(HEADINGS)))
def test_any_papers_make_a_feed_that_follows_the_atom_rules(
    papers: list[dict[str, Any]], name: str, search_id: str, kind: str
) -> None:
    events = [event(number, kind, paper=paper) for number, paper in enumerate(papers)]
    written = document(*events, saved={"id": search_id, "name": name})
    assert faults(written) == []
    assert written == document(*events, saved={"id": search_id, "name": name})
