"""Each view's main task, from an empty start."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, Route, expect

from infra.functions import provider_names
from infra.local.sandbox.corpus import default_corpus
from tests.pages.views import open_context

PAPER = "10.1098/rsif.2017.0387"
PAPER_WITH_TEXT = "PMC8371605"  # on predicting the structure of proteins
SEEDS = "10.1084/jem.20212479\n10.1111/j.1471-4159.2009.06042.x"
PAPERS = 1_000
SAVED = {"search": {"query": "TREM2"}, "schedule": "rate(1 day)"}
DOCUMENT = """# References

1. Vaswani A. et al. (2017). Attention is all you need. NeurIPS.
2. Zhao N, Qiao W. Elevating microglia TREM2 reduces amyloid seeding. J Exp Med. 2019;219(12). doi:10.1084/jem.20212479
3. Nobody A. A study of things that were never studied at all. Journal of Nothing. 2031;1:1-2.
"""
# Runs right after the first rendering, before a browser has painted it.
CHANGED_AT_ONCE = """
new MutationObserver((_, observer) => {
  if (!document.querySelector("main")) return;
  observer.disconnect();
  location.hash = "#/sources";
}).observe(document, { childList: true, subtree: true });
"""


def view(page: Page, name: str) -> None:
    page.get_by_role("navigation").get_by_role("link", name=name, exact=True).click()
    expect(page.get_by_role("navigation").get_by_role("link", name=name, exact=True)).to_have_attribute(
        "aria-current", "page"
    )


def test_a_paper_shows_its_fields_who_states_them_and_its_references(page: Page) -> None:
    view(page, "Paper")
    page.get_by_label("DOI, PMID").fill(PAPER)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Opportunities and obstacles")
    row = page.locator(".fields tr").filter(has_text="Journal")
    expect(row.first).to_contain_text("Crossref")
    expect(page.get_by_text("No notice of a retraction")).to_be_visible()
    assert page.locator("a[href='https://doi.org/10.1098/rsif.2017.0387']").count() >= 1
    page.locator(".links summary").filter(has_text="References").click()
    expect(page.locator(".linked")).to_have_count(25)
    expect(page.locator(".linked").first).to_contain_text("listed by")


def test_a_paper_leads_to_the_registration_of_its_trial(page: Page) -> None:
    trial = next(fact for fact in default_corpus().facts if fact.nct and fact.pmid)
    page.goto(f"/#/paper?id=PMID:{trial.pmid}")
    shown = page.locator(".registrations")
    expect(shown).to_contain_text("stated by Crossref")
    shown.get_by_role("link", name=str(trial.nct)).click()
    expect(page.locator(".badges").first).to_contain_text("Trial registration")
    expect(page.locator(".registrations")).to_have_count(0)


def test_an_unknown_paper_is_not_found_and_an_invalid_id_is_explained(page: Page) -> None:
    page.goto("/#/paper?id=10.5555/nothing.here")
    expect(page.locator("main")).to_contain_text(re.compile("No source has this paper|did not answer"))
    page.goto("/#/paper?id=12")
    expect(page.get_by_role("alert")).to_be_visible()


def test_every_source_has_its_state_in_words(page: Page) -> None:
    view(page, "Sources")
    expect(page.locator(".card")).to_have_count(len(provider_names()))
    crossref = page.locator(".card").filter(has=page.get_by_role("heading", name="Crossref"))
    expect(crossref).to_contain_text("Ready")
    expect(crossref).to_contain_text("requests left in")


def test_a_source_that_admits_one_request_at_once_is_not_nearly_used_up(page: Page) -> None:
    def one_at_once(route: Route) -> None:
        response = route.fetch()
        body = response.json()
        body["providers"]["arxiv"]["budget"] |= {"requests": 30, "window_s": 1.0, "left_now": 1, "concurrency": 1}
        route.fulfill(response=response, json=body)

    page.route("**/v1/providers", one_at_once)
    view(page, "Sources")
    arxiv = page.locator(".card").filter(has=page.get_by_role("heading", name="arXiv", exact=True))
    expect(arxiv).to_contain_text("1 of 1 request at once left; at most 30 in 1 s")
    assert arxiv.locator("meter").evaluate("it => it.value / it.max") == 1


def test_references_are_checked_and_the_corrected_document_is_downloaded(page: Page) -> None:
    view(page, "References")
    page.get_by_label("Document or list of references").fill(DOCUMENT)
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator(".reference")).to_have_count(3)
    expect(page.get_by_role("status").filter(has_text="3 of 3 references checked")).to_be_visible()
    second = page.locator(".reference").nth(1)
    expect(second).to_have_class(re.compile("warn"))
    expect(second.locator("del")).to_have_text("2019")
    expect(second.locator("ins")).to_contain_text(["2022"])
    expect(page.locator(".reference").nth(2)).to_have_class(re.compile("bad"))
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the corrected document").click()
    assert "2022" in download.value.path().read_text(encoding="utf-8")
    page.reload()
    expect(page.locator(".reference")).to_have_count(3)


def test_a_network_is_drawn_walked_by_keyboard_and_saved(page: Page) -> None:
    view(page, "Network")
    page.get_by_label("Papers to start from").fill(SEEDS)
    page.get_by_label("Steps").select_option("2")
    page.get_by_role("button", name="Draw").click()
    picture = page.get_by_role("application")
    expect(picture).to_be_visible()
    nodes = picture.locator(".node").count()
    assert nodes > 10
    picture.focus()
    page.keyboard.press("ArrowRight")
    expect(picture.locator(".chosen")).to_have_count(1)
    first = picture.locator(".chosen").get_attribute("data-key")
    for arrow in ("ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown"):
        page.keyboard.press(arrow)
    expect(page.locator(".chosen-paper")).to_contain_text("cited by")
    assert first
    page.get_by_label("From year").fill("2016")
    expect(picture.locator(".node")).not_to_have_count(nodes)
    for button, signature in (("Save SVG", b"<svg"), ("Save PNG", b"\x89PNG")):
        with page.expect_download() as download:
            page.get_by_role("button", name=button).click()
        assert download.value.path().read_bytes().startswith(signature)
    page.get_by_role("link", name="Open the paper").click()
    expect(page.locator(".whole h1")).to_be_visible()


def test_a_node_is_dragged_and_the_picture_moved(page: Page) -> None:
    page.goto(f"/#/network?id={PAPER}")
    node = page.locator(".node.seed circle")
    expect(node).to_be_visible()
    before = node.bounding_box()
    assert before
    x, y = before["x"] + before["width"] / 2, before["y"] + before["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 80, y + 30, steps=4)
    page.mouse.up()
    after = node.bounding_box()
    assert after
    assert 70 < after["x"] - before["x"] < 90


def test_a_network_of_a_thousand_papers_is_drawn_and_walked(page: Page) -> None:
    """Each paper cites one before it, and every tenth three."""
    nodes = [
        {"key": f"title:{number}", "seed": number == 0, "depth": 1, "cited_within": 1 + number % 7, "betweenness": 0.0,
         "citations_a_year": None, "roles": ["key"] if number % 50 == 1 else [],
         "paper": {"key": f"title:{number}", "title": f"Paper {number}", "year": 1990 + number % 30}}
        for number in range(PAPERS)
    ]  # fmt: skip
    pairs = {
        (number, number // step) for number in range(1, PAPERS) for step in ((2, 3, 5) if number % 10 == 0 else (2,))
    }
    edges = [{"source": f"title:{a}", "target": f"title:{b}", "asserted_by": ["crossref"]} for a, b in sorted(pairs)]
    empty: dict[str, Any] = {
        "roles": {},
        "seeds_not_found": [],
        "seeds_unanswered": [],
        "truncated": None,
        "hints": [],
        "providers": {},
    }
    page.route("**/v1/citation-network", lambda route: route.fulfill(json={"nodes": nodes, "edges": edges, **empty}))
    page.goto("/#/network?id=title:0")
    picture = page.get_by_role("application")
    expect(picture.locator(".node")).to_have_count(PAPERS)
    picture.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(picture.locator(".chosen")).to_have_count(1)
    page.get_by_label("Role").select_option("key")
    expect(picture.locator(".node")).to_have_count(1 + PAPERS // 50)


def test_a_saved_search_is_made_paused_and_deleted(page: Page) -> None:
    view(page, "Saved searches")
    expect(page.get_by_text("You have no saved searches.")).to_be_visible()
    page.get_by_label("Query").fill("TREM2 microglia")
    page.get_by_role("button", name="Save search").click()
    saved = page.locator(".list-of > li")
    expect(saved).to_contain_text("has not run yet")
    saved.get_by_role("button", name="Pause").click()
    expect(saved).to_contain_text("Paused")
    saved.get_by_text("What is new").click()
    expect(saved).to_contain_text("Nothing yet.")
    saved.get_by_role("button", name="Change", exact=True).click()
    saved.get_by_label("Name").fill("Microglia, weekly")
    saved.get_by_label("Query").fill("TREM2 microglia signalling")
    saved.get_by_label("How often").select_option("Every week")
    saved.get_by_role("button", name="Keep changes").click()
    expect(saved.get_by_role("heading", name="Microglia, weekly")).to_be_visible()
    expect(saved).to_contain_text("Every week")
    expect(saved.get_by_role("link", name="Search now")).to_have_attribute("href", re.compile("signalling"))
    expect(saved).to_contain_text("Paused")
    saved.get_by_role("button", name="Delete").click()
    saved.get_by_role("button", name="Delete for good").click()
    expect(page.get_by_text("You have no saved searches.")).to_be_visible()


def test_the_news_of_a_saved_search_go_on_behind_the_first_page(page: Page) -> None:
    saved = page.request.post("/v1/saved-searches", data=SAVED).json()
    events = [
        {
            "id": f"{saved['id']}-{number:08}", "number": number, "type": "delivery_disabled",
            "at": "2026-11-22T06:00:03Z", "run_id": None, "key": None, "preprint_key": None, "paper": None,
            "message": f"Notice {number}",
        }
        for number in (3, 2, 1)
    ]  # fmt: skip
    feed = {"saved_search": {"id": saved["id"], "name": "TREM2"}, "content_trust": "untrusted_external"}
    pages = {
        "": {**feed, "events": events[:2], "next_cursor": "2"},
        "2": {**feed, "events": events[2:], "next_cursor": None},
    }

    def answer(route: Route) -> None:
        route.fulfill(json=pages[parse_qs(urlsplit(route.request.url).query).get("cursor", [""])[0]])

    page.route(re.compile(rf"/v1/saved-searches/{saved['id']}/new"), answer)
    view(page, "Saved searches")
    shown = page.locator(".list-of > li")
    shown.get_by_text("What is new").click()
    notices = shown.locator(".news > li")
    expect(notices).to_have_count(2)
    shown.get_by_role("button", name="Show more").click()
    expect(notices).to_have_count(3)
    expect(notices.last).to_be_focused()
    expect(shown.get_by_role("button", name="Show more")).to_have_count(0)
    assert page.request.delete(f"/v1/saved-searches/{saved['id']}").ok


def test_a_context_shows_what_it_cites(page: Page, service: str) -> None:
    cited = {"context": {"type": "debate", "id": "42"}, "text": "As Zhao et al. show (doi:10.1084/jem.20212479) …"}
    assert page.request.post(f"{service}/v1/citations", data=cited).ok
    open_context(page)
    expect(page.locator(".list-of > li")).to_contain_text("Cited")
    view(page, "Contexts")
    page.get_by_label("Its name").fill("nobody-wrote-this")
    page.keyboard.press("Enter")
    expect(page.locator(".notice")).to_be_visible()


def test_an_unknown_view_leads_back_to_the_search(page: Page) -> None:
    page.goto("/#/nowhere")
    page.get_by_role("link", name="Go to the search").click()
    expect(page.get_by_label("Search the literature")).to_be_visible()


def test_a_papers_open_text_is_read_by_sections(page: Page) -> None:
    page.goto(f"/#/paper?id={PAPER_WITH_TEXT}")
    text = page.locator(".full-text")
    text.locator("summary").first.click()
    expect(text.get_by_role("link", name="From")).to_have_attribute("href", re.compile("^https://"))
    expect(text).to_contain_text("cc-by")
    section = text.locator("details").nth(1)
    section.locator("summary").click()
    expect(section.locator(".text p").first).to_be_visible()


def test_a_paper_answers_a_question_with_its_own_sentences(page: Page) -> None:
    page.goto(f"/#/paper?id={PAPER_WITH_TEXT}")
    page.get_by_text("Ask this paper").click()
    page.get_by_label("Question or claim").fill("How is the structure of a protein predicted from its sequence?")
    page.keyboard.press("Enter")
    expect(page.locator(".questions mark").first).to_be_visible()
    page.get_by_label("Question or claim").fill("What do zebras eat on Mars?")
    page.keyboard.press("Enter")
    expect(page.locator(".questions").get_by_text("Nothing in its text bears on this.")).to_be_visible()


def test_similar_papers_say_which_sources_name_them(page: Page) -> None:
    page.goto(f"/#/paper?id={PAPER_WITH_TEXT}")
    page.locator(".similar summary").click()
    expect(page.locator(".similar .linked").first).to_contain_text(re.compile(r"named by .*\(place \d+\)"))


def test_an_address_that_changes_at_the_first_sight_of_the_page_is_followed(page: Page) -> None:
    page.add_init_script(CHANGED_AT_ONCE)
    page.reload()
    expect(page.locator(".card")).to_have_count(len(provider_names()))
