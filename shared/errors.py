"""The exceptions of this product.

    LiteratureError
    ├── BadRequest                    invalid input; no provider was queried
    │   ├── Unprocessable, MessageRefused  well-formed, with an invalid value; a queue message in an unknown form
    │   └── TooLarge, UnsupportedEncoding  a body that is not read (`shared.body_size`)
    ├── NotFound, NoneFound, Expired  no such paper, context or saved search; an expired cursor or result set
    ├── Unanswered                    a source that may have the paper did not answer, and no other has it
    ├── Conflict                      contradicts another request, such as one with the same Idempotency-Key
    │   ├── StillUnderWay, NotEnded   the first request with an Idempotency-Key has no answer yet; nor has a job
    │   └── RunUnderWay, LeaseLost    another run of the saved search is under way; it took over, or all was deleted
    ├── StorageUnavailable            a queue or table of this service cannot be read or written
    ├── WebhookError, AddressRefused  a delivery failed before an HTTP status (`shared.delivery.errors`)
    ├── AllProvidersFailed            no provider answered and nothing was cached
    ├── Overloaded, FreshBudgetSpent  this service has no room; the caller has sent too many `fresh` requests
    ├── BrokenRecord                  one record of an answer cannot be read and is skipped
    └── ProviderError                 one provider did not answer; becomes the outcome of its leg
        ├── RateLimited, ProviderTimeout, Unavailable, NoKey
        ├── KeyRefused, Forbidden     the provider rejects our key or address; it refuses and does not say why
        ├── BadResponse               an answer that violates the API's documentation
        │   └── CutOff, RequestRejected  it was cut off; the provider rejects our request as invalid
        │       └── UnknownPaper, NotHeld, OptionRefused  a paper that it lacks; an option that Paperclip rejects
        ├── UnsupportedFilter         not queried: it cannot filter so (NothingAdmitted: it has nothing they admit)
        ├── BudgetSpent               not queried: no permit within the leg's time (NoRoom: this service was too busy)
        └── CircuitOpen               not queried: its last requests failed
Messages never contain an upstream body, a header or a key.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from shared.outcomes import Outcome


@dataclass(frozen=True, slots=True)
class FieldError:
    """What is wrong with one field of a request, and what is valid."""

    field: str
    message: str


class LiteratureError(Exception):
    """The base class. Catch it at an entry point, a subclass elsewhere. A longer message is cut to `max_chars`."""

    code = "internal_error"
    max_chars = 4_000
    retryable = False

    def __init__(self, message: str, *, hint: str | None = None, retry_after_s: float | None = None) -> None:
        self.message, self.hint, self.retry_after_s = message[: self.max_chars], hint, retry_after_s
        super().__init__(self.message)


class BadRequest(LiteratureError):
    """The request is malformed; `errors` names the wrong fields."""

    code = "bad_request"

    def __init__(self, message: str, errors: Sequence[FieldError] = (), *, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.errors = tuple(errors)

    @classmethod
    def field(cls, name: str, message: str) -> Self:
        """An error of one field; `message` continues its name to a sentence and says what is valid."""
        return cls(f"{name}: {message}", [FieldError(name, message)])


class Unprocessable(BadRequest):
    """The request is well-formed but has an invalid value."""

    code = "unprocessable"


class MessageRefused(BadRequest):
    """A queue message has a form that no version of this service writes; a retry cannot help."""

    code = "message_refused"


class NotFound(LiteratureError):
    """The requested resource does not exist."""

    code = "not_found"


class Unanswered(LiteratureError):
    """No source has what was requested, and one that may have it did not answer: nobody can say that it is unknown."""

    code = "unanswered"
    retryable = True

    def __init__(self, message: str, errors: Sequence[FieldError] = (), *, retry_after_s: float | None = None) -> None:
        hint = "Send the request again later: a source that may have it did not answer."
        super().__init__(message, hint=hint, retry_after_s=retry_after_s)
        self.errors = tuple(errors)


class Expired(LiteratureError):
    """The requested resource has expired, or never existed: neither is stored."""

    code = "expired"


class Conflict(LiteratureError):
    """The request contradicts an earlier or concurrent one."""

    code = "conflict"


class StillUnderWay(Conflict):
    """The first request with this Idempotency-Key has no answer yet; a later retry gets that answer."""

    code = "still_under_way"
    retryable = True

    def __init__(self) -> None:
        hint = "Send the same request again, with the same key."
        super().__init__("the first request with this Idempotency-Key has no answer yet", hint=hint, retry_after_s=1.0)


class NotEnded(Conflict):
    """What was asked for exists when the job has ended; the same request gets it then."""

    retryable = True


class RunUnderWay(Conflict):
    """Another run of this saved search holds the lease, or crashed so recently that it has not expired."""


class LeaseLost(Conflict):
    """The run lost its lease on the saved search: another run took over, or the search was deleted."""


class StorageUnavailable(LiteratureError):
    """A queue or table of this service is unavailable; no acknowledged write is lost."""

    code = "storage_unavailable"
    retryable = True


class AllProvidersFailed(LiteratureError):
    """No provider answered and nothing was cached; `timed_out` if every failure was a time-out."""

    code = "all_providers_failed"
    retryable = True

    def __init__(
        self, message: str, errors: Sequence[FieldError], *, timed_out: bool, retry_after_s: float | None = None,
        hint: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(message, retry_after_s=retry_after_s, hint=hint)
        self.errors, self.timed_out = tuple(errors), timed_out


class BrokenRecord(LiteratureError):
    """A record lacks the fields of a paper; the other records of the answer are used."""

    code = "broken_record"


class ProviderError(LiteratureError):
    """A provider did not answer; `outcome` is the leg's outcome, `status` the HTTP status, if there was one."""

    outcome = Outcome.UNAVAILABLE

    def __init__(self, message: str, *, retry_after_s: float | None = None, status: int | None = None) -> None:
        super().__init__(message, retry_after_s=retry_after_s)
        self.status, self.endless = status, False  # endless: its headers did not end, or its answer exceeds every bound


