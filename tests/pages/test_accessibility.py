"""Every view in both themes: nothing that axe-core objects to, nothing wider than the page, nothing that shifts."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from functions.public_pages.page import BUILT
from tests.pages.conftest import opened
from tests.pages.steps import overflow, search
from tests.pages.views import VIEWS, show

AXE = Path(__file__).parents[2] / ".build" / "page" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
MOST_BYTES = 250_000  # of all files together, as they are sent
SLOW_DOWN = 4
OBSERVE_SHIFTS = """
  window.shift = 0;
  window.moved = [];
  new PerformanceObserver((list) => list.getEntries().filter((it) => !it.hadRecentInput).forEach((it) => {
    window.shift += it.value;
    it.sources.forEach(({node}) => window.moved.push(node?.outerHTML?.slice(0, 200)));
  })).observe({type: 'layout-shift', buffered: true});
"""
MOST_SHIFT, INTERACTIVE_MS = 0.02, 1_000


def violations(page: Page) -> list[str]:
    """What axe-core finds. It is evaluated by the browser's debugger: the page's policy need not admit it."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: dict[str, Any] = page.evaluate("(tags) => axe.run(document, {runOnly: {type: 'tag', values: tags}})", RULES)
    return [
        f"{it['id']}: {node['html'][:200]} {node.get('failureSummary', '')[:300]}"
        for it in found["violations"]
        for node in it["nodes"][:3]
    ]


@pytest.fixture(params=["light", "dark"])
def themed(browser: Browser, service: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    yield from opened(browser, service, color_scheme=request.param, reduced_motion="reduce")


def test_no_view_has_a_violation_and_none_is_wider_than_the_window(themed: Page) -> None:
    found: list[str] = []
    for name in VIEWS:
        show(themed, name)
        for width in (1280, 360):
            themed.set_viewport_size({"width": width, "height": 800})
            found += [f"{name}, {width} px: {it}" for it in violations(themed)]
            found += [f"{name}: wider than {width} px"] * (overflow(themed) > 0)
    assert not found, "\n".join(found)


def test_the_dialog_of_the_key_has_no_violation(themed: Page) -> None:
    themed.get_by_role("button", name="API key").click()
    expect(themed.get_by_role("dialog")).to_be_visible()
    assert violations(themed) == []


def test_the_largest_screen_is_used_without_overflow(browser: Browser, service: str) -> None:
    for page in opened(browser, service, viewport={"width": 3840, "height": 2160}):
        show(page, "search")
        assert overflow(page) == 0


def test_all_files_together_are_small() -> None:
    sizes = {path.name: len(gzip.compress(path.read_bytes())) for path in BUILT.iterdir()}
    assert sizes
    assert sum(sizes.values()) <= MOST_BYTES, sizes


@pytest.mark.slow
def test_the_page_is_interactive_soon_on_a_slow_processor_and_does_not_shift(browser: Browser, service: str) -> None:
    """Chromium slows its processor down by four; the times are those of its own clock in the page."""
    for page in opened(browser, service):
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOW_DOWN})
        page.add_init_script(OBSERVE_SHIFTS)
        page.goto("/?again=1#/search", wait_until="load")
        expect(page.get_by_label("Search the literature")).to_be_visible()
        ready = page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
        assert ready < INTERACTIVE_MS
        search(page)
        expect(page.locator(".facets")).to_be_visible()
        assert page.evaluate("window.shift") < MOST_SHIFT, page.evaluate("window.moved")
