"""The pull feed of a saved search in Atom (RFC 4287), in pages (RFC 5005).

An event is an entry that never changes. Entry ids are derived from the ids of the search and the event alone, so an
entry keeps its id on every page and address. Every title begins with the event's type, so that no paper's title can
imitate it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, tostring

from shared.answers.content_trust import UNTRUSTED
from shared.bibliography.text import xml_text
from shared.exports.fields import URN, notes_of, one_line, web_address
from shared.version import TITLE

if TYPE_CHECKING:
    from shared.answers.saved_searches import Event, FeedOf

NAMESPACE = "http://www.w3.org/2005/Atom"
MEDIA_TYPE = "application/atom+xml"
HEADINGS = {
    "new_paper": "New",
    "now_published": "Now published",
    "retracted": "Retracted",
    "corrected": "Corrected",
    "expression_of_concern": "Expression of concern",
    "baseline": "Known at the start",
    "delivery_disabled": "Delivery disabled",
}
AT_START = "It was so already when the paper was first looked up"
_SEPARATOR = " · "
# RFC 3986, 2.1: a percent sign begins an escape or is escaped itself; some publishers' addresses violate it.
_STRAY_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})")


def atom_feed(
    saved: FeedOf,
    events: Sequence[Event],
    *,
    self_url: str,
    next_url: str | None,
    updated: str,
) -> str:
    """Return one page of events, newest first, as an Atom document with its XML declaration (UTF-8).

    `self_url` is this page's address, `next_url` that of the page with older events, or None: absolute and quoted.
    `updated` is when the feed last changed (RFC 3339).
    """
    # The namespace as an attribute: registering a prefix would change how the whole process writes XML.
    feed = Element("feed", {"xmlns": NAMESPACE})
    name = _text(saved["name"]) or f"Saved search {_text(saved['id'])}"
    _child(feed, "id", feed_id(saved))
    _child(feed, "title", name, type="text")
    _child(feed, "updated", updated)
    # It stands also for entries of papers whose authors are unknown (RFC 4287, 4.2.1).
    _child(_child(feed, "author"), "name", TITLE)
    _child(feed, "link", rel="self", type=MEDIA_TYPE, href=self_url)
    if next_url is not None:
        _child(feed, "link", rel="next", type=MEDIA_TYPE, href=next_url)
    _child(feed, "category", scheme=f"{URN}content-trust", term=UNTRUSTED)
    for event in events:
        _add_entry(feed, saved, event, name)
    document: bytes = tostring(feed, encoding="utf-8", xml_declaration=True)
    return document.decode()


def feed_id(saved: FeedOf) -> str:
    """Return the feed's permanent `atom:id`, the same on all its pages."""
    return f"{URN}saved-search:{_quoted(saved['id'])}"


def entry_id(saved: FeedOf, event: Event) -> str:
    """Return the event's permanent `atom:id`."""
    return f"{feed_id(saved)}:event:{_quoted(event['id'])}"


def _add_entry(feed: Element, saved: FeedOf, event: Event, name: str) -> None:
    paper = event.get("paper")
    kind = event["type"]
    heading = HEADINGS.get(kind, kind)
    # A notice has no paper; it is about the search.
    subject = _text(paper.get("title")) or _text(event.get("key")) or "untitled" if paper else name
    title = f"{heading}: {subject}"
    entry = _child(feed, "entry")
    _child(entry, "id", entry_id(saved, event))
    _child(entry, "title", title, type="text")
    _child(entry, "updated", event["at"])
    _child(entry, "category", scheme=f"{URN}event-type", term=kind, label=heading)
    authors = (paper.get("authors") if paper else None) or ()
    for author in filter(None, map(_text, authors)):
        _child(_child(entry, "author"), "name", author)
    summary = _SEPARATOR.join(_summary_parts(event))
    address = _STRAY_PERCENT.sub("%25", web_address(paper.get("citation_uri") if paper else None) or "")
    if not address:  # RFC 4287 requires content where there is no link to a page
        _child(entry, "content", summary or title, type="text")
        return
    _child(entry, "link", rel="alternate", href=address)
    if summary:
        _child(entry, "summary", summary, type="text")


def _summary_parts(event: Event) -> Iterator[str]:
    """Yield the known parts of the summary: journal, year, preprint, notes, the notice's text, the abstract."""
    paper = event.get("paper") or {}
    preprint = event.get("preprint_key")
    parts = [
        paper.get("journal"),
        paper.get("year"),
        AT_START if event.get("at_start") else None,
        f"{'Cited' if 'at_start' in event else 'Reported before'} as the preprint {preprint}" if preprint else None,
        *notes_of(paper),
        event.get("message"),
        paper.get("abstract"),
    ]
    yield from filter(None, map(_text, parts))


def _child(parent: Element, tag: str, text: str | None = None, **attributes: str) -> Element:
    child = SubElement(parent, tag, attributes)
    child.text = text
    return child


def _text(value: Any) -> str | None:
    """Convert the value to one line of characters that XML allows; None when nothing is left."""
    return xml_text(one_line(value) or "").strip() or None


def _quoted(value: str) -> str:
    """Quote an id as a part of a URN; an unquoted colon would read as a separator."""
    return quote(value, safe="", errors="surrogatepass")