class RateLimited(ProviderError):
    """The provider's rate limit or daily quota is exceeded."""

    outcome = Outcome.RATE_LIMITED
    retryable = True


class ProviderTimeout(ProviderError):
    """Timed out while waiting for the provider."""

    outcome = Outcome.TIMEOUT
    retryable = True


class Unavailable(ProviderError):
    """The provider cannot be reached or reports an outage."""

    retryable = True


# What the warnings of a leg say of the two errors below: hints recognise them by these words.
KEY_REJECTED = "it rejected the key or this address"
REQUEST_REFUSED = "it refused this request, the key or this address"


class KeyRefused(ProviderError):
    """The provider says that it rejects our key or address; a retry does not help. The message has KEY_REJECTED."""


class Forbidden(ProviderError):
    """A 403 that does not say why: the key, the address, or this one request. A retry of the request does not help.

    The message has REQUEST_REFUSED.
    """


class BadResponse(ProviderError):
    """The answer is incomplete, of an unexpected type, or not in the documented form."""

    outcome = Outcome.BAD_RESPONSE


class CutOff(BadResponse):
    """The connection closed before the answer was complete."""

    retryable = True


class RequestRejected(BadResponse):
    """The provider rejects the request as invalid: a bug in its translation."""


class NoKey(ProviderError):
    """The provider requires a key and none is set."""

    outcome = Outcome.SKIPPED_NO_KEY


class BudgetSpent(ProviderError):
    """The provider was not queried: its rate limits allow no request within the leg's time."""

    outcome = Outcome.SKIPPED_BUDGET


class CircuitOpen(ProviderError):
    """The provider was not queried: its circuit breaker is open after repeated failures."""

    outcome = Outcome.CIRCUIT_OPEN


class UnsupportedFilter(ProviderError):
    """The provider was not queried: it cannot have a match for one of the filters."""

    outcome = Outcome.SKIPPED_UNSUPPORTED_FILTER
