"""Answers about the service itself, and what every refusal looks like."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from shared.interface.answers import Count, Moment, RequestId, Told


class Circuit(Told):
    """Whether the provider is given a rest."""

    state: Literal["closed", "open", "half_open"]
    reason: Literal["outage", "key_refused"] | None
    retry_after_s: float | None


class Budget(Told):
    """What all callers together may still ask the provider."""

    requests: Annotated[Count, Field(description="In any window.")]
    window_s: float
    left_now: Count
    concurrency: Count | None
    under_way: Count | None
    credits_left: Count | None
    credits_reset_at: Moment | None


class Provider(Told):
    """What a provider can do, and how it is doing."""

    available: bool
    title: str
    manual: str
    filters: Annotated[list[str], Field(description="Filters that its own API applies.")]
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


class SilentProvider(Told):
    """A provider whose own function does not answer."""

    available: Literal[False]
    error: str


class ProvidersAnswer(Told):
    """Each provider by its name."""

    providers: dict[str, Provider | SilentProvider]


class Tool(Told):
    """A tool for agents, in the forms that their makers want."""

    name: str
    title: str
    description: str
    category: Literal["literature_search"]
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]
    annotations: dict[str, Any]
    openai: dict[str, Any]
    anthropic: dict[str, Any]


class ToolsAnswer(Told):
    """The registry of tools."""

    tools: list[Tool]


class HealthAnswer(Told):
    """That the front door is open."""

    status: Literal["ok"]


class FieldFault(Told):
    """What is wrong with one field, and what would be valid."""

    field: str
    message: str


class Problem(Told):
    """Every refusal (RFC 9457)."""

    type: Literal["about:blank"]
    title: str
    status: Annotated[int, Field(ge=400, le=599)]
    detail: str
    code: Annotated[str, Field(description="For programs: one of a fixed list.")]
    retryable: Annotated[bool, Field(description="Whether the same request may succeed later.")]
    retry_after_s: Annotated[float | None, Field(ge=0)]
    hint: Annotated[str | None, Field(description="What to do instead.")]
    errors: Annotated[list[FieldFault], Field(description="Each field at fault.")]
    request_id: RequestId
