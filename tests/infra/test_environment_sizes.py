"""Lambda allows a function 4 kB of environment variables."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

import pytest

from infra.functions import provider_names, provider_spec
from shared.json_types import JsonObject
from shared.providers.capabilities import capabilities_entry, packed_capabilities
from tests.infra.template import Template

pytestmark = pytest.mark.slow  # importing the CDK and synthesising take seconds
MOST_BYTES = 4096
MANY = 40  # providers, which is more than twice as many as there are


def _many_providers() -> Iterator[tuple[str, JsonObject]]:
    """Yield capabilities by name: those that there are, and made-up ones that compression makes little smaller."""
    names = provider_names()
    yield from ((name, capabilities_entry(provider_spec(name))) for name in names)
    for number in range(len(names), MANY):
        one, other = (provider_spec(names[(number * step) % len(names)]) for step in (3, 5))
        operations = {**one.operations, **dict(list(other.operations.items())[: number % 4])}
        entry = {**capabilities_entry(other), "operations": operations, "requests_per_second": number / 7}
        yield f"source_{hashlib.sha256(str(number).encode()).hexdigest()[:12]}", entry


@pytest.mark.parametrize("stage", ["template", "production"])
@pytest.mark.parametrize("many", [False, True], ids=["the providers that there are", f"{MANY} providers"])
def test_a_functions_environment_fits_lambdas_4_kb(stage: str, many: bool, request: pytest.FixtureRequest) -> None:
    deployed: Template = request.getfixturevalue(stage)
    providers = dict(_many_providers())
    grown = {"CAPABILITIES": packed_capabilities(providers), "SEARCHED_PROVIDERS": ",".join(providers)}
    for function in deployed.functions:
        environment = deployed.environment(function)
        if many:
            environment |= {name: value for name, value in grown.items() if name in environment}
        # CloudFormation's names: stack, id and 13 characters more; a queue's has its address before it, an ARN as well.
        real = {
            name: re.sub(r"<([^>]+)>", lambda it: f"literature-search-prod-{it[1]}-{13 * 'X'}", value)
            for name, value in environment.items()
        }
        size = sum(len(name) + len(value) + 70 * name.endswith(("_URL", "_ARN")) for name, value in real.items())
        assert size <= MOST_BYTES, (
            f"{function} has {size} bytes of environment variables: shorten CAPABILITIES or other variables before a "
            "provider cannot be deployed"
        )


@pytest.mark.parametrize("stage", ["template", "production"])
def test_no_other_variable_names_providers(stage: str, request: pytest.FixtureRequest) -> None:
    deployed: Template = request.getfixturevalue(stage)
    for function in set(deployed.functions) - set(provider_names()):
        for variable, value in deployed.environment(function).items():
            named = {*re.findall(r"\w+", value)} & {*provider_names()}
            assert not named or variable == "SEARCHED_PROVIDERS", (function, variable, named)
