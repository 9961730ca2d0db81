"""The progress of an exhaustive search: how far each source has been read, and the counts of what was found.

A source is one provider with one wording. Its pages are stored one by one, each under the version of the progress that
it belongs to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

import msgspec

from shared.compression import compressed, decompressed
from shared.jobs.job import Attributes, Job, JobKind, JobParts
from shared.outcomes import Outcome

# How far the end of a source's list may be from its own count, and still be the end. Lists lack a few records that are
# counted: Europe PMC sent 1 of 2, Semantic Scholar, whose count is approximate, 11,881 of 11,882. Records that cannot
# be read, such as Crossref's without a title, lack as well: of a page, a tenth may (`provider.is_partial`). A list that
# lacks most of what is counted is none, however short it is.
FEW_LACKING = 3
LACKING_SHARE, MOST = 0.1, 0.5


class Stop(StrEnum):
    """Why a source was not read any further."""

    END = "end"  # everything that it lists was read
    BOUND = "max_records"
    LIMIT = "source_limit"  # it counts more papers than it lists
    ONE_PAGE = "not_paged"  # it answers with one page only
    FAILED = "failed"
    SKIPPED = "skipped"  # it was not queried: no key, or filters that it cannot apply


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One provider with one wording (its number), read up to `position`; times in epoch seconds."""

    provider: str
    wording: int
    bound: int  # records that are read at most
    position: str = ""
    pages: tuple[int, ...] = ()  # the version under which each page is stored
    records: int = 0
    total: int | None = None  # as the source counts on its first page
    query: str | None = None  # the first request, as it was sent
    began_at: str | None = None  # ISO 8601: when the first and the last page were retrieved
    ended_at: str | None = None
    outcome: Outcome | None = None  # of the last page that was requested
    stopped: Stop | None = None
    partial: bool = False  # records were unreadable or missing in a page
    warnings: tuple[str, ...] = ()
    applied_filters: tuple[str, ...] = ()
    unsupported_filters: tuple[str, ...] = ()
    failures: int = 0  # in a row
    due: int = 0  # not requested before this moment
    waiting_since: int | None = None  # for permits, without an answer in between

    @property
    def lacking(self) -> int:
        """How many records fewer than it counts its list had when it ended."""
        return max(0, (self.total or 0) - self.records) if self.stopped is Stop.END else 0

    @property
    def falls_short(self) -> bool:
        """Whether its list ended with clearly fewer records than it counts: it may have broken off."""
        total = self.total or 0
        return self.lacking > total * MOST or (self.lacking > FEW_LACKING and self.lacking >= total * LACKING_SHARE)

    @property
    def is_whole(self) -> bool:
        """Whether everything was read that the source has."""
        nothing_admitted = self.stopped is Stop.SKIPPED and self.total == 0
        return (self.stopped is Stop.END and not self.partial and not self.falls_short) or nothing_admitted

    @property
    def expected(self) -> int | None:
        """How many records will be read; None before the first page."""
        if self.stopped:
            return self.records
        return None if self.total is None else max(self.records, min(self.total, self.bound))


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The counts of the merged papers, and the versions of the blocks of those that passed the filters."""

    papers: int  # after the removal of duplicates
    passed: int
    excluded: Mapping[str, int]  # by the filter that a paper does not pass
    undecided: Mapping[str, int]  # by the filter for which a paper lacks the data
    version: int  # of the blocks


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchProgress:
    """What has been read, and at the end what was found."""

    sources: tuple[Source, ...]
    found: Found | None = None
    version: int = 0
    seconds: float = 0.0  # spent so far
    failure: str | None = None

    @property
    def all_read(self) -> bool:
        """Whether no source is to be read further."""
        return all(source.stopped for source in self.sources)

    @property
    def ended(self) -> bool:
        """Whether nothing more will be done."""
        return self.failure is not None or self.found is not None

    @property
    def records(self) -> int:
        """How many records have been read."""
        return sum(source.records for source in self.sources)

    @property
    def expected(self) -> int | None:
        """How many will be read; None until every source has been asked."""
        counts = [source.expected for source in self.sources]
        return None if None in counts else sum(count for count in counts if count is not None)

    @property
    def seconds_left(self) -> int | None:
        """How long the rest will take at the pace so far; None before the first page of every source."""
        if self.ended:
            return 0
        if self.expected is None or not self.records or not self.seconds:
            return None
        return round(self.seconds / self.records * (self.expected - self.records))

    def failed(self, reason: str) -> SearchProgress:
        """The end of a search whose worker failed too often."""
        return replace(self, failure=reason, version=self.version + 1)

    def resumed(self) -> SearchProgress:
        """The progress with which a search goes on that failed, or of which a source failed; else the same."""
        if not self.ended:
            return self
        reset = tuple(
            replace(it, stopped=None, failures=0, due=0, waiting_since=None) if it.stopped is Stop.FAILED else it
            for it in self.sources
        )
        if reset == self.sources and self.failure is None:
            return self
        return replace(self, sources=reset, found=None, failure=None, version=self.version + 1)


ExhaustiveSearch: TypeAlias = Job[SearchProgress]
SearchStore: TypeAlias = JobParts[SearchProgress]


def _written(progress: SearchProgress) -> Attributes:
    """Compressed JSON: thirty sources with their queries fit into one item."""
    return {"progress": compressed(msgspec.json.encode(progress))}


def _read(item: Attributes) -> SearchProgress:
    return _progress.decode(decompressed(item["progress"]))


_progress = msgspec.json.Decoder(SearchProgress)
EXHAUSTIVE_JOBS = JobKind(
    name="exhaustive", id_field="search_id", table_setting="EXHAUSTIVE_SEARCHES_TABLE",
    queue_setting="EXHAUSTIVE_QUEUE_URL", written=_written, read=_read,
)  # fmt: skip
