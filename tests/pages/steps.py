"""What several tests of the page do."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from infra.local.machine import Machine
from infra.local.sandbox.server import Sandbox

QUERY = "TREM2 microglia"


def search(page: Page, query: str = QUERY) -> None:
    """Type a query, and wait until every source has answered or failed."""
    page.get_by_label("Search the literature").fill(query)
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page).to_have_url(re.compile("set=[0-9a-f]{32}"))


def sandbox_of(machine: Machine) -> Sandbox:
    """The sandbox behind a machine."""
    assert machine.sandbox is not None
    return machine.sandbox


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than the window."""
    found: int = page.evaluate(
        "Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)"
    )
    return found
