"""The settings of a deployment, from the CDK's context (`-c stage=prod -c waf=true`).

| context | default | effect |
|---|---|---|
| `stage` | `dev` | `prod` retains what cannot be recreated, and reserves concurrency for each provider |
| `contact` | none | the e-mail address that sources ask their users to state |
| `alarm_email` | none | the subscriber of alarms; AWS asks that address to confirm. `prod` needs one |
| `alarms` | in `prod`, or with an address | alarms, at five dollars a month |
| `dashboard` | yes | `false` saves the three dollars a month of a stage that is idle |
| `monthly_budget` | none | US dollars of the whole account: mail to `alarm_email` at 80 % and by forecast |
| `waf` | in `prod`, always | a web application firewall in front of the API (some dollars per month) |
| `access_log` | in `prod`, always | a log line per request; API Gateway needs the account's role for its logs |
| `canary` | in `prod` | new versions answer a tenth of the requests first; `false` where CodeDeploy is missing |
| `papers_table`, `saved_searches_table` | none | an existing table instead of a new one, such as a restored one |
| `cors_origins` | none | web pages of these origins may call the API: `https://a.example,https://b.example` |
| `oauth_issuer` | none | whose access tokens are accepted: an address, or `cognito` for a user pool of the stack |
| `oauth_audience` | none | an audience of tokens that is accepted beside the address of the API |
| `oauth_scope` | none | the scope that each token must have; with `cognito` it is `literature/search` |
| `reranker_model` | none | `s3://bucket/folder` of a model that re-ranks passages and searches (`docs/deploy.md`) |
| `target` | `lambda` | `local`: wheels for this machine, for an emulated AWS (see `infra/app.py`) |
| `reserve_concurrency` | in `prod` | AWS keeps 100 unreserved: a new account, with a limit of 10, needs `false` |
| `FRESH_REQUESTS_PER_MINUTE`, `FRESH_REQUESTS_PER_HOUR` | 10, 100 | how often an API key may send `fresh: true` |
| `<PROVIDER>_REQUESTS_PER_SECOND`, `_CONCURRENCY`, `_REQUESTS_PER_DAY` | the provider's | the limits of your key |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from infra.functions import provider_names
from infra.tables import TABLES
from shared.api.cors import read_origins

STAGES = ("dev", "prod")
# One for each run of a pipeline, as `dev`; the number is that of the run.
_STAGE = re.compile(r"dev|prod|test-[0-9]{1,20}", re.ASCII)
LIMITS = ("REQUESTS_PER_SECOND", "CONCURRENCY", "REQUESTS_PER_DAY")
FRESH_LIMITS = ("FRESH_REQUESTS_PER_MINUTE", "FRESH_REQUESTS_PER_HOUR")
_ADDRESS = re.compile(r"[\w.+%'-]+@[\w-]+(\.[\w-]+)+", re.ASCII)
_ORIGIN = re.compile(r"https://[a-z0-9.-]{1,253}(:[0-9]{1,5})?|http://localhost(:[0-9]{1,5})?", re.ASCII)
_ISSUER = re.compile(r"cognito|https://[a-z0-9.-]{1,253}(:[0-9]{1,5})?(/[\w.~/-]{0,200})?", re.ASCII)
# What a variable of an API Gateway stage, a header and a list with spaces can contain.
_TOKEN_NAME = re.compile(r"[\w.~:/?#&=,-]{1,200}", re.ASCII)
_MODEL = re.compile(r"s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])/([\w-][\w.-]*(?:/[\w-][\w.-]*){0,9})", re.ASCII)
_TABLE_NAME = re.compile(r"[\w.-]{3,255}", re.ASCII)
YES, NO = ("true", "1", "yes"), ("false", "0", "no", "")


def stack_name(stage: str) -> str:
    """The name of a stage's CloudFormation stack; the names of its functions begin with it."""
    return f"literature-search-{stage}"


# Returns a context value by name, None if it is not set: text from the command line, any JSON value from cdk.json.
ContextReader: TypeAlias = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class RerankerModel:
    """A folder of a bucket with the two files of a cross-encoder; the folder's last name is the model's."""

    bucket: str
    folder: str

    @property
    def address(self) -> str:
        """As `functions/reranker` reads it."""
        return f"s3://{self.bucket}/{self.folder}"

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of its files."""
        return tuple(f"{self.folder}/{name}" for name in ("model.onnx", "tokenizer.json"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of one deployment."""

    stage: str
    contact: str | None = None
    alarm_email: str | None = None
    alarms: bool = False
    dashboard: bool = True
    monthly_budget: int | None = None
    waf: bool = False
    access_log: bool = False
    reserve_concurrency: bool = False
    canary: bool = False
    cors_origins: tuple[str, ...] = ()
    oauth_issuer: str | None = None
    oauth_audience: str | None = None
    oauth_scope: str | None = None
    reranker_model: RerankerModel | None = None
    adopted: Mapping[str, str] = field(default_factory=dict)  # table of infra/tables.py -> the existing table's name
    fresh_limits: Mapping[str, str] = field(default_factory=dict)  # variable -> number
    limits: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # provider -> variable -> number

    @property
    def production(self) -> bool:
        """Whether stored data must outlive the stack."""
        return self.stage == "prod"

    @property
    def secrets(self) -> str:
        """The prefix of its secrets: a provider's key is the optional secret `<prefix>/<provider>`."""
        return f"literature-search/{self.stage}"


