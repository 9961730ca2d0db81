"""The pull feed as its readers see it: in JSON, in Atom by a feed reader, and not at all when nothing changed."""

from __future__ import annotations

import json
from typing import Any

import feedparser
import pytest
from defusedxml.ElementTree import fromstring
from hypothesis import given
from hypothesis import strategies as st

from shared.bibliography.text import xml_text
from shared.exports.fields import one_line
from shared.saved_searches.feed import etag, json_feed, not_modified
from tests.unit.exports.exported_results import HOSTILE, TEXT, result, retracted
from tests.unit.saved_searches.test_atom import AT, ATOM, SEARCH, SELF, document, event, notice

FEED_ID = "urn:x-literature-search:saved-search:s1"
TRICKS = [
    *HOSTILE,
    "a ]]> b",
    "a\ufffe\uffffb",
    "\u202eevil\u2066 right",
    "&lt;b&gt; &#38; &nbsp;",
    "<!-- x --><?php ?>",
]


def read(written: str) -> Any:
    """The feed by a feed reader, which finds nothing odd, and leaves markup alone: in our feed there is none."""
    found = feedparser.parse(written.encode(), sanitize_html=False)
    assert not found.bozo, found.get("bozo_exception")
    assert found.version == "atom10"
    return found


def entry(**changes: Any) -> Any:
    (found,) = read(document(event(**changes))).entries
    return found


def shown(text: str) -> str:
    return xml_text(one_line(text) or "").strip()


def test_the_json_feed_has_the_stored_events_unchanged() -> None:
    events = [event(2), notice(1)]
    search: Any = {**SEARCH, "enabled": True}
    assert json_feed(search, events, next_cursor="c") == {
        "saved_search": {"id": "s1", "name": "TREM2 & microglia"},
        "events": events,
        "next_cursor": "c",
        "content_trust": "untrusted_external",
    }


def test_the_last_page_of_the_json_feed_has_no_cursor() -> None:
    assert json_feed(SEARCH, [], next_cursor=None)["next_cursor"] is None


def test_the_same_events_are_the_same_bytes() -> None:
    pages = [json.dumps(json_feed(SEARCH, [event(2), event(1)], next_cursor=None)) for _ in range(2)]
    assert pages[0] == pages[1]
    assert document(event(2), event(1)) == document(event(2), event(1))


def test_a_reader_sees_the_search() -> None:
    found = read(document(event(2), event(1), next_url=f"{SELF}&cursor=a%26b")).feed
    assert (found.id, found.title, found.updated) == (FEED_ID, "TREM2 & microglia", AT)
    assert found.author == "Literature search"
    links = {(link.rel, link.type): link.href for link in found.links}
    kind = "application/atom+xml"
    assert links == {("self", kind): SELF, ("next", kind): f"{SELF}&cursor=a%26b"}
    assert [(tag.scheme, tag.term) for tag in found.tags] == [
        ("urn:x-literature-search:content-trust", "untrusted_external")
    ]


def test_the_last_page_has_no_next() -> None:
    assert [link.rel for link in read(document(event())).feed.links] == ["self"]


def test_a_reader_sees_the_paper() -> None:
    found = entry(number=7)
    assert (found.id, found.updated) == (f"{FEED_ID}:event:s1-00000007", AT)
    assert found.title == "New: Microglia need TREM2"
    assert found.link == "https://doi.org/10.1000/x"
    assert [author.name for author in found.authors] == ["Tyler K Ulland", "Marco Colonna"]
    assert (found.summary, found.summary_detail.type) == ("Cell · 2017 · Cells & energy.", "text/plain")
    assert [(tag.scheme, tag.term, tag.label) for tag in found.tags] == [
        ("urn:x-literature-search:event-type", "new_paper", "New")
    ]


@pytest.mark.parametrize(
    ("kind", "title"),
    [
        ("new_paper", "New: T"),
        ("now_published", "Now published: T"),
        ("retracted", "Retracted: T"),
        ("baseline", "Known at the start: T"),
        ("a_later_type", "a_later_type: T"),
    ],
)
def test_a_title_begins_with_what_happened(kind: str, title: str) -> None:
    found = entry(kind=kind, paper=result(title="T"))
    assert (found.title, found.tags[0].term) == (title, kind)


def test_no_title_can_imitate_an_event() -> None:
    assert entry(paper=result(title="Retracted: T")).title == "New: Retracted: T"


def test_a_retracted_paper_is_marked_in_every_type_of_event() -> None:
    summary = "Cell · 2017 · Retracted (2020-05-05); notice: https://doi.org/10.1000/notice_1 · Cells & energy."
    assert entry(paper=retracted()).summary == summary


def test_a_published_paper_names_the_reported_preprint() -> None:
    found = entry(kind="now_published", preprint_key="arxiv:2011.00931")
    assert found.summary == "Cell · 2017 · Reported before as the preprint arxiv:2011.00931 · Cells & energy."


def test_authors_that_are_not_named_are_counted() -> None:
    assert "2 of 10 authors are named here." in entry(paper=result(author_count=10)).summary


def test_a_paper_without_authors_has_none_of_its_own() -> None:
    assert "authors" not in entry(paper=result(authors=[]))


