"""An issuer of access tokens on loopback: its OpenID configuration, its keys, and tokens as a test wants them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.http_server import serving


class Issuer:
    """The address of a running issuer, and what it has issued."""

    def __init__(self) -> None:
        self.address = ""
        self.requests: list[str] = []
        self._key = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)

    def token(self, *, key: Any = None, algorithm: str = "RS256", kid: str = "one", **claims: Any) -> str:
        """A token that is valid for an hour, with these claims; one that is None is left out."""
        now = int(time.time())
        whole = {"iss": self.address, "sub": "a-user", "iat": now, "exp": now + 3_600, **claims}
        given = {name: value for name, value in whole.items() if value is not None}
        signer: Any = None if algorithm == "none" else key or self._key
        return jwt.encode(given, signer, algorithm=algorithm, headers={"kid": kid})

    def answer(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        """The WSGI application."""
        path = environ["PATH_INFO"]
        self.requests.append(path)
        public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self._key.public_key()))
        answers = {
            "/.well-known/openid-configuration": {"issuer": self.address, "jwks_uri": f"{self.address}/keys"},
            "/keys": {"keys": [{**public, "kid": "one", "alg": "RS256", "use": "sig"}]},
        }
        start("200 OK" if path in answers else "404 Not Found", [("Content-Type", "application/json")])
        return [json.dumps(answers.get(path)).encode()]


@contextmanager
def issuing() -> Iterator[Issuer]:
    """A running issuer."""
    issuer = Issuer()
    with serving(issuer.answer) as address:
        issuer.address = address
        yield issuer
