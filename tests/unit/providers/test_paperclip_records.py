"""Paperclip's records: structured, rendered, looked up; each odd one that was met in its answers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from functions.providers import paperclip
from shared.bibliography.paper import Author, Paper, RetractionStatus, Version
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from tests.recorded.every_recording import folder, needs_recordings
from tests.replay import OWN_RECORDINGS, ask, replay

OWN = OWN_RECORDINGS / "paperclip"


def over_mcp(path: Path) -> ProviderReply:
    """The leg of a text that the MCP tool answers, while REST is gone."""
    result = {"content": [{"type": "text", "text": path.read_text(encoding="utf-8")}], "isError": False}

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path != "/mcp":
            return httpx.Response(404, json={"detail": "Not Found"})
        return httpx.Response(200, json={"jsonrpc": "2.0", "id": 1, "result": result})

    return ask(paperclip, answer)


def record(**fields: Any) -> Paper:
    """The paper of one structured hit."""
    hit = {"document_id": "PMC1", "title": "A title", **fields}
    leg = replay(paperclip, {"output": "", "exit_code": 0, "result_data": {"papers": [hit]}})
    return leg.papers[0]


@pytest.fixture(scope="module")
def rendered() -> tuple[Paper, ...]:
    return replay(paperclip, OWN / "rest_rendered_only.json").papers


def test_a_structured_hit_is_read_whole() -> None:
    paper = replay(paperclip, OWN / "rest_structured.json").papers[0]
    assert (paper.ids.doi, paper.ids.pmid, paper.ids.pmcid, paper.ids.paperclip) == (
        "10.1371/journal.pcbi.1009149", "34310589", "PMC8341708", "PMC8341708",
    )  # fmt: skip
    assert paper.title == "Covasim: An agent-based model of COVID-19 dynamics and interventions"
    assert paper.authors[0] == Author(family="Kerr", given="Cliff C.")
    assert (paper.author_count, paper.year, paper.publication_date) == (3, 2021, "2021-07-26")
    assert (paper.journal, paper.type, paper.citation_count) == ("PLoS Computational Biology", "journal-article", 312)
    assert (paper.open_access.is_oa, paper.open_access.url) == (
        True, "https://pmc.ncbi.nlm.nih.gov/articles/PMC8341708/",
    )  # fmt: skip


def test_the_summary_of_a_machine_is_no_abstract() -> None:
    paper = replay(paperclip, OWN / "rest_structured.json").papers[0]
    assert paper.tldr == "Our own line: a program that lets people meet and fall ill."
    assert paper.abstract == "An open model of who infects whom."


def test_the_quoted_line_of_a_rendered_hit_is_no_abstract(rendered: tuple[Paper, ...]) -> None:
    assert rendered[0].tldr == "Our own line: chains of infection are seen as trees."
    assert {paper.abstract for paper in rendered} == {None}


def test_explicit_nulls_are_missing() -> None:
    paper = replay(paperclip, OWN / "rest_structured.json").papers[1]
    assert (paper.authors, paper.author_count, paper.abstract, paper.tldr) == ((), None, None, None)
    assert (paper.citation_count, paper.landing_page, paper.publication_date) == (None, None, "2021")


def test_a_snippet_is_not_shown_as_the_abstract() -> None:
    assert record(abstract_snippet="Only the beginning of").abstract is None


def test_standing_is_not_tracked() -> None:
    assert record().retraction.status is RetractionStatus.UNKNOWN


def test_double_spaces_of_line_breaks_become_single_ones(rendered: tuple[Paper, ...]) -> None:
    assert rendered[0].title == "COVID-19 epidemiology as emergent behavior on a dynamic transmission forest"


def test_tex_escapes_are_written_out(rendered: tuple[Paper, ...]) -> None:
    assert rendered[1].authors[0] == Author(family="Lillo", given="Adrián")


@pytest.mark.parametrize(
    ("tex", "name"),
    [
        (r"Nur Bengisu \c{C}am", "Nur Bengisu Çam"),
        (r"Andr\'{e} M{\"u}ller", "André Müller"),
        (r"Ji\v{r}\'\i Nov\'ak", "Jiří Novák"),
        (r"Jos\'e Pe\~na", "José Peña"),
    ],
    ids=["cedilla", "braces", "dotless i", "tilde"],
)
def test_tex_accents_in_names(tex: str, name: str) -> None:
    assert record(authors=tex).authors[0].display == name


def test_marks_behind_names_are_dropped(rendered: tuple[Paper, ...]) -> None:
    assert rendered[2].authors[0] == Author(family="Medeiros-Sousa", given="Antônio Ralph")


def test_a_wrapped_title_is_joined(rendered: tuple[Paper, ...]) -> None:
    assert rendered[2].title.endswith("exploring the effects of variations in vector abundance and acrodendrophily")


def test_names_cut_short_are_left_out_and_their_number_is_unknown(rendered: tuple[Paper, ...]) -> None:
    assert [author.family for author in rendered[3].authors] == [
        "Gregory", "Park", "Lamers", "Bandyopadhyay", "Chi", "Lee",
    ]  # fmt: skip
    assert rendered[3].author_count is None


def test_a_cut_after_a_comma_removes_no_name(rendered: tuple[Paper, ...]) -> None:
    assert rendered[2].authors[-1] == Author(family="Mucci", given="Luis Filipe")


def test_affiliations_in_parentheses_are_no_authors(rendered: tuple[Paper, ...]) -> None:
    assert [author.display for author in rendered[4].authors] == [
        "Cyril Banderier",
        "Philippe Flajolet",
        "Daniele Gardy",
    ]


def test_and_parts_the_names_of_arxiv_only(rendered: tuple[Paper, ...]) -> None:
    assert [author.family for author in rendered[0].authors] == ["Thakkar", "Famulare"]
    group = record(authors="Ann Lee, Institute for Health Metrics and Evaluation")
    assert group.author_count == 2


def test_the_label_biomedrxiv_makes_no_preprint_of_a_paper_in_pmc(rendered: tuple[Paper, ...]) -> None:
    paper = rendered[3]
    assert (paper.ids.pmcid, paper.ids.doi) == ("PMC3679127", "10.1371/journal.pone.0063544")
    assert (paper.type, paper.journal) == (None, None)


def test_the_first_of_january_is_only_a_year(rendered: tuple[Paper, ...]) -> None:
    assert (rendered[3].publication_date, rendered[3].year) == ("2013", 2013)
    assert rendered[5].publication_date == "2009-01-12"


def test_a_label_may_be_the_journal() -> None:
    paper = over_mcp(OWN / "lookup_journal_and_year.txt").papers[0]
    assert (paper.journal, paper.year, paper.publication_date) == ("Nature Medicine", 2022, "2022")


@pytest.mark.parametrize(
    ("document", "arxiv"),
    [
        ("arx_2311.16317", "2311.16317"), ("arx_math0411250", "math/0411250"),
        ("arx_hep-th9901001", "hep-th/9901001"), ("2205.02150", "2205.02150"), ("math/0411250", "math/0411250"),
    ],
    ids=["new style", "old style", "old style with a hyphen", "bare", "bare old style"],
)  # fmt: skip
def test_the_arxiv_id_inside_a_document_id(document: str, arxiv: str) -> None:
    paper = record(document_id=document)
    assert (paper.ids.arxiv, paper.type, paper.journal) == (arxiv, "preprint", "arXiv")


def test_seven_digits_of_pmc_are_no_arxiv_id() -> None:
    assert record(document_id="PMC3679127").ids.arxiv is None


@pytest.mark.parametrize(
    ("document", "doi", "own", "published"),
    [
        ("bio_16a264296e32", "10.1101/2020.08.21.260703", "10.1101/2020.08.21.260703", None),
        ("med_0123456789ab", "10.64898/2026.01.02.26343400", "10.64898/2026.01.02.26343400", None),
        ("arx_2402.17774", "10.1021/acsnano.4c02434", None, "10.1021/acsnano.4c02434"),
        ("arx_2402.17774", "10.48550/arXiv.2402.17774", "10.48550/arxiv.2402.17774", None),
        ("PMC7347011", "10.1016/j.vaccine.2020.05.081", "10.1016/j.vaccine.2020.05.081", None),
    ],
    ids=["biorxiv", "openrxiv prefix", "article of an arxiv preprint", "arxiv's own", "article"],
)
def test_a_preprint_names_its_article(document: str, doi: str, own: str | None, published: str | None) -> None:
    paper = record(document_id=document, doi=doi)
    assert paper.ids.doi == own
    assert paper.versions == ((Version("published", doi=published),) if published else ())


def test_a_lookup_of_an_article_may_bring_its_preprint() -> None:
    paper = over_mcp(OWN / "lookup_preprint_for_article.txt").papers[0]
    assert (paper.title, paper.year) == ("Has wild poliovirus been eliminated from Nigeria?", 2015)
    assert (paper.ids.arxiv, paper.ids.doi, paper.ids.paperclip) == ("1504.02751", None, "arx_1504.02751")
    assert paper.versions == (Version("published", doi="10.1371/journal.pone.0135765"),)


def test_an_unknown_article_type_is_missing() -> None:
    assert [record(article_type=kind).type for kind in ("review-article", "correction", "poem", None)] == [
        "review", "erratum", None, None,
    ]  # fmt: skip


def test_a_document_outside_the_free_corpora_says_nothing_of_access() -> None:
    paper = record(document_id="oa_W123456")
    assert (paper.open_access.is_oa, paper.ids.openalex) == (None, "W123456")


def test_meta_json_with_a_timing_footer_is_one_record() -> None:
    leg = over_mcp(OWN / "meta.txt")
    assert [(paper.ids.doi, paper.ids.pmid, paper.journal, paper.publication_date) for paper in leg.papers] == [
        ("10.7759/cureus.71730", "39421288", "Cureus", "2024-10-17")
    ]


def test_registered_trials_are_no_papers() -> None:
    leg = over_mcp(OWN / "trials.txt")
    assert (leg.outcome, leg.papers) == (Outcome.BAD_RESPONSE, ())
    assert "tri_7fa7a997858a is not a paper" in leg.warnings[0]


RECORDED: list[tuple[str, int, Callable[[Paper], Any], Any]] = [
    ("mcp-cat-meta-json-with-timing-footer.txt", 0, lambda p: (p.ids.doi, p.year), ("10.7759/cureus.71730", 2024)),
    ("mcp-cheslock-1960-ocr-search-title.txt", 1, lambda p: (p.ids.pmcid, p.type, p.year), ("PMC3679127", None, 2013)),
    ("mcp-p06-nat-med-recent-lookup-pmid.txt", 0, lambda p: (p.journal, p.year), ("Nature Medicine", 2022)),
    ("mcp-thakkar-famulare-arxiv-lookup-arxiv-2205-02150.txt", 0, lambda p: p.ids.arxiv, "2205.02150"),
    ("mcp-thakkar-famulare-arxiv-search-title.txt", 0, lambda p: p.ids.arxiv, "2311.16317"),
    ("mcp-thakkar-famulare-arxiv-search-title.txt", 2, lambda p: p.authors[0].display, "Adrián Lillo"),
    ("mcp-thakkar-famulare-arxiv-search-title.txt", 4, lambda p: p.ids.arxiv, "math/0411250"),
    ("mcp-nigeria-2015-versioning-lookup-doi.txt", 0, lambda p: p.versions[0].doi, "10.1371/journal.pone.0135765"),
    ("mcp-nct04232943-pmid36746739-search-title.txt", 3, lambda p: p.authors[4].family, "Çam"),
]


@needs_recordings
@pytest.mark.parametrize(("name", "place", "field", "value"), RECORDED, ids=[f"{row[0]}-{row[1]}" for row in RECORDED])
def test_recorded_hits_have_the_same_fields(name: str, place: int, field: Callable[[Paper], Any], value: Any) -> None:
    assert field(over_mcp(folder("paperclip") / name).papers[place]) == value