def test_an_unknown_value_is_absent() -> None:
    found = entry(paper=result(journal=None, year=None, abstract=None, retraction={"status": "unknown"}))
    assert "summary" not in found


def test_papers_without_a_title_or_key_have_a_feed_entry() -> None:
    assert entry(paper=result(title=None)).title == "New: doi:10.1000/x"
    assert entry(paper=result(title="\ud800"), key=None).title == "New: untitled"
    assert read(document(saved={"id": "s1", "name": " "})).feed.title == "Saved search s1"


@pytest.mark.parametrize("address", [None, "javascript:alert(1)", "data:text/html,x", "/x"])
def test_a_paper_without_a_page_has_content_and_no_link(address: str | None) -> None:
    found = entry(paper=result(citation_uri=address))
    assert not found.get("links")
    assert [(it.type, it.value) for it in found.content] == [("text/plain", "Cell · 2017 · Cells & energy.")]


def test_a_notice_describes_the_search() -> None:
    (found,) = read(document(notice())).entries
    assert found.title == "Delivery disabled: TREM2 & microglia"
    assert found.content[0].value == "Gone: 410."
    assert found.tags[0].term == "delivery_disabled"
    (bare,) = read(document({**notice(), "message": None})).entries
    assert bare.content[0].value == bare.title


@pytest.mark.parametrize("text", TRICKS)
def test_hostile_texts_remain_text(text: str) -> None:
    paper = result(title=f"T {text}", authors=[f"A {text}"], author_count=1, journal=None, year=None, abstract=text)
    found = entry(paper=paper)
    assert found.title == shown(f"New: T {text}")
    assert [author.name for author in found.authors] == [shown(f"A {text}")]
    assert found.summary == shown(text)


@given(st.lists(TEXT.filter(shown), max_size=3), TEXT.filter(shown), TEXT.filter(shown))
def test_any_texts_arrive_as_they_were(names: list[str], title: str, abstract: str) -> None:
    paper = result(title=title, authors=names, author_count=None, journal=None, year=None, abstract=abstract)
    written = document(event(paper=paper))
    read(written)
    # A feed reader takes some texts for broken ones and mends them, `Â¡` for example: a parser of XML does not.
    (found,) = fromstring(written.encode()).iterfind(f"{ATOM}entry")
    assert found.findtext(f"{ATOM}title") == f"New: {shown(title)}"
    assert [author.text for author in found.iterfind(f"{ATOM}author/{ATOM}name")] == [shown(name) for name in names]
    assert found.findtext(f"{ATOM}summary") == shown(abstract)


def ids(written: str) -> list[str]:
    return [it.id for it in read(written).entries]


def test_ids_stay_when_pages_and_other_events_change() -> None:
    whole = ids(document(event(3), event(2), event(1)))
    assert whole == [f"{FEED_ID}:event:s1-0000000{number}" for number in (3, 2, 1)]
    later = document(event(4), event(3), next_url=f"{SELF}&cursor=x")
    assert ids(later)[1:] + ids(document(event(2), event(1))) == whole
    changed = {**SEARCH, "name": "Renamed"}
    assert ids(document(event(3, paper=retracted(title="Other")), saved=changed)) == whole[:1]
    assert read(later).feed.id == read(document(saved=changed)).feed.id == FEED_ID


def test_no_two_searches_share_an_id() -> None:
    names = ("a", "A", "a:event", "a:event:s1-00000001", "a%3Aevent", "é")
    made = [read(document(event(), saved={"id": name, "name": "n"})) for name in names]
    assert len({it.feed.id for it in made} | {it.entries[0].id for it in made}) == 2 * len(names)


def test_an_etag_is_strong_and_of_the_content() -> None:
    assert etag("a") == etag("a")
    assert len({etag(text) for text in ("", "a", "b", "a ", "\ud800", "é")}) == 6
    assert etag("a").startswith('"') and etag("a").endswith('"') and etag("a").isascii()


@pytest.mark.parametrize(
    ("header", "tag", "same"),
    [
        (None, '"a"', False), ("", '"a"', False), ("*", '"a"', True), (" * ", '"a"', True),
        ('"a"', '"a"', True), ('"b"', '"a"', False), ('W/"a"', '"a"', True), ('"a"', 'W/"a"', True),
        ('W/"a"', 'W/"a"', True), ('"b", "a"', '"a"', True), ('"b","c" ,\tW/"a"', '"a"', True),
        ('"b", "c"', '"a"', False), (',, "a",', '"a"', True), ('"x,y", "a"', '"x,y"', True),
        ('"x,a"', '"a"', False), ('"A"', '"a"', False), ("a", '"a"', False), ('"a', '"a"', False),
        ('"*"', '"a"', False), ('"b" , "', '", "', False), ('"aa"', '"a"', False), ('""', '""', True),
        ('"é","a"', '"a"', True),
    ],
)  # fmt: skip
def test_a_matching_etag_is_not_modified(header: str | None, tag: str, same: bool) -> None:
    assert not_modified(header, tag) is same


@given(TEXT, st.lists(TEXT, max_size=3))
def test_a_tag_is_found_among_others(content: str, others: list[str]) -> None:
    tags = [etag(text) for text in others]
    assert not_modified(", ".join([*tags, f"W/{etag(content)}"]), etag(content))
    assert not_modified(", ".join(tags), etag(content)) is (content in others)
