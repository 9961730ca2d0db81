"""Several wordings of one question, side by side: what each one found, and what they have in common."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, Route, expect

from infra.local.machine import Machine
from tests.pages.keyboard import press, type_into
from tests.pages.steps import QUERY, overflow, sandbox_of, search

OTHER = "triggering receptor expressed on myeloid cells 2"
NOTHING = "xylophone zebra quartz"


def search_wordings(page: Page, *wordings: str) -> None:
    page.get_by_text("Other wordings").click()
    for number, wording in enumerate(wordings):
        page.get_by_label(f"Wording {number + 2}").fill(wording)
    search(page)


def stored(page: Page, service: str) -> list[dict[str, Any]]:
    """The papers of the shown answer as the API has them."""
    found = re.search("set=([0-9a-f]{32})", page.url)
    assert found
    papers: list[dict[str, Any]] = []
    cursor: str | None = None
    while cursor or not papers:
        asked = {
            "max_results": 100,
            "fields": "key,found_by",
            "detail": "full",
            **({"cursor": cursor} if cursor else {}),
        }
        answer = page.request.get(f"{service}/v1/result-sets/{found[1]}", params=asked).json()
        papers += answer["results"]
        cursor = answer["next_cursor"]
    return papers


def test_each_wording_has_a_column_of_what_it_found(page: Page, service: str) -> None:
    search_wordings(page, OTHER, NOTHING)
    page.get_by_role("button", name="Side by side").click()
    columns = page.locator(".wording")
    expect(columns).to_have_count(3)
    papers = stored(page, service)
    by = [{paper["key"] for paper in papers if wording in paper["found_by"]} for wording in (QUERY, OTHER)]
    assert by[0] - by[1]
    assert by[0] & by[1]
    for number, found in enumerate(by):
        expect(columns.nth(number).locator("li")).to_have_count(len(found))
        expect(columns.nth(number).locator("li.alone")).to_have_count(len(found - by[1 - number]))
    expect(columns.nth(0).get_by_text("also by 2")).to_have_count(len(by[0] & by[1]))
    expect(columns.nth(0).get_by_text("only here")).to_have_count(len(by[0] - by[1]))
    expect(columns.nth(2)).to_contain_text("0 papers")  # a wording that finds nothing is not left out
    assert overflow(page) == 0


def test_the_address_reopens_the_columns_without_a_search(page: Page, shared: Machine) -> None:
    search_wordings(page, OTHER)
    page.get_by_role("button", name="Side by side").click()
    expect(page.locator(".wording")).to_have_count(2)
    shown = page.locator(".wording").all_text_contents()
    sent = len(sandbox_of(shared).requests)
    page.reload()
    expect(page.locator(".wording")).to_have_count(2)
    assert page.locator(".wording").all_text_contents() == shown
    assert len(sandbox_of(shared).requests) == sent
    page.get_by_role("button", name="One list").click()
    expect(page.locator(".paper").first).to_be_visible()
    assert "side" not in page.url


def test_a_set_that_is_too_large_to_compare_says_how_much_of_it_is_compared(page: Page) -> None:
    def larger(route: Route) -> None:
        response = route.fetch()
        body = {**response.json(), "matching": 2_345, "next_cursor": "more"}
        body["results"] = (body["results"] * 100)[:100]
        for number, paper in enumerate(body["results"]):
            body["results"][number] = {**paper, "key": f"{paper['key']} {number} {len(pages)}"}
        pages.append(body)
        route.fulfill(response=response, json=body)

    pages: list[Any] = []
    search_wordings(page, OTHER)
    page.route(re.compile(r"cursor=more"), lambda route: route.fulfill(json=pages[-1]))
    page.route(re.compile(r"/v1/result-sets/[0-9a-f]{32}\?(?!.*cursor=)"), larger)
    page.get_by_role("button", name="Side by side").click()
    expect(page.locator("main")).to_contain_text("Only the first 1,000 of 2,345 are compared.")
    assert len(pages) == 1


def test_counts_narrow_the_columns(page: Page) -> None:
    search_wordings(page, OTHER)
    page.get_by_role("button", name="Side by side").click()
    before = page.locator(".wording li").count()
    page.locator(".facets").get_by_label("OpenAlex").check()
    expect(page.locator(".wording li")).not_to_have_count(before)


def test_wordings_are_typed_and_compared_by_the_keyboard_alone(page: Page) -> None:
    type_into(page, page.get_by_label("Search the literature"), QUERY)
    press(page, page.get_by_text("Other wordings"))
    type_into(page, page.get_by_label("Wording 2"), OTHER)
    page.keyboard.press("Enter")
    arranged = page.get_by_role("button", name="Side by side")
    expect(arranged).to_be_visible()
    press(page, arranged)
    expect(arranged).to_have_attribute("aria-pressed", "true")
    expect(arranged).to_be_focused()
    expect(page.locator(".wording")).to_have_count(2)
    press(page, page.locator(".wording a").first)
    expect(page.locator(".whole")).to_be_visible()


def test_one_wording_is_not_compared(page: Page) -> None:
    search(page)
    expect(page.get_by_role("button", name="Side by side")).to_have_count(0)
