"""The page for people and the guide for language models, from a document."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from typing import Any

from shared.interface.docs_page import docs_page
from shared.interface.llms_text import llms_text
from shared.interface.openapi import openapi_document

SERVER = "https://api.example.org/dev"
VOID = {"meta", "br", "hr", "img", "link", "input"}


@cache
def document() -> dict[str, Any]:
    return openapi_document(SERVER, ("arxiv", "pubmed"))


class Reader(HTMLParser):
    """The elements, ids and links of a page; every element must be closed in its order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.ids: list[str] = []
        self.links: set[str] = set()
        self._open: list[str] = []
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        given = dict(attrs)
        self.ids += [given["id"] or ""] if "id" in given else []
        self.links |= {given["href"] or ""} if "href" in given else set()
        assert not {name for name in given if name.startswith("on")}
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag


def test_the_page_needs_nothing_from_elsewhere() -> None:
    page = docs_page(document())
    read = Reader(page)
    assert not read.names & {"script", "link", "img", "iframe", "object", "embed", "form"}
    assert "@import" not in page and "url(" not in page
    assert all(link.startswith("#") or link in ("openapi.json", "llms.txt") for link in read.links)


def test_every_link_leads_somewhere_and_every_operation_is_there() -> None:
    read = Reader(docs_page(document()))
    assert len(set(read.ids)) == len(read.ids)
    assert {link[1:] for link in read.links if link.startswith("#")} <= set(read.ids)
    names = {it["operationId"] for operations in document()["paths"].values() for it in operations.values()}
    assert names <= set(read.ids)


def test_the_page_fits_a_phone_and_the_night() -> None:
    page = docs_page(document())
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in page
    assert "prefers-color-scheme: dark" in page


def test_what_the_document_says_is_escaped() -> None:
    hostile = '<img src=x onerror="alert(1)">`&'
    told = {**document(), "info": {**document()["info"], "title": hostile, "description": hostile}}
    assert "<img" not in docs_page(told)
    assert "&lt;img src=x onerror=" in docs_page(told)


def test_fields_are_told_with_type_default_and_meaning() -> None:
    page = docs_page(document())
    row = re.search(r"<tr><th><code>max_results</code></th>.*?</tr>", page)
    assert row
    for told in ("integer, 1–100", "Default: <code>10</code>", "Results a page."):
        assert told in row[0]


def test_the_guide_is_short_and_of_the_conventions_form() -> None:
    text = llms_text(document())
    assert len(text.encode()) < 4_000
    lines = text.splitlines()
    assert lines[0].startswith("# ") and lines[2].startswith("> ")
    entries = [line for line in lines if line.startswith("- [")]
    assert all(re.fullmatch(r"- \[[^\]]+\]\(https://[^)\s]+\): .+", line) for line in entries)
    assert len(entries) == len(document()["paths"])
    assert [line for line in lines if line.startswith("## ")][-1] == "## Optional"
