"""The real stack, deployed with `make deploy` and used as by a caller: over HTTPS, with an API key."""

from __future__ import annotations

import json
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import httpx

from infra.functions import provider_names
from tests.e2e.emulated_aws import BED, ROOT, EmulatedAws

STAGE = "dev"
STACK = f"literature-search-{STAGE}"
CONTACT = "e2e@example.org"
# The emulated AWS has no CodeDeploy, and offers as much concurrency as this machine has.
CONTEXTS = {
    "dev": "-c alarms=true",
    "prod": "-c canary=false -c reserve_concurrency=false -c alarm_email=alarms@example.org",
}
LOG = BED / "deploy.log"
DEPLOY_S = 600
# API Gateway itself would wait for 29 s; the emulated one also starts the function in this time.
ANSWER_S = 120.0
# What a search itself may take at most.
SEARCH_MS = 25_000
# A message is written within seconds; the limit only ends a test that hangs, even on a slow machine.
WRITTEN_S = 120.0
T = TypeVar("T")


def make(aws: EmulatedAws, *words: str, log: Path = LOG) -> subprocess.CompletedProcess[str]:
    """Run a make command against the emulated AWS; its output is written to the log as it appears."""
    with log.open("a", encoding="utf-8") as output:
        output.write(f"$ make {' '.join(words)}\n")
        output.flush()
        start = output.tell()
        done = subprocess.run(
            ["make", *words], cwd=ROOT, env=dict(aws.environment), stdout=output, stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL, timeout=DEPLOY_S, text=True, check=False,
        )  # fmt: skip
    with log.open(encoding="utf-8") as output:
        output.seek(start)
        return subprocess.CompletedProcess(done.args, done.returncode, stdout=output.read())


def deploy(aws: EmulatedAws, stage: str = STAGE, log: Path = LOG, more: str = "") -> subprocess.CompletedProcess[str]:
    """Run the commands of docs/deploy.md; only the wheels are for this machine instead of Lambda."""
    done = make(aws, "bootstrap", f"STAGE={STAGE}", "TARGET=local", log=log)
    assert done.returncode == 0, done.stdout
    choices = [f"STAGE={stage}", f"CONTACT={CONTACT}", "TARGET=local", f"CONTEXT={CONTEXTS[stage]} {more}"]
    done = make(aws, "deploy", *choices, "APPROVAL=never", log=log)
    assert done.returncode == 0, f"make deploy failed, see {log}:\n{done.stdout[-3000:]}"
    return done


def until(seconds: float, question: Callable[[], T | None]) -> T:
    """Call `question` until its result is true, and return that; fail after `seconds`."""
    deadline = time.monotonic() + seconds
    while not (answer := question()):
        assert time.monotonic() < deadline, f"{question} had no result in {seconds} s"
        time.sleep(0.2)
    return answer


