"""Titles, names and addresses that others wrote: nothing in them runs, leads astray or breaks the view."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.pages.steps import overflow

HOSTILE = (
    "<script>window.ran = true</script><img src=x onerror='window.ran = true'>",
    "\u202egnitrevni\u2066 a title that turns the line around \u202d",
    "W" * 10_000,
    "עברית then English then العربية",
    "a\u0300" * 2_000,
)
ADDRESSES = ("javascript:window.ran=true", "data:text/html,<script>window.ran=true</script>", "JaVaScRiPt:alert(1)")


def hostile(paper: dict[str, Any], number: int) -> dict[str, Any]:
    """The paper with each text replaced, and with addresses that no page may follow."""
    text, address = HOSTILE[number % len(HOSTILE)], ADDRESSES[number % len(ADDRESSES)]
    place = {"url": address, "version": None, "license": text, "host": text}
    return {
        **paper,
        **dict.fromkeys(("title", "journal", "abstract", "tldr"), text),
        "authors": [text, text],
        "open_access": {"is_oa": True, "url": address, "license": None, "locations": [place]},
        "citation_uri": address,
        "found_by": [text],
        "versions": [{"relation": "preprint", "doi": text, "title": text}],
        "registrations": [text, *(f"nct:{text}{at}" for at in range(40))],
        "retraction": {"status": "retracted", "notice_doi": text, "date": None, "notice_pmid": None},
    }


def serve_hostile(route: Route) -> None:
    """The service's own answer, with hostile texts in place of the corpus's."""
    response = route.fetch()
    body = response.json()
    for number, paper in enumerate(body.get("results", [])):
        body["results"][number] = hostile(paper, number)
    if body.get("paper"):
        body["paper"] = hostile(body["paper"], 0)
    for leg in body.get("providers", {}).values():
        leg["effective_query"] = HOSTILE[0] + "x" * 5_000
        leg["warnings"] = [HOSTILE[1]]
    body["hints"] = [{"reason": "x", "message": HOSTILE[0]}]
    route.fulfill(response=response, body=json.dumps(body))


@pytest.mark.parametrize("width", [360, 1280])
def test_hostile_results_are_shown_as_text_and_stay_within_the_page(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.route("**/v1/literature-search", serve_hostile)
    page.goto("/#/search?q=TREM2+microglia")
    expect(page.locator(".paper")).to_have_count(20)
    expect(page.locator(".paper h3").first).to_contain_text("<script>")
    page.get_by_text("Exact queries and warnings").click()
    assert page.evaluate("window.ran") is None
    assert page.locator(".paper script, .paper img").count() == 0
    assert page.evaluate("[...document.links].filter((it) => !/^https?:/.test(it.href)).length") == 0
    assert overflow(page) == 0
    tallest = page.evaluate("Math.max(...[...document.querySelectorAll('.paper')].map((it) => it.offsetHeight))")
    assert tallest < 1_500


@pytest.mark.parametrize("width", [360, 1280])
def test_hostile_wordings_and_papers_side_by_side_are_shown_as_text(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    for path in ("**/v1/literature-search", "**/v1/result-sets/*"):
        page.route(path, serve_hostile)
    page.route("**/v1/result-sets/*[?]*", serve_hostile)
    page.goto("/#/search?q=TREM2+microglia&w=apolipoprotein&side=1")
    expect(page.locator(".wording")).to_have_count(len(HOSTILE))  # the service's answers name these as the wordings
    expect(page.locator(".wording h3").first).to_contain_text("<script>")
    assert page.evaluate("window.ran") is None
    assert page.locator(".wording script, .wording img").count() == 0
    assert page.evaluate("[...document.links].filter((it) => !/^https?:/.test(it.href)).length") == 0
    assert overflow(page) == 0
    assert (
        page.evaluate("Math.max(...[...document.querySelectorAll('.wording li')].map((it) => it.offsetHeight))") < 400
    )


@pytest.mark.parametrize("width", [360, 1280])
def test_a_hostile_paper_is_shown_whole_and_stays_within_the_page(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.route("**/v1/papers/*", serve_hostile)
    page.goto("/#/paper?id=10.1098/rsif.2017.0387")
    expect(page.locator(".whole h1")).to_contain_text("<script>")
    expect(page.locator(".registrations li")).to_have_count(10)
    page.locator(".registrations button").click()
    expect(page.locator(".registrations li")).to_have_count(41)
    assert page.locator(".registrations").bounding_box()["height"] < 3_000
    assert page.evaluate("window.ran") is None
    assert page.evaluate("[...document.links].filter((it) => !/^https?:/.test(it.href)).length") == 0
    assert overflow(page) == 0


def test_a_hostile_address_of_the_page_does_nothing(page: Page) -> None:
    page.goto("/#/paper?id=<img src=x onerror=window.ran=true>")
    expect(page.get_by_role("alert")).to_be_visible()
    page.goto("/#/search?set=../../health")
    expect(page.get_by_role("alert")).to_be_visible()
    assert page.evaluate("window.ran") is None
