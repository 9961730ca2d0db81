"""A PDF that prints a paper's title or id and is not that paper: a supplement, a longer title, a comment."""

from __future__ import annotations

import pytest

from infra.local.sandbox.texts.pdf_writer import PdfPage, pdf_of
from shared.papers.texts.copy_identity import is_of_paper
from tests.unit.papers.test_copy_identity import BODY, TITLE, printed, read

DOI = "doi:10.9999/example.1"
OTHER = "Dark matter in dwarf galaxies of the local group"


@pytest.mark.parametrize(
    "shown",
    [
        f"Supplementary Information for {TITLE}",
        f"Supplementary material: {TITLE}",
        f"Supporting Information. {TITLE}",
        f"Online Appendix to “{TITLE}”",
        f"Peer review file: {TITLE}",
        f"Plain language summary of {TITLE}",
        f"Commentary: {TITLE}",
        f"Discussion of “{TITLE}”",
        f"Rejoinder: {TITLE}",
        f"Protocol for a study: {TITLE}",
        f"{TITLE}: study protocol for a trial",
        f"{TITLE}: supplementary figures",
        f"{TITLE}: ten-year follow-up",
    ],
)
@pytest.mark.parametrize("footer", ["", "https://doi.org/10.9999/example.1"])
def test_a_piece_about_a_paper_is_not_the_paper_though_it_prints_its_title_and_its_doi(shown: str, footer: str) -> None:
    assert is_of_paper(printed(shown, footer=footer), [TITLE], [DOI]) is False


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("Attention is all you need", "Attention is all you need for speech recognition in noisy cars"),
        ("Attention is all you need", "Attention is all you need: a survey of transformers"),
        ("The structure of DNA", "The structure of DNA polymerase in yeast"),
        (TITLE, f"A replication of {TITLE}"),
        (TITLE, f"Why we doubt the {TITLE}"),
    ],
)
def test_a_title_inside_a_longer_one_is_not_recognised_without_the_id(title: str, shown: str) -> None:
    assert is_of_paper(printed(shown), [title], []) is None
    assert is_of_paper(printed(shown, footer="https://doi.org/10.9999/example.1"), [title], [DOI]) is True


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("Effects of stress on sleep in older adults", "Effects of sleep on stress in older adults"),
        ("Screening does reduce mortality of lung cancer", "Screening does not reduce mortality of lung cancer"),
        ("Growth before surgery in children with cancer", "Growth after surgery in children with cancer"),
    ],
)
def test_the_same_words_in_another_order_and_a_small_word_more_are_another_title(title: str, shown: str) -> None:
    assert not is_of_paper(printed(shown), [title], [])


@pytest.mark.parametrize(
    "sentence",
    [
        f'In an earlier paper, "{TITLE}", we showed the opposite.',
        "This is a comment on https://doi.org/10.9999/example.1 which we dispute.",
        "The data are those of doi:10.9999/example.1 and of others.",
        "https://doi.org/10.9999/example.1 https://doi.org/10.9999/own.2",
    ],
)
def test_a_paper_that_another_one_mentions_on_its_first_page_is_not_that_one(sentence: str) -> None:
    assert is_of_paper(printed(OTHER, footer=sentence), [TITLE], [DOI]) is False


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        ("https://doi.org/10.9999/Example.1", True),
        ("Costa et al. J Examples (2020) 12:1 https://doi.org/10.9999/example.1", True),
        ("Cite this article: Costa A (2020). DOI: 10.9999/example.1", True),
        ("doi:10.9999/example.1.s001 10.13039/501100000780", False),
        ("10.9999/example.1 10.9999/example.1.g002", True),
        ("arXiv:2001.01234v2 [cs.CL] 3 Jan 2020", True),
        ("arXiv:2001.09999v1 [cs.CL] 3 Jan 2020 doi:10.9999/example.1", False),
    ],
)
def test_an_id_is_the_files_own_if_it_stands_alone_or_is_how_the_file_wants_to_be_cited(
    line: str, verdict: bool
) -> None:
    assert is_of_paper(printed(OTHER, footer=line), [TITLE], [DOI, "arxiv:2001.01234"]) is verdict


def lines(*texts: str) -> bytes:
    """A page whose lines are all in one print."""
    page = PdfPage()
    for number, line in enumerate([*texts, *[BODY] * 20]):
        page.text(72.0, 700.0 - 12.0 * number, line)
    return pdf_of([page])


FIRST, SECOND = TITLE.split(" in ")


@pytest.mark.parametrize(
    ("texts", "verdict"),
    [
        (["Journal of Examples 2020", FIRST, f"in {SECOND}", "Ana Costa, Wei Li"], True),
        (["ORIGINAL ARTICLE", TITLE.upper(), "Ana Costa"], True),
        ([f"Research Article {FIRST}", f"in {SECOND}1", "Ana Costa"], True),
        (["Supplementary Information", TITLE, "Ana Costa"], False),
        (["Supporting information for", TITLE, "Ana Costa"], False),
        ([TITLE, "Supplementary Material", "Ana Costa"], False),
        (["Erratum", TITLE, "Ana Costa"], False),
        (["A commentary on", TITLE, "by Costa A, Li W (2020)"], False),
        (["We comment on the paper", TITLE, "which is wrong."], None),
        ([f"{TITLE}:", "a survey of all that is known"], None),
        ([TITLE, "with applications in zebrafish"], None),
    ],
)
def test_a_title_in_the_print_of_the_text_takes_whole_lines_and_says_what_the_file_is(
    texts: list[str], verdict: bool | None
) -> None:
    assert is_of_paper(read(lines(*texts)), [TITLE], []) is verdict


def test_a_title_that_says_what_kind_of_piece_it_is_needs_the_id() -> None:
    """Every second paper has a heading `Introduction`."""
    assert is_of_paper(printed("Introduction"), ["Introduction"], []) is None
    assert is_of_paper(printed(OTHER, footer="Introduction"), ["Introduction"], []) is False
    assert is_of_paper(printed("Introduction", footer="doi:10.9999/example.1"), ["Introduction"], [DOI]) is True


def test_a_correction_whose_own_title_says_so_is_itself() -> None:
    own = f"Correction: {TITLE}"
    assert is_of_paper(printed(own), [own], []) is True
    assert is_of_paper(printed(TITLE), [own], []) is not True
