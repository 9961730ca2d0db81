"""The key: typed once, in this tab alone, in a header and never in an address."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from infra.functions import provider_names
from infra.local.machine import Machine
from tests.closed_service import closed_service
from tests.pages.conftest import opened


@pytest.fixture
def closed(browser: Browser, local: Machine) -> Iterator[Page]:
    """The page of a service that needs a key."""
    with local.writing(), closed_service(local) as address:
        yield from opened(browser, address)


def type_key(page: Page, key: str) -> None:
    page.get_by_role("button", name="Enter a key").click()
    page.get_by_label("Your key for this service").fill(key)
    page.keyboard.press("Enter")


def test_without_a_key_the_page_says_so_and_goes_on_when_one_is_typed(closed: Page) -> None:
    sent: list[tuple[str, str | None]] = []
    closed.on("request", lambda it: sent.append((it.url, it.headers.get("x-api-key"))))
    closed.goto("/#/sources")
    expect(closed.get_by_role("alert")).to_contain_text("This needs an API key.")
    type_key(closed, "a-key-of-mine")
    expect(closed.locator(".card")).to_have_count(len(provider_names()))
    assert not [url for url, _ in sent if "a-key-of-mine" in url]
    assert "a-key-of-mine" in [key for _, key in sent]
    assert closed.evaluate("localStorage.length") == 0
    assert closed.evaluate("document.cookie") == ""
    assert "a-key-of-mine" not in closed.url
    closed.get_by_role("button", name="A key is in use").click()
    closed.get_by_role("button", name="Forget the key").click()
    expect(closed.get_by_role("alert")).to_contain_text("This needs an API key.")
    assert closed.evaluate("sessionStorage.getItem('key')") is None


def test_a_wrong_key_is_named_as_the_reason(closed: Page) -> None:
    closed.route("**/v1/providers", lambda route: route.fulfill(status=403, json={"code": "forbidden", "status": 403}))
    closed.goto("/#/sources")
    type_key(closed, "wrong")
    expect(closed.get_by_role("alert")).to_contain_text("The service does not accept this key.")


def test_the_dialog_returns_the_focus_when_it_is_closed(closed: Page) -> None:
    opener = closed.get_by_role("button", name="API key")
    opener.focus()
    closed.keyboard.press("Enter")
    expect(closed.get_by_label("Your key for this service")).to_be_focused()
    closed.keyboard.press("Escape")
    expect(opener).to_be_focused()
