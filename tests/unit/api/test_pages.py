"""The page for people and the guide for language models, from a document."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections import defaultdict
from functools import cache
from html.parser import HTMLParser

from shared.agent_tools.registry import TOOLS
from shared.api.docs_page import docs_page
from shared.api.llms_text import llms_text
from shared.api.openapi import openapi_document
from shared.api.openapi_types import OpenApiDocument

SERVER = "https://api.example.org/dev"
# Methods, path and summary of an entry of the guide.
ENTRY = re.compile(r"- \[([A-Z]+(?: or [A-Z]+)*) (/[^\]]*)\]\(https://[^)\s]+\): (.+)")
VOID = {"meta", "br", "hr", "img", "link", "input"}


@cache
def document() -> OpenApiDocument:
    return openapi_document(SERVER, ("arxiv", "pubmed"))


class Reader(HTMLParser):
    """The elements of a page, the addresses that it loads, the texts by element; every element must be closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.addresses: set[str] = set()
        self.texts: defaultdict[str, list[str]] = defaultdict(list)
        self._open: list[str] = []
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        given = dict(attrs)
        self.addresses |= {given[name] or "" for name in ("href", "src") if name in given}
        assert not {name for name in given if name.startswith("on")}
        if tag not in VOID:
            self._open.append(tag)

    def handle_data(self, data: str) -> None:
        if self._open:
            self.texts[self._open[-1]].append(data)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag


def test_the_page_loads_nothing_from_another_host() -> None:
    page, policy = docs_page()
    read = Reader(page)
    assert not read.names & {"img", "iframe", "object", "embed", "form"}
    assert read.addresses == {"data:,"}
    assert "@import" not in page
    assert all(it.strip("\"'").startswith("data:") for it in re.findall(r"url\(([^)]*)", read.texts["style"][0]))
    assert "http" not in policy


def test_the_policy_allows_the_scripts_of_the_page_and_no_others() -> None:
    page, policy = docs_page()
    digests = {base64.b64encode(hashlib.sha256(it.encode()).digest()).decode() for it in Reader(page).texts["script"]}
    rules = dict(rule.split(maxsplit=1) for rule in policy.split("; "))
    assert len(digests) == 2
    assert set(rules.pop("script-src").split()) == {f"'sha256-{it}'" for it in digests}
    assert rules == {
        "default-src": "'none'", "style-src": "'unsafe-inline'", "img-src": "data:", "connect-src": "'self'",
        "base-uri": "'none'", "form-action": "'none'", "frame-ancestors": "'none'",
    }  # fmt: skip


def test_the_page_shows_the_document_beside_it() -> None:
    """A relative address: behind API Gateway the page is `/stage/docs` and the document `/stage/openapi.json`."""
    page, _ = docs_page()
    assert 'url: "openapi.json"' in Reader(page).texts["script"][1]
    assert '<div id="swagger-ui"></div>' in page


def test_the_page_fits_a_phone_and_a_lambda_answer() -> None:
    page, _ = docs_page()
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in page
    assert len(json.dumps({"body": page})) < 6 * 1024 * 1024


def test_the_guide_is_short_and_of_the_conventions_form() -> None:
    text = llms_text(document(), TOOLS)
    assert len(text.encode()) < 6_500
    lines = text.splitlines()
    assert lines[0].startswith("# ") and lines[2].startswith("> ")
    entries = [line for line in lines if line.startswith("- [")]
    assert all(map(ENTRY.fullmatch, entries))
    assert all(name in text for name in TOOLS)
    assert [line for line in lines if line.startswith("## ")][-1] == "## Optional"


def test_the_guide_gives_each_method_of_a_path_with_what_it_does() -> None:
    lines = llms_text(document(), TOOLS).splitlines()
    said = {(found[1], found[2]): found[3] for line in lines if (found := ENTRY.fullmatch(line))}
    for path, operations in document()["paths"].items():
        for method, operation in operations.items():
            if not path.startswith("/.well-known/"):
                (summary,) = [
                    it for (methods, of), it in said.items() if of == path and method.upper() in methods.split(" or ")
                ]
                assert summary == operation["summary"]
    assert said["POST", "/v1/saved-searches"] != said["GET", "/v1/saved-searches"]
    assert ("GET or POST", "/v1/literature-search") in said
    assert "This document" not in "".join(said.values())
