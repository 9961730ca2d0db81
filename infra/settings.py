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
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

STAGES = ("dev", "prod")
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
        contact=told("contact") or None,
        alarm_email=told("alarm_email") or None,
        waf=_switch("waf", told("waf"), default=False),
        access_log=_switch("access_log", told("access_log"), default=False),
        reserve_concurrency=_switch("reserve_concurrency", told("reserve_concurrency"), default=stage == "prod"),
    )


def _switch(name: str, value: Any, *, default: bool) -> bool:
    """The command line tells text, cdk.json may tell true."""
    if value is None:
        return default
    text = str(value).lower()
    if text not in YES + NO:
        raise ValueError(f"{name} is {value!r}; it must be true or false")
    return text in YES
