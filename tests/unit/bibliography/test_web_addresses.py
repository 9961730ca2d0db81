"""Addresses from records lead to web pages; what could run as code, or end where it is shown, is none."""

from __future__ import annotations

import pytest

from shared.bibliography.paper import Location, Paper
from shared.bibliography.web_addresses import is_web_address
from shared.field_checks import checked

RECORD = {"provider": "paperclip", "rank": 1, "title": "A title"}
UNSAFE = (
    "javascript:alert(document.domain)//", " javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x",
    "vbscript:x", "file:///etc/passwd", "//example.org/a", "/a", "https:///a", "https://", "http://[::1",
    'https://example.org/"onclick="x', "https://example.org/a b", "https://example.org/\\a", "https://example.org/\na",
)  # fmt: skip


@pytest.mark.parametrize("address", UNSAFE)
def test_an_address_of_no_web_page_is_left_out_of_a_record_with_a_note(address: str) -> None:
    assert not is_web_address(address)
    paper, notes = checked(Paper, {**RECORD, "landing_page": address, "open_access": {"url": address}})
    assert (paper.landing_page, paper.open_access.url) == (None, None)
    assert notes == [f"{name}: not an http or https address" for name in ("open_access.url", "landing_page")]


def test_a_copy_with_such_an_address_is_left_out() -> None:
    copies = [{"url": "javascript:alert(1)"}, {"url": "https://example.org/a.pdf"}]
    paper, _ = checked(Paper, {**RECORD, "open_access": {"locations": copies}})
    assert paper.open_access.locations == (Location(url="https://example.org/a.pdf"),)


@pytest.mark.parametrize("address", ["https://example.org/a?b=c#d", "http://[2001:db8::1]/", "HTTPS://EXAMPLE.ORG"])
def test_addresses_of_web_pages_stay(address: str) -> None:
    assert is_web_address(address)
