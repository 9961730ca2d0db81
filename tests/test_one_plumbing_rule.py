"""Plumbing that has one home: a second definition of one of these rules, in another module, fails here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CODE = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for folder in ("functions", "shared")
    for path in sorted((ROOT / folder).rglob("*.py"))
}


@dataclass(frozen=True)
class Rule:
    """Text that gives a second definition away, and the only files in which it may stand."""

    text: str
    homes: frozenset[str]


CANONICAL_JSON = "shared/canonical_json.py"
SIGNED = "shared/saved/webhook.py"  # its signature is SHA-256, and its canonical payload replaces lone surrogates

RULES = {
    "digest": Rule("hashlib.sha256", frozenset({CANONICAL_JSON, SIGNED})),
    "canonical JSON": Rule("sort_keys=True", frozenset({CANONICAL_JSON, SIGNED})),
    "compact JSON": Rule('ensure_ascii=False, separators=(",", ":")', frozenset({CANONICAL_JSON})),
    "URL-safe base64 of a cursor": Rule("urlsafe_b64", frozenset({"shared/cursors.py"})),
    "URL-safe base64, read strictly": Rule("altchars=", frozenset({"shared/cursors.py"})),
    "a client's time-outs and attempts": Rule("botocore.config", frozenset({"shared/aws/boto_configs.py"})),
    "a condition that did not hold": Rule("ConditionalCheckFailed", frozenset({"shared/aws/dynamodb_errors.py"})),
    "one wrong field": Rule(", message)])", frozenset({"shared/errors.py"})),
    "an Idempotency-Key used again": Rule(
        "another request came under this Idempotency-Key", frozenset({"shared/idempotency.py"})
    ),
    "a timestamp": Rule("%dT%H:%M:%SZ", frozenset({"shared/clock.py"})),
    "the reserve of a request": Rule("RESERVE_SHARE", frozenset({"shared/clock.py"})),
    "unprocessed keys of BatchGetItem": Rule("UnprocessedKeys", frozenset({"shared/aws/batches.py"})),
    "unprocessed items of BatchWriteItem": Rule("UnprocessedItems", frozenset({"shared/aws/batches.py"})),
}


@pytest.mark.parametrize("name", RULES)
def test_a_rule_has_one_home(name: str) -> None:
    rule = RULES[name]
    found = {path for path, source in CODE.items() if rule.text in source}
    assert found, f"nothing has {rule.text!r} any more: remove the rule"
    assert found <= rule.homes
