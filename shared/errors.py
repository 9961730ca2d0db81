"""Every fault this product names, as one family.

    LiteratureError
    ├── BadRequest                    the caller's input; nothing was asked upstream
    │   ├── Unprocessable             well-formed, but no meaning can be given to it
    │   └── MessageRefused            a queue's message that is none of ours
    ├── NotFound, Expired             no such paper, context or saved search; a cursor whose result set is gone
    ├── Conflict                      another request came under the same Idempotency-Key, or changed it first
    │   ├── StillUnderWay             the first request under an Idempotency-Key is not answered yet
    │   ├── RunUnderWay               a saved search is being run already
    │   └── LeaseLost                 another run of a saved search has taken over, or the search is gone
    ├── StorageUnavailable            our own queue or table did not take or give what was asked
    ├── WebhookError                   a webhook's receiver gave no status
    │   └── AddressRefused            its host leads to no public address; nothing was connected
    ├── AllProvidersFailed            no provider answered and nothing was cached
    ├── BrokenRecord                  one record of an answer cannot be read; it is skipped
    └── ProviderError                 one provider did not answer; becomes a leg's outcome
        ├── RateLimited, ProviderTimeout, Unavailable, NoKey, UnsupportedFilter
        ├── KeyRefused                the provider refuses our key: an outage of our own making
        ├── BadResponse               an answer that is not what its API promises
        │   ├── CutOff                the connection broke in the middle of the answer
        │   └── RequestRejected       the provider calls our request invalid; never retried
        └── BudgetSpent, CircuitOpen  not asked: no turn within the leg's time or the day, or it failed again and again

Messages are written by us: they never contain an upstream body, a header or a key.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Self


class Outcome(StrEnum):
    """How one leg ended (product contract, leg report)."""

    OK = "ok"
    EMPTY = "empty"
    RATE_LIMITED = "rate_limited"
    TIMEOUT = "timeout"
    UNAVAILABLE = "unavailable"
    BAD_RESPONSE = "bad_response"
    CIRCUIT_OPEN = "circuit_open"
    SKIPPED_NO_KEY = "skipped_no_key"
    SKIPPED_BUDGET = "skipped_budget"
    SKIPPED_UNSUPPORTED_FILTER = "skipped_unsupported_filter"

    @property
    def answered(self) -> bool:
        """True when the provider told what it has, be it nothing."""
        return self in (Outcome.OK, Outcome.EMPTY)


@dataclass(frozen=True, slots=True)
class FieldError:
    """What is wrong with one field of a request, and what would be valid."""

    field: str
    message: str


class LiteratureError(Exception):
    """The root of the family: catch this at an edge, something narrower elsewhere."""

    code = "internal_error"
    retryable = False

    def __init__(self, message: str, *, hint: str | None = None, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.retry_after_s = retry_after_s


class BadRequest(LiteratureError):
    """The request cannot be understood; each wrong field is named."""

    code = "bad_request"

    def __init__(self, message: str, errors: Sequence[FieldError] = (), *, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.errors = tuple(errors)

    @classmethod
    def field(cls, name: str, message: str) -> Self:
        """One field is wrong; `message` completes the sentence that begins with its name, and says what is valid."""
        return cls(f"{name}: {message}", [FieldError(name, message)])


class Unprocessable(BadRequest):
    """The request is well-formed, but one of its values is not possible."""

    code = "unprocessable"


class MessageRefused(BadRequest):
    """A message that no version of ours wrote; it will be the same the next time."""

    code = "message_refused"


class NotFound(LiteratureError):
    """There is no such thing here."""

    code = "not_found"


class Expired(LiteratureError):
    """It was here, and is kept no longer."""

    code = "expired"


class Conflict(LiteratureError):
    """What is asked contradicts, or overtakes, what was asked before under the same key."""

    code = "conflict"


class StillUnderWay(Conflict):
    """The first request under this Idempotency-Key is not answered yet: the same, sent again later, is."""

    code = "still_under_way"
    retryable = True

    def __init__(self) -> None:
        super().__init__("the first request under this Idempotency-Key is not answered yet", retry_after_s=1.0)
        self.hint = "Send the same again, under the same key."


class RunUnderWay(Conflict):
    """This saved search is being run by somebody else, or was a moment ago by one who died."""


class LeaseLost(Conflict):
    """A run may write no more: another has taken over, or its saved search is gone."""


class StorageUnavailable(LiteratureError):
    """Our own queue or table is busy or away; nothing that was acknowledged is lost."""

    code = "storage_unavailable"
    retryable = True


class WebhookError(LiteratureError):
    """The delivery attempt failed before an HTTP status was received."""

    code = "webhook_undelivered"
    retryable = True


class AddressRefused(WebhookError):
    """A host's name leads to an address that no webhook is sent to; nothing was connected."""


class AllProvidersFailed(LiteratureError):
    """No provider answered and nothing was cached; `timed_out` when time was the only reason."""

    code = "all_providers_failed"
    retryable = True

    def __init__(
        self, message: str, errors: Sequence[FieldError], *, timed_out: bool, retry_after_s: float | None = None
    ) -> None:
        super().__init__(message, retry_after_s=retry_after_s)
        self.errors = tuple(errors)
        self.timed_out = timed_out


class BrokenRecord(LiteratureError):
    """One record lacks what makes it a paper; the others of the answer are kept."""

    code = "broken_record"


class ProviderError(LiteratureError):
    """One provider did not answer; `outcome` is what its leg reports, `status` the HTTP status where there was one."""

    outcome = Outcome.UNAVAILABLE

    def __init__(self, message: str, *, retry_after_s: float | None = None, status: int | None = None) -> None:
        super().__init__(message, retry_after_s=retry_after_s)
        self.status = status


class RateLimited(ProviderError):
    """The provider asked us to slow down, or the day's allowance is spent."""

    outcome = Outcome.RATE_LIMITED
    retryable = True


class ProviderTimeout(ProviderError):
    """The provider did not answer within the leg's time."""

    outcome = Outcome.TIMEOUT
    retryable = True


class Unavailable(ProviderError):
    """The provider cannot be reached or says that it is broken."""

    retryable = True


class KeyRefused(ProviderError):
    """The provider refuses our key or our address; trying again does not help."""


class BadResponse(ProviderError):
    """The answer is cut off, of another type, or not in the form its API promises."""

    outcome = Outcome.BAD_RESPONSE


class CutOff(BadResponse):
    """The connection broke in the middle of the answer."""

    retryable = True


class RequestRejected(BadResponse):
    """The provider calls our request invalid: our translation is at fault."""


class NoKey(ProviderError):
    """The provider needs a key and none is set."""

    outcome = Outcome.SKIPPED_NO_KEY


class BudgetSpent(ProviderError):
    """The provider was not asked, because its limits leave no turn within the leg's time."""

    outcome = Outcome.SKIPPED_BUDGET


class CircuitOpen(ProviderError):
    """The provider was not asked, because its last requests failed."""

    outcome = Outcome.CIRCUIT_OPEN


class UnsupportedFilter(ProviderError):
    """With this filter the provider cannot hold a single match, so it is not asked."""

    outcome = Outcome.SKIPPED_UNSUPPORTED_FILTER
