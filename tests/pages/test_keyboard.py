"""Each view by the keyboard alone, from an empty start: what is reached, what is said, where the focus is."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.pages.keyboard import announced, choose, expect_heading, open_view, press, tab_to, type_into
from tests.pages.steps import QUERY
from tests.pages.views import DOCUMENT

PAPER_WITH_TEXT = "PMC8371605"
SEEDS = "10.1084/jem.20212479\n10.1111/j.1471-4159.2009.06042.x"


def start(page: Page) -> None:
    """Past the navigation, as a reader of the keyboard does."""
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")


def search(page: Page) -> None:
    start(page)
    type_into(page, page.get_by_label("Search the literature"), QUERY)
    page.keyboard.press("Enter")
    expect_heading(page, "Results")
    expect(page).to_have_url(re.compile("set=[0-9a-f]{32}"))
    expect(announced(page)).to_contain_text("64 papers Every source has answered.")


def test_a_search_leads_to_its_results_and_on_to_a_paper(page: Page) -> None:
    region = announced(page).element_handle()
    search(page)
    assert region.evaluate("(it) => it.isConnected")  # one that appears with its text would not be read
    expect(page.locator(".status")).to_have_css("outline-style", "solid")  # in place of the heading, which is hidden
    tab_to(page, page.locator(".paper h3 a").nth(1))
    page.keyboard.press("Enter")
    expect(page.locator(".whole")).to_be_visible()
    expect_heading(page, "TREM2")


def test_filters_and_switches_are_set_before_a_search(page: Page) -> None:
    start(page)
    type_into(page, page.get_by_label("Search the literature"), QUERY)
    press(page, page.get_by_role("switch", name="PubMed"), "Space")
    press(page, page.get_by_text("Filters", exact=True))
    choose(page, page.locator(".filters").get_by_label("Order"), "Date")
    tab_to(page, page.locator(".filters").get_by_label("From"), backwards=True)
    page.keyboard.type("2020")
    page.keyboard.press("Enter")
    expect_heading(page, "Results")
    expect(page.locator(".report li")).to_have_count(6)
    expect(page).to_have_url(re.compile("from=2020.*sort=date|sort=date.*from=2020"))


def test_counts_narrow_the_list_and_the_focus_stays(page: Page) -> None:
    search(page)
    count = page.locator(".facets").get_by_label("OpenAlex")
    press(page, count, "Space")
    expect(announced(page)).to_contain_text("14 papers")
    expect(count).to_be_focused()
    tab_to(page, page.get_by_role("button", name="Remove all"), backwards=True)
    page.keyboard.press("Enter")
    expect(page.locator("#facets-title")).to_be_focused()  # the button is gone
    expect(announced(page)).to_contain_text("64 papers")
    years = page.locator(".years")
    type_into(page, years.get_by_role("spinbutton", name="From"), "2020")
    press(page, years.get_by_role("button", name="Apply"))
    expect(announced(page)).not_to_contain_text("64 papers")
    expect(years.get_by_role("button", name="Apply")).to_be_focused()


def test_more_results_get_the_focus(page: Page) -> None:
    search(page)
    press(page, page.get_by_role("button", name="Show more"))
    expect(page.locator(".results > li").nth(20)).to_be_focused()
    tab_to(page, page.locator(".results > li").nth(20).locator("h3 a"))


def test_results_are_exported_and_the_search_is_saved(page: Page) -> None:
    search(page)
    choose(page, page.locator(".bar-of-tools select"), "RIS")
    with page.expect_download() as download:
        press(page, page.get_by_role("button", name="Download"))
    assert download.value.path().read_text(encoding="utf-8").startswith("TY  - ")
    save = page.get_by_role("button", name="Save this search")
    press(page, save)
    expect(page.get_by_text("Saved. It runs once a day.")).to_be_visible()
    expect(save).to_be_focused()
    press(page, page.get_by_role("link", name="See saved searches"))
    expect_heading(page, "Saved searches")
    press(page, page.get_by_role("button", name="Delete"))
    press_delete = page.get_by_role("button", name="Delete for good")
    expect(press_delete).to_be_focused()  # in place of the button that was pressed
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Delete")).to_be_focused()
    page.keyboard.press("Enter")
    expect(press_delete).to_be_focused()
    page.keyboard.press("Enter")
    expect(announced(page)).to_contain_text("It is deleted.")
    expect_heading(page, "Saved searches")  # what had the focus is gone


def test_a_failed_search_is_tried_again(page: Page) -> None:
    page.route("**/v1/literature-search", lambda route: route.abort())
    start(page)
    type_into(page, page.get_by_label("Search the literature"), QUERY)
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    page.unroute("**/v1/literature-search")
    press(page, page.get_by_role("button", name="Try again"))
    expect_heading(page, "Results")


def test_a_paper_is_opened_and_answers_a_question(page: Page) -> None:
    open_view(page, "Paper")
    type_into(page, page.get_by_label("DOI, PMID"), PAPER_WITH_TEXT)
    page.keyboard.press("Enter")
    expect(page.locator(".whole")).to_be_visible()
    expect_heading(page, "protein structure")
    press(page, page.get_by_text("Ask this paper"))
    type_into(page, page.get_by_label("Question or claim"), "How is the structure of a protein predicted?")
    page.keyboard.press("Enter")
    expect(announced(page)).to_contain_text("on it. They are the authors' words.")
    press(page, page.locator(".full-text > summary"))
    section = page.locator(".full-text details").first
    expect(section).to_be_visible()
    press(page, section.locator("summary"))
    expect(section.locator(".text p").first).to_be_visible()
    press(page, page.locator(".similar summary"))
    other = page.locator(".similar .linked a").first
    title = other.text_content()
    press(page, other)
    expect(page.locator(".whole h1")).to_have_text(str(title))
    expect_heading(page, str(title))


def test_the_sources_are_looked_at_again(page: Page) -> None:
    open_view(page, "Sources")
    again = page.get_by_role("button", name="Look again")
    expect(again).to_be_visible()
    press(page, again)
    expect(announced(page)).to_contain_text("As of ")
    expect(again).to_be_focused()


def test_a_network_is_drawn_walked_enlarged_and_a_paper_of_it_opened(page: Page) -> None:
    open_view(page, "Network")
    type_into(page, page.get_by_label("Papers to start from"), SEEDS)
    choose(page, page.get_by_label("Steps"), "2")
    press(page, page.get_by_role("button", name="Draw"))
    picture = page.get_by_role("application")
    expect(picture).to_be_visible()
    expect_heading(page, "Network of")
    tab_to(page, picture)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(picture.locator(".chosen")).to_have_count(1)
    title = page.locator(".chosen-paper h3").text_content()
    expect(announced(page)).to_have_text(str(title))
    before = picture.locator("> g").get_attribute("transform")
    page.keyboard.press("+")
    expect(picture.locator("> g")).not_to_have_attribute("transform", str(before))
    tab_to(page, page.get_by_label("From year"))  # out of the picture again
    tab_to(page, picture, backwards=True)
    page.keyboard.press("Enter")
    expect_heading(page, str(title))


def test_a_context_is_opened(page: Page) -> None:
    cited = {"context": {"type": "debate", "id": "keyboard"}, "text": "As shown (doi:10.1084/jem.20212479)."}
    assert page.request.post("/v1/citations", data=cited).ok
    open_view(page, "Contexts")
    choose(page, page.get_by_label("Kind"), "Debate")
    name = page.get_by_label("Its name")
    for _ in range(50):  # it is written in the background
        type_into(page, name, "keyboard")
        press(page, page.get_by_role("button", name="Show", exact=True))
        expect_heading(page, "Contexts")
        expect(announced(page)).to_contain_text(re.compile("mention|Nothing has been cited"))
        if page.locator(".list-of > li").count():
            break
        page.reload()
    press(page, page.locator(".list-of > li a"))
    expect_heading(page, "TREM2")


def test_references_are_pasted_checked_and_taken_away(page: Page) -> None:
    open_view(page, "References")
    tab_to(page, page.get_by_label("Document or list of references"))
    page.evaluate("(text) => navigator.clipboard.writeText(text)", DOCUMENT)
    page.keyboard.press("Control+V")
    press(page, page.get_by_role("button", name="Check", exact=True))
    expect(announced(page)).to_contain_text("3 of 3 references checked")
    expect_heading(page, "Check references")
    with page.expect_download() as download:
        press(page, page.get_by_role("button", name="Download the corrected document"))
    assert "2022" in download.value.path().read_text(encoding="utf-8")
    press(page, page.get_by_role("link", name="Check another document"))
    expect_heading(page, "Check references")
    with page.expect_file_chooser() as chooser:
        press(page, page.get_by_role("button", name="Choose a file"))
    chooser.value.set_files({"name": "list.txt", "mimeType": "text/plain", "buffer": DOCUMENT.encode()})
    expect(page.locator(".reference")).to_have_count(3)


def test_a_saved_search_is_made_paused_changed_and_read(page: Page) -> None:
    open_view(page, "Saved searches")
    type_into(page, page.locator("form").get_by_label("Query"), QUERY)
    page.keyboard.press("Enter")
    expect(announced(page)).to_contain_text("The search is saved.")
    saved = page.locator(".list-of > li").first
    press(page, saved.get_by_role("button", name="Pause"))
    expect(announced(page)).to_contain_text("Paused")
    expect(saved.get_by_role("button", name="Resume")).to_be_focused()
    changer = saved.get_by_role("button", name="Change", exact=True)
    press(page, changer)
    type_into(page, saved.get_by_label("Name"), "Microglia")
    choose(page, saved.get_by_label("How often"), "Every week")
    press(page, saved.get_by_role("button", name="Keep changes"))
    expect(saved.get_by_role("heading", name="Microglia")).to_be_visible()
    expect(changer).to_be_focused()  # the form is closed
    press(page, saved.get_by_text("What is new"))
    expect(saved).to_contain_text("Nothing yet.")


def test_the_key_is_typed_and_forgotten(page: Page) -> None:
    opener = page.locator("header .key")
    press(page, opener)
    expect(page.get_by_label("Your key for this service")).to_be_focused()
    page.keyboard.type("a-key")
    page.keyboard.press("Enter")
    expect(opener).to_be_focused()
    expect(opener).to_have_text("A key is in use")
    page.keyboard.press("Enter")
    press(page, page.get_by_role("button", name="Forget the key"))
    expect(opener).to_have_text("API key")
    expect(opener).to_be_focused()
