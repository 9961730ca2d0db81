"""Windows as narrow as WCAG 2.2 asks for (1.4.10: 320 CSS pixels): nothing overflows, and the order stays."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.pages.conftest import opened
from tests.pages.steps import overflow
from tests.pages.views import VIEWS, show

NARROWEST = {"width": 320, "height": 700}
PLACES = """[...document.querySelectorAll('.top a, .top button')].map((it) => {
  const {left, top, height} = it.getBoundingClientRect();
  return [Math.round((top + height / 2) / 10), left];
})"""


@pytest.fixture
def narrow(browser: Browser, service: str) -> Iterator[Page]:
    yield from opened(browser, service, viewport=NARROWEST)


def test_no_view_is_wider_than_the_narrowest_window(narrow: Page) -> None:
    wide: list[str] = []
    for name in VIEWS:
        show(narrow, name)
        wide += [name] * (overflow(narrow) > 0)
    assert wide == []


@pytest.mark.parametrize("width", [320, 360, 600, 880, 1280])
def test_the_keyboard_reaches_the_views_and_the_key_in_the_order_in_which_they_are_read(page: Page, width: int) -> None:
    """Line by line from the left; tab stops follow the document, which `PLACES` reads."""
    page.set_viewport_size({"width": width, "height": 700})
    page.goto("/#/search")
    page.get_by_role("button", name="API key").wait_for()
    places = page.evaluate(PLACES)
    assert len(places) == 9
    assert places == sorted(places)
