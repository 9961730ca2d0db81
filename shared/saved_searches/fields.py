"""The fields of a saved search as callers give them, each with its limits.

`schedule` may be a text alone (`"rate(1 day)"`); `search` takes the fields of a literature search.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from shared.bibliography.characters import CONTROLS, INVISIBLE, OBSOLETE, SEPARATORS, pattern_of
from shared.search.requests.input_forms import Whole

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
    if not isinstance(value, str | Mapping):
        raise PydanticCustomError("dict_type", "must be a text such as `rate(1 day)`, or an object with `expression`")
    return {"expression": value} if isinstance(value, str) else value


class AskedSchedule(BaseModel):
    """`rate(…)` or `cron(…)`, in a time zone, and within how many minutes after its time a run may begin."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    expression: str = Field(
        max_length=256,
        description="`rate(1 day)`, a minute at least, or `cron(minutes hours day-of-month month day-of-week year)` "
        "with `?` for one of the days: `cron(0 7 ? * MON-FRI *)`. It must fire at least once more.",
        json_schema_extra={"format": "schedule-expression"},
    )
    timezone: str = Field(
        "UTC",
        max_length=50,
        description="Of cron: a name of the IANA time zones, such as Europe/Berlin.",
        json_schema_extra={"format": "timezone"},
    )
    flexible_minutes: Whole | None = Field(
        None,
        ge=0,
        le=WINDOW_MINUTES,
        description="Within how many minutes after its time a run begins; 0 is on the minute. Without it, as long "
        "as the interval of a rate, up to a day, so that two runs may be two intervals apart; of cron "
        "up to an hour. A change of the expression keeps it, unless it is longer than the new "
        "interval or was not chosen.",
    )


class AskedWebhook(BaseModel):
    """Where events are sent."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    url: str = Field(
        max_length=2_000,
        description="An https URL in plain ASCII with a host on the public internet. A new URL gets a new secret, "
        "which only the answer to this request shows. The same URL again enables a disabled webhook and sends the "
        "events that it missed.",
        json_schema_extra={"format": "webhook-url"},
    )


class AskedDelivery(BaseModel):
    """Where events go besides the feed, which is always there, and whether those of the baseline do."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    webhook: dict[str, object] | None = Field(
        default=None, description="Where news is sent by POST, signed as Standard Webhooks says."
    )
    sns: bool = Field(default=False, description="True: to the service's SNS topic too.")
    baseline: bool = Field(default=False, description="True: also the papers that the first run finds.")


# What has fields of its own is validated separately, so that an error names the field.
class SavedSearchRequest(BaseModel):
    """A search to be saved."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    name: Annotated[str, Field(min_length=1, max_length=MAX_NAME_CHARS), AfterValidator(_name)] | None = Field(
        None, description="For people, in one line without control or bidirectional characters. Without it, the query."
    )
    search: dict[str, object] | None = Field(
        None,
        description="The fields of a search. A paper must have every word of the query but function words. What shapes "
        "a page (`max_results`, `detail`, `sort` and the like) has no effect. Another search begins anew; papers "
        "that were reported before are not reported again.",
    )
    watch: dict[str, object] | None = Field(
        None,
        description="In place of `search`: the context whose cited papers are followed. Another context begins anew.",
    )
    schedule: Annotated[dict[str, object] | None, BeforeValidator(_expression)] = Field(
        None, description="When it runs."
    )
    delivery: dict[str, object] | None = Field(None, description="Where the news goes beside the feed.")
    enabled: bool | None = Field(None, description="False: it does not run.")
