"""The fields of a saved search as callers give them, each with its limits.

`schedule` may be a text alone (`"rate(1 day)"`); `search` takes the fields of a literature search.
"""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from shared.bibliography.characters import CONTROLS, INVISIBLE, OBSOLETE, SEPARATORS, pattern_of
from shared.request import Whole

MAX_NAME_CHARS = 200
WINDOW_MINUTES = 1440  # the longest flexible window that EventBridge Scheduler takes
# What GET shows beside what can be set; a change that brings it along changes nothing of it.
READ_ONLY = ("id", "created_at", "updated_at", "next_run_at", "last_started_at", "last_run", "feed", "request_id")
READ_ONLY_OF_WEBHOOK = ("status", "disabled_reason")
# Line breaks and other controls, what turns the direction of a line, and what is not seen at all.
UNFIT = pattern_of(CONTROLS | SEPARATORS | INVISIBLE | OBSOLETE)
NAME = rf"^[^{UNFIT}]*[^\s\u200c\u200d{UNFIT}][^{UNFIT}]*(?!\n)$"


def is_name(text: str) -> bool:
    """Whether a text can be shown as a name, in one line."""
    return re.fullmatch(NAME, text) is not None


def _name(text: str) -> str:
    if not is_name(text):
        message = "must have something to see, and no line breaks, control or bidirectional characters"
        raise PydanticCustomError("name", message)
    return text


def _expression(value: Any) -> Any:
    return {"expression": value} if isinstance(value, str) else value


class AskedSchedule(BaseModel):
    """`rate(…)` or `cron(…)`, in a time zone, and within how many minutes after the hour a run may begin."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    expression: str = Field(max_length=256)
    timezone: str = Field("UTC", max_length=50)
    flexible_minutes: Whole | None = Field(None, ge=0, le=WINDOW_MINUTES)


class AskedWebhook(BaseModel):
    """Where events are sent."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    url: str = Field(max_length=2_000)


class AskedDelivery(BaseModel):
    """Beside the feed, which is always there: a webhook, the topic; and whether the first run's papers go too."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    webhook: dict[str, Any] | None = None
    sns: bool = False
    baseline: bool = False


class SavedSearchRequest(BaseModel):
    """All that can be said of a saved search. What has fields of its own is read by itself, so that each is named."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    name: Annotated[str, Field(min_length=1, max_length=MAX_NAME_CHARS), AfterValidator(_name)] | None = None
    search: dict[str, Any] | None = None
    schedule: Annotated[dict[str, Any] | None, BeforeValidator(_expression)] = None
    delivery: dict[str, Any] | None = None
    enabled: bool | None = None
