"""What runs write, in parts that DynamoDB takes: whole papers, however many and however large."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError

from shared.aws.dynamodb.saved_searches.notices import disable_webhook
from shared.delivery.deliveries import Delivery
from shared.errors import Conflict
from tests.integration.saved_searches.faults import Saved, around_calls, paper, saved_searches
from tests.unit.records import preprint, record


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch) -> Iterator[Saved]:
    with saved_searches(monkeypatch) as made:
        made.papers = [paper(number) for number in range(1, 4)]
        yield made


def transactions(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The sort keys of what each transaction writes, beside the counter, from now on."""
    seen: list[list[str]] = []

    def look(operation: str, arguments: dict[str, Any], call: Callable[[], Any]) -> Any:
        if operation == "TransactWriteItems":
            counter, *puts = arguments["TransactItems"]
            assert "next_number" in counter["Update"]["ConditionExpression"]
            seen.append([str(put["Put"]["Item"]["sk"]) for put in puts])
        return call()

    around_calls(monkeypatch, look)
    return seen


@pytest.mark.slow
def test_three_hundred_papers_are_written_in_parts_of_whole_papers(
    saved: Saved, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved.papers = [paper(number) for number in range(1, 301)]
    monkeypatch.setattr("shared.saved_searches.windows.LEG_DEPTH", 1_000)  # a source that shows so many
    search_id, seen = saved.save(), transactions(monkeypatch)
    assert saved.run(search_id)["events"]["baseline"] == 300
    assert len(seen) == 7
    for keys in seen:
        assert len(keys) + 1 <= 100
        assert sum(key.startswith("seen#") for key in keys) == sum(key.startswith("baseline#") for key in keys)
    assert [number for number, *_ in saved.reported(search_id)] == list(range(1, 301))
    assert {doi for *_, doi in saved.reported(search_id)} == {f"10.1000/{it}" for it in range(1, 301)}


def test_large_papers_come_in_more_parts_each_far_below_four_megabytes(
    saved: Saved, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shared.aws.dynamodb.saved_searches.runs.BYTES_A_TRANSACTION", 15_000)
    saved.papers = [paper(number, abstract="word " * 100, place="J" * 150) for number in range(1, 31)]
    search_id, seen = saved.save(), transactions(monkeypatch)
    saved.run(search_id)
    assert len(seen) > 3
    assert sum(map(len, seen)) == 60
    assert [number for number, *_ in saved.reported(search_id)] == list(range(1, 31))


WIDE = "𝓂" * 100_000
HOSTILE: dict[str, dict[str, Any]] = {
    "a title": {"title": f"Microglia {WIDE}"},
    "an abstract": {"abstract": WIDE * 5},
    "its place": {"place": f"{WIDE} {WIDE}:{WIDE}", "issue": WIDE},
    "other titles": {"alternative_titles": tuple(f"{WIDE}{number}" for number in range(50))},
    "versions": {"versions": tuple(preprint(doi=f"10.2000/{it}", title=WIDE)[0] for it in range(500))},
    "control characters": {"title": "Microglia \x00\x1f\ud800 <script>]]>", "abstract": "\udfff" * 1_000},
}


@pytest.mark.slow  # megabytes each
@pytest.mark.parametrize("fields", HOSTILE.values(), ids=HOSTILE)
def test_a_huge_or_odd_text_loses_no_paper(saved: Saved, fields: dict[str, Any]) -> None:
    huge = record(**{"title": "Microglia at large", "doi": "10.1000/9", "provider": "crossref", **fields})
    saved.papers = [*saved.papers, huge]
    search_id = saved.save()
    assert saved.run(search_id)["events"]["baseline"] == 4
    assert saved.run(search_id)["events"] == dict.fromkeys(("new_paper", "now_published", "retracted", "baseline"), 0)
    assert {doi for *_, doi in saved.reported(search_id)} == {"10.1000/1", "10.1000/2", "10.1000/3", "10.1000/9"}


@pytest.mark.slow
def test_a_hundred_huge_papers_of_many_authors_are_known_again(saved: Saved) -> None:
    authors = "; ".join(f"{WIDE[:5_000]}{number}, A" for number in range(30))
    saved.papers = [
        record(f"Microglia and factor {number} {WIDE[:3_000]}", authors, doi=f"10.1000/{number}", provider="crossref")
        for number in range(40)
    ]
    search_id = saved.save()
    assert saved.run(search_id)["events"]["baseline"] == 40
    assert sum(saved.run(search_id)["events"].values()) == 0


def refuse_calls(monkeypatch: pytest.MonkeyPatch, operation: str, times: int, code: str, *reasons: str) -> list[float]:
    """The first calls of this operation are refused so; how long was waited in between."""
    left, waited = [times], list[float]()
    refusal: dict[str, Any] = {"Error": {"Code": code, "Message": "no"}}
    refusal |= {"CancellationReasons": [{"Code": reason} for reason in reasons]} if reasons else {}

    def refuse(called: str, arguments: dict[str, Any], call: Callable[[], Any]) -> Any:
        if called == operation and left[0]:
            left[0] -= 1
            raise ClientError(refusal, called)  # type: ignore[arg-type]
        return call()

    around_calls(monkeypatch, refuse)
    monkeypatch.setattr("shared.aws.dynamodb.throttling.sleep", waited.append)
    return waited


CANCELLED = "TransactionCanceledException"
BUSY = {
    "throttled": (CANCELLED, "None", "ThrottlingError"),
    "too much for the table": (CANCELLED, "ProvisionedThroughputExceeded", "None"),
    "meets another transaction": (CANCELLED, "TransactionConflict"),
    "throttled as a whole": ("ThrottlingException",),
}


@pytest.mark.parametrize("refusal", BUSY.values(), ids=BUSY)
def test_a_throttled_transaction_is_retried_until_it_succeeds(
    saved: Saved, monkeypatch: pytest.MonkeyPatch, refusal: tuple[str, ...]
) -> None:
    search_id = saved.save()
    waited = refuse_calls(monkeypatch, "TransactWriteItems", 4, *refusal)
    assert saved.run(search_id)["events"]["baseline"] == 3
    assert len(waited) == 4 and waited == sorted(set(waited)) and sum(waited) < 1
    assert len(saved.reported(search_id)) == 3


def test_a_permanently_throttled_call_ends_with_dynamodbs_error(saved: Saved, monkeypatch: pytest.MonkeyPatch) -> None:
    search_id = saved.save()
    waited = refuse_calls(monkeypatch, "TransactWriteItems", 1_000, CANCELLED, "ThrottlingError")
    with pytest.raises(ClientError, match=CANCELLED):
        saved.run(search_id)
    assert 2 < sum(waited) < 5
    assert not saved.rows(search_id)


@pytest.mark.parametrize("times", [3, 1_000], ids=["for a moment", "for long"])
def test_a_transaction_whose_number_was_taken_is_retried_at_once(
    saved: Saved, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    search_id = saved.save()
    waited = refuse_calls(monkeypatch, "TransactWriteItems", times, CANCELLED, "ConditionalCheckFailed", "None")
    if times == 3:
        saved.run(search_id)
    else:
        with pytest.raises(Conflict, match="changed too often"):
            saved.run(search_id)
    assert not waited
    assert len(saved.reported(search_id)) == (3 if times == 3 else 0)


@pytest.mark.parametrize("code", ["ValidationException", "TransactionInProgressException"])
def test_undecided_and_final_errors_are_not_retried(saved: Saved, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    search_id = saved.save()
    waited = refuse_calls(monkeypatch, "TransactWriteItems", 1, code)
    with pytest.raises(ClientError, match=code):
        saved.run(search_id)
    assert not waited


def test_a_run_that_begins_while_another_writes_waits_for_it(saved: Saved, monkeypatch: pytest.MonkeyPatch) -> None:
    search_id = saved.save()
    waited = refuse_calls(monkeypatch, "UpdateItem", 2, "TransactionConflictException")
    assert saved.run(search_id)["events"]["baseline"] == 3
    assert len(waited) == 2


@pytest.mark.parametrize("reasons", [("TransactionConflict",), ("None", "ThrottlingError")], ids=["met", "throttled"])
def test_a_throttled_notice_is_written_after_retries(
    saved: Saved, monkeypatch: pytest.MonkeyPatch, reasons: tuple[str, ...]
) -> None:
    url = "https://hooks.example.org/new"
    search_id = saved.save(delivery={"webhook": {"url": url}})
    delivery = Delivery("local", search_id, 1, 1, "webhook")
    waited = refuse_calls(monkeypatch, "TransactWriteItems", 3, CANCELLED, *reasons)
    disable_webhook(saved.wiring.SEARCHES, saved.wiring.TABLE, delivery, url, "HTTP 410", "2026-11-22T06:00:00Z")
    assert len(waited) == 3
    assert [kind for _, kind, _ in saved.reported(search_id)] == ["delivery_disabled"]
    assert saved.item(search_id)["delivery"]["webhook"]["status"] == "disabled"


def test_two_results_reported_as_one_paper_remain_one(saved: Saved) -> None:
    early = record("Prime editing screens", "Herger, M", 2026, doi="10.1101/2026.01.01.111111", provider="crossref")
    late = record("Pooled screening of variants", "Herger, M", 2026, "Cell 5:1", doi="10.1016/j.x", provider="crossref",
                  versions=preprint(doi="10.1101/2026.01.01.111111"))  # fmt: skip
    saved.papers = [early, late]
    search_id = saved.save()
    assert saved.run(search_id)["events"]["baseline"] == 1
    unlinked = record("Pooled screening of variants", "Herger, M", 2026, "Cell 5:1", doi="10.1016/j.x", pmid="9",
                      provider="crossref")  # fmt: skip
    saved.papers = [record("Prime editing screens", "Herger, M", 2026, doi="10.1101/2026.01.01.111111",
                           pmid="8", provider="crossref"), unlinked]  # fmt: skip
    for _ in range(2):
        assert sum(saved.run(search_id)["events"].values()) == 0
    assert len(saved.rows(search_id)) == 2
