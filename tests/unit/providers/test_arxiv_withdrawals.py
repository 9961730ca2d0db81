"""Statements of a withdrawal at arXiv that name the error first; those about other works mark no paper."""

from __future__ import annotations

import pytest

from shared.providers.records.arxiv_withdrawals import says_withdrawn


@pytest.mark.parametrize(
    ("comment", "abstract"),
    [
        ("Author withdrew the paper", ""),
        ("The paper contained an error and has been withdrawn", ""),
        ("There is a mistake in Section 3, so the paper is withdrawn", ""),
        ("", "We found a crucial error in Lemma 2, and therefore this paper has been withdrawn."),
    ],
)
def test_the_error_may_come_first(comment: str, abstract: str) -> None:
    assert says_withdrawn(comment, abstract)


@pytest.mark.parametrize(
    ("comment", "abstract"),
    [
        ("Author withdrew the paper from ICLR", ""),
        ("The paper contained an error in version 1 and has been corrected", ""),
        ("There is a mistake in Section 3 of version 1, so the first version was withdrawn", ""),
        ("There is a mistake in [3], so the paper was withdrawn", ""),
        ("", "The note had a printing error and was withdrawn from circulation."),
        ("", "We study papers. The paper contained an error and was withdrawn by its journal."),
    ],
)
def test_an_error_in_another_work_or_a_former_version_is_no_withdrawal(comment: str, abstract: str) -> None:
    assert not says_withdrawn(comment, abstract)
