"""PubMed: the papers that citations may mean, by the citation matcher and by the words of their titles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

import httpx
import pytest

from functions.providers import pubmed
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.providers.pubmed_syntax import matcher_line, read_matches, title_term
from shared.query.question import Citation, Match
from tests.replay import ask
from tests.unit.providers.pubmed_replay import OWN, article, article_set, found

FINDINGS = (OWN / "ecitmatch-findings.txt").read_text(encoding="utf-8")
MANN = Citation(authors=("Mann BJ",), year=1991, journal="Proc Natl Acad Sci U S A", volume="88", pages="3248-3252")


class Backend:
    """Answers each tool with its body, and efetch with the requested records; records the forms."""

    def __init__(self, **bodies: Any) -> None:
        self.bodies = bodies
        self.forms: list[tuple[str, dict[str, str]]] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        tool = request.url.path.rpartition("/")[2]
        form = {name: values[0] for name, values in parse_qs(request.content.decode()).items()}
        self.forms.append((tool, form))
        body = self.bodies.get(tool.partition(".")[0])
        if body is None and tool == "efetch.fcgi":
            body = article_set(*(article(pmid, title=f"Title of {pmid}.") for pmid in form["id"].split(",")))
        if isinstance(body, dict):
            return httpx.Response(200, json=body)
        kind = "text/plain" if tool == "ecitmatch.cgi" else "text/xml"
        return httpx.Response(200, content=body, headers={"content-type": kind})

    @property
    def tools(self) -> list[str]:
        return [tool.partition(".")[0] for tool, _ in self.forms]


def match(backend: Callable[[httpx.Request], httpx.Response], *citations: Citation) -> ProviderReply:
    return ask(pubmed, backend, Match(citations))


def pmids(reply: ProviderReply) -> list[str | None]:
    return [paper.ids.pmid for paper in reply.papers]


@pytest.mark.parametrize(
    ("citation", "line"),
    [
        (MANN, "Proc Natl Acad Sci U S A|1991|88|3248|Mann BJ|1|"),
        (Citation(year=1991, journal="Cell", volume="88"), "Cell|1991|88|||1|"),
        (Citation(year=1991, journal="Cell", pages="e5807"), "Cell|1991||e5807||1|"),
        (Citation(year=1991, journal="Cell | Press\r|2|", volume=" 88 ", pages="S1–S9"), "Cell Press 2|1991|88|S1||1|"),
        (Citation(authors=("Barbara J. Mann", "X"), year=1991, journal="Cell", volume="1"), "Cell|1991|1||Mann BJ|1|"),
        (Citation(authors=("van der Berg, Åsa",), year=1991, journal="Cell", volume="1"),
         "Cell|1991|1||van der Berg Å|1|"),
        (Citation(authors=("Mann",), year=1991, journal="Cell", volume="1"), "Cell|1991|1||Mann|1|"),
        (Citation(year=1991, journal="Cell"), None),
        (Citation(year=1991, volume="88", pages="1"), None),
        (Citation(journal="Cell", volume="88", pages="1"), None),
        (Citation(year=1991, journal=" | ", volume="88"), None),
        (Citation(text="Mann BJ. Cell 1991;88:3248"), None),
    ],
    ids=[
        "whole", "no-page", "no-volume", "signs-of-the-format", "given-name-first", "particle", "family-only",
        "no-place", "no-journal", "no-year", "empty-journal", "text-only",
    ],
)  # fmt: skip
def test_a_citation_becomes_a_line_of_the_matcher(citation: Citation, line: str | None) -> None:
    assert matcher_line(citation, 1) == line


@pytest.mark.parametrize(
    ("citation", "term"),
    [
        (Citation(title="TREM2 Variants in Alzheimer's Disease."),
         "trem2[ti] AND variants[ti] AND alzheimer's[ti] AND disease[ti]"),
        (Citation(title='The "[2Fe-2S]" story: what NOT to do (AND why)?', year=1991),
         "2fe-2s[ti] AND story[ti] AND why[ti] AND 1990:1992[dp]"),
        (Citation(title="Editorial", authors=("Barbara J. Mann",), year=1991),
         "editorial[ti] AND Mann[au] AND 1990:1992[dp]"),
        (Citation(title="Editorial"), "editorial[ti]"),
        (Citation(title="Pain, pain and PAIN: – a view of mice or men"),
         "pain[ti] AND view[ti] AND mice[ti] AND men[ti]"),
        (Citation(title=" ".join(f"w{n}" for n in range(20))), " AND ".join(f"w{n}[ti]" for n in range(12))),
        (Citation(title="On the of ..."), None),
        (Citation(text="A title, perhaps"), None),
    ],
    ids=["words", "signs-and-operators", "short", "short-and-alone", "once-each", "long", "no-words", "no-title"],
)  # fmt: skip
def test_a_title_becomes_a_term(citation: Citation, term: str | None) -> None:
    assert title_term(citation) == term


def test_the_matchers_findings_are_read() -> None:
    found_pmids, warnings = read_matches(FINDINGS)
    assert found_pmids == {1: ["102"], 2: [], 3: ["104", "103"], 4: [], 5: []}
    assert warnings == [
        "PubMed holds 783 papers like citation 5 and names none of them",
        "PubMed does not know the journal of citation 2",
    ]


@pytest.mark.parametrize(
    ("line", "pmids"),
    [
        ("science|1987|235|182|palmenberg ac|2|3026048", ["3026048"]),
        ("science|1987|235|182||2|3026048", ["3026048"]),
        ("science|1987|235|182|2|3026048", ["3026048"]),
        ("science|1987|235|182||2|", []),
        ("science|1987|235|182||2|AMBIGUOUS", []),
        ("science|1987|235|182||2|AMBIGUOUS 3 citations", []),
        ("science|1987|235|182||2|AMBIGUOUS 11, 12\r", ["11", "12"]),
        ("science|1987|235|182||2|NOT_FOUND\r", []),
    ],
    ids=[
        "whole", "author-emptied", "author-dropped", "blank", "ambiguous", "counted", "named", "not-found",
    ],
)  # fmt: skip
def test_every_form_of_a_finding_is_read(line: str, pmids: list[str]) -> None:
    assert read_matches(f"{line}\n")[0] == {2: pmids}


def test_the_matcher_is_called_once_for_all_and_the_records_are_fetched_once() -> None:
    backend = Backend(ecitmatch="x|1|2|3||1|7\nx|1|2|3||2|NOT_FOUND\nx|1|2|3||3|8\n")
    reply = match(backend, MANN, MANN, MANN)
    assert backend.tools == ["ecitmatch", "efetch"]
    assert backend.forms[0] == ("ecitmatch.cgi", {
        "db": "pubmed", "retmode": "xml", "tool": "literature-search", "email": "dev@example.org",
        "api_key": "secret-key", "bdata": "\r".join(matcher_line(MANN, number) or "" for number in (1, 2, 3)),
    })  # fmt: skip
    assert backend.forms[1][1]["id"] == "7,8"
    assert [(paper.ids.pmid, paper.rank, paper.title) for paper in reply.papers] == [
        ("7", 1, "Title of 7"), ("8", 2, "Title of 8"),
    ]  # fmt: skip
    assert (reply.outcome, reply.total_estimate, reply.warnings) == (Outcome.OK, 2, ())
    assert (reply.effective_query or "").startswith("Proc Natl Acad Sci U S A|1991|88|3248|Mann BJ|1|; Proc")
    assert "secret-key" not in repr(reply)


def test_titles_are_searched_for_besides_and_bring_what_the_matcher_missed() -> None:
    backend = Backend(ecitmatch="x|1|2|3||1|7\n", esearch=found("8", "7"))
    reply = match(backend, Citation(title="Four words of title", journal="X", year=1, volume="2"))
    assert backend.tools == ["ecitmatch", "esearch", "efetch"]
    form = backend.forms[1][1]
    assert (form["term"], form["retmax"], form["sort"]) == (
        "four[ti] AND words[ti] AND title[ti] AND 0:2[dp]", "5", "relevance",
    )  # fmt: skip
    assert pmids(reply) == ["7", "8"]


def test_papers_found_by_title_precede_all_but_the_first_of_an_ambiguous_match() -> None:
    backend = Backend(ecitmatch="x|1|2|3||1|AMBIGUOUS 11,12,13,14,15\n", esearch=found("8", "7"))
    reply = match(backend, Citation(title="Mice", journal="X", year=1, volume="2"))
    assert pmids(reply) == ["11", "8", "7", "12", "13"]


def test_titles_alone_need_no_matcher() -> None:
    backend = Backend(esearch=found("8"))
    assert pmids(match(backend, Citation(title="Mice"), Citation(title="Men"))) == ["8"]
    assert backend.tools == ["esearch", "esearch", "efetch"]


@pytest.mark.parametrize(("count", "searches"), [(5, 5), (6, 0)], ids=["five", "six"])
def test_the_titles_of_many_citations_are_not_searched_for_where_the_matcher_finds_them(
    count: int, searches: int
) -> None:
    lines = "".join(f"x|1|2|3||{number}|7\n" for number in range(1, count + 1))
    backend = Backend(ecitmatch=lines, esearch=found("8"))
    match(backend, *(Citation(title="Mice", journal="X", year=1, volume="2") for _ in range(count)))
    assert backend.tools.count("esearch") == searches


def test_the_titles_of_many_that_the_matcher_does_not_find_share_one_search_by_their_halves() -> None:
    lines = "".join(f"x|1|2|3||{number}|7\n" for number in range(1, 6)) + "x|1|2|3||6|NOT_FOUND\n"
    backend = Backend(ecitmatch=lines, esearch=found("8"))
    title = "Predicting prime editing efficiency and product purity by deep learning"
    long = Citation(title=title, journal="X", year=1, volume="2")
    short = Citation(title="Mice", authors=("Mann BJ",))
    reply = match(backend, *[MANN] * 5, long, short)
    assert backend.tools == ["ecitmatch", "esearch", "efetch"]
    form = backend.forms[1][1]
    assert form["term"] == (
        "(predicting[ti] AND prime[ti] AND editing[ti] AND efficiency[ti])"
        " OR (product[ti] AND purity[ti] AND deep[ti] AND learning[ti]) OR (mice[ti] AND Mann[au])"
    )
    assert form["retmax"] == "10"
    assert pmids(reply) == ["7", "8"]
    assert reply.not_queried == ()


def test_no_more_than_five_candidates_of_each_citation_are_fetched_the_first_of_each_first() -> None:
    named = ",".join(str(number) for number in range(11, 20))
    backend = Backend(ecitmatch=f"x|1|2|3||1|AMBIGUOUS {named}\nx|1|2|3||2|7\n")
    assert pmids(match(backend, MANN, MANN)) == ["11", "7", "12", "13", "14", "15"]


def test_citations_that_cannot_be_queried_are_reported() -> None:
    backend = Backend(ecitmatch="x|1|2|3||2|7\n")
    reply = match(backend, Citation(text="Something, 1990"), MANN)
    assert pmids(reply) == ["7"]
    assert reply.warnings == ("PubMed was not queried for 1 citation: it needs journal, year and volume or page",)
    assert reply.not_queried == (0,)


def test_an_empty_question_costs_no_request() -> None:
    backend = Backend()
    reply = match(backend, Citation(text="Something, 1990"))
    assert (reply.outcome, backend.tools) == (Outcome.EMPTY, [])
    assert len(reply.warnings) == 1


def test_nothing_found_is_empty_without_a_fetch() -> None:
    backend = Backend(ecitmatch="x|1|2|3||1|NOT_FOUND\n", esearch=found())
    assert match(backend, MANN).outcome is Outcome.EMPTY
    assert backend.tools == ["ecitmatch"]


def test_an_unanswered_line_is_reported() -> None:
    reply = match(Backend(ecitmatch="x|1|2|3||1|7\n"), MANN, MANN)
    assert pmids(reply) == ["7"]
    assert reply.warnings == ("PubMed left citation 2 unanswered",)


@pytest.mark.parametrize(
    ("bodies", "outcome"),
    [
        ({"ecitmatch": ""}, Outcome.BAD_RESPONSE),
        ({"ecitmatch": "<html><body>Sorry</body></html>"}, Outcome.BAD_RESPONSE),
        ({"ecitmatch": "x|1|2|3||9|7\n"}, Outcome.BAD_RESPONSE),
        ({"ecitmatch": "<ERROR>Unable to open connection</ERROR>"}, Outcome.UNAVAILABLE),
        ({"ecitmatch": "<eCitMatch><ERROR>Unable to open connection</ERROR></eCitMatch>"}, Outcome.UNAVAILABLE),
        ({"ecitmatch": {"error": "API rate limit exceeded", "api-key": "secret-key"}}, Outcome.RATE_LIMITED),
        ({"esearch": {"esearchresult": {"ERROR": "proxy_stream() failed"}}}, Outcome.UNAVAILABLE),
        ({"efetch": "<PubmedArticleSet/>"}, Outcome.BAD_RESPONSE),
    ],
    ids=["nothing", "html", "other-lines", "bare-error", "error", "rate-limit", "title-search", "no-records"],
)
def test_a_failing_match_is_never_an_empty_one(bodies: dict[str, Any], outcome: Outcome) -> None:
    whole = {"ecitmatch": "x|1|2|3||1|7\n", "esearch": found("8"), **bodies}
    reply = match(Backend(**whole), Citation(title="Mice", journal="X", year=1, volume="2"))
    assert reply.outcome is outcome
    assert "secret-key" not in repr(reply)
