"""An AWS account over HTTP, as far as the preflight reads it; answers have the form of AWS's API references."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

IDENTITY = """<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>
<Arn>arn:aws:iam::111122223333:user/operator</Arn><UserId>AIDA</UserId><Account>111122223333</Account>
</GetCallerIdentityResult></GetCallerIdentityResponse>"""


@dataclass(slots=True)
class Account:
    """The state of the account."""

    bootstrap: str | None = "21"
    limit: int = 1000
    reserved: dict[str, int] = field(default_factory=dict)  # function -> its reserved concurrency
    log_role: str | None = "arn:aws:iam::111122223333:role/logs"
    secrets: dict[str, bool] = field(default_factory=dict)  # name -> whether its deletion has begun
    tables: dict[str, object] = field(default_factory=dict)  # name -> what DescribeTable says
    files: dict[str, int] = field(default_factory=dict)  # key of a bucket -> the status of a request for it

    def answer(self, request: Request) -> Response:
        """Answer a request to any service."""
        path = request.path.rstrip("/")
        if request.method == "HEAD":  # of S3
            return Response(status=next((self.files[key] for key in self.files if path.endswith(key)), 404))
        target = request.headers.get("X-Amz-Target", "")
        if target:
            return self._by_target(target.rpartition(".")[2], json.loads(request.get_data()))
        if path.endswith("/account-settings"):
            free = self.limit - sum(self.reserved.values())
            return _json({"AccountLimit": {"ConcurrentExecutions": self.limit, "UnreservedConcurrentExecutions": free}})
        if path.endswith("/functions"):
            return _json({"Functions": [{"FunctionName": name} for name in self.reserved]})
        if path.endswith("/concurrency"):
            return _json({"ReservedConcurrentExecutions": self.reserved[path.split("/")[-2]]})
        if path == "/account":
            return _json({"cloudwatchRoleArn": self.log_role} if self.log_role else {})
        return Response(IDENTITY, content_type="text/xml")

    def _by_target(self, operation: str, body: dict[str, str]) -> Response:
        if operation == "GetParameter":
            return _json({"Parameter": {"Value": self.bootstrap}}) if self.bootstrap else _refused("ParameterNotFound")
        if operation == "DescribeTable":
            name = body["TableName"]
            return _json({"Table": self.tables[name]}) if name in self.tables else _refused("ResourceNotFoundException")
        secret = body["SecretId"]
        if secret not in self.secrets:
            return _refused("ResourceNotFoundException")
        return _json({"Name": secret, **({"DeletedDate": 1.7e9} if self.secrets[secret] else {})})


def _json(answer: object) -> Response:
    return Response(json.dumps(answer), content_type="application/x-amz-json-1.1")


def _refused(kind: str) -> Response:
    return Response(json.dumps({"__type": kind, "message": "no such thing"}), 400, content_type="application/json")


def serve(server: HTTPServer, account: Account) -> str:
    """Let the server answer for the account; returns its address."""
    server.expect_request(re.compile(".*")).respond_with_handler(account.answer)
    return server.url_for("")
