"""Papers that a request starts from: parsing their ids, and the errors of those that no provider has."""

from __future__ import annotations

from collections.abc import Sequence

from shared.bibliography.paper_ids import read_id, what_to_write
from shared.errors import AllProvidersFailed, FieldError, NotFound, Unanswered, Unprocessable
from shared.papers.paper_request import PaperRequest
from shared.papers.papers import NO_PROVIDER_FOR_ID, no_paper_error
from shared.papers.request import NetworkRequest
from shared.validation import refusal


def read_names(field: str, texts: Sequence[str]) -> tuple[list[str], list[FieldError]]:
    """The normalised names of the papers in a field of the request, each once, and an error for each other text."""
    names = [read_id(text) for text in texts]
    errors = [
        FieldError(f"{field}.{number}", f"{text[:100]!r} is not an id; {what_to_write(text)}")
        for number, (text, name) in enumerate(zip(texts, names, strict=True))
        if not name
    ]
    return list(dict.fromkeys(name for name in names if name)), errors


def seed_names(request: NetworkRequest) -> list[str]:
    """The normalised names of the seeds of a citation network, each once.

    Raises Unprocessable for a text that is not an id, and for more seeds than `max_nodes`.
    """
    names, errors = read_names("seeds", request.seeds)
    if request.max_nodes < len(request.seeds):
        errors.append(FieldError("max_nodes", f"must be at least {len(request.seeds)}, the number of seeds"))
    if errors:
        raise refusal(Unprocessable, errors)
    return names


def not_found(missing: Sequence[PaperRequest]) -> list[str]:
    """The names of those seeds of which all that would know have answered, or that no provider could be asked for."""
    return [seed.name for seed in missing if seed.not_found or not seed.outcomes]


def unanswered(missing: Sequence[PaperRequest]) -> list[str]:
    """The names of those seeds without a paper of which a provider that would know has not answered."""
    return [seed.name for seed in missing if seed.outcomes and not seed.not_found]


def no_seed_error(missing: Sequence[PaperRequest]) -> NotFound | Unanswered | AllProvidersFailed:
    """The error for a request none of whose seeds has a paper."""
    names = ", ".join(request.name for request in missing)
    failed = {provider: outcome for request in missing for provider, outcome in request.unanswered.items()}
    answered_by = sorted({provider for request in missing for provider in request.answered_by})
    if failed and not answered_by:
        errors = [FieldError(f"providers.{provider}", outcome) for provider, outcome in sorted(failed.items())]
        return AllProvidersFailed(f"nobody who might know {names} answered", errors, timed_out=False)
    reason = None if answered_by else NO_PROVIDER_FOR_ID
    is_certain = all(request.not_found for request in missing)
    return no_paper_error(names, names, answered_by, failed, is_certain=is_certain, not_queried=reason)
