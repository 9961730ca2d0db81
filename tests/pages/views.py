"""How each view looks when it shows something: for the tests of all views, and for the screenshots."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

SEEDS = ("10.1084/jem.20212479", "10.1111/j.1471-4159.2009.06042.x", "10.1098/rsif.2017.0387")
WRITTEN_WITHIN = 50  # loads of the view
DOCUMENT = """1. Vaswani A. et al. (2017). Attention is all you need. NeurIPS.
2. Zhao N, Qiao W. Elevating microglia TREM2 reduces amyloid seeding. J Exp Med. 2019;219(12). doi:10.1084/jem.20212479
3. Nobody A. A study of things that were never studied at all. Journal of Nothing. 2031;1:1-2.
"""


def start(page: Page) -> None:
    page.goto("/#/search")
    expect(page.locator(".start")).to_be_visible()


def search(page: Page) -> None:
    page.goto("/#/search?q=TREM2+microglia")
    expect(page.locator(".facets")).to_be_visible()
    page.locator(".paper").first.get_by_text("Why it ranks here").click()


def wordings(page: Page) -> None:
    page.goto("/#/search?q=TREM2+microglia&w=myeloid+receptor&w=amyloid+beta+clearance&side=1")
    expect(page.locator(".wording")).to_have_count(3)


def paper(page: Page) -> None:
    page.goto("/#/paper?id=PMC8371605")
    expect(page.locator(".whole")).to_be_visible()
    page.get_by_text("Ask this paper").click()
    page.get_by_label("Question or claim").fill("How is the structure of a protein predicted?")
    page.get_by_role("button", name="Find sentences").click()
    expect(page.locator(".questions mark").first).to_be_visible()
    page.locator(".full-text > summary").click()
    page.locator(".full-text details summary").first.click()
    expect(page.locator(".full-text .text p").first).to_be_visible()
    for name in ("Similar papers", "References"):
        page.locator(".links summary").filter(has_text=name).click()
    expect(page.locator(".similar .linked").first).to_be_visible()


def network(page: Page) -> None:
    page.goto("/#/network?nodes=120&depth=2" + "".join(f"&id={seed}" for seed in SEEDS))
    expect(page.get_by_role("application")).to_be_visible()
    page.locator(".node-list button").filter(has_text="Opportunities and obstacles").click()


def references(page: Page) -> None:
    page.goto("/#/references")
    page.get_by_label("Document or list of references").fill(DOCUMENT)
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator(".reference")).to_have_count(3)
    expect(page.get_by_role("button", name="Download the corrected document")).to_be_visible()


def open_context(page: Page) -> None:
    """Open the context; it is written in the background, and is not there at once."""
    for _ in range(WRITTEN_WITHIN):
        page.goto("/#/contexts?type=debate&id=42")
        page.reload()
        expect(page.locator(".notice, .list-of > li").first).to_be_visible()
        if page.locator(".list-of > li").count():
            return
    raise AssertionError("the context was not written")


def contexts(page: Page) -> None:
    text = "As shown (doi:10.1084/jem.20212479; doi:10.1111/j.1471-4159.2009.06042.x; doi:10.1098/rsif.2017.0387)."
    page.request.post("/v1/citations", data={"context": {"type": "debate", "id": "42"}, "text": text})
    open_context(page)


def saved(page: Page) -> None:
    page.goto("/#/saved")
    page.get_by_label("Query").fill("TREM2 microglia")
    page.get_by_role("button", name="Save search").click()
    page.get_by_role("button", name="Change", exact=True).first.click()
    expect(page.get_by_role("button", name="Keep changes")).to_be_visible()


def sources(page: Page) -> None:
    page.goto("/#/sources")
    expect(page.locator(".card").first).to_be_visible()


def failure(page: Page) -> None:
    page.goto("/#/search?q=TREM2&from=2021&to=2020")
    expect(page.get_by_role("alert")).to_be_visible()


VIEWS: dict[str, Callable[[Page], None]] = {
    show.__name__: show
    for show in (start, search, wordings, paper, network, references, contexts, saved, sources, failure)
}


def show(page: Page, name: str) -> None:
    """Open a view and let it show something."""
    VIEWS[name](page)
