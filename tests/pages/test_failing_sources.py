"""The search view with sources that fail, or are slow. Each test has a service of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from infra.functions import providers_for
from infra.local.machine import Machine
from tests.pages.conftest import opened, running
from tests.pages.steps import QUERY, sandbox_of, search


@pytest.fixture
def page(browser: Browser, local: Machine) -> Iterator[Page]:
    """The page of a fresh service."""
    with running(local) as address:
        yield from opened(browser, address)


def test_a_source_that_fails_is_named_and_not_shown_as_empty(page: Page, local: Machine) -> None:
    sandbox_of(local).faults["crossref"] = {"status": 429, "retry_after": 47052}
    search(page)
    expect(page.get_by_role("status").filter(has_text="Without Crossref.")).to_be_visible()
    line = page.locator(".report li").filter(has_text="Crossref")
    expect(line).to_contain_text(re.compile("too many requests|its rate limit leaves no request"))
    expect(line).not_to_contain_text("found nothing")


def test_all_sources_failing_is_a_failure_and_not_an_empty_result(page: Page, local: Machine) -> None:
    sandbox_of(local).faults.update({name: {"status": 503} for name in providers_for("search")})
    page.get_by_label("Search the literature").fill(QUERY)
    page.keyboard.press("Enter")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("No source answered. This does not mean that there are no papers.")
    sandbox_of(local).faults.clear()
    expect(alert.get_by_role("button", name="Try again")).to_be_visible()


def test_results_are_shown_while_a_slow_source_is_pending(page: Page, local: Machine) -> None:
    sandbox_of(local).faults["paperclip"] = {"delay_ms": 9_000}
    page.get_by_label("Search the literature").fill(QUERY)
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Still waiting for")).to_contain_text("Paperclip")
    expect(page.locator(".paper").first).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="Every source has answered")).to_be_visible()


def test_the_last_hour_of_a_source_says_what_failed(page: Page, local: Machine) -> None:
    sandbox_of(local).faults["crossref"] = {"status": 503}
    search(page)
    page.get_by_role("navigation").get_by_role("link", name="Sources", exact=True).click()
    card = page.locator(".card").filter(has=page.get_by_role("heading", name="Crossref", exact=True))
    sent = sum(it.provider == "crossref" for it in sandbox_of(local).requests)
    said = f"{sent} of {sent} request{'s' * (sent > 1)} failed: could not be reached"
    expect(card.get_by_role("img", name=f"Last hour: {said}")).to_be_visible()
    expect(card.locator(".hour")).to_contain_text(said)  # in words, too, and by another form than that of answers
    expect(card.locator(".hour rect.failed")).to_have_count(1)
    expect(card.locator(".hour rect.sent")).to_have_count(0)
    other = page.locator(".card").filter(has=page.get_by_role("heading", name="OpenAlex", exact=True))
    expect(other.locator(".hour rect.sent")).to_have_count(1)
    expect(other.locator(".hour rect.failed")).to_have_count(0)
    unused = page.locator(".card").filter(has=page.get_by_role("heading", name="DBLP", exact=True))
    expect(unused).to_contain_text("no request")
