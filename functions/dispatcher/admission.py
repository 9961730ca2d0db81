"""What a valid request may do for its caller: skip the cache within a budget, write to a context of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, Self, TypeVar

from functions.dispatcher.wiring.legs import DISCIPLINES, fresh_budgets
from shared.errors import StorageUnavailable
from shared.json_types import JsonObject
from shared.search.publishing import Consent, context_written
from shared.search.requests.search_request import read_request

if TYPE_CHECKING:
    from shared.answers.graph import ContextRef


class MayBeFresh(Protocol):
    """A request that may skip the cache."""

    @property
    def fresh(self) -> bool:
        """Whether it skips the cache."""

    def model_copy(self, *, update: dict[str, object]) -> Self:
        """A copy with other fields."""


class Admissible(Consent, MayBeFresh, Protocol):
    """The fields of a request that concern what it shares with other callers."""


Request = TypeVar("Request", bound=Admissible)
Fresh = TypeVar("Fresh", bound=MayBeFresh)


def admitted(request: Request, caller: str) -> Request:
    """The request as it is carried out; without `fresh` if its budget cannot be read.

    Raises NotFound or Conflict for a context that the caller may not write to, FreshBudgetSpent, and botocore's errors.
    """
    claim_context(request, caller)
    return within_fresh_budget(request, caller)


def within_fresh_budget(request: Fresh, caller: str) -> Fresh:
    """The request, without `fresh` if its budget cannot be read. Raises FreshBudgetSpent."""
    asks_providers = request.fresh and not getattr(request, "cursor", None)
    if asks_providers and not fresh_budgets().allows(caller):
        return request.model_copy(update={"fresh": False})
    return request


def admit_new_search(caller: str) -> None:
    """Take a token for an exhaustive search that begins: it reads its sources, never the cache.

    Raises FreshBudgetSpent, and StorageUnavailable if the budget cannot be read.
    """
    if not fresh_budgets().allows(caller):
        raise StorageUnavailable("the search could not be begun; send it again", retry_after_s=5.0)


def claim_context(request: Consent, caller: str) -> None:
    """Make the caller the owner of the context that the request writes to. Raises NotFound or Conflict if it cannot."""
    if context := context_written(request):
        # Only requests with a context need the graph's table.
        from functions.dispatcher.wiring.graph import TABLE
        from shared.graph.ownership import claim

        claim(TABLE, {"type": context.type, "id": context.id}, caller, shared=context.shared)


def claim_context_of(search: JsonObject, caller: str) -> None:
    """The same for a search that is saved; each run claims the context again, for searches that were saved before."""
    claim_context(read_request(search, DISCIPLINES), caller)


def check_readable(context: ContextRef, caller: str) -> None:
    """Raises NotFound for a context that the caller may not read, or that does not exist."""
    from functions.dispatcher.wiring.graph import TABLE
    from shared.graph.ownership import no_such_context, open_contexts

    if not open_contexts(TABLE, [(context["type"], context["id"])], caller, consistent=True):
        raise no_such_context()
