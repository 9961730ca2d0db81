"""The client `semanticscholar` (danielnsilva/semanticscholar) against the sandbox, with its own default fields."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import pytest

from infra.local.sandbox.facts import Fact
from infra.local.sandbox.server import Sandbox

semanticscholar = pytest.importorskip("semanticscholar")

NAME = "semantic_scholar"


class Case:
    """A client of the sandbox, and papers that it can ask for."""

    def __init__(self, sandbox: Sandbox) -> None:
        corpus = sandbox.corpus
        held = corpus.covered(NAME)
        self.client = semanticscholar.SemanticScholar(
            api_url=sandbox.base_urls["SEMANTIC_SCHOLAR_BASE_URL"], retry=False
        )
        self.citing: Fact = next(it for it in held if it.doi and it.authors and len(corpus.cited(NAME, it)) > 1)
        self.cited: Fact = corpus.cited(NAME, self.citing)[0]
        self.of_pubmed: Fact = next(it for it in held if it.pmid)
        self.of_pmc: Fact = next(it for it in held if it.pmcid)
        self.preprint: Fact = next(it for it in held if it.arxiv_id)

    @property
    def id(self) -> str:
        return str(self.citing.s2_paper_id)

    def first_author(self) -> str:
        return str(self.client.get_paper(self.id, fields=["authors"]).authors[0].authorId)


CALLS: dict[str, Callable[[Case], Any]] = {
    "a paper": lambda on: on.client.get_paper(on.id).title == on.citing.title,
    "by DOI": lambda on: on.client.get_paper(f"DOI:{on.citing.doi}", fields=["title", "authors.name"]).authors,
    "by address": lambda on: on.client.get_paper(f"URL:https://arxiv.org/abs/{on.preprint.arxiv_id}").paperId,
    "several papers": lambda on: len(on.client.get_papers([on.id, on.preprint.s2_paper_id])) == 2,
    "unknown papers": lambda on: on.client.get_papers([on.id, "MAG:0"], return_not_found=True)[1] == ["MAG:0"],
    "references": lambda on: len(on.client.get_paper_references(on.id)) > 1,
    "citing papers": lambda on: len(on.client.get_paper_citations(on.cited.s2_paper_id)) > 0,
    "authors of a paper": lambda on: len(on.client.get_paper_authors(on.id)) == len(on.citing.authors),
    "search": lambda on: on.client.search_paper("microglia").total > 10,
    "year": lambda on: all(it.year <= 2018 for it in on.client.search_paper("microglia", year="-2018")),
    "date": lambda on: len(on.client.search_paper("microglia", publication_date_or_year="2015:2020")) > 0,
    "fields of study": lambda on: len(on.client.search_paper("microglia", fields_of_study=["Medicine"])) > 0,
    "until": lambda on: len(on.client.search_paper("cell", publication_date_or_year=":2020")) > 0,
    "types": lambda on: len(on.client.search_paper("microglia", publication_types=["JournalArticle"])) > 0,
    "open access": lambda on: len(on.client.search_paper("deep learning", open_access_pdf=True)) > 0,
    "venue": lambda on: {it.venue for it in on.client.search_paper("microglia", venue=["Cell"])} == {"Cell"},
    "citations": lambda on: all(it.citationCount >= 50 for it in on.client.search_paper("cell", min_citation_count=50)),
    "next page": lambda on: len(list(on.client.search_paper("protein", limit=10))) > 10,
    "title": lambda on: on.client.search_paper(on.citing.title, match_title=True).paperId == on.id,
    "bulk": lambda on: len(on.client.search_paper("microglia | transformer", bulk=True)) > 10,
    "sorted": lambda on: on.client.search_paper("cell", bulk=True, sort="citationCount:desc")[0].citationCount > 0,
    "author search": lambda on: on.client.search_author(on.citing.authors[0][0]).total > 0,
    "author": lambda on: on.client.get_author(on.first_author()).papers,
    "several authors": lambda on: len(on.client.get_authors([on.first_author()])) == 1,
    "papers of an author": lambda on: len(on.client.get_author_papers(on.first_author())) > 0,
    "recommendations": lambda on: on.client.get_recommended_papers(on.id),
    "pool": lambda on: on.client.get_recommended_papers(on.preprint.s2_paper_id, pool_from="all-cs"),
    "for lists": lambda on: on.client.get_recommended_papers_from_lists([on.id], [on.preprint.s2_paper_id]),
    "completion": lambda on: on.client.get_autocomplete(on.citing.title[:12])[0].id == on.id,
    "snippets": lambda on: on.client.search_snippet("microglia clear amyloid")[0].snippet.text,
}  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_a_call_of_the_client_works(sandbox: Sandbox, call: str) -> None:
    assert CALLS[call](Case(sandbox))


IDS: dict[str, Callable[[Case], str]] = {
    "DOI without a prefix": lambda on: str(on.citing.doi),
    "CorpusId": lambda on: f"CorpusId:{on.client.get_paper(on.id).corpusId}",
    "ARXIV": lambda on: f"ARXIV:{on.preprint.arxiv_id}",
    "PMID": lambda on: f"PMID:{on.of_pubmed.pmid}",
    "PMCID": lambda on: f"PMCID:{str(on.of_pmc.pmcid).removeprefix('PMC')}",
    "URL": lambda on: f"URL:https://www.semanticscholar.org/paper/{on.id}",
}


@pytest.mark.parametrize("kind", IDS)
def test_each_kind_of_id_is_known(sandbox: Sandbox, kind: str) -> None:
    case = Case(sandbox)
    assert case.client.get_paper(IDS[kind](case), fields=["title"]).title


def test_each_field_of_the_client_is_known(sandbox: Sandbox) -> None:
    client, case = Case(sandbox).client, Case(sandbox)
    paper, author = importlib.import_module("semanticscholar.Paper").Paper, case.first_author()
    person = importlib.import_module("semanticscholar.Author").Author
    assert all(client.get_paper(case.id, fields=[name]).paperId for name in paper.FIELDS)
    assert all(client.search_paper("microglia", fields=[name]).total for name in paper.SEARCH_FIELDS)
    assert all(client.get_author(author, fields=[name]).authorId for name in person.FIELDS)
    assert all(client.search_author("wang", fields=[name]).total for name in person.SEARCH_FIELDS)


def test_errors_are_read_by_the_client(sandbox: Sandbox) -> None:
    case = Case(sandbox)
    errors = semanticscholar.SemanticScholarException
    with pytest.raises(errors.ObjectNotFoundException, match="Paper with id 0 not found"):
        case.client.get_paper("0")
    with pytest.raises(errors.BadQueryParametersException, match="unsupported fields"):
        case.client.get_paper(case.id, fields=["unknown"])
    assert len(case.client.search_paper("n0 r3sult s3arch t3rm")) == 0
