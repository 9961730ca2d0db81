"""The front door, called directly: the same routes and the same answers, without the way over HTTPS.

The event is a REST API's, with the id of the caller's key in it: whoever asks through another function stays who they
are, for what is kept private to them and for their Idempotency-Keys. The key itself does not come this far. The id by
which the call is followed goes along as the header by which a caller sends it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError, ReadTimeoutError

from shared.aws.runtime.boto_configs import single_invocation
from shared.aws.runtime.observability import code_of, logger
from shared.client.errors import unreachable

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient

# API Gateway gives up after 29 s; the caller should hear of it before.
READ_TIMEOUT_S = 27


def lambda_client() -> LambdaClient:
    """A client that never repeats an invocation: the second would ask every provider once more."""
    return boto3.client("lambda", config=single_invocation(READ_TIMEOUT_S))


@dataclass(frozen=True, slots=True)
class DispatcherCall:
    """`shared.client.transport.Api` for one request: the dispatcher's function, asked in a caller's name."""

    client: LambdaClient
    function: str
    request_id: str
    api_key_id: str | None
    correlation_id: str | None

    def __call__(
        self, method: str, path: str, body: Mapping[str, Any], headers: Mapping[str, str]
    ) -> tuple[int, dict[str, Any]]:
        """The status and the JSON of an answer. Raises ToolError when none came."""
        event = self._event(method, path, body, headers)
        try:
            told = self.client.invoke(FunctionName=self.function, Payload=json.dumps(event).encode())
            if "FunctionError" in told:
                raise unreachable(502, "the search function failed")
            answer = json.loads(told["Payload"].read())
            return int(answer["statusCode"]), dict(json.loads(answer["body"]))
        except ReadTimeoutError:
            raise unreachable(504, "the search function did not answer in time") from None
        except (BotoCoreError, ClientError) as error:
            logger.error("the dispatcher cannot be invoked", error=code_of(error))
            raise unreachable(502, "the search function cannot be reached") from None
        except (KeyError, TypeError, ValueError):
            raise unreachable(502, "the search function gave no readable answer") from None

    def _event(self, method: str, path: str, body: Mapping[str, Any], headers: Mapping[str, str]) -> dict[str, Any]:
        sent = {"Content-Type": "application/json", **headers}
        if self.correlation_id:
            sent["X-Correlation-Id"] = self.correlation_id
        return {
            "resource": "/{proxy+}",
            "path": path,
            "httpMethod": method,
            "headers": sent,
            "multiValueHeaders": {name: [value] for name, value in sent.items()},
            "queryStringParameters": None,
            "multiValueQueryStringParameters": None,
            "pathParameters": {"proxy": path.lstrip("/")},
            "stageVariables": None,
            "requestContext": {
                "httpMethod": method,
                "identity": {"apiKeyId": self.api_key_id},
                "path": path,
                "requestId": self.request_id,
                "resourcePath": "/{proxy+}",
                "stage": "mcp",
            },
            "body": json.dumps(body),
            "isBase64Encoded": False,
        }
