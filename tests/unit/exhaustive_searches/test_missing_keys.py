"""A source without a key: it counts for completeness if the caller named it, or if pages of it were read before."""

from __future__ import annotations

from collections.abc import Callable

from shared.exhaustive_searches.merging import merge_all
from shared.exhaustive_searches.progress import ExhaustiveSearch, Stop
from shared.exhaustive_searches.record import is_complete
from shared.legs.leg import Leg
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from tests.unit.exhaustive_searches.pages import page_of
from tests.unit.exhaustive_searches.rounds import Store, ended, round_of, search_of


def read(*providers: str, rounds_with_key: int = 0) -> ExhaustiveSearch:
    """A search of two sources with two pages each; PubMed has a key for so many rounds."""
    search, store, rounds = search_of(*providers), Store(), 0
    while not search.progress.all_read:
        missing = ended(Outcome.SKIPPED_NO_KEY) if rounds >= rounds_with_key else page_of(5, 10)
        search = round_of(search, _replies(missing), store=store)
        rounds += 1
    assert [source.provider for source in search.progress.sources] == ["crossref", "pubmed"]
    merged = merge_all(search, store, ())
    assert merged
    return merged


def _replies(of_pubmed: Callable[[Leg], ProviderReply]) -> Callable[[Leg], ProviderReply]:
    return lambda leg: of_pubmed(leg) if leg.provider == "pubmed" else page_of(5, 10)(leg)


def test_a_source_without_a_key_that_was_not_named_does_not_count() -> None:
    assert is_complete(read())


def test_a_source_without_a_key_that_the_caller_named_counts() -> None:
    assert not is_complete(read("crossref", "pubmed"))


def test_a_source_whose_key_is_removed_while_it_is_read_counts_as_failed() -> None:
    search = read(rounds_with_key=1)
    source = search.progress.sources[1]
    assert (source.stopped, source.records, source.total) == (Stop.FAILED, 5, 10)
    assert not is_complete(search)
    assert is_complete(read(rounds_with_key=2))
