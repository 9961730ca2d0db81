"""Those who read a result set while its legs arrive: page by page, by a search's cursor or by the set's own route."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from shared.errors import StorageUnavailable
from shared.search.result_set_page import ResultSetRequest, Waiting, result_set_answer
from tests.unit.search.pending_service import Service, Sets

MOST_READS = 60


@dataclass
class Reader:
    """Somebody who pages through a result set and takes each page while there is a cursor.

    `waits_ms`: how long each read waits for pending legs. `keys`: all that they have read, in order.
    """

    service: Service
    cursor: str | None
    size: int
    waits_ms: int = 0
    keys: list[str] = field(default_factory=list)
    _reads: bool = False

    def read(self) -> None:
        """One page; nothing while they wait for another, or when the table is down: they ask again."""
        if self.cursor is None or self._reads:
            return
        self._reads = True
        try:
            page = self._page()
        except StorageUnavailable:
            return
        finally:
            self._reads = False
        self.keys += [paper["key"] for paper in page["results"]]
        self.cursor = page["next_cursor"]

    def read_all(self) -> None:
        """To the end."""
        for _ in range(MOST_READS):
            self.read()

    def _page(self) -> Any:
        return self.service.search("reader", self.waits_ms or None, cursor=self.cursor, max_results=self.size)


@dataclass
class SetReader(Reader):
    """One who reads the result set by its id."""

    result_set_id: str = ""

    def _page(self) -> Any:
        clock = self.service.clock
        asked = ResultSetRequest.model_validate(
            {"max_results": self.size, "cursor": self.cursor or None, "patience_ms": self.waits_ms}
        )
        page = result_set_answer(
            self.result_set_id, asked, Sets(self.service), "reader", Waiting(clock.monotonic, clock.sleep)
        )
        assert (page["state"] == "complete") == page["complete"] == (not page["missing"])
        assert page["state"] != "pending" or page["next_cursor"]
        return page
