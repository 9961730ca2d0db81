"""The page below a path, as behind API Gateway, where it is below the stage."""

from __future__ import annotations

from playwright.sync_api import Browser, Response, expect
from werkzeug.exceptions import NotFound
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from infra.local.gateway import AccessLog, application
from infra.local.machine import Machine
from tests.http_server import serving
from tests.pages.conftest import opened
from tests.pages.steps import search


def outside(response: Response, address: str) -> bool:
    """Whether a request failed or left the stage."""
    return not response.ok or not response.url.startswith(f"{address}/prod/")


def test_the_page_works_below_a_stage(browser: Browser, shared: Machine) -> None:
    staged = DispatcherMiddleware(NotFound(), {"/prod": application(shared)})
    answers: list[Response] = []
    with shared.writing(), serving(staged, AccessLog) as address:
        for page in opened(browser, f"{address}/prod/"):
            page.on("response", lambda it: answers.append(it))
            search(page)
            expect(page.locator(".paper").first).to_be_visible()
            page.get_by_role("link", name="Network").click()
            page.get_by_label("Papers to start from").fill("10.1098/rsif.2017.0387")
            page.get_by_role("button", name="Draw").click()
            expect(page.get_by_role("application")).to_be_visible()  # its layout is a script of its own
    assert answers
    assert [it.url for it in answers if outside(it, address)] == []
