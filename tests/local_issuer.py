"""An authorization server on loopback, and tokens as a test wants them.

It speaks OpenID Connect Discovery, RFC 6749 with PKCE (RFC 7636), dynamic registration (RFC 7591) and
resource indicators (RFC 8707). Its one user agrees to everything at once.
"""

from __future__ import annotations

import base64
import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any
from urllib.parse import urlencode

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from werkzeug import Request, Response

from tests.http_server import serving


@cache
def _key() -> rsa.RSAPrivateKey:
    """Of all issuers: making one takes a tenth of a second, and a token of another issuer is one whatever signed it."""
    return rsa.generate_private_key(public_exponent=65_537, key_size=2_048)


class Issuer:
    """The address of a running issuer, and what it has issued."""

    def __init__(self) -> None:
        self.address = ""
        self.requests: list[str] = []
        self.down = False
        self.configuration: dict[str, Any] = {}  # replaces what it says of itself
        self.more_keys: list[dict[str, Any]] = []
        self._codes: dict[str, dict[str, str]] = {}
        self._key = _key()

    def token(
        self, *, key: Any = None, algorithm: str = "RS256", kid: str | None = "one", typ: str = "at+jwt", **claims: Any
    ) -> str:
        """A token that is valid for an hour, with these claims; one that is None is left out."""
        now = int(time.time())
        whole = {"iss": self.address, "sub": "a-user", "iat": now, "exp": now + 3_600, **claims}
        given = {name: value for name, value in whole.items() if value is not None}
        signer: Any = None if algorithm == "none" else key or self._key
        named = {"kid": kid} if kid else {}
        return jwt.encode(given, signer, algorithm=algorithm, headers={**named, "typ": typ})

    def answer(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        """The WSGI application."""
        request = Request(environ)
        self.requests.append(request.path)
        routes: dict[str, Callable[[Request], Response]] = {
            "/.well-known/openid-configuration": lambda _: _json(self._metadata() | self.configuration),
            "/keys": lambda _: _json({"keys": [self._public(), *self.more_keys]}),
            "/register": self._register,
            "/authorize": self._authorize,
            "/token": self._token,
        }
        route = routes.get(request.path)
        if self.down or route is None:
            return Response(status=503 if self.down else 404)(environ, start)
        return route(request)(environ, start)

    def _metadata(self) -> dict[str, Any]:
        return {
            "issuer": self.address,
            "jwks_uri": f"{self.address}/keys",
            "authorization_endpoint": f"{self.address}/authorize",
            "token_endpoint": f"{self.address}/token",
            "registration_endpoint": f"{self.address}/register",
            "response_types_supported": ["code"],
            "grant_types_supported": ["authorization_code"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["none"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
        }

    def _public(self) -> dict[str, Any]:
        public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self._key.public_key()))
        return {**public, "kid": "one", "alg": "RS256", "use": "sig"}

    def _register(self, request: Request) -> Response:
        given = json.loads(request.get_data())
        known = {"client_id": "a-client", "token_endpoint_auth_method": "none"}
        return _json({**given, **known}, 201)

    def _authorize(self, request: Request) -> Response:
        code = f"code-{len(self._codes)}"
        self._codes[code] = dict(request.args)
        back = {"code": code, "iss": self.address}
        if "state" in request.args:
            back["state"] = request.args["state"]
        return Response(status=302, headers={"Location": f"{request.args['redirect_uri']}?{urlencode(back)}"})

    def _token(self, request: Request) -> Response:
        asked = self._codes.pop(request.form.get("code", ""), None)
        verifier = hashlib.sha256(request.form.get("code_verifier", "").encode()).digest()
        proof = base64.urlsafe_b64encode(verifier).rstrip(b"=").decode()
        if asked is None or asked["code_challenge"] != proof or asked["resource"] != request.form.get("resource"):
            return _json({"error": "invalid_grant"}, 400)
        token = self.token(aud=asked["resource"], scope=asked.get("scope"), sub="who signed in")
        return _json({"access_token": token, "token_type": "Bearer", "expires_in": 3_600})


def _json(value: object, status: int = 200) -> Response:
    return Response(json.dumps(value), status=status, content_type="application/json")


@contextmanager
def issuing() -> Iterator[Issuer]:
    """A running issuer."""
    issuer = Issuer()
    with serving(issuer.answer) as address:
        issuer.address = address
        yield issuer
