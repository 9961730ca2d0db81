"""References as agents write them, over HTTP events: ids alone, Markdown, near titles, wrong years, wrong ids."""

from __future__ import annotations

from typing import Any

import pytest

from infra.local.machine import Machine
from tests.benchmarks.reference_set import papers, printed
from tests.benchmarks.reference_styles import STYLES
from tests.integration.papers_calls import fetch, upstream

VARIANTS, RISK, LANCET = "10.1056/nejmoa1211851", "10.1056/nejmoa1211103", "10.1016/s0140-6736(20)31180-6"
ATTENTION = "10.48550/arxiv.1706.03762"
LANCET_TITLE = (
    "RETRACTED: Hydroxychloroquine or chloroquine with or without a macrolide for treatment of COVID-19: a "
    "multinational registry analysis"
)
RISK_TITLE = "Variant of TREM2 associated with the risk of Alzheimer's disease"
# What one writes -> the DOI of the paper.
REFERENCES: list[tuple[Any, str]] = [
    (VARIANTS, VARIANTS),
    (f"doi:{VARIANTS}", VARIANTS),
    (f"https://doi.org/{VARIANTS}", VARIANTS),
    ("PMID: 23150934", VARIANTS),
    ("arXiv:1706.03762", ATTENTION),
    ("https://arxiv.org/abs/1706.03762", ATTENTION),
    (f"Guerreiro 2013 doi:{VARIANTS}", VARIANTS),
    (f"Mehra MR, Desai SS, Ruschitzka F, Patel AN. {LANCET_TITLE}. Lancet. 2020 doi:{LANCET}", LANCET),
    ({"title": LANCET_TITLE, "authors": ["Mehra MR"], "year": 2020, "journal": "Lancet", "doi": LANCET}, LANCET),
    (f"Mehra MR, Desai SS, Ruschitzka F, Patel AN. {LANCET_TITLE}. Lancet. 2020", LANCET),
    ({"title": RISK_TITLE.replace("'s", ""), "year": 2013, "authors": ["Jonsson T"]}, RISK),
    ({"title": "BERT: Pre-training of Deep Bidirectional Transformers", "authors": ["Devlin J"], "year": 2018},
     "10.18653/v1/n19-1423"),
    ("Vaswani et al 2017 Attention is all you need NeurIPS", ATTENTION),
    ("Guerreiro R et al. TREM2 variants in Parkinson's disease. N Engl J Med 2013;368:117-27", VARIANTS),
    (f"1. [TREM2 variants in Alzheimer's disease](https://doi.org/{VARIANTS})", VARIANTS),
    ("Distilling the Knowledge in a Neural Network", "10.48550/arxiv.1503.02531"),
]  # fmt: skip


# Each with a typing error, in six different titles: a request of so many searches for several titles at once.
MISSPELT = [
    "Borgeaud S, Mensch A. Improving language models by retrieving from trillions of toekns. arXiv. 2021.",
    "Bahdanau D, Cho K, Bengio Y. Neural Machine Translation by Jointly Learning to Aling and Translate. arXiv. 2016.",
    "Guerreiro R. TREM2 Varianst in Alzheimer's Disease. N Engl J Med. 2013.",
    "Shalem O. Genome-scale CRISPR-Cas9 knockout screning in human cells. Science. 2014.",
    "Mathis N. Predicting prime editing eficiency and product purity by deep learning. Nat Biotechnol. 2023.",
    "Findlay G. Accurate clasification of BRCA1 variants with saturation genome editing. Nature. 2018.",
]  # fmt: skip


def test_misspelt_titles_in_a_longer_list_are_found(running: Machine) -> None:
    entries = resolved(running, *MISSPELT, timeout_ms=25_000)
    assert {entry["status"] for entry in entries} == {"matched"}, [entry["status"] for entry in entries]


def resolved(local: Machine, *references: Any, **fields: Any) -> list[dict[str, Any]]:
    return list(fetch(local, "POST", "/v1/resolve", {"references": list(references), **fields})["references"])


@pytest.fixture(scope="module")
def entries(running: Machine) -> list[dict[str, Any]]:
    return resolved(running, *(reference for reference, _ in REFERENCES), timeout_ms=25_000)


@pytest.mark.parametrize("place", range(len(REFERENCES)), ids=lambda place: str(REFERENCES[place][0])[:50])
def test_a_real_reference_in_any_form_is_matched_by_its_paper(entries: list[dict[str, Any]], place: int) -> None:
    entry, (_, doi) = entries[place], REFERENCES[place]
    seen = [(one["paper"]["title"], one["reason"]) for one in entry["candidates"]]
    assert entry["status"] == "matched", seen
    ids = [it for it in (entry["paper"], *entry["paper"].get("versions", ())) if it.get("doi")]
    assert doi in [it["doi"].lower() for it in ids]


def test_a_retracted_paper_is_matched_and_says_so(entries: list[dict[str, Any]]) -> None:
    lancet = [entry for entry, (_, doi) in zip(entries, REFERENCES, strict=True) if doi == LANCET]
    assert [entry["paper"]["retraction"]["status"] for entry in lancet] == ["retracted"] * 3


def test_one_wrong_word_is_reported_with_both_titles(entries: list[dict[str, Any]]) -> None:
    entry = entries[13]
    assert (entry["differs"], entry["fields"]["title"]["verdict"]) == (["title"], "differs")
    assert entry["fields"]["title"]["cited"] == "TREM2 variants in Parkinson's disease"
    assert entry["fields"]["pages"]["verdict"] == "agrees"


