"""Open copies as OpenAlex reports them, and its recorded works looked up one by one: who they are and whether open."""

from __future__ import annotations

import json
from typing import Any

import pytest

from functions.providers import openalex
from shared.bibliography.paper import Location, Paper, Version
from shared.providers.records.openalex import FIELDS, read_paper
from shared.query.question import Lookup
from tests.recorded.every_recording import folder, manifest, needs_recordings
from tests.replay import OWN_RECORDINGS, replay

# file -> the requested name, OpenAlex id, title, is it open, licence of the best copy, open copies
LOOKUPS: dict[str, list[Any]] = json.loads((OWN_RECORDINGS / "openalex" / "lookups.json").read_text(encoding="utf-8"))
# file -> DOI, is it open, where
SELECTED = {
    "work-select-oa-closed.json": ("10.1002/wrna.1370", False, None),
    "work-select-oa-gold.json": (
        "10.1093/nar/gkw1164", True, "https://academic.oup.com/nar/article-pdf/45/1/311/9249485/gkw1164.pdf",
    ),
    "work-select-oa-green.json": ("10.1021/acs.jctc.5b00178", True, "https://www.osti.gov/biblio/1329576"),
}  # fmt: skip


def paper_of(**fields: Any) -> Paper:
    """What a work with these fields becomes in a lookup."""
    work = {"id": "https://openalex.org/W9900000099", "title": "A title", **fields}
    return replay(openalex, work, query=Lookup(("openalex:W9900000099",))).papers[0]


def place(url: str | None = None, pdf: str | None = None, **fields: Any) -> dict[str, Any]:
    return {"is_oa": True, "landing_page_url": url, "pdf_url": pdf, "license": None, "version": None, **fields}


@needs_recordings
def test_every_recorded_work_is_looked_up() -> None:
    assert {*LOOKUPS, *SELECTED} == {name for name in manifest("openalex") if name.startswith("work-")}


@needs_recordings
@pytest.mark.parametrize("name", LOOKUPS)
def test_a_recorded_work_looked_up(name: str) -> None:
    requested, work_id, title, is_oa, rights, copies = LOOKUPS[name]
    reply = replay(openalex, folder("openalex") / name, query=Lookup((requested,)))
    (paper,) = reply.papers
    assert (paper.asked, paper.rank, paper.ids.openalex, paper.title) == ((requested,), 1, work_id, title)
    assert paper.retraction.status.value == "none"
    access = paper.open_access
    assert (access.is_oa, access.license, len(access.locations)) == (is_oa, rights, copies)
    assert bool(access.url) is is_oa
    assert (reply.outcome.value, reply.total_estimate, reply.warnings) == ("ok", 1, ())


@needs_recordings
@pytest.mark.parametrize("name", LOOKUPS)
def test_a_recorded_work_cut_by_select_reads_the_same(name: str) -> None:
    whole = json.loads((folder("openalex") / name).read_text(encoding="utf-8"))
    assert read_paper({field: whole[field] for field in FIELDS}, 1, 2027) == read_paper(whole, 1, 2027)


@needs_recordings
@pytest.mark.parametrize("name", SELECTED)
def test_a_record_cut_to_its_open_access(name: str) -> None:
    doi, is_oa, url = SELECTED[name]
    recorded = json.loads((folder("openalex") / name).read_text(encoding="utf-8"))
    (paper,) = replay(openalex, {**recorded, "title": "A title"}, query=Lookup((f"doi:{doi}",))).papers
    assert (paper.asked, paper.open_access.is_oa, paper.open_access.url) == ((f"doi:{doi}",), is_oa, url)
    assert replay(openalex, recorded, query=Lookup((f"doi:{doi}",))).outcome.value == "bad_response", "it has no title"


@needs_recordings
def test_the_recorded_page_of_an_unknown_doi_is_not_an_error() -> None:
    page, requested = folder("openalex") / "error-404-html.txt", Lookup(("doi:10.1046/j.1365-2699.2003.00795",))
    reply = replay(openalex, page, status=404, content_type="text/html; charset=utf-8", query=requested)
    assert (reply.outcome.value, reply.papers, reply.warnings) == ("empty", (), ())


