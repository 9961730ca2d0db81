"""The sources of full texts: odd answers written by hand, errors, and what is requested."""

from __future__ import annotations

from collections.abc import Mapping

import httpx
import pytest

from functions.providers import arxiv_text, europe_pmc_text, open_copy_text, pmc_text
from infra.local.sandbox.corpus import default_corpus
from infra.local.sandbox.texts.latex import package_of
from infra.local.sandbox.texts.pdf_writer import PdfPage, pdf_of
from infra.local.sandbox.texts.written_texts import written_texts
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply, reply_from_json, reply_to_json
from shared.query.question import TextOf
from tests.replay import OWN_RECORDINGS, ask, replay

MANUSCRIPT = OWN_RECORDINGS / "europe_pmc_text" / "author_manuscript.xml"
PMC = TextOf("pmcid:PMC1")
ARXIV = TextOf("arxiv:1409.3215")
LICENCE_PAGE = '<div class="abs-license"><a href="http://creativecommons.org/licenses/by/4.0/" title="x">view</a></div>'


def package() -> bytes:
    fact = default_corpus().find("arxiv", arxiv_id="1409.3215")
    assert fact
    return package_of(written_texts()["1409.3215"], fact, default_corpus())


def arxiv_reply(answers: Mapping[str, bytes | int]) -> tuple[ProviderReply, list[str]]:
    """The reply where arXiv answers the paths that begin so; a number is a status without a body."""
    requested: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        requested.append(request.url.path)
        body = next(it for path, it in answers.items() if request.url.path.startswith(path))
        if isinstance(body, int):
            return httpx.Response(body)
        return httpx.Response(200, content=body, headers={"content-type": "text/html"})

    return ask(arxiv_text, answer, ARXIV), requested


def test_an_author_manuscript_is_read_with_its_structured_abstract_ranges_and_floats() -> None:
    text = replay(europe_pmc_text, MANUSCRIPT, query=PMC).full_text
    assert text
    assert (text.title, text.license, text.license_text) == ("A title with marks & signs", None, None)
    assert [(it.number, it.path, [p.text for p in it.paragraphs]) for it in text.sections] == [
        ("abstract", ("Abstract",), ["OBJECTIVE: To see what a reader does.", "RESULTS: It reads."]),
        ("0", (), ["Text before any heading."]),
        ("1", ("1. Methods*",), ["Doses were 5 mg^2−, as before[1]–[3]."]),
        ("1.1", ("1. Methods*", "Animals"), ["Mice.", "Mice. In their cage."]),
        ("2", ("Acknowledgements",), ["Thanks."]),
        ("floats", ("Figures and tables",), ["Doses.\nBoth\n5 | 10 [2]\nIn mg."]),
    ]
    assert text.sections[2].paragraphs[0].cites == (1, 2, 3)
    assert [(it.ids.doi, it.ids.pmid, it.ids.arxiv) for it in text.cited] == [
        ("10.1000/first", None, None),
        (None, "12345", None),
        (None, None, "2301.00001"),
    ]


@pytest.mark.parametrize(
    ("module", "body", "status", "outcome"),
    [
        (europe_pmc_text, b"", 404, Outcome.EMPTY),
        (europe_pmc_text, b"", 500, Outcome.UNAVAILABLE),
        (europe_pmc_text, b"<article><front/></article>", 200, Outcome.EMPTY),
        (europe_pmc_text, b"<article><bo", 200, Outcome.BAD_RESPONSE),
        (europe_pmc_text, b"\xff\xfe<article/>", 200, Outcome.BAD_RESPONSE),
        (pmc_text, OWN_RECORDINGS / "pmc_text" / "cannot_disseminate.xml", 200, Outcome.EMPTY),
        (pmc_text, OWN_RECORDINGS / "pmc_text" / "bad_argument.xml", 200, Outcome.BAD_RESPONSE),
        (pmc_text, b"", 503, Outcome.UNAVAILABLE),
    ],
)
def test_a_text_that_is_not_open_is_empty_and_a_failure_is_not(
    module: object, body: object, status: int, outcome: Outcome
) -> None:
    reply = replay(module, body, status=status, query=PMC, content_type="text/xml")  # type: ignore[arg-type]
    assert (reply.outcome, reply.full_text) == (outcome, None)
    assert reply.warnings


