"""A job: work that takes longer than a request, done in steps by a worker, with progress that its owner can read.

Each step is stored before the next one is queued, under the version of the progress that it belongs to. A worker that
dies repeats its step, and of two that work at the same time one is refused.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, Self, TypeAlias, TypeVar

STORED_S = 7 * 24 * 3600
# A message that failed is tried again after this time; after so many times the job ends as failed.
RETRY_S, MAX_RECEIVES = 20, 5
# A running job whose worker has been silent for so long is queued again when its request is sent again.
SILENT_S = 900
# How often a caller should read the progress.
POLL_S = 5


class JobProgress(Protocol):
    """How far a job is."""

    @property
    def version(self) -> int:
        """Grows with each change that is stored."""

    @property
    def ended(self) -> bool:
        """Whether nothing more will be done."""

    def resumed(self) -> Self:
        """The progress with which a job goes on that failed, wholly or in part; else the same."""

    def failed(self, reason: str) -> Self:
        """The end of a job whose worker failed too often; its version is the next one."""


ProgressT = TypeVar("ProgressT", bound=JobProgress)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job(Generic[ProgressT]):
    """One job. `request` is the request as JSON, with its digest as `asked`; `outline` what is known at once."""

    id: str
    owner: str
    request: str
    outline: str
    created_at: int  # epoch seconds
    updated_at: int
    progress: ProgressT

    @property
    def expires_at(self) -> int:
        """When its results are deleted, in epoch seconds."""
        return self.created_at + STORED_S

    @property
    def request_digest(self) -> str:
        """The digest of its request: jobs of equal requests have the same."""
        return str(json.loads(self.request)["asked"])


# Attributes of a job's item, whose types the kind of job knows.
Attributes: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class JobKind(Generic[ProgressT]):
    """One kind of job: the beginning of its keys, the field of its id in messages, its progress as attributes and back.

    The attribute `version`, which every item has, is the progress's own. Two settings name its table and its queue.
    """

    name: str
    id_field: str
    table_setting: str
    queue_setting: str
    written: Callable[[ProgressT], Attributes]
    read: Callable[[Attributes], ProgressT]


class JobParts(Protocol[ProgressT]):
    """Where the parts and the progress of jobs are stored. Methods raise TableBusy and the storage's own errors."""

    def put(self, job: Job[ProgressT], part: str, data: bytes) -> None:
        """Store a part."""

    def parts(self, job: Job[ProgressT], names: Sequence[str]) -> list[bytes]:
        """These parts, which have been stored."""

    def document(self, job: Job[ProgressT]) -> bytes:
        """The document with which it was created."""

    def change(self, job: Job[ProgressT], progress: ProgressT) -> bool:
        """Store other progress; False if someone else changed it first."""