def test_copies_have_version_licence_and_host() -> None:
    journal = place("https://a.example", version="publishedVersion", license="cc-by", source={"type": "journal"})
    archive = place("https://b.example", pdf="https://b.example/x.pdf", version="submittedVersion")
    closed = {**place("https://c.example"), "is_oa": False}
    locations = [journal, {**archive, "source": {"type": "repository"}}, closed]
    assert paper_of(locations=locations, best_oa_location=journal).open_access.locations == (
        Location("https://a.example", version="publishedVersion", license="cc-by", host="publisher"),
        Location("https://b.example/x.pdf", version="submittedVersion", host="repository"),
    )


def test_the_best_place_is_the_first_and_comes_once() -> None:
    one, best = place("https://a.example"), place("https://b.example", license="cc0", is_published=False)
    access = paper_of(locations=[one, place("https://b.example", license="cc0")], best_oa_location=best).open_access
    assert [copy.url for copy in access.locations] == ["https://b.example", "https://a.example"]
    assert (access.url, access.license) == ("https://b.example", "cc0")


def test_the_best_place_counts_where_no_others_are_given() -> None:
    access = paper_of(best_oa_location=place("https://b.example")).open_access
    assert ([copy.url for copy in access.locations], access.url) == (["https://b.example"], "https://b.example")


@pytest.mark.parametrize("blank", ["", None])
def test_a_place_without_an_address_is_no_open_copy(blank: str | None) -> None:
    nowhere = place(blank, pdf=blank, license="", version="")
    recorded = {"is_oa": False, "oa_status": "closed", "oa_url": blank}
    access = paper_of(open_access=recorded, best_oa_location=nowhere, locations=[nowhere]).open_access
    assert (access.is_oa, access.url, access.license, access.locations) == (False, None, None, ())


def test_blank_licences_and_versions_are_unknown() -> None:
    (copy,) = paper_of(locations=[place("https://a.example", license="", version="")]).open_access.locations
    assert (copy.license, copy.version) == (None, None)


@pytest.mark.parametrize(
    "ids",
    [
        {"pmcid": "https://www.ncbi.nlm.nih.gov/pmc/articles/3917233"},
        {"pmcid": "https://pmc.ncbi.nlm.nih.gov/articles/PMC3917233/"},
        {"pmcid": "PMC3917233"},
        {},
    ],
)
def test_a_pmcid_is_read_from_each_address_of_pubmed_central(ids: dict[str, str]) -> None:
    copies = [] if ids else [place("https://pmc.ncbi.nlm.nih.gov/articles/PMC3917233/")]
    assert paper_of(ids=ids, locations=copies).ids.pmcid == "PMC3917233"


@pytest.mark.parametrize(
    "page",
    [
        "https://europepmc.org/pmc/articles/3917233",
        "https://europepmc.org/articles/PMC3917233?pdf=render",
        "https://www.ncbi.nlm.nih.gov/pmc/articles/3917233",
    ],
)
def test_the_pmcid_stands_in_the_address_of_a_copy_in_either_archive(page: str) -> None:
    assert paper_of(locations=[place(page)]).ids.pmcid == "PMC3917233"


@pytest.mark.parametrize("stated", ["null", "n/a", "no", "ahead-of-print"])
def test_a_sign_for_no_volume_issue_or_pages_is_none(stated: str) -> None:
    paper = paper_of(biblio={"volume": stated, "issue": stated, "first_page": stated, "last_page": stated})
    assert (paper.volume, paper.issue, paper.pages) == (None, None, None)


@pytest.mark.parametrize(
    "page",
    [
        "http://arxiv.org/abs/2306.10277",
        "https://doi.org/10.48550/arXiv.2306.10277",
        "https://api.datacite.org/dois/10.48550/arxiv.2306.10277",
    ],
)
def test_a_preprint_is_linked_by_each_address_of_arxiv(page: str) -> None:
    paper = paper_of(doi="https://doi.org/10.9999/article", locations=[place(page)])
    assert (paper.ids.arxiv, paper.versions) == (None, (Version("preprint", arxiv="2306.10277"),))
