"""The keyboard alone: how a reader without a pointer gets about in the page. Nothing here clicks or sets a focus."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

MOST_STEPS = 150
# What has the focus: its name for messages, whether it is lost, and whether it is drawn and on the screen. A switch is
# drawn by the label beside it. The whole page has no place of its own that could be drawn.
STATE = """() => {
  const it = document.activeElement;
  const drawn = it.matches('.switches input') ? it.nextElementSibling : it;
  const style = getComputedStyle(drawn), box = drawn.getBoundingClientRect();
  return {
    name: it.outerHTML.slice(0, 160),
    lost: it === document.body || it === document.documentElement,
    ring: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
    shown: box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
  };
}"""


def is_focused(target: Locator) -> bool:
    """Whether one of the elements has the focus."""
    return bool(target.evaluate_all("(found) => found.includes(document.activeElement)"))


def tab_to(page: Page, target: Locator, *, backwards: bool = False) -> None:
    """Press Tab until the target has the focus. On the way each stop is visible, and none is a trap or nothing."""
    expect(target.first).to_be_visible()  # a view that is still loading has nothing to go to
    for _ in range(MOST_STEPS):
        page.keyboard.press("Shift+Tab" if backwards else "Tab")
        state = page.evaluate(STATE)
        assert not state["lost"], f"Tab left the page before {target}"
        assert state["ring"], f"nothing shows the focus of {state['name']}"
        assert state["shown"], f"off the screen: {state['name']}"
        if is_focused(target):
            return
    raise AssertionError(f"Tab does not reach {target}")


def press(page: Page, target: Locator, key: str = "Enter") -> None:
    """Go to a control and press a key."""
    tab_to(page, target)
    page.keyboard.press(key)


def type_into(page: Page, target: Locator, text: str) -> None:
    """Go to a field and type instead of what is in it."""
    tab_to(page, target)
    page.keyboard.press("Control+A")
    page.keyboard.type(text)


def choose(page: Page, target: Locator, label: str) -> None:
    """Go to a list of values and type the beginning of one."""
    tab_to(page, target)
    page.keyboard.type(label)


def open_view(page: Page, name: str) -> None:
    """From the top of the page to a view; its heading has the focus then."""
    page.keyboard.press("Control+Home")
    link = page.get_by_role("navigation").get_by_role("link", name=name, exact=True)
    tab_to(page, link, backwards=True)
    page.keyboard.press("Enter")
    expect(link).to_have_attribute("aria-current", "page")
    expect_heading(page)


def expect_heading(page: Page, text: str = "") -> None:
    """The heading of what is shown has the focus."""
    expect(page.locator("main [data-arrival]:focus")).to_contain_text(text)


def announced(page: Page) -> Locator:
    """The region that a screen reader reads aloud when it changes."""
    return page.locator("#page > [role=status]")
