"""Headless Chromium, Debian's package, as the tests and the screenshots start it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = (
    "--no-sandbox",  # as root, in a container
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
MISSING = "no chromium on this machine: install Debian's package `chromium`, or name a browser in CHROMIUM"


def executable() -> str:
    """The browser's path. Raises RuntimeError that says what to do if there is none."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if not found:
        raise RuntimeError(MISSING)
    return found


@contextmanager
def chromium() -> Iterator[Browser]:
    """The running browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=list(OPTIONS))
        try:
            yield browser
        finally:
            browser.close()
