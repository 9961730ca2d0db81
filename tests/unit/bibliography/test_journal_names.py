"""One journal under its full name, abbreviation and acronym."""

from __future__ import annotations

import pytest

from shared.bibliography.journal_names import JournalNames, journal_names, known_journal
from shared.bibliography.journals import JournalMatch, compare_journals
from shared.query.query import Query
from shared.search.requests.search_request import read_request

SAME = [
    ("NEJM", "N Engl J Med", "New England Journal of Medicine", "The New England journal of medicine", "nejm",
     "N. Engl. J. Med.", "new england journal of medicine"),
    ("JAMA", "Journal of the American Medical Association", "J Am Med Assoc"),
    ("BMJ", "British Medical Journal", "BMJ (Clinical research ed.)", "The BMJ"),
    ("PNAS", "Proc Natl Acad Sci U S A", "Proc. Natl. Acad. Sci. USA",
     "Proceedings of the National Academy of Sciences",
     "Proceedings of the National Academy of Sciences of the United States of America"),
    ("JACS", "J Am Chem Soc", "Journal of the American Chemical Society"),
    ("PRL", "Phys. Rev. Lett.", "Physical Review Letters"),
    ("CACM", "Commun. ACM", "Communications of the ACM"),
    ("TPAMI", "PAMI", "IEEE Transactions on Pattern Analysis and Machine Intelligence",
     "IEEE Trans. Pattern Anal. Mach. Intell."),
    ("Nat Med", "Nature Medicine", "Nat. Med."),
    ("J Exp Med", "JEM", "The Journal of experimental medicine"),
    ("NeurIPS", "NIPS", "Advances in Neural Information Processing Systems 30",
     "Neural Information Processing Systems"),
    ("ACL", "Association for Computational Linguistics (ACL)",
     "Proceedings of the 60th Annual Meeting of the Association for Computational Linguistics (Volume 1: Long Papers)"),
    ("EMNLP", "Proceedings of the 2020 Conference on Empirical Methods in Natural Language Processing (EMNLP)",
     "Conference on Empirical Methods in Natural Language Processing"),
    ("NAACL", "Proceedings of the 2019 Conference of the North American Chapter of the Association for Computational "
     "Linguistics: Human Language Technologies, Volume 1 (Long and Short Papers)"),
    ("CVPR", "2016 IEEE Conference on Computer Vision and Pattern Recognition (CVPR)",
     "IEEE/CVF Conference on Computer Vision and Pattern Recognition"),
    ("ICML", "Proceedings of the 37th International Conference on Machine Learning"),
    ("PLoS One", "PLOS ONE", "plos one"),
]  # fmt: skip
OTHERS = [
    ("Nature", "Nature Medicine"), ("Nature", "Nat Commun"), ("Science", "Science Advances"), ("Cell", "Cell Reports"),
    ("Lancet", "Lancet Oncol"), ("JAMA", "JAMA Neurology"), ("BMJ", "BMJ Open"), ("ACL", "NAACL"), ("PRA", "PRB"),
    ("ACL", "Findings of the Association for Computational Linguistics: EMNLP 2021"), ("CVPR", "ICCV"),
    ("JEM", "Journal of Experimental Mathematics"), ("PNAS", "PNAS Nexus"), ("EMBO J", "EMBO Rep"),
]  # fmt: skip


@pytest.mark.parametrize("names", SAME, ids=[names[0] for names in SAME])
def test_all_names_of_a_journal_are_one(names: tuple[str, ...]) -> None:
    assert {known_journal(name) for name in names} == {known_journal(names[0])} != {None}
    assert all(compare_journals(a, b) is JournalMatch.SAME for a in names for b in names)


@pytest.mark.parametrize(("one", "other"), OTHERS)
def test_journals_with_names_that_are_alike_are_not_one(one: str, other: str) -> None:
    assert compare_journals(one, other) is not JournalMatch.SAME


def test_a_query_has_all_names_of_its_journal() -> None:
    names = Query(text="a", journal="nejm").journal_names
    full, with_article = "New England Journal of Medicine", "The New England Journal of Medicine"
    assert names == JournalNames(full, "N Engl J Med", "NEJM", (with_article,), "nejm")
    assert names.forms == (full, "N Engl J Med", "NEJM", with_article)
    assert Query(text="a").journal_names is None


def test_searches_for_one_journal_share_their_legs_under_all_its_names() -> None:
    keys = {
        read_request({"query": "a", "journal": name}, ()).leg_query("a").cache_key()
        for name in ("NEJM", "n engl j med", "The New England Journal of Medicine")
    }
    assert len(keys) == 1


def test_a_journal_that_the_table_lacks_has_the_typed_name() -> None:
    assert journal_names("Ginekologia polska").forms == ("Ginekologia polska",)
