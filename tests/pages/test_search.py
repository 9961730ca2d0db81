"""The search view, by mouse and by keyboard alone."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, expect

from infra.local.machine import Machine
from tests.pages.steps import QUERY, sandbox_of, search


def test_a_search_shows_papers_with_their_sources_and_the_report_of_each_source(page: Page) -> None:
    search(page)
    expect(page.locator(".paper")).to_have_count(20)
    expect(page.get_by_role("status").filter(has_text="Every source has answered")).to_be_visible()
    first = page.locator(".paper").first
    expect(first.get_by_role("heading")).to_contain_text("TREM2")
    expect(first).to_contain_text("PubMed")
    expect(first).to_contain_text("citations")
    report = page.locator(".report li")
    expect(report).to_have_count(7)
    expect(report.filter(has_text="arXiv")).to_contain_text("found nothing")
    first.get_by_text("Why it ranks here").click()
    expect(first.locator(".parts")).to_contain_text("Ranks at the sources")


def test_the_main_task_needs_only_the_keyboard(page: Page) -> None:
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Search the literature")).to_be_focused()
    page.keyboard.type(QUERY)
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("switch", name="PubMed")).to_be_focused()
    page.keyboard.press("Space")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".report li")).to_have_count(6)
    expect(page.locator(".report li").filter(has_text="PubMed")).to_have_count(0)
    page.locator(".paper a").first.focus()
    page.keyboard.press("Tab")
    expect(page.locator(".paper").first.get_by_role("button", name="Copy citation")).to_be_focused()


def test_the_address_reopens_the_stored_answer_without_a_new_search(page: Page, shared: Machine) -> None:
    search(page)
    titles = page.locator(".paper h3").all_text_contents()
    sent = len(sandbox_of(shared).requests)
    page.reload()
    expect(page.locator(".paper")).to_have_count(20)
    assert page.locator(".paper h3").all_text_contents() == titles
    assert len(sandbox_of(shared).requests) == sent


def test_an_answer_that_is_no_longer_stored_offers_the_same_search_again(page: Page) -> None:
    page.goto(f"/#/search?q=TREM2+microglia&set={'0' * 32}")
    expect(page.get_by_role("alert")).to_contain_text("This answer is no longer stored.")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".paper")).to_have_count(20)


def test_more_results_are_appended_behind_those_that_are_shown(page: Page) -> None:
    search(page)
    before = page.locator(".paper h3").all_text_contents()
    page.get_by_role("button", name="Show more").click()
    expect(page.locator(".paper")).to_have_count(40)
    after = page.locator(".paper h3").all_text_contents()
    assert after[:20] == before
    assert len(set(after)) == 40


def test_a_count_narrows_the_list(page: Page) -> None:
    search(page)
    page.locator(".facets").get_by_label("OpenAlex").check()
    expect(page.get_by_role("status").filter(has_text="14 papers")).to_be_visible()
    page.get_by_role("button", name="Remove all").click()
    expect(page.get_by_role("status").filter(has_text="64 papers")).to_be_visible()
    page.locator(".years").get_by_role("spinbutton", name="From").fill("2020")
    page.locator(".years").get_by_role("spinbutton", name="To").fill("2021")
    page.locator(".years").get_by_role("button", name="Apply").click()
    expect(page.locator(".paper .meta").first).to_contain_text(re.compile("202[01]"))
    assert all("2020" in it or "2021" in it for it in page.locator(".paper .meta").all_text_contents())


def test_wordings_are_searched_together_and_each_result_says_which_found_it(page: Page) -> None:
    page.get_by_text("Other wordings").click()
    page.get_by_label("Wording 2").fill("triggering receptor expressed on myeloid cells 2")
    search(page)
    expect(page.locator(".paper").filter(has_text="Found by: ").first).to_be_visible()


def test_the_results_are_exported_and_a_citation_is_copied(page: Page) -> None:
    search(page)
    page.locator(".bar-of-tools select").select_option("ris")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "literature.ris"
    assert download.value.path().read_text(encoding="utf-8").startswith("TY  - ")
    page.get_by_role("button", name="Copy citation").first.click()
    expect(page.get_by_text("Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "(2022). Elevating microglia TREM2" in copied
    assert "https://doi.org/10.1084/jem.20212479" in copied


def test_an_invalid_filter_is_explained_with_its_name(page: Page) -> None:
    page.goto("/#/search?q=TREM2&from=2021&to=2020")
    expect(page.get_by_role("alert")).to_contain_text("date_from")


def test_a_query_stays_out_of_what_is_sent_in_addresses(page: Page) -> None:
    addresses: list[str] = []
    page.on("request", lambda sent: addresses.append(sent.url))
    search(page, "a private question on TREM2")
    assert addresses
    assert not [address for address in addresses if "private" in address.partition("#")[0]]
    assert json.loads(page.evaluate("JSON.stringify(Object.keys(localStorage))")) == []