def test_html_without_text_is_no_text_and_the_source_is_queried() -> None:
    html = (OWN_RECORDINGS / "arxiv_text" / "pdf_only.html").read_bytes()
    reply, requested = arxiv_reply({"/html": html, "/e-print": b"%PDF-1.5 of the paper", "/abs": 404})
    assert (reply.outcome, requested) == (Outcome.EMPTY, ["/html/1409.3215", "/e-print/1409.3215"])


def test_a_source_gets_its_licence_from_the_page_of_the_abstract() -> None:
    reply, requested = arxiv_reply({"/html": 404, "/e-print": package(), "/abs": LICENCE_PAGE.encode()})
    assert reply.full_text
    assert (reply.full_text.format, reply.full_text.license) == ("latex", "cc-by-4.0")
    assert requested[-1] == "/abs/1409.3215"


def test_a_page_of_the_abstract_that_fails_fails_the_leg_because_the_licence_would_be_unknown() -> None:
    reply, _ = arxiv_reply({"/html": 404, "/e-print": package(), "/abs": 503})
    assert (reply.outcome, reply.full_text) == (Outcome.UNAVAILABLE, None)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_html_that_cannot_be_had_now_is_no_reason_to_take_the_source(status: int) -> None:
    reply, requested = arxiv_reply({"/html": status})
    assert not reply.outcome.answered
    assert set(requested) == {"/html/1409.3215"}


def test_another_page_in_place_of_the_html_is_a_bad_response() -> None:
    reply, _ = arxiv_reply({"/html": b"<html><body><h1>Please wait</h1></body></html>"})
    assert reply.outcome is Outcome.BAD_RESPONSE


def test_a_reply_with_a_text_survives_the_cache() -> None:
    reply = replay(europe_pmc_text, MANUSCRIPT, query=PMC)
    assert reply_from_json(reply_to_json(reply)) == reply


COPY = TextOf("url:https://repository.example.org/a.pdf")
COPIES = OWN_RECORDINGS / "open_copy_text"
ENCRYPTED = f"/Encrypt << /Filter /Standard /V 1 /R 2 /O <{'00' * 32}> /U <{'00' * 32}> /P -4 >> /ID [<00> <00>]"


def test_a_damaged_file_is_read_as_far_as_it_goes() -> None:
    reply = replay(open_copy_text, (COPIES / "without_table.pdf").read_bytes(), query=COPY)
    assert (reply.outcome, reply.effective_query) == (Outcome.OK, "https://repository.example.org/a.pdf")
    assert reply.full_text
    assert reply.full_text.title == "A damaged file"
    (page,) = reply.full_text.sections
    assert (page.number, page.path) == ("p1", ())
    assert [it.text for it in page.paragraphs] == [
        "The file is damaged, and its text is read in spite of that.",
        "It has a second paragraph.",
    ]
    assert reply_from_json(reply_to_json(reply)) == reply


@pytest.mark.parametrize(
    ("body", "kind", "outcome"),
    [
        ((COPIES / "robot_check.html").read_bytes(), "text/html", Outcome.EMPTY),
        (b"%PDF-1.7 and no file behind it", "application/pdf", Outcome.BAD_RESPONSE),
        (pdf_of([PdfPage()], trailer=ENCRYPTED), "application/pdf", Outcome.EMPTY),
    ],
)
def test_an_address_without_a_readable_file_has_no_text(body: object, kind: str, outcome: Outcome) -> None:
    reply = replay(open_copy_text, body, query=COPY, content_type=kind)  # type: ignore[arg-type]
    assert (reply.outcome, reply.full_text) == (outcome, None)
    assert reply.warnings
