"""Takes a picture of every view at two widths in both themes: `make screenshots`."""

from __future__ import annotations

import sys
from pathlib import Path

from infra.local.machine import machine
from infra.local.sandbox.server import Sandbox
from tests.pages.browser import chromium
from tests.pages.conftest import WAIT_MS, running
from tests.pages.views import VIEWS, show

FOLDER = Path(".build/screenshots")
WIDTHS = {"wide": (1280, 900), "narrow": (390, 844)}
THEMES = ("light", "dark")


def take(folder: Path) -> None:
    """Write `<view>-<width>-<theme>.png` for each."""
    folder.mkdir(parents=True, exist_ok=True)
    with machine(sandbox=Sandbox(faults={})) as local, running(local) as address, chromium() as browser:
        for theme in THEMES:
            for width, (across, down) in WIDTHS.items():
                context = browser.new_context(
                    base_url=address,
                    viewport={"width": across, "height": down},
                    color_scheme=theme,
                    reduced_motion="reduce",
                )
                context.set_default_timeout(WAIT_MS)
                page = context.new_page()
                for name in VIEWS:
                    show(page, name)
                    page.mouse.move(0, 0)
                    page.evaluate("scrollTo(0, 0)")
                    path = folder / f"{name}-{width}-{theme}.png"
                    page.screenshot(path=path)
                    sys.stdout.write(f"{path}\n")
                context.close()


if __name__ == "__main__":
    take(FOLDER)
