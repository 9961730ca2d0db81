"""The Lambda functions and their timeouts. The folder `functions/providers` is the list of providers."""

from __future__ import annotations

import math
from functools import cache
from importlib import import_module
from pathlib import Path

from infra.tables import CHECKS, CITATIONS, COMPLETIONS, DELIVERIES, EXHAUSTIVE
from shared.api.addresses import METADATA
from shared.providers.capabilities import capabilities_entry, packed_capabilities
from shared.providers.function_names import ANY_PROVIDER
from shared.providers.provider import ProviderSpec

# The queue that each consumer reads.
QUEUES_READ = {
    "citation_writer": CITATIONS, "deliverer": DELIVERIES, "dispatcher": COMPLETIONS,
    "reference_checker": CHECKS, "exhaustive_searcher": EXHAUSTIVE,
}  # fmt: skip
# API Gateway waits at most 29 s for a response; the dispatcher's completions, and runs of saved searches, take longer.
# The re-ranker's first request loads the model; no caller waits so long.
TIMEOUTS_S = {
    "dispatcher": 60, "saved_search_runner": 90, "mcp_server": 29, "public_pages": 29, "authorizer": 10, "reranker": 60,
}  # fmt: skip
OPTIONAL = ("reranker",)  # functions that a setting adds
# Paths that need no credential: they describe the service.
PUBLIC_PATHS = ("", "health", "openapi.json", "docs", "llms.txt")
PAGE_ASSETS = "assets"  # the folder of the page's scripts and styles, which need none either
# A leg ends by its own deadline. Lambda's timeout is later, so that a late leg can still report its outcome.
LEG_GRACE_S = 2
MAX_CONCURRENCY = 100
PROVIDERS = Path(__file__).parents[1] / "functions" / "providers"


def function_of_path(path: str) -> str:
    """Return the function that answers an HTTP request of this path, as API Gateway's resources lead to it."""
    if path == "/mcp":
        return "mcp_server"
    return "public_pages" if is_public(path) else "dispatcher"


def is_public(path: str) -> bool:
    """Return whether a path needs no credential."""
    return path.strip("/") in PUBLIC_PATHS or path.startswith((f"/{METADATA}", f"/{PAGE_ASSETS}/"))


@cache
def provider_names() -> tuple[str, ...]:
    """Return the providers, by the names of their files."""
    return tuple(sorted(path.stem for path in PROVIDERS.glob("*.py") if path.stem != "__init__"))


def providers_for(operation: str) -> tuple[str, ...]:
    """Return the providers that offer an operation of `shared.query.question`."""
    return tuple(name for name in provider_names() if operation in provider_spec(name).operations)


def searched_by_default() -> tuple[str, ...]:
    """Return the names of the providers that a search queries if it names none."""
    return tuple(name for name in providers_for("search") if not provider_spec(name).optional)


def provider_functions(prefix: str) -> str:
    """Return the environment variable with the names of the providers' functions, which a deployment gives a prefix."""
    return f"{prefix}-{ANY_PROVIDER}"


def provider_spec(name: str) -> ProviderSpec:
    """Return a provider's declaration. Raises TypeError if its file does not declare one."""
    spec = import_module(f"functions.providers.{name}").SPEC
    if not isinstance(spec, ProviderSpec) or spec.name != name:
        raise TypeError(f"functions/providers/{name}.py must declare SPEC with the name {name!r}")
    return spec


def timeout_s(name: str) -> int:
    """Return the timeout in seconds of a function, given the name of its file or folder.

    A queue consumer, unless it has other events too, gets a sixth of the queue's visibility timeout, as AWS recommends.
    """
    if name in TIMEOUTS_S:
        return TIMEOUTS_S[name]
    if name in QUEUES_READ:
        return QUEUES_READ[name].visibility_timeout_s // 6
    return math.ceil(provider_spec(name).timeout_s) + LEG_GRACE_S


def max_concurrency(spec: ProviderSpec) -> int:
    """Return how many concurrent legs of a provider are useful: those that get a permit before their timeout.

    More would time out before they get a permit, and use up the account's concurrency.
    """
    rate = max(spec.requests_per_second, spec.requests_per_second_with_key or 0)
    return min(math.ceil(rate * spec.timeout_s), MAX_CONCURRENCY)


def capabilities() -> str:
    """Return the environment variable with what each provider can be queried for."""
    return packed_capabilities({name: capabilities_entry(provider_spec(name)) for name in provider_names()})
