"""The error of a search of which no source answered."""

from __future__ import annotations

import pytest

from shared.errors import AllProvidersFailed, FieldError
from shared.legs.reports import raise_if_all_failed
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply, failed

PUBMED = failed("pubmed", "pubmed", Outcome.UNAVAILABLE, "PubMed answered HTTP 500")
ARXIV = failed("arxiv", "arxiv", Outcome.TIMEOUT, "arXiv did not answer in time")


@pytest.mark.parametrize(("replies", "message"), [
    ([PUBMED], "pubmed did not answer"), ([PUBMED, PUBMED], "pubmed did not answer"),
    ([PUBMED, ARXIV, PUBMED], "none of the 2 sources answered"),
])  # fmt: skip
def test_each_source_is_named_once_however_many_wordings_there_are(replies: list[ProviderReply], message: str) -> None:
    with pytest.raises(AllProvidersFailed) as caught:
        raise_if_all_failed(replies)
    assert caught.value.message == message
    fields = [error.field for error in caught.value.errors]
    assert fields == list(dict.fromkeys(f"providers.{reply.provider}" for reply in replies))


def test_a_source_that_failed_in_two_ways_is_named_with_both() -> None:
    late = failed("pubmed", "pubmed", Outcome.TIMEOUT, "PubMed did not answer in time")
    with pytest.raises(AllProvidersFailed) as caught:
        raise_if_all_failed([PUBMED, late])
    assert caught.value.errors == (
        FieldError("providers.pubmed", "unavailable: PubMed answered HTTP 500"),
        FieldError("providers.pubmed", "timeout: PubMed did not answer in time"),
    )
