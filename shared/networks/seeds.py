"""The seeds of a citation network: parsing their ids, and the errors of seeds that no provider has."""

from __future__ import annotations

from collections.abc import Sequence

from shared.bibliography.paper_ids import read_id, what_to_write
from shared.errors import AllProvidersFailed, FieldError, NotFound, Unprocessable
from shared.papers.paper_request import PaperRequest
from shared.papers.papers import NO_PROVIDER_FOR_ID, not_found_error
from shared.papers.request import NetworkRequest
from shared.validation import refusal


def seed_names(request: NetworkRequest) -> list[str]:
    """The normalised names of the seeds, each once.

    Raises Unprocessable for a text that is not an id, and for more seeds than `max_nodes`.
    """
    names = [read_id(text) for text in request.seeds]
    errors = [
        FieldError(f"seeds.{number}", f"{text[:100]!r} is no id; {what_to_write(text)}")
        for number, (text, name) in enumerate(zip(request.seeds, names, strict=True))
        if not name
    ]
    if request.max_nodes < len(names):
        errors.append(FieldError("max_nodes", f"must be at least {len(names)}, the number of seeds"))
    if errors:
        raise refusal(Unprocessable, errors)
    return list(dict.fromkeys(name for name in names if name))


def no_seed_error(missing: Sequence[PaperRequest]) -> NotFound | AllProvidersFailed:
    """The error for a network none of whose seeds has a paper."""
    names = ", ".join(request.name for request in missing)
    failed = {provider: outcome for request in missing for provider, outcome in request.failed.items()}
    answered_by = sorted({provider for request in missing for provider in request.answered_by})
    if failed and not answered_by:
        errors = [FieldError(f"providers.{provider}", outcome) for provider, outcome in sorted(failed.items())]
        return AllProvidersFailed(f"nobody who might know {names} answered", errors, timed_out=False)
    reason = None if answered_by else NO_PROVIDER_FOR_ID
    return not_found_error(names, names, answered_by, failed, not_queried=reason)
