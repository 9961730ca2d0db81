"""The pull feed of a saved search in Atom (RFC 4287), in pages (RFC 5005).

An event is an entry that never changes. Ids are made of the search's and the event's own ids alone: an entry keeps its
id on any page, at any address. Every title begins with what happened, so that no paper's title can claim it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, tostring

from shared.answers.content_trust import UNTRUSTED
from shared.bibliography.text import xml_text
from shared.exports.fields import notes_of, one_line, web_address

NAMESPACE = "http://www.w3.org/2005/Atom"
MEDIA_TYPE = "application/atom+xml"
URN = "urn:x-literature-search:"
# Who made the feed; entries of papers whose authors are unknown have none of their own, and fall back to it.
FEED_AUTHOR = "Literature search"
HEADINGS = {
    "new_paper": "New",
    "now_published": "Now published",
    "retracted": "Retracted",
    "baseline": "Known at the start",
    "delivery_disabled": "Delivery disabled",
}
_SEPARATOR = " · "
# RFC 3986, 2.1: a percent sign begins an escape or is escaped itself; addresses of publishers forget it.
_STRAY_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})")


def atom_feed(
    saved: Mapping[str, Any],
    events: Sequence[Mapping[str, Any]],
    *,
    self_url: str,
    next_url: str | None,
    updated: str,
) -> str:
    """One page of events, newest first, as an Atom document with its XML declaration (UTF-8).

    `self_url` is this page's address, `next_url` that of the page with older events, or None: absolute and quoted.
    `updated` is when the feed last changed (RFC 3339).
    """
    # The namespace as an attribute: registering a prefix would change how the whole process writes XML.
    feed = Element("feed", {"xmlns": NAMESPACE})
    name = _text(saved["name"]) or f"Saved search {_text(saved['id'])}"
    _child(feed, "id", feed_id(saved))
    _child(feed, "title", name, type="text")
    _child(feed, "updated", updated)
    _child(_child(feed, "author"), "name", FEED_AUTHOR)
    _child(feed, "link", rel="self", type=MEDIA_TYPE, href=self_url)
    if next_url is not None:
        _child(feed, "link", rel="next", type=MEDIA_TYPE, href=next_url)
    _child(feed, "category", scheme=f"{URN}content-trust", term=UNTRUSTED)
    for event in events:
        _add_entry(feed, saved, event, name)
    document: bytes = tostring(feed, encoding="utf-8", xml_declaration=True)
    return document.decode()


def feed_id(saved: Mapping[str, Any]) -> str:
    """The feed's permanent `atom:id`, the same on all its pages."""
    return f"{URN}saved-search:{_quoted(saved['id'])}"


def entry_id(saved: Mapping[str, Any], event: Mapping[str, Any]) -> str:
    """The event's permanent `atom:id`."""
    return f"{feed_id(saved)}:event:{_quoted(event['id'])}"


def _add_entry(feed: Element, saved: Mapping[str, Any], event: Mapping[str, Any], name: str) -> None:
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
    for author in filter(None, map(_text, (paper or {}).get("authors") or ())):
        _child(_child(entry, "author"), "name", author)
    told = _SEPARATOR.join(_told(event))
    address = _STRAY_PERCENT.sub("%25", web_address((paper or {}).get("citation_uri")) or "")
    if not address:  # RFC 4287 asks for content where there is no page to go to
        _child(entry, "content", told or title, type="text")
        return
    _child(entry, "link", rel="alternate", href=address)
    if told:
        _child(entry, "summary", told, type="text")


def _told(event: Mapping[str, Any]) -> Iterator[str]:
    """The parts of the summary that are known: journal, year, standing, missing authors, the abstract."""
    paper: Any = event.get("paper") or {}
    preprint = event.get("preprint_key")
    parts = [
        paper.get("journal"),
        paper.get("year"),
        f"Told before as the preprint {preprint}" if preprint else None,
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
    """The value as one line that an XML document may hold; None when nothing is left."""
    return xml_text(one_line(value) or "").strip() or None


def _quoted(value: str) -> str:
    """The id as a part of a URN; a colon of its own would look like one of ours."""
    return quote(value, safe="", errors="surrogatepass")
