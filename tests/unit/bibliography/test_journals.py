"""One comparison of journals, on the cases where its three former copies disagreed.

`y`, `n` and `?` (undecided) are the former answers of the filter, of merging and of citations.
"""

from __future__ import annotations

import pytest

from shared.bibliography.journals import JournalMatch, compare_journals
from shared.matching.evidence import Evidence
from shared.matching.features import features
from shared.query.query import Query
from shared.references.journal_in_citation import same_journal
from shared.search.filtering.filters import apply_filters
from tests.unit.records import merged, record

DIFFERENT, UNKNOWN, SHORTER, SAME = JournalMatch

# the journal that is queried or cited, the record's, former answers, what is right
PAIRS = [
    ("PNAS", "Proceedings of the National Academy of Sciences", "nyy", SAME),
    ("Proceedings of the National Academy of Sciences", "Proc Natl Acad Sci U S A", "n?y", SAME),
    ("NEJM", "The New England Journal of Medicine", "nyy", SAME),
    ("N Engl J Med", "The New England Journal of Medicine", "yyy", SAME),
    ("J Clin Oncol", "Journal of Clinical Oncology", "yyy", SAME),
    ("Lancet", "Lancet (London, England)", "yyy", SAME),
    ("Gut", "Gut : the journal of the British Society of Gastroenterology", "yyy", SAME),
    ("arXiv", "arXiv.org", "yy?", SAME),
    ("Nature", "Nature Communications", "yy?", SHORTER),
    ("Lancet", "The Lancet Neurology", "yy?", SHORTER),
    ("Cell", "Cell Reports", "yy?", SHORTER),
    ("Cell", "Cellulose", "yyy", SHORTER),
    ("Cancer", "Cancers", "yyy", SHORTER),
    ("Diabetol", "Diabetologia", "yyy", SAME),
    ("VLDB", "International Conference on Very Large Data Bases", "ny?", SHORTER),
    ("Journal of Biological Chemistry", "Journal of Chemistry", "ny?", SHORTER),
    ("JEM", "Journal of Experimental Mathematics", "???", SHORTER),
    ("Physical Review", "Phys Rev A", "???", SHORTER),
    ("Phys Rev B", "Physical Review A", "???", SHORTER),
    ("ACL", "Association for Computational Linguistics (ACL)", "???", SAME),
    ("SIGMOD Record", "Conference on Management of Data, SIGMOD", "n??", UNKNOWN),
    ("Gut", "The Lancet", "nnn", DIFFERENT),
    ("Diabetes", "Physiol Res", "nnn", DIFFERENT),
    ("The", "The Lancet", "n??", UNKNOWN),
]


@pytest.mark.parametrize(("requested", "written", "_former", "right"), PAIRS)
def test_a_journal_is_compared_in_one_way(requested: str, written: str, _former: str, right: JournalMatch) -> None:
    assert compare_journals(requested, written) is right
    assert compare_journals(written, requested) is right


@pytest.mark.parametrize(("requested", "written", "_former", "right"), PAIRS)
def test_the_filter_keeps_the_same_journal_alone(
    requested: str, written: str, _former: str, right: JournalMatch
) -> None:
    papers, undecided = apply_filters(
        [merged(record("A title", place=written))], Query(text="a", journal=requested), {}
    )
    assert bool(papers) is (right is SAME)
    assert not undecided


@pytest.mark.parametrize(("requested", "written", "_former", "right"), PAIRS)
def test_merging_takes_a_shorter_name_for_the_journal(
    requested: str, written: str, _former: str, right: JournalMatch
) -> None:
    a, b = (features(record("A title", place=name)) for name in (requested, written))
    assert Evidence(a, b).journal is {DIFFERENT: False, UNKNOWN: None, SHORTER: True, SAME: True}[right]


@pytest.mark.parametrize(("requested", "written", "_former", "right"), PAIRS)
def test_a_citation_is_not_confirmed_by_a_shorter_name(
    requested: str, written: str, _former: str, right: JournalMatch
) -> None:
    assert same_journal(requested, written) is {DIFFERENT: False, UNKNOWN: None, SHORTER: None, SAME: True}[right]


def test_a_record_without_a_journal_neither_agrees_nor_differs() -> None:
    a, b = features(record("A title")), features(record("A title", place="Nature"))
    assert Evidence(a, b).journal is None
