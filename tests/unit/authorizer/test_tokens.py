"""Which access tokens are good, and how often the issuer is asked for its keys."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from functions.authorizer.issuer_keys import AGAIN_AFTER_S, FRESH_S, MAX_BYTES, USABLE_S, IssuerUnavailable
from functions.authorizer.tokens import Tokens
from tests.local_issuer import Issuer, issuing

HERE = "https://api.example/prod"
SCOPE = "literature/search"
WEAK = rsa.generate_private_key(public_exponent=65_537, key_size=1_024)
CURVE = ec.generate_private_key(ec.SECP256R1())


class Clock:
    def __init__(self) -> None:
        self.seconds = 1_000_000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    with issuing() as running:
        yield running


@pytest.fixture
def tokens(issuer: Issuer, clock: Clock) -> Tokens:
    return Tokens(issuer.address, None, clock)


def public(key: Any, **more: Any) -> dict[str, Any]:
    kind = jwt.algorithms.ECAlgorithm if isinstance(key, ec.EllipticCurvePrivateKey) else jwt.algorithms.RSAAlgorithm
    return {**json.loads(kind.to_jwk(key.public_key())), **more}


@pytest.mark.parametrize(
    ("claims", "good"),
    [
        ({"aud": HERE}, True),
        ({"aud": f"{HERE}/mcp"}, True),
        ({"aud": ["https://other.example", f"{HERE}/"]}, True),
        ({"aud": HERE, "typ": "JWT"}, True),
        ({"aud": HERE, "typ": "application/AT+jwt"}, True),
        ({"aud": "api.example"}, False),
        ({"aud": f"{HERE}/mcp/more"}, False),
        ({"aud": HERE.removesuffix("/prod")}, False),
        ({"aud": ""}, False),
        ({"aud": []}, False),
        ({"aud": [["x"], 1, None]}, False),
        ({}, False),
        ({"scope": SCOPE}, False),
        ({"aud": HERE, "typ": "logout+jwt"}, False),
        ({"aud": HERE, "token_use": "id"}, False),
        ({"aud": HERE, "kid": None}, False),
        ({"aud": HERE, "sub": ""}, False),
        ({"aud": HERE, "sub": 7}, False),
        ({"aud": HERE, "exp": "never"}, False),
    ],
)
def test_a_token_names_this_service(tokens: Tokens, issuer: Issuer, claims: dict[str, Any], good: bool) -> None:
    assert (tokens.tenant(issuer.token(**claims), [HERE]) is not None) is good


@pytest.mark.parametrize(
    ("claims", "good"),
    [
        ({"scope": f"openid {SCOPE}"}, True),
        ({"scope": SCOPE, "token_use": "access"}, True),
        ({"scope": SCOPE, "aud": HERE}, True),
        ({"scope": SCOPE, "aud": "an-audience"}, True),
        ({"scope": SCOPE, "aud": "a-client"}, False),
        ({"aud": HERE}, False),
        ({"scope": f"{SCOPE}es"}, False),
        ({"scope": [SCOPE]}, False),
        ({"scope": None}, False),
    ],
)
def test_a_scope_that_is_set_is_required(issuer: Issuer, claims: dict[str, Any], good: bool) -> None:
    strict = Tokens(issuer.address, SCOPE)
    assert (strict.tenant(issuer.token(**claims), [f"{HERE}/", "an-audience"]) is not None) is good


def test_without_an_audience_no_token_fits(tokens: Tokens, issuer: Issuer) -> None:
    assert [tokens.tenant(issuer.token(aud=it), []) for it in ("", "/", "/mcp", HERE)] == [None] * 4


@pytest.mark.parametrize("text", ["..", "a.b.c", "e30.e30.", "e30.e30.e30", "é..", "." * 3, "eyJhbGciOjF9.e30.e30"])
def test_text_that_is_no_token_is_refused_without_a_request_to_the_issuer(
    tokens: Tokens, issuer: Issuer, text: str
) -> None:
    assert tokens.tenant(text, [HERE]) is None
    assert issuer.requests == []


@pytest.mark.filterwarnings("ignore::jwt.warnings.InsecureKeyLengthWarning")  # of the weak key, as the test signs
def test_a_key_verifies_its_own_algorithm_alone(tokens: Tokens, issuer: Issuer) -> None:
    issuer.more_keys = [
        public(CURVE, kid="curve"),
        {"kty": "oct", "k": "YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE", "kid": "shared", "alg": "HS256"},
        public(WEAK, kid="weak", alg="RS256"),
        public(CURVE, kid="for encryption", use="enc"),
        {"kty": "RSA", "kid": "broken", "n": "!", "e": "!"},
    ]
    good = {
        name: tokens.tenant(issuer.token(aud=HERE, kid=name, key=key, algorithm=algorithm), [HERE]) is not None
        for name, key, algorithm in [
            ("one", None, "RS256"), ("curve", CURVE, "ES256"), ("shared", "a" * 32, "HS256"), ("weak", WEAK, "RS256"),
            ("for encryption", CURVE, "ES256"), ("broken", None, "RS256"),
        ]
    }  # fmt: skip
    assert {name for name, it in good.items() if it} == {"one", "curve"}
    assert tokens.tenant(issuer.token(aud=HERE, algorithm="PS256"), [HERE]) is None  # the key is for RS256


def test_invented_keys_cost_one_request_a_minute(tokens: Tokens, issuer: Issuer, clock: Clock) -> None:
    tokens.tenant(issuer.token(aud=[HERE]), [HERE])
    for second in range(int(AGAIN_AFTER_S)):
        clock.seconds += 1
        assert tokens.tenant(issuer.token(aud=HERE, kid=f"invented {second}"), [HERE]) is None
    assert issuer.requests.count("/keys") == 1
    clock.seconds += 1
    tokens.tenant(issuer.token(aud=HERE, kid="invented"), [HERE])
    assert issuer.requests.count("/keys") == 2


def test_a_new_key_is_found_and_an_old_one_forgotten(tokens: Tokens, issuer: Issuer, clock: Clock) -> None:
    new = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
    assert tokens.tenant(issuer.token(aud=HERE, kid="two", key=new), [HERE]) is None
    issuer.more_keys = [public(new, kid="two", alg="RS256")]
    clock.seconds += AGAIN_AFTER_S + 1
    assert tokens.tenant(issuer.token(aud=HERE, kid="two", key=new), [HERE])
    issuer.more_keys = []
    clock.seconds += FRESH_S + 1
    assert tokens.tenant(issuer.token(aud=HERE, kid="two", key=new), [HERE]) is None


def test_while_the_issuer_is_down_its_last_keys_hold_for_a_day(tokens: Tokens, issuer: Issuer, clock: Clock) -> None:
    assert tokens.tenant(issuer.token(aud=[HERE]), [HERE])
    issuer.down = True
    clock.seconds += FRESH_S + 1
    assert tokens.tenant(issuer.token(aud=[HERE]), [HERE])
    clock.seconds += USABLE_S
    with pytest.raises(IssuerUnavailable):
        tokens.tenant(issuer.token(aud=[HERE]), [HERE])


@pytest.mark.parametrize(
    "configuration",
    [
        {"issuer": "https://other.example"},
        {"jwks_uri": "file:///etc/passwd"},
        {"jwks_uri": None},
        {"jwks_uri": "http://["},
        {"padding": "x" * MAX_BYTES},
    ],
    ids=["of another issuer", "a file", "no keys", "no address", "too long"],
)
def test_a_wrong_configuration_is_a_failure_and_no_refusal(
    tokens: Tokens, issuer: Issuer, clock: Clock, configuration: dict[str, Any]
) -> None:
    issuer.configuration = configuration
    for _ in range(3):
        with pytest.raises(IssuerUnavailable):
            tokens.tenant(issuer.token(aud=[HERE]), [HERE])
    assert issuer.requests == ["/.well-known/openid-configuration"]  # not again within some seconds
    issuer.configuration = {}
    clock.seconds += 6
    assert tokens.tenant(issuer.token(aud=[HERE]), [HERE])


def test_subjects_of_two_issuers_are_two_tenants(tokens: Tokens, issuer: Issuer) -> None:
    with issuing() as second:
        names = [it.tenant(by.token(aud=HERE, sub="one"), [HERE]) for it, by in
                 ((tokens, issuer), (Tokens(second.address, None), second))]  # fmt: skip
    assert None not in names
    assert names[0] != names[1]
    assert all("one" not in str(name) for name in names)