def test_a_year_off_by_one_differs_and_is_explained(running: Machine) -> None:
    off, right = resolved(running, *({"title": RISK_TITLE, "year": year, "authors": ["Jonsson T"]}
                                     for year in (2014, 2013)))  # fmt: skip
    assert (off["status"], off["agrees"], off["differs"]) == ("matched", ["title", "authors"], ["year"])
    year = off["fields"]["year"]
    assert (year["verdict"], year["cited"], year["found"]) == ("differs", "2014", "2013")
    assert "online" in year["note"]
    assert right["fields"]["year"] == {"verdict": "agrees", "cited": "2013", "found": "2013"}


def test_a_name_alone_is_all_that_is_cited_of_the_authors(running: Machine) -> None:
    (entry,) = resolved(running, "Guerreiro 2013")
    authors = entry["candidates"][0]["fields"]["authors"]
    assert (authors["verdict"], authors["cited"]) == ("agrees", "Guerreiro")
    assert authors["found"].startswith("R Guerreiro; ")


def test_a_blank_line_among_references_is_left_out(running: Machine) -> None:
    assert [it["status"] for it in resolved(running, VARIANTS, "", "  ")] == ["matched"]


def test_the_nearest_papers_of_a_made_up_reference_are_shown_with_the_reason(running: Machine) -> None:
    (entry,) = resolved(running, {"title": "TREM2 variants in Parkinson's disease", "authors": ["Guerreiro R"],
                                  "year": 2013})  # fmt: skip
    assert (entry["status"], entry["paper"], entry["unanswered"]) == ("not_found", None, {})
    nearest = entry["candidates"][0]
    assert nearest["paper"]["doi"] == VARIANTS
    assert nearest["reason"] == "title has “parkinson” for “alzheimer”"
    assert nearest["fields"]["title"]["verdict"] == "differs"


def test_the_doi_of_another_paper_shows_both_papers(running: Machine) -> None:
    line = f"Jonsson T, et al. {RISK_TITLE}. N Engl J Med. 2013;368(2):107-16. doi:{VARIANTS}"
    (entry,) = resolved(running, line)
    assert entry["status"] == "mismatched"
    assert (entry["paper"]["doi"], entry["named_by_id"]["doi"]) == (RISK, VARIANTS)
    assert entry["fields"]["doi"] == {"verdict": "differs", "cited": VARIANTS, "found": RISK}


def test_a_real_title_with_other_authors_and_another_year_is_not_matched(running: Machine) -> None:
    (entry,) = resolved(running, f"Okonkwo A, Halvorsen B. {RISK_TITLE}. Brain Letters. 2008;12:1-9.")
    assert (entry["status"], entry["paper"]) == ("ambiguous", None)
    assert entry["candidates"][0]["agrees"] == ["title"]
    assert "year" in entry["candidates"][0]["reason"]


def test_a_reference_with_the_right_id_sends_no_search(running: Machine) -> None:
    doi = "10.7554/elife.20391"
    assert running.sandbox is not None
    before, seen = upstream(running), len(running.sandbox.requests)
    line = (
        "Kober DL, et al. Neurodegenerative disease mutations in TREM2 reveal a functional surface and distinct "
        f"loss-of-function mechanisms. eLife. 2016;5:e20391. doi:{doi}"
    )
    (entry,) = resolved(running, line)
    paths = [request.path for request in running.sandbox.requests[seen:]]
    assert entry["status"] == "matched"
    assert not [path for path in paths if path.endswith(("/match", "ecitmatch.cgi", "esearch.fcgi", "/works"))]
    assert sum((upstream(running) - before).values()) <= 9


@pytest.mark.parametrize("style", ["Markdown list", "Markdown link"])
def test_a_markdown_list_of_real_papers_is_matched(running: Machine, style: str) -> None:
    sample = [it for it in papers() if it.doi and len(it.authors) > 1][:6]
    lines = [STYLES[style](printed(it, with_doi=False)) for it in sample]
    statuses = {line: entry["status"] for line, entry in zip(lines, resolved(running, *lines), strict=True)}
    assert set(statuses.values()) == {"matched"}, statuses


GUERREIRO = "Guerreiro R, Wojtas A, Bras J. TREM2 variants in Alzheimer's disease. N Engl J Med. 2013;368:{}."
FIRST_ALONE = "only the first page was compared"


@pytest.mark.parametrize(("pages", "verdict", "note"), [
    ("117-27", "agrees", None), ("117–127", "agrees", None), ("117", "agrees", FIRST_ALONE),
    ("117-28", "differs", None), ("117-9", "differs", None), ("116-127", "differs", None), ("e117", "differs", None),
])  # fmt: skip
def test_the_last_page_is_compared_where_both_are_known(
    running: Machine, pages: str, verdict: str, note: str | None
) -> None:
    """The article is on the pages 117-127: PubMed 23150934."""
    (entry,) = resolved(running, GUERREIRO.format(pages))
    shown = entry["fields"]["pages"]
    assert (entry["status"], shown["verdict"], shown.get("note")) == ("matched", verdict, note)
    assert ("pages" in entry["differs"], "pages" in entry["agrees"]) == (verdict == "differs", verdict == "agrees")


def test_a_wrong_last_page_is_corrected_in_its_style(running: Machine) -> None:
    check = fetch(running, "POST", "/v1/reference-checks", {"references": [GUERREIRO.format("117-28")]})
    (entry,) = check["references"]
    assert (entry["changes"]["pages"], entry["comment"]) == ("117-127", "pages is 117-127, not 117-28")
