"""How PubMed's sandbox reads a query.

Expectations come from https://pubmed.ncbi.nlm.nih.gov/help/ unless a test says otherwise.
"""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.pubmed.engine import Reading, read
from infra.local.sandbox.pubmed.index import Index, tokens

TODAY = date(2026, 11, 20)
PAPERS = (
    Fact(title="Cognitive impairment in multiple sclerosis", pmid="1", doi="10.9999/one", year=2011,
         publication_date="2011-05-06", journal="Nature", authors=(("Doudna", "Jennifer A"), ("Smith", "J")),
         mesh=("Dementia",), keywords=("memory loss",)),
    Fact(title="Alzheimer's disease and kidney allografts", pmid="2", year=2012, publication_date="2012",
         journal="Nature Communications", authors=(("Smith", "Jane A"),), mesh=("Alzheimer Disease",), language="de",
         abstract="A kidney allograft in multiple patients."),
    Fact(title="TNF-α in microglial cells: a randomized trial", pmid="3", year=1999, publication_date="1999-12-31",
         journal="The New England Journal of Medicine", authors=(("Doudna", "James"),), pmcid="PMC77",
         issn="9000-0001"),
    Fact(title="A review of sleep", pmid="4", type="review", year=2020, publication_date="2020-02",
         journal="The Journal of Neuroscience", retraction={"status": "retracted"}),
)  # fmt: skip
INDEX = Index(Corpus(PAPERS))


def reading(term: str) -> Reading:
    return read(term, INDEX, TODAY)


def pmids(term: str) -> str:
    return "".join(sorted(INDEX.papers[n].pmid or "" for n in reading(term).papers))


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("sleep OR kidney AND allograft", "2"), ("sleep OR (kidney AND allograft)", "24"), ("sleep or kidney", ""),
        ("multiple NOT kidney", "1"), ("(multiple) NOT (kidney", "1"), ("multiple) AND kidney", "2"),
        ("AND multiple OR", "12"),
    ],
)  # fmt: skip
def test_operators_are_read_from_left_to_right_and_only_in_capitals(term: str, expected: str) -> None:
    assert pmids(term) == expected


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("dementia", "12"), ("dementia[mh]", "12"), ("dementia[mh:noexp]", "1"), ("alzheimers disease", "2"),
        ('"dementia"', "1"), ("dementia[tiab]", ""), ("what does sleep", "4"), ("microglial cell", ""),
        ("allografts", "2"),
        ("doudna ja", "1"), ("new england journal of medicine", "3"), ("3", "3"), ("1 4", "14"), ("PMID: 3", "3"),
        ("10.9999/one", "1"), ("PMC77", "3"), ("memory loss", "1"), ("sleep*", "4"), ("TNF-α", "3"),
        ("TNF alpha", "3"), ("TNF-alpha", "3"), ("TNFα", ""),
    ],
)  # fmt: skip
def test_words_without_a_tag_are_mapped(term: str, expected: str) -> None:
    assert pmids(term) == expected


def test_a_heading_is_also_searched_in_all_fields() -> None:
    found = reading("alzheimers disease").translation
    assert found.startswith('("alzheimer disease"[MeSH Terms] OR ("alzheimers"[All Fields] AND "disease"[All Fields])')


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("kidney allograft[tiab]", "2"), ("kidney patients[tiab]", "2"), ("kidney allograft[ti]", "2"),
        ("kidney[ti]", "2"),
        ("Nature[ta]", "1"), ("N Engl J Med[journal]", "3"), ("J Neurosci[ta]", "4"), ("9000-0001[ta]", "3"),
        ("smith j[au]", "12"), ('"smith j"[au]', "1"), ("smith[au]", "12"), ("Doudna JA[Author]", "1"),
        ("doudna[1au]", "13"),
        ("Jennifer Doudna[au]", "1"), ("James Doudna[au]", "13"), ("review[pt]", "4"), ("clinical trial[pt]", "3"),
        ("german[la]", "2"), ("eng[la]", "134"), ("2[uid]", "2"), ("10.9999/one[doi]", "1"),
        ("free full text[sb]", "3"),
        ("retracted publication[pt]", "4"), ("retraction of publication[pt]", ""), ("sleep[nofield]", "4"),
    ],
)  # fmt: skip
def test_a_tag_limits_words_to_a_field(term: str, expected: str) -> None:
    """Full names of authors are indexed from 2002 on; a phrase that is not in the phrase index is broken into words."""
    assert pmids(term) == expected


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("2011[dp]", "1"), ("2011/05[dp]", "1"), ("2011/06[dp]", ""), ("2011:2012[dp]", "12"),
        ("1999/12/31:2011[dp]", "13"),
        ('"2011"[dp] : "2012"[dp]', "12"), ('"2012/01/01"[Date - Publication] : "3000"[Date - Publication]', "24"),
        ("last 8 years[dp]", "4"), ("2011:2012[ti] OR sleep", "4"),
    ],
)  # fmt: skip
def test_dates_and_ranges(term: str, expected: str) -> None:
    assert pmids(term) == expected


def test_a_quoted_phrase_outside_the_phrase_index_finds_nothing_and_proximity_finds_it() -> None:
    """The help page's own example; that nothing is found, clients measured: krassowski/easy-entrez issue 33."""
    quoted = reading('"cognitive impairment in multiple sclerosis"[ti]')
    assert (quoted.papers, quoted.unknown_quoted) == (
        frozenset(), ['"cognitive impairment in multiple sclerosis"[ti]']
    )  # fmt: skip
    assert pmids('"cognitive impairment in multiple sclerosis"[ti:~0]') == "1"
    assert pmids('"sclerosis cognitive"[ti:~2]') == ""
    assert pmids('"sclerosis cognitive"[ti:~3]') == "1"
    assert pmids('"multiple sclerosis"') == "1"


def test_an_unknown_word_is_left_out_with_a_remark() -> None:
    """Recorded in August 2026: `APC p.E1317Q NOT retracted publication[pt]` counts all papers of APC."""
    found = reading("sleep p.E1317Q NOT retracted publication[pt]")
    assert (found.papers, found.unknown) == (frozenset(), ["p.E1317Q"])
    assert pmids("kidney p.E1317Q NOT retracted publication[pt]") == "2"


def test_an_unknown_author_is_broken_into_words() -> None:
    """Measured by wcmc-its/ReCiter (issue 282): of `Charles-rawlins J[au]`, only the initial is searched."""
    found = reading("Doudna Q[au]")
    assert ({INDEX.papers[n].pmid for n in found.papers}, found.unknown) == ({"1", "3"}, ["Q[Author]"])


def test_an_unmatched_quotation_mark_is_ignored_with_a_message() -> None:
    found = reading('sleep "kidney')
    assert (found.papers, found.messages) == (frozenset(), ["Unmatched double quote ignored."])


def test_greek_letters_are_written_out_and_accents_do_not_matter() -> None:
    assert tokens("17β-HSD Ménière's ΔF508") == ("17beta", "hsd", "meniere", "s", "deltaf508")


@given(st.text(alphabet=st.sampled_from('ab 12"()[]:~*/\\-ANDORT&|{}αβ.,;?!éti'), max_size=60))
def test_any_text_is_a_query(term: str) -> None:
    found = reading(term)
    assert found.papers <= INDEX.every
