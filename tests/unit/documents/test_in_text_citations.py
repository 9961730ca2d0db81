from __future__ import annotations

import pytest

from shared.documents.document import Document
from tests.unit.documents.corpus_documents import apa, cited, read_unchanged, vancouver


def numbered(body: str, count: int = 9) -> Document:
    lines = "\n".join(f"{number}. {vancouver(fact)}" for number, fact in enumerate(cited()[:count], 1))
    return read_unchanged(f"{body}\n\nReferences\n{lines}\n")


def by_name(body: str) -> Document:
    references = (
        "Kober, D. L., & Brett, T. J. (2016a). Mutations in TREM2 reveal a surface. eLife, 5, 1–9.\n"
        "Kober, D. L. (2016b). Other mutations in TREM2. eLife, 6, 1–9.\n"
        "van der Flier, W. M. (2018). On the ageing of brains. Brain, 7, 1–9.\n"
        "World Health Organization. (2020). Global strategy on digital health. WHO Press.\n"
        "Müller, A. (2011). On mice and microglia. Cell, 8, 1–9.\n"
    )
    return read_unchanged(f"{body}\n\nReferences\n\n{references}")


@pytest.mark.parametrize(
    ("body", "entries", "missing"),
    [
        ("Shown [1].", [(0,)], []),
        ("Shown [1, 3–5; 7] and [2,\n9].", [(0, 2, 3, 4, 6), (1, 8)], []),
        ("Shown [1][2], or [ 3 ].", [(0,), (1,), (2,)], []),
        ("Shown [2] and [12].", [(1,), ()], ["12"]),
        ("示されている［１］，また[2]。", [(0,), (1,)], []),
        ("In the range [0, 1] and the year [2016], see [4].", [(3,)], []),
        ("Shown¹,³⁻⁵ and later².", [(0, 2, 3, 4), (1,)], []),
        ("Shown (1, 3-5) in 20 mice (2).", [(0, 2, 3, 4), (1,)], []),
        ("Copied from a PDF.1,3 TREM2 is a receptor4-6 of microglia 7,8.", [(0, 2), (3, 4, 5), (6, 7)], []),
    ],
)
def test_citations_by_number_name_their_entries(body: str, entries: list[object], missing: list[str]) -> None:
    document = numbered(body)
    assert [it.entries for it in document.citations] == entries
    assert [name for it in document.without_entry for name in it.missing] == missing


@pytest.mark.parametrize(
    ("body", "entries", "missing"),
    [
        ("Kober and Brett (2016a) show it.", [(0,)], []),
        ("Kober et al. (2016a, b) show it.", [(0, 1)], []),
        ("It is known (see Kober & Brett, 2016a; van der Flier 2018, p. 3).", [(0, 2)], []),
        ("Van der Flier’s (2018) and Mueller's or Müller’s (2011) work.", [(2,), (4,)], []),
        ("Guidelines [WHO, 2020] and World Health Organization (2020).", [(3,), (3,)], []),
        ("It is known (Kober, 2016).", [(0, 1)], []),
        ("It is known (Nobody et al., 1999) in Berlin (1999) (March 2016; Müller 2011).", [(), (4,)], ["Nobody 1999"]),
    ],
)
def test_citations_by_name_and_year_name_their_entries(body: str, entries: list[object], missing: list[str]) -> None:
    document = by_name(body)
    assert [it.entries for it in document.citations] == entries
    assert [name for it in document.without_entry for name in it.missing] == missing


def test_offsets_lead_to_the_markers() -> None:
    document = numbered("One [1]. Two [2, 3].")
    assert [document.text[it.offset : it.offset + len(it.marker)] for it in document.citations] == ["[1]", "[2, 3]"]


def test_entries_that_nothing_cites_are_listed() -> None:
    assert numbered("One [1]. Two [3–9].").uncited == (1,)
    assert by_name("Müller (2011) and Kober (2016a).").uncited == (1, 2, 3)


def test_a_list_without_a_text_has_no_uncited_entries() -> None:
    document = read_unchanged("\n".join(apa(fact) for fact in cited()))
    assert (document.citations, document.uncited) == ((), ())


def test_figures_that_nothing_marks_as_citations_are_a_warning() -> None:
    assert [it.message[:11] for it in numbered("Copied from a PDF.1 Microglia2 too.").warnings] == ["the figures"]
    assert numbered("Shown [1].").warnings == ()
