"""What every function behind the REST API does with a request: find its route, answer errors, add headers."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from typing import Any

from aws_lambda_powertools import event_handler
from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError
from aws_lambda_powertools.event_handler.middlewares import NextMiddleware
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent
from aws_lambda_powertools.utilities.typing import LambdaContext

from shared.api.cors import add_cors_headers, read_origins
from shared.aws.rest_api.problem_responses import plain_problem, problem, within_limit
from shared.aws.rest_api.request_body import request_id
from shared.aws.rest_api.routing import Routes
from shared.aws.runtime.observability import bind_request_ids, logger
from shared.canonical_json import compact_json
from shared.errors import LiteratureError


class Application:
    """The routes of one function, which are modules of `package` by the beginning of their paths.

    Query parameters that an operation does not have are refused, but where `any_parameters` is true of the request.
    HEAD is answered as GET, without the body, which the HTTP server leaves out; but not by the `modules` in
    `costly`, whose GET queries sources.
    """

    def __init__(
        self,
        package: str,
        modules: Mapping[str, str],
        *,
        any_parameters: Callable[[APIGatewayProxyEvent], bool],
        costly: Collection[str] = (),
    ) -> None:
        # By its module: `infra.local.machine` replaces the class there. Unescaped, titles and names in other scripts
        # take a third of the bytes.
        self.app = event_handler.APIGatewayRestResolver(serializer=compact_json)
        self.routes = Routes(self.app, package, modules, costly)
        self.app.use([_refusal_of_unknown(any_parameters)])
        self.app.exception_handler(LiteratureError)(self._literature_error)
        self.app.exception_handler(Exception)(self._internal_error)
        self.app.not_found(self._unknown_route)

    def answer(self, event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
        """Answer a REST API event by its route."""
        headers = {name.lower(): value for name, value in (event.get("headers") or {}).items()}
        bind_request_ids(event["requestContext"].get("requestId"), headers.get("x-correlation-id"))
        path = str(event.get("path"))
        self.routes.include(path)
        if event.get("httpMethod") == "HEAD" and "HEAD" in self.routes.methods_of(path):
            event = {**event, "httpMethod": "GET"}
        answer = within_limit(self.app.resolve(event, context), self.request_id)
        answer["multiValueHeaders"]["X-Content-Type-Options"] = ["nosniff"]  # titles and names are others' text
        add_cors_headers(answer["multiValueHeaders"], headers, read_origins(os.environ.get("CORS_ORIGINS")))
        return answer

    @property
    def request_id(self) -> str:
        """The id of the current request."""
        return request_id(self.app.current_event)

    def _literature_error(self, error: LiteratureError) -> Response[str]:
        """Errors of this product: `shared.api.problems` has their status codes.

        The message of a refusal may repeat what the caller sent, so INFO has the names of the fields alone.
        """
        fields = [fault.field for fault in getattr(error, "errors", ())]
        logger.info("problem", code=error.code, fields=fields, request_id=self.request_id)
        logger.debug("the problem's detail", detail=error.message, request_id=self.request_id)
        return problem(error, self.request_id)

    def _unknown_route(self, _: NotFoundError) -> Response[str]:
        """An unknown path, or a method that the path does not have."""
        method, path = self.app.current_event.http_method, self.app.current_event.path
        offered = ", ".join(self.routes.methods_of(path))
        if offered:
            detail = f"{path} offers {offered}, not {method}"
            return plain_problem(405, "method_not_allowed", detail, self.request_id, headers={"Allow": offered})
        detail = f"{method} {path} is not a route of this API"
        from shared.api.nearest_route import nearest_route  # which reads the declarations of all operations

        nearest = nearest_route(path)
        hint = f"Did you mean {nearest}? All routes are in /openapi.json." if nearest else "See /openapi.json."
        return plain_problem(404, "not_found", detail, self.request_id, hint=hint)

    def _internal_error(self, _: Exception) -> Response[str]:
        """Any other error is a bug: logged with its traceback, reported without detail."""
        logger.exception("internal error", request_id=self.request_id)
        return plain_problem(500, "internal_error", "an internal error occurred", self.request_id)


def _refusal_of_unknown(any_parameters: Callable[[APIGatewayProxyEvent], bool]) -> Callable[..., Response[Any]]:
    """The middleware that refuses unknown query parameters.

    A function, not a method: Powertools keeps what it finds in the types of a middleware as an attribute, which a
    bound method cannot have, and would evaluate them at each request.
    """

    def refuse_unknown(
        current: event_handler.APIGatewayRestResolver, next_middleware: NextMiddleware
    ) -> Response[Any]:  # fmt: skip
        event = current.current_event
        names = event.resolved_query_string_parameters
        if names and not any_parameters(event):
            from shared.api.query_parameters import refuse_unknown_parameters

            refuse_unknown_parameters(event.http_method, event.path, names)
        return next_middleware(current)

    return refuse_unknown