@dataclass(frozen=True)
class Deployment:
    """The deployed service, and the sandbox that its providers query."""

    aws: Any  # EmulatedAws or RealAws
    sandbox: Any  # Sandbox or NoSandbox
    deploy_output: str
    stack: str = STACK

    @cached_property
    def outputs(self) -> Mapping[str, str]:
        """The outputs of the stack."""
        (stack,) = self.aws.client("cloudformation").describe_stacks(StackName=self.stack)["Stacks"]
        return {output["OutputKey"]: output["OutputValue"] for output in stack["Outputs"]}

    @cached_property
    def functions(self) -> Mapping[str, str]:
        """The deployed name of each Lambda, by the name of its file or folder."""
        found = self.aws.client("lambda").list_functions(MaxItems=100)["Functions"]
        ours = [function for function in found if function["FunctionName"].startswith(self.stack)]
        named = [(function["Handler"].split("."), function["FunctionName"]) for function in ours]
        return {parts[2 if parts[1] == "providers" else 1]: name for parts, name in named}

    def resources(self, kind: str, part: str = "") -> list[str]:
        """Return the physical ids of the resources of a kind whose logical id contains `part`."""
        found = self.aws.client("cloudformation").describe_stack_resources(StackName=self.stack)["StackResources"]
        return [
            it["PhysicalResourceId"]
            for it in found
            if it["ResourceType"] == kind and part.lower() in it["LogicalResourceId"].lower()
        ]

    @cached_property
    def key(self) -> str:
        """The caller's API key, fetched as docs/deploy.md says."""
        key = self.aws.client("apigateway").get_api_key(apiKey=self.outputs["ApiKeyId"], includeValue=True)
        return str(key["value"])

    def close(self) -> None:
        """Close the connections."""
        self.caller.close()

    def http(self, key: str | None = None, **options: Any) -> httpx.Client:
        """Return a client of the service; without an API key by default."""
        address, headers = self.aws.address(self.outputs["Url"])
        return httpx.Client(
            base_url=address, headers={**headers, **({"x-api-key": key} if key else {})}, verify=self.aws.trust,
            timeout=ANSWER_S, trust_env=False, **options,
        )  # fmt: skip

    @cached_property
    def caller(self) -> httpx.Client:
        """A client with the caller's API key."""
        return self.http(self.key)

    def search(self, query: str, **fields: Any) -> dict[str, Any]:
        """Search; the request must succeed."""
        body = {"query": query, "timeout_ms": SEARCH_MS, **fields}
        response = self.caller.post("v1/literature-search", json=body)
        assert response.status_code == 200, response.text
        return dict(response.json())

    def requests_received(self) -> Counter[str]:
        """Return how many requests each provider has received."""
        return Counter(request.provider for request in list(self.sandbox.requests))

    def logged(self, function: str = "") -> list[str]:
        """Return every line in the log of a function, or of all functions."""
        client = self.aws.client("logs")
        return [
            event["message"]
            for group in self.resources("AWS::Logs::LogGroup", function.replace("_", ""))
            for page in client.get_paginator("filter_log_events").paginate(logGroupName=group)
            for event in page["events"]
        ]

    def new_key(self, name: str, value: str | None = None, **limits: Any) -> tuple[str, Callable[[], None]]:
        """Create another caller's key with a usage plan; return its value and a function that deletes both."""
        client = self.aws.client("apigateway")
        (api,) = self.resources("AWS::ApiGateway::RestApi")
        plan = client.create_usage_plan(name=name, apiStages=[{"apiId": api, "stage": STAGE}], **limits)
        key = client.create_api_key(name=name, enabled=True, **({"value": value} if value else {}))
        client.create_usage_plan_key(usagePlanId=plan["id"], keyId=key["id"], keyType="API_KEY")

        def end() -> None:
            client.delete_usage_plan(usagePlanId=plan["id"])
            client.delete_api_key(apiKey=key["id"])

        return str(key["value"]), end

    def restart(self, function: str) -> None:
        """Make the next invocation start a new process, without cached state."""
        client, name = self.aws.client("lambda"), self.functions[function]
        variables = client.get_function_configuration(FunctionName=name)["Environment"]["Variables"]
        started = {"STARTED_AGAIN": str(int(variables.get("STARTED_AGAIN", "0")) + 1)}
        client.update_function_configuration(FunctionName=name, Environment={"Variables": variables | started})
        self.invoke(function, {"operation": "describe"})

    def invoke(self, function: str, event: Mapping[str, Any]) -> Any:
        """Invoke a function as others do; it must not fail."""
        answer = self.aws.client("lambda").invoke(
            FunctionName=f"{self.functions[function]}:live", Payload=json.dumps(event)
        )
        body = answer["Payload"].read()
        assert "FunctionError" not in answer, body
        return json.loads(body)


def follow_changes(deployed: Deployment) -> None:
    """Let the aliases lead to the unpublished code: tests change environments, which published versions keep."""
    client = deployed.aws.client("lambda")
    for name in deployed.functions.values():
        client.update_alias(FunctionName=name, Name="live", FunctionVersion="$LATEST")


def send_to_the_sandbox(deployed: Deployment) -> None:
    """Direct the deployed providers to the sandbox, with a high rate limit."""
    client = deployed.aws.client("lambda")
    for name in provider_names():
        function = deployed.functions[name]
        variables = client.get_function_configuration(FunctionName=function)["Environment"]["Variables"]
        prefix = name.upper()
        settings = {f"{prefix}_BASE_URL": deployed.sandbox.base_urls[f"{prefix}_BASE_URL"]}
        settings |= {f"{prefix}_REQUESTS_PER_SECOND": "500"}
        client.update_function_configuration(FunctionName=function, Environment={"Variables": variables | settings})


def allow_batches(aws: EmulatedAws) -> None:
    """Allow SendMessageBatch: AWS covers it by sqs:SendMessage, but MiniStack requires an action of its own name."""
    iam = aws.client("iam")
    for role in [role["RoleName"] for role in iam.list_roles()["Roles"] if role["RoleName"].startswith(STACK)]:
        policies = [
            iam.get_role_policy(RoleName=role, PolicyName=name)["PolicyDocument"]
            for name in iam.list_role_policies(RoleName=role)["PolicyNames"]
        ]
        allowed = [
            {**statement, "Action": "sqs:SendMessageBatch"}
            for policy in policies
            for statement in policy["Statement"]
            if "sqs:SendMessage" in (statement["Action"], *statement["Action"])
        ]
        if allowed:
            batches = json.dumps({"Version": "2012-10-17", "Statement": allowed})
            iam.put_role_policy(RoleName=role, PolicyName="batches", PolicyDocument=batches)


def warm(deployed: Deployment) -> None:
    """Start every function: on a small machine a cold start takes longer than the timeout of a provider."""
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda name: deployed.invoke(name, {"operation": "describe"}), provider_names()))
    with deployed.http() as anonymous:
        assert anonymous.get("health").status_code == 200
    assert deployed.caller.get("mcp").status_code == 405
