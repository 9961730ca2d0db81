"""What all tests share: the machine of one process."""

from __future__ import annotations

import functools
import gc
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from hypothesis import HealthCheck, settings

from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox
from shared.aws.lambda_functions import provider_handler as provider_lambda
from tests.longest_first import sort_longest_first
from tests.samples import mark_beyond_sample
from tests.skipped_time import SkippedTime
from tests.source_limits import limited_sources, unlimited_sources

if TYPE_CHECKING:
    from tests.local_issuer import Issuer

# On a busy machine examples are slow to make and to run, which says nothing of the code.
# In CI the examples are the same each time, so that a change does not fail by chance; elsewhere each run draws others.
_ANY_MACHINE = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=bool(os.environ.get("CI"))
)
FAST_EXAMPLES = 15
# `make test-all` selects the thorough profile: `--hypothesis-profile=thorough`.
settings.register_profile("thorough", _ANY_MACHINE)
settings.register_profile("fast", _ANY_MACHINE, max_examples=FAST_EXAMPLES)
settings.load_profile("fast")

LOG_LEVEL = "POWERTOOLS_LOG_LEVEL"
SLOW_MODULE = re.compile(r"^pytestmark = \[?pytest\.mark\.slow\b", re.MULTILINE)
ROOT = Path(__file__).parents[1]


def pytest_configure() -> None:
    """Keep bytecode, but not beside the sources: each machine imports the functions again, and processes all code."""
    _stay_on_one_processor()
    _share_tls_contexts()
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = str(ROOT / ".build" / "bytecode")


def _stay_on_one_processor() -> None:
    """Give each worker process a processor: a machine's threads cost a sixth more when they take turns on several.

    They hand Python's global lock to each other. Where there are fewer workers than processors nothing is pinned, so
    that the processes that a test starts have them all.
    """
    number = os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if not number or not hasattr(os, "sched_setaffinity"):
        return
    processors = sorted(os.sched_getaffinity(0))
    if workers >= len(processors):
        os.sched_setaffinity(0, {processors[int(number) % len(processors)]})


def _share_tls_contexts() -> None:
    """Read the certificate authorities once: each `httpx.get` of a test would read them, 24 ms of processor time."""
    setattr(httpx._transports.default, "create_ssl_context", functools.cache(httpx.create_ssl_context))  # noqa: B010


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import modules of slow tests alone where these are not to run: that takes longer than many tests."""
    if "not slow" not in config.option.markexpr or collection_path.suffix != ".py":
        return None
    return SLOW_MODULE.search(collection_path.read_text(encoding="utf-8")) is not None or None


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Collect no garbage while the tests are collected: modules and tests all stay."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()  # modules and tests are not looked at again in each collection
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow what a sample of the large tables leaves out; let the fast profile limit all numbers of examples."""
    mark_beyond_sample(items)
    sort_longest_first(items)
    if settings.get_current_profile_name() == "thorough":
        return
    for item in items:
        test = getattr(item, "obj", None)
        declared = getattr(test, "_hypothesis_internal_use_settings", None)
        if declared and declared.max_examples > FAST_EXAMPLES:
            setattr(test, "_hypothesis_internal_use_settings", settings(declared, max_examples=FAST_EXAMPLES))  # noqa: B010


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests did not run, in one line for each reason."""
    reports = terminalreporter.stats.get("skipped", [])
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in reports)
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"{count} tests did not run: {reason}", yellow=True)


@pytest.fixture(scope="module")
def issuer() -> Iterator[Issuer]:
    """An issuer of access tokens."""
    from tests.local_issuer import issuing  # for few tests, which need packages of their own

    with issuing() as running:
        yield running


@pytest.fixture(scope="session", autouse=True)
def _one_key_may_skip_the_cache_often() -> Iterator[None]:
    """The tests of a module are one caller; those of the budget for `fresh` set their own."""
    with pytest.MonkeyPatch.context() as patch:
        for period in ("MINUTE", "HOUR"):
            patch.setenv(f"FRESH_REQUESTS_PER_{period}", "10000")
        yield


@pytest.fixture(scope="session", autouse=True)
def _sources_allow_many_requests() -> Iterator[None]:
    """No leg waits for a permit: most tests send more than a source allows, and are not about its limits."""
    with unlimited_sources():
        yield


@pytest.fixture(scope="module", autouse=True)
def _restore_log_level() -> Iterator[None]:
    """A command that was called in this process leaves its choice of a log level in the environment."""
    before = os.environ.get(LOG_LEVEL)
    yield
    os.environ.pop(LOG_LEVEL, None)
    if before is not None:
        os.environ[LOG_LEVEL] = before


@pytest.fixture
def declared_limits() -> Iterator[None]:
    """The limits that the providers declare and that the sandbox states, for tests that are about them."""
    with limited_sources():
        yield


@pytest.fixture(scope="session", autouse=True)
def _legs_skip_their_waiting() -> Iterator[None]:
    """No leg of any machine waits for real before it tries again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(provider_lambda, "TIMING", SkippedTime().timing())
        yield


@pytest.fixture
def local() -> Iterator[Machine]:
    """Everything running against the sandbox, fresh for each test: a cold start, without tables or state of another.

    That takes a tenth of a second, since machines share their AWS clients; test_isolation holds that they share no
    more.
    """
    with machine(sandbox=Sandbox(faults={})) as running:
        yield running
