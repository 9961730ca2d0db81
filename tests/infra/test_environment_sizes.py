"""Lambda allows a function 4 kB of environment variables."""

from __future__ import annotations

import re

import pytest

from infra.functions import provider_names, provider_spec
from shared.providers.capabilities import capabilities_entry, packed_capabilities
from tests.infra.template import Template

pytestmark = pytest.mark.slow  # importing the CDK and synthesising take seconds
MOST_BYTES = 4096


def _packed_size(provider: str) -> int:
    """How many bytes of the variable of capabilities, which is compressed, this provider takes."""
    every = {name: capabilities_entry(provider_spec(name)) for name in provider_names()}
    others = {name: entry for name, entry in every.items() if name != provider}
    return len(packed_capabilities(every)) - len(packed_capabilities(others))


@pytest.mark.parametrize("stage", ["template", "production"])
def test_a_functions_environment_fits_lambdas_4_kb_and_one_more_provider_fits_too(
    stage: str, request: pytest.FixtureRequest
) -> None:
    deployed: Template = request.getfixturevalue(stage)
    providers = {name: f"{deployed.logical_id(name)}:live" for name in provider_names()}
    for function in deployed.functions:
        environment = deployed.environment(function)
        # CloudFormation's names: stack, id and 13 characters more; a queue's has its address before it, an ARN as well.
        real = {
            name: re.sub(r"<([^>]+)>", lambda it: f"literature-search-prod-{it[1]}-{13 * 'X'}", value)
            for name, value in environment.items()
        }
        size = sum(len(name) + len(value) + 70 * name.endswith(("_URL", "_ARN")) for name, value in real.items())
        most = max(len(name) + len(providers[name]) + _packed_size(name) for name in providers) + 60
        reserve = most if function in ("dispatcher", "saved_search_runner") else 0
        assert size + reserve <= MOST_BYTES, (
            f"{function} has {size} bytes of environment variables, and one more provider takes up to {reserve}: "
            "shorten PROVIDERS, CAPABILITIES or other variables before the next provider cannot be deployed"
        )
