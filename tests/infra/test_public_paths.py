"""API Gateway's resources and the gateway of one machine lead each path to the same function."""

from __future__ import annotations

import pytest

from infra.functions import function_of_path, is_public
from tests.infra.template import Template, text

pytestmark = pytest.mark.slow  # importing the CDK and synthesising take seconds
ANSWERING = ("dispatcher", "mcp_server", "public_pages")


def path_of(template: Template, resource: object) -> str:
    """The path of a method's resource, with a name in place of each variable."""
    if not (isinstance(resource, dict) and "Ref" in resource):
        return ""  # the root, which is an attribute of the API
    found = template.resources("AWS::ApiGateway::Resource")[resource["Ref"]]
    part = {"{proxy+}": "v1/providers", "{name}": "page.js"}.get(found["PathPart"], found["PathPart"])
    return f"{path_of(template, found['ParentId'])}/{part}"


@pytest.mark.parametrize("stage", ["template", "production"])
def test_a_path_leads_to_the_function_that_answers_it_on_one_machine(
    stage: str, request: pytest.FixtureRequest
) -> None:
    deployed: Template = request.getfixturevalue(stage)
    reached = set()
    for method in deployed.resources("AWS::ApiGateway::Method").values():
        if method["HttpMethod"] == "OPTIONS":
            continue  # API Gateway answers it
        path = path_of(deployed, method["ResourceId"]) or "/"
        (function,) = (it for it in ANSWERING if deployed.live(it) in text(method["Integration"]["Uri"]))
        assert function == function_of_path(path), path
        assert method["ApiKeyRequired"] is (method["HttpMethod"] == "ANY"), path
        assert is_public(path) is (function == "public_pages"), path
        reached.add(function)
    assert reached == {*ANSWERING}
