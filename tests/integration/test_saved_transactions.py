"""What runs write, in parts that DynamoDB takes: whole papers, however many and however large."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError

from shared.errors import Conflict
from tests.integration.saved_faults import Saved, around_calls, paper, saved_searches
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


def test_three_hundred_papers_are_written_in_parts_of_whole_papers(
    saved: Saved, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved.papers = [paper(number) for number in range(1, 301)]
    monkeypatch.setattr("shared.saved.windows.LEG_DEPTH", 1_000)  # a source that shows so many
    search_id, seen = saved.save(), transactions(monkeypatch)
    assert saved.run(search_id)["events"]["baseline"] == 300
    assert len(seen) == 7
    for keys in seen:
        assert len(keys) + 1 <= 100
        assert sum(key.startswith("seen#") for key in keys) == sum(key.startswith("event#") for key in keys)
    assert [number for number, *_ in saved.told(search_id)] == list(range(1, 301))
    assert {doi for *_, doi in saved.told(search_id)} == {f"10.1000/{it}" for it in range(1, 301)}


def test_large_papers_come_in_more_parts_each_far_below_four_megabytes(
    saved: Saved, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shared.aws.saved_runs.BYTES_A_TRANSACTION", 20_000)
    saved.papers = [paper(number, abstract="word " * 100, place="J" * 150) for number in range(1, 31)]
    search_id, seen = saved.save(), transactions(monkeypatch)
    saved.run(search_id)
    assert len(seen) > 3
    assert sum(map(len, seen)) == 60
    assert [number for number, *_ in saved.told(search_id)] == list(range(1, 31))


WIDE = "𝓂" * 100_000
HOSTILE: dict[str, dict[str, Any]] = {
    "a title": {"title": f"Microglia {WIDE}"},
    "an abstract": {"abstract": WIDE * 5},
    "its place": {"place": f"{WIDE} {WIDE}:{WIDE}", "issue": WIDE},
    "other titles": {"alternative_titles": tuple(f"{WIDE}{number}" for number in range(50))},
    "versions": {"versions": tuple(preprint(doi=f"10.2000/{it}", title=WIDE)[0] for it in range(500))},
    "control characters": {"title": "Microglia \x00\x1f\ud800 <script>]]>", "abstract": "\udfff" * 1_000},
}


@pytest.mark.parametrize("fields", HOSTILE.values(), ids=HOSTILE)
def test_a_huge_or_odd_text_costs_no_paper(saved: Saved, fields: dict[str, Any]) -> None:
    huge = record(**{"title": "Microglia at large", "doi": "10.1000/9", "provider": "crossref", **fields})
    saved.papers = [*saved.papers, huge]
    search_id = saved.save()
    assert saved.run(search_id)["events"]["baseline"] == 4
    assert saved.run(search_id)["events"] == dict.fromkeys(("new_paper", "now_published", "retracted", "baseline"), 0)
    assert {doi for *_, doi in saved.told(search_id)} == {"10.1000/1", "10.1000/2", "10.1000/3", "10.1000/9"}


def test_a_hundred_huge_papers_of_many_authors_are_known_again(saved: Saved) -> None:
    authors = "; ".join(f"{WIDE[:5_000]}{number}, A" for number in range(30))
    saved.papers = [
        record(f"Microglia and factor {number} {WIDE[:3_000]}", authors, doi=f"10.1000/{number}", provider="crossref")
        for number in range(40)
    ]
    search_id = saved.save()
    assert saved.run(search_id)["events"]["baseline"] == 40
    assert sum(saved.run(search_id)["events"].values()) == 0


@pytest.mark.parametrize("times, told", [(3, 3), (1_000, 0)], ids=["for a moment", "for long"])
def test_a_transaction_that_meets_another_is_made_again(
    saved: Saved, monkeypatch: pytest.MonkeyPatch, times: int, told: int
) -> None:
    search_id = saved.save()
    left = [times]

    def meet(operation: str, arguments: dict[str, Any], call: Callable[[], Any]) -> Any:
        if operation == "TransactWriteItems" and left[0]:
            left[0] -= 1
            raise ClientError({"Error": {"Code": "TransactionCanceledException", "Message": "conflict"}}, operation)
        return call()

    around_calls(monkeypatch, meet)
    if told:
        saved.run(search_id)
    else:
        with pytest.raises(Conflict, match="changed too often"):
            saved.run(search_id)
        assert left[0] > 900
    assert len(saved.told(search_id)) == told


def test_two_results_that_were_told_as_one_paper_are_one_still(saved: Saved) -> None:
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
