"""The HTTP API called directly: the dispatcher's Lambda is invoked with the event that API Gateway would send.

The event carries the id of the caller's API key, so that saved searches and Idempotency-Keys stay the caller's own;
the key itself is not available here. The correlation id is sent as the header `X-Correlation-Id`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from botocore.exceptions import BotoCoreError, ClientError, ReadTimeoutError

from shared.aws.lambda_functions.invoker import FunctionFailed, Invoker
from shared.aws.runtime.observability import error_code, logger
from shared.client.errors import unreachable
from shared.client.json_types import ToolAnswer
from shared.client.transport import as_parameters, read_answer
from shared.json_types import JsonObject

# API Gateway times out after 29 s; the caller must get an answer before.
READ_TIMEOUT_S = 27


def dispatcher_invoker() -> Invoker:
    """What invokes the dispatcher, made once per process."""
    return Invoker.within(READ_TIMEOUT_S)


@dataclass(frozen=True, slots=True)
class DispatcherCall:
    """`shared.client.transport.Api` for one request: invokes the dispatcher on a caller's behalf."""

    invoker: Invoker
    function: str
    request_id: str
    api_key_id: str | None
    correlation_id: str | None

    def __call__(self, method: str, path: str, body: JsonObject, headers: Mapping[str, str]) -> tuple[int, ToolAnswer]:
        """The status and the answer. Raises ToolError when there is none."""
        event = self._event(method, path, body, headers)
        try:
            answer = json.loads(self.invoker.invoke(self.function, json.dumps(event).encode()))
            status = int(answer["statusCode"])
            answered = {name: values[0] for name, values in (answer.get("multiValueHeaders") or {}).items()}
            return status, read_answer(status, answer["body"], answered)
        except FunctionFailed:
            raise unreachable(502, "the search function failed") from None
        except ReadTimeoutError:
            raise unreachable(504, "the search function did not answer in time") from None
        except (BotoCoreError, ClientError) as error:
            logger.error("the dispatcher cannot be invoked", error=error_code(error))
            raise unreachable(502, "the search function cannot be reached") from None
        except (KeyError, TypeError, ValueError):
            raise unreachable(502, "the search function gave no readable answer") from None

    def _event(self, method: str, path: str, body: JsonObject, headers: Mapping[str, str]) -> JsonObject:
        sent = {"Content-Type": "application/json", **headers}
        if self.correlation_id:
            sent["X-Correlation-Id"] = self.correlation_id
        query = as_parameters(body) if method == "GET" else {}
        return {
            "resource": "/{proxy+}",
            "path": path,
            "httpMethod": method,
            "headers": sent,
            "multiValueHeaders": {name: [value] for name, value in sent.items()},
            "queryStringParameters": {name: values[-1] for name, values in query.items()} or None,
            "multiValueQueryStringParameters": query or None,
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
            "body": None if method == "GET" else json.dumps(body),
            "isBase64Encoded": False,
        }