def read_settings(context: ContextReader) -> Settings:
    """Read and check the settings. Raises ValueError naming the invalid value."""
    stage = context("stage") or "dev"
    if not _STAGE.fullmatch(str(stage)):
        raise ValueError(f"the stage is {stage!r}; it must be one of {', '.join(STAGES)}, or test-<number>")
    return _usable(
        Settings(
            stage=str(stage),
            contact=_address("contact", context("contact")),
            alarm_email=_address("alarm_email", context("alarm_email")),
            alarms=_switch("alarms", context("alarms"), default=stage == "prod" or bool(context("alarm_email"))),
            dashboard=_switch("dashboard", context("dashboard"), default=True),
            monthly_budget=_budget(context),
            waf=_switch("waf", context("waf"), default=stage == "prod"),
            access_log=_switch("access_log", context("access_log"), default=stage == "prod"),
            reserve_concurrency=_switch("reserve_concurrency", context("reserve_concurrency"), default=stage == "prod"),
            canary=_switch("canary", context("canary"), default=stage == "prod"),
            cors_origins=_origins(context("cors_origins")),
            oauth_issuer=_matching("oauth_issuer", context("oauth_issuer"), _ISSUER, "https://host/path, or cognito"),
            oauth_audience=_matching("oauth_audience", context("oauth_audience"), _TOKEN_NAME, "one audience"),
            oauth_scope=_matching("oauth_scope", context("oauth_scope"), _TOKEN_NAME, "one scope"),
            reranker_model=_model(context("reranker_model")),
            adopted=_adopted(context),
            fresh_limits=_numbers(FRESH_LIMITS, context),
            limits={name: given for name in provider_names() if (given := _limits(name.upper(), context))},
        )
    )


def _usable(settings: Settings) -> Settings:
    """Refuse a stage that callers depend on without what guards it, and what would do nothing."""
    if settings.production:
        needed = {"waf": settings.waf, "access_log": settings.access_log, "alarms": settings.alarms}
        missing = [f"{name}=true" for name, chosen in needed.items() if not chosen]
        missing += [] if settings.alarm_email else ["alarm_email=you@example.org"]
        if missing:
            raise ValueError(f"the stage prod needs -c {' -c '.join(missing)}")
    if settings.canary and not settings.alarms:
        raise ValueError("canary=true needs alarms=true: an alarm ends a deployment that fails")
    if settings.alarm_email and not settings.alarms:
        raise ValueError("alarm_email needs alarms=true")
    return settings


def _budget(context: ContextReader) -> int | None:
    given = _numbers(["monthly_budget"], context)
    if given and not context("alarm_email"):
        raise ValueError("monthly_budget needs an alarm_email for its messages")
    return int(given["monthly_budget"]) if given else None


def _address(name: str, value: object) -> str | None:
    """Check an e-mail address; it is sent in headers and URLs, so it must contain no special characters."""
    if value and not _ADDRESS.fullmatch(str(value)):
        raise ValueError(f"{name} is {value!r}; it must be a mail address")
    return str(value) if value else None


def _origins(value: object) -> tuple[str, ...]:
    """Check a list of origins: scheme, host and perhaps a port, and never `*`."""
    origins = read_origins(str(value) if value else None)
    for origin in origins:
        if not _ORIGIN.fullmatch(origin):
            raise ValueError(f"cors_origins has {origin!r}; it must be as https://host or http://localhost:3000")
    return origins


def _matching(name: str, value: object, pattern: re.Pattern[str], form: str) -> str | None:
    if value and not pattern.fullmatch(str(value)):
        raise ValueError(f"{name} is {value!r}; it must be {form}")
    return str(value) if value else None


def _model(value: object) -> RerankerModel | None:
    given = _matching("reranker_model", value, _MODEL, "s3://bucket/folder, without a / at its end")
    match = _MODEL.fullmatch(given) if given else None
    return RerankerModel(match[1], match[2]) if match else None


def _adopted(context: ContextReader) -> dict[str, str]:
    """Read which tables exist already; only what cannot be recreated is worth it."""
    names = {table.name: f"{table.name.replace('-', '_')}_table" for table in TABLES if table.irreplaceable}
    form = "the name of a table"
    given = {table: _matching(name, context(name), _TABLE_NAME, form) for table, name in names.items()}
    return {table: name for table, name in given.items() if name}


def _limits(prefix: str, context: ContextReader) -> dict[str, str]:
    """Read a provider's limits; the names are those that `shared.aws.runtime.settings.limit_overrides` reads."""
    return _numbers([f"{prefix}_{limit}" for limit in LIMITS], context)


def _numbers(names: Sequence[str], context: ContextReader) -> dict[str, str]:
    """Read the variables that are set; each must be a number above zero, whole unless it is a rate per second."""
    given = {name: str(value) for name in names if (value := context(name))}
    for name, value in given.items():
        whole = not name.endswith("_PER_SECOND")
        form = r"\d{1,9}" if whole else r"\d{1,9}(\.\d{1,9})?"
        if not re.fullmatch(form, value, re.ASCII) or not float(value):
            raise ValueError(f"{name} is {value!r}; it must be a {'whole ' if whole else ''}number above zero")
    return given


def _switch(name: str, value: object, *, default: bool) -> bool:
    """Read a boolean: text on the command line, perhaps a JSON boolean in cdk.json."""
    if value is None:
        return default
    text = str(value).lower()
    if text not in YES + NO:
        raise ValueError(f"{name} is {value!r}; it must be true or false")
    return text in YES
