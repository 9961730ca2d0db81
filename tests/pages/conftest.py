"""The page in a real browser, against the service on one machine (`make pages`)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from functions.public_pages.page import BUILT, POLICY
from infra.local.gateway import AccessLog, application
from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox
from tests.http_server import serving
from tests.pages.browser import chromium

WAIT_MS = 30_000  # for a cold service on a busy machine
expect.set_options(timeout=WAIT_MS)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    assert BUILT.is_dir(), "the page has not been built: `make pages` builds it"
    assert POLICY
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def shared() -> Iterator[Machine]:
    """One machine for the tests of a module, without faults: what one has searched, the next finds in the cache."""
    with machine(sandbox=Sandbox(faults={})) as local:
        yield local


@contextmanager
def running(local: Machine) -> Iterator[str]:
    """The address of the service on a machine, where late answers are completed, too."""
    with local.writing(), serving(application(local), AccessLog) as address:
        yield address


@pytest.fixture(scope="module")
def service(shared: Machine) -> Iterator[str]:
    """The address of the service, which needs no key."""
    with running(shared) as address:
        yield address


@pytest.fixture
def page(browser: Browser, service: str) -> Iterator[Page]:
    """The page, opened at its root. Nothing may fail in it, and nothing may be blocked by its policy."""
    yield from opened(browser, service)


def opened(browser: Browser, service: str, **options: Any) -> Iterator[Page]:
    context = browser.new_context(base_url=service, permissions=["clipboard-read", "clipboard-write"], **options)
    context.set_default_timeout(WAIT_MS)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if "Content Security Policy" in said.text else None)
    page.on("request", lambda sent: faults.append(sent.url) if foreign(sent.url, service) else None)
    page.on("dialog", lambda dialog: faults.append(dialog.message))
    page.on("dialog", lambda dialog: dialog.dismiss())
    page.goto(service)
    yield page
    page.unroute_all(behavior="ignoreErrors")  # a request that is still under way ends with the page
    context.close()
    assert faults == []


def foreign(url: str, service: str) -> bool:
    """Whether a request leaves the service; `data:` and `blob:` are the page's own."""
    return not url.startswith((service, "data:", "blob:"))
