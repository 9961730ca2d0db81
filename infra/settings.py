"""What a deployment may be told from outside: the CDK's context (`-c stage=prod -c waf=true`), read once.

| context | default | what it does |
|---|---|---|
| `stage` | `dev` | `prod` keeps its tables, and reserves each provider's concurrency |
| `contact` | none | the address that services ask their users to state |
| `alarm_email` | none | who hears of alarms; AWS asks that address to confirm |
| `waf` | `false` | a web application firewall before the API (it costs some dollars a month) |
| `access_log` | `false` | a line for each request; the account must have given API Gateway a role for its logs |
| `target` | `lambda` | `local`: wheels for this machine, where the emulated AWS runs them (see `infra/app.py`) |
| `reserve_concurrency` | in `prod` | 100 must be left to all: a new account, with a limit of 10, says `false` |
| `<PROVIDER>_REQUESTS_PER_SECOND`, `_CONCURRENCY`, `_REQUESTS_PER_DAY` | the provider's own | what it allows you |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from infra.functions import provider_names

STAGES = ("dev", "prod")
LIMITS = ("REQUESTS_PER_SECOND", "CONCURRENCY", "REQUESTS_PER_DAY")
_ADDRESS = re.compile(r"[\w.+%'-]+@[\w-]+(\.[\w-]+)+", re.ASCII)
YES, NO = ("true", "1", "yes"), ("false", "0", "no", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One deployment's."""

    stage: str
    contact: str | None = None
    alarm_email: str | None = None
    waf: bool = False
    access_log: bool = False
    reserve_concurrency: bool = False
    limits: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # provider -> variable -> number

    @property
    def production(self) -> bool:
        """Whether what it keeps must outlive it."""
        return self.stage == "prod"

    @property
    def secrets(self) -> str:
        """What the names of its secrets begin with: a provider's key is `<secrets>/<provider>`; absent = no key."""
        return f"literature-search/{self.stage}"


def read_settings(told: Callable[[str], Any]) -> Settings:
    """`told` gives a context value by its name, None where there is none. Raises ValueError for what has no meaning."""
    stage = told("stage") or "dev"
    if stage not in STAGES:
        raise ValueError(f"the stage is {stage!r}; it must be one of {', '.join(STAGES)}")
    return Settings(
        stage=stage,
        contact=_address("contact", told("contact")),
        alarm_email=_address("alarm_email", told("alarm_email")),
        waf=_switch("waf", told("waf"), default=False),
        access_log=_switch("access_log", told("access_log"), default=False),
        reserve_concurrency=_switch("reserve_concurrency", told("reserve_concurrency"), default=stage == "prod"),
        limits={name: given for name in provider_names() if (given := _limits(name.upper(), told))},
    )


def _address(name: str, value: Any) -> str | None:
    """It stands in headers and addresses of requests, so it must be a plain one."""
    if value and not _ADDRESS.fullmatch(str(value)):
        raise ValueError(f"{name} is {value!r}; it must be a mail address")
    return str(value) if value else None


def _limits(prefix: str, told: Callable[[str], Any]) -> dict[str, str]:
    """A provider's, under the names that its function reads (`shared.aws.runtime.settings.limit_overrides`)."""
    given = {f"{prefix}_{limit}": str(value) for limit in LIMITS if (value := told(f"{prefix}_{limit}"))}
    for name, value in given.items():
        whole = not name.endswith("_PER_SECOND")
        form = r"\d{1,9}" if whole else r"\d{1,9}(\.\d{1,9})?"
        if not re.fullmatch(form, value, re.ASCII) or not float(value):
            raise ValueError(f"{name} is {value!r}; it must be a {'whole ' if whole else ''}number above zero")
    return given


def _switch(name: str, value: Any, *, default: bool) -> bool:
    """The command line tells text, cdk.json may tell true."""
    if value is None:
        return default
    text = str(value).lower()
    if text not in YES + NO:
        raise ValueError(f"{name} is {value!r}; it must be true or false")
    return text in YES
