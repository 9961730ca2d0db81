"""What the routes of one kind of job share: its id, its start, its resumption, and whose it is."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Generic

from aws_lambda_powertools.event_handler import Response

from shared.aws.rest_api.request_body import service_address, tenant_of
from shared.canonical_json import ID_FORM, canonical, compact_json, digest
from shared.clock import begun_epoch_s
from shared.errors import NotEnded, NotFound, StillUnderWay
from shared.idempotency import key_reused, scoped_key
from shared.jobs.job import POLL_S, SILENT_S, Job, ProgressT

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent

    from shared.aws.dynamodb.jobs import JobStore

_ID = re.compile(ID_FORM)
NOT_ENDED = {"Retry-After": str(POLL_S)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Jobs(Generic[ProgressT]):
    """The jobs of a route. `enqueue` lets a worker do the next step of the job with this id.

    `needs_worker`: whether a job is worked through by its worker, and not within the request.
    """

    path: str
    noun: str
    store: JobStore[ProgressT]
    enqueue: Callable[[str], None]
    needs_worker: Callable[[Job[ProgressT]], bool]
    now: Callable[[], datetime]

    def id_of(self, owner: str, request_digest: str, key: str | None, *, anew: bool) -> str:
        """The id of the job for a request with this digest: equal requests share it, unless they begin `anew`."""
        again = str(self.seconds()) if anew and key is None else ""
        return scoped_key(owner, key)[:32] if key else digest(canonical([owner, request_digest, again]), 32)

    def existing_or_new(
        self, job_id: str, request_digest: str, new: Callable[[int], tuple[Job[ProgressT], bytes]]
    ) -> Job[ProgressT]:
        """The job with this id; if there is none, a `new` one of this moment (epoch seconds), with its document.

        Raises Conflict if the job is that of another request with the same Idempotency-Key.
        """
        existing = self.store.get(job_id)
        if existing is None:
            job, document = new(self.seconds())
            if self.store.create(job, document):
                if self.needs_worker(job):
                    self.enqueue(job_id)
                return job
            existing = self.store.get(job_id)
        if existing is None:
            raise StillUnderWay
        if existing.request_digest != request_digest:
            raise key_reused()
        return existing

    def resumed(self, job: Job[ProgressT]) -> Job[ProgressT]:
        """The job, which goes on if it failed, wholly or in part; one whose worker is silent is queued again."""
        progress = job.progress.resumed()
        silent = not job.progress.ended and self.seconds() - job.updated_at > SILENT_S
        if progress == job.progress and not silent:
            return job
        if self.store.change(job, progress) and self.needs_worker(job):
            self.enqueue(job.id)
        return self.store.get(job.id) or job

    def of_caller(self, job_id: str, event: APIGatewayProxyEvent) -> Job[ProgressT]:
        """The caller's job with this id. Raises NotFound for any other."""
        job = self.store.get(job_id) if _ID.fullmatch(job_id) else None
        if job is None or job.owner != tenant_of(event):
            hint = f"POST {self.path} starts one; it lasts a week."
            raise NotFound(f"there is no {self.noun} {job_id[:40]}", hint=hint)
        return job

    def started(self, job: Job[ProgressT], answer: object, event: APIGatewayProxyEvent) -> Response[str]:
        """The response to who starts or resumes a job: 202 with its address until it has ended, then 200."""
        if job.progress.ended:
            return self.shown(job, answer)
        headers = {"Location": f"{service_address(event)}{self.path}/{job.id}", **NOT_ENDED}
        return Response(202, "application/json", compact_json(answer), headers=headers)

    def shown(self, job: Job[ProgressT], answer: object) -> Response[str]:
        """The response to who reads the progress of a job."""
        headers = {} if job.progress.ended else NOT_ENDED
        return Response(200, "application/json", compact_json(answer), headers=headers)

    def not_ended(self, job: Job[ProgressT]) -> NotEnded:
        """The error of who asks for what a job has at its end alone."""
        hint = f"GET {self.path}/{job.id} shows its progress."
        message = f"the {self.noun.rpartition(' ')[2]} has not ended yet"
        return NotEnded(message, hint=hint, retry_after_s=float(POLL_S))

    def seconds(self) -> int:
        """The present moment in epoch seconds, never a later one: what is stored from now on belongs to the job."""
        return begun_epoch_s(self.now())
