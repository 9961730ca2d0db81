"""Answers about the service itself, and the problem object of every error."""

from __future__ import annotations

from typing import Annotated, Literal

from typing_extensions import TypedDict

from shared.answers.fields import Count, Moment, RequestId, Wait
from shared.field_schema import FieldSchema, JsonSchema
from shared.json_types import JsonObject
from shared.outcomes import Outcome


class Circuit(TypedDict):
    """The state of the provider's circuit breaker."""

    state: Literal["closed", "open", "half_open"]
    reason: Literal["outage", "key_refused"] | None
    retry_after_s: Wait


class Budget(TypedDict):
    """The provider's rate limits, shared by all callers, and what is left of them."""

    requests: Annotated[Count, FieldSchema("Allowed in any window.")]
    window_s: float
    left_now: Count
    concurrency: Count | None
    under_way: Count | None
    credits_left: Count | None
    credits_reset_at: Moment | None


class FiveMinutes(TypedDict):
    """Requests sent to the provider in five minutes."""

    since: Moment
    requests: Count
    failed: Annotated[dict[Outcome, Count], FieldSchema("Of these, known to have failed.")]


class Provider(TypedDict):
    """What a provider supports, and its current state."""

    available: bool
    title: str
    manual: str
    filters: Annotated[list[str], FieldSchema("Filters that its own API applies.")]
    sorts: list[str]
    disciplines: list[str]
    needs_key: bool
    has_key: bool
    page_limit: Count
    requests_per_second: float
    concurrency: Count | None
    timeout_s: float
    circuit: Circuit | None
    budget: Budget | None
    last_hour: Annotated[list[FiveMinutes] | None, FieldSchema("Those with requests of any caller, oldest first.")]


class SilentProvider(TypedDict):
    """A provider whose Lambda does not answer."""

    available: Literal[False]
    error: str


class ProvidersAnswer(TypedDict):
    """Each provider by name."""

    providers: dict[str, Provider | SilentProvider]


class Tool(TypedDict):
    """A tool for agents, in the forms that MCP, OpenAI and Anthropic use."""

    name: str
    title: str
    description: str
    category: Literal["literature_search"]
    input_schema: JsonSchema
    output_schema: JsonSchema
    annotations: JsonObject
    openai: JsonObject
    anthropic: JsonObject


class ToolsAnswer(TypedDict):
    """The registry of tools."""

    tools: list[Tool]


class ServiceLinks(TypedDict):
    """Where the service is described and used."""

    documentation: Annotated[str, FieldSchema("For people.")]
    openapi: str
    guide: Annotated[str, FieldSchema("For language models.")]
    health: str
    search: str
    mcp: str


class ServiceAnswer(TypedDict):
    """What this service is."""

    name: str
    version: str
    description: str
    links: ServiceLinks


class HealthAnswer(TypedDict):
    """The API is up."""

    status: Literal["ok"]


class FieldFault(TypedDict):
    """What is wrong with one field, and what would be valid."""

    field: str
    message: str


class ProblemFields(TypedDict):
    """What a problem details object says, without the request that it answers."""

    type: Literal["about:blank"]
    title: str
    status: Annotated[int, FieldSchema(minimum=400, maximum=599)]
    detail: str
    code: Annotated[str, FieldSchema("Machine-readable: one of a fixed list.")]
    retryable: Annotated[bool, FieldSchema("Whether the same request may succeed later.")]
    retry_after_s: Wait
    hint: Annotated[str | None, FieldSchema("What to do instead.")]
    errors: Annotated[
        list[FieldFault], FieldSchema("The first ten invalid fields; the last entry says how many more there are.")
    ]


class Problem(ProblemFields):
    """A problem details object (RFC 9457): the body of every error."""

    request_id: RequestId


class ResourceMetadata(TypedDict):
    """Who issues access tokens for this service (RFC 9728)."""

    resource: str
    authorization_servers: list[str]
    scopes_supported: list[str]
    bearer_methods_supported: list[str]
    resource_name: str
