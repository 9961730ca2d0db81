"""Plumbing that has one home: a second definition of one of these rules, in another module, fails here."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import pytest

from tests.source_tree import ROOT, imports

CODE = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for folder in ("functions", "shared")
    for path in sorted((ROOT / folder).rglob("*.py"))
}
TREES = {path: tuple(ast.walk(ast.parse(source))) for path, source in CODE.items()}


@dataclass(frozen=True)
class Rule:
    """Text that reveals a second definition, and the only files in which it may occur."""

    text: str
    homes: frozenset[str]


CANONICAL_JSON = "shared/canonical_json.py"
COMPRESSION = "shared/compression.py"
OUTAGE = "shared/rate_limits/outage.py"  # its CRC-32, which compresses nothing
CLIENT = "shared/client/transport.py"  # it installs alone, so it imports nothing else of shared
POLICY = "shared/api/docs_page.py"  # a Content-Security-Policy has SHA-256 in base64
SIGNED = "shared/delivery/webhook.py"  # its signature is SHA-256, and its canonical payload replaces lone surrogates
CLIENT_SIZE = "shared/client/document_size.py"  # the size of a document, in the client alone
MARKS = "shared/answers/content_trust.py"
RATE_LIMITS = "shared/aws/dynamodb/rate_limit_store.py"  # one request for all providers, never repeated
LEG_TIME = "shared/providers/leg_time.py"  # the time of a leg, which may be shorter than its request's
BINARY = {  # packed bytes in JSON
    "shared/aws/lambda_functions/provider_handler.py", "shared/providers/capabilities.py",
}  # fmt: skip
BODIES = {  # of requests and answers, which are base64 where they are not text
    "functions/mcp_server/handler.py", "functions/mcp_server/application_loop.py",
    "shared/reference_checks/stored_request.py",
}  # fmt: skip
BATCHES = "shared/aws/dynamodb/batches.py"
WATCHES = "shared/saved_searches/watch.py"  # a watch has no answer: its caller asked that its papers be followed
CITATIONS = "functions/dispatcher/routes/citations.py"  # its marks stand in the other order, which is published

RULES = {
    "the form of an id": Rule("[0-9a-f]{32}", frozenset({CANONICAL_JSON})),
    "a URN": Rule("urn:x-literature-search", frozenset({"shared/exports/fields.py"})),
    "canonical JSON": Rule("sort_keys=True", frozenset({CANONICAL_JSON, CLIENT, SIGNED})),
    "compact JSON": Rule('ensure_ascii=False, separators=(",", ":")', frozenset({CANONICAL_JSON, CLIENT_SIZE})),
    "URL-safe base64 of a cursor": Rule("urlsafe_b64", frozenset({"shared/cursors.py"})),
    "URL-safe base64, read strictly": Rule("altchars=", frozenset({"shared/cursors.py"})),
    "a client's time-outs": Rule("connect_timeout=", frozenset({"shared/aws/runtime/boto_configs.py"})),
    "a condition that did not hold": Rule("ConditionalCheckFailed", frozenset({"shared/aws/dynamodb/errors.py"})),
    "what storage raises": Rule("BotoCoreError, TableBusy", frozenset({"shared/aws/dynamodb/errors.py"})),
    "one wrong field": Rule(", message)])", frozenset({"shared/errors.py"})),
    "an Idempotency-Key used again": Rule(
        "another request was sent with this Idempotency-Key", frozenset({"shared/idempotency.py"})
    ),
    "the current time": Rule("datetime.now(", frozenset({"shared/clock.py"})),
    "a timestamp": Rule("%dT%H:%M:%SZ", frozenset({"shared/clock.py"})),
    "the reserve of a request": Rule("RESERVE_SHARE", frozenset({"shared/clock.py"})),
    "our User-Agent": Rule('f"literature-search/{VERSION}', frozenset({"shared/providers/http_headers.py"})),
    "a result set shown again": Rule(
        "as_cached(", frozenset({"shared/search/result_sets/store.py", "shared/legs/reports.py"})
    ),
    "a result set that was not stored": Rule('"kept": False', frozenset({"shared/search/result_sets/store.py"})),
    "the mark of others' texts": Rule('"untrusted_external"', frozenset({MARKS, "shared/answers/fields.py"})),
    "an absent item": Rule("OR expires_at <= :now", frozenset({"shared/aws/dynamodb/large_items.py"})),
    "messages that failed": Rule("itemIdentifier", frozenset({"shared/aws/messaging/received_messages.py"})),
    "BatchGetItem": Rule("batch_get_item", frozenset({BATCHES, RATE_LIMITS})),
    "BatchWriteItem": Rule("batch_write", frozenset({BATCHES})),  # `batch_writer` as well
    "unprocessed keys of BatchGetItem": Rule("UnprocessedKeys", frozenset({BATCHES, RATE_LIMITS})),
    "unprocessed items of BatchWriteItem": Rule("UnprocessedItems", frozenset({BATCHES})),
}

# What a rule is made of, by whatever name it is imported, and the only files that may import it.
LIBRARIES = {
    "hashlib": {CANONICAL_JSON, CLIENT, POLICY, SIGNED},
    "hmac": {SIGNED},
    "base64": {"shared/cursors.py", POLICY, SIGNED, *BINARY, *BODIES},
    "binascii": {"shared/cursors.py"},
    "botocore.config": {"shared/aws/runtime/boto_configs.py"},
    "botocore.client": set[str](),  # it has the same Config
    **{name: set[str]() for name in ("botocore.session", "boto3.session", "boto3.client", "boto3.resource")},
    "shared.graph.messages.messages": {"shared/aws/messaging/citation_queue.py"},  # which `publish_results` calls
    "email.utils": {"shared/providers/header_numbers.py"},
    "zlib": {COMPRESSION, OUTAGE},
    "isal": {COMPRESSION},
    "gzip": set[str](),  # it has zlib's functions, and no bounds
    "itertools.batched": set[str](),  # `chunks_of` is for Python 3.11 as well
}

# `if size > limit: yield chunk; chunk = []`; the one home compares several sizes at once, and so is not found.
CHUNKER = re.compile(
    r"if [^\n]*>=? [^\n]*:\n\s+(?:yield (?P<yielded>\w+)\n\s+(?P=yielded)|\w+\.append\((?P<added>\w+)\)\n\s+(?P=added))"
    r"\b[^=\n]* = \["
)
TIMEOUT = re.compile(r"(?:timeout|left|remaining|deadline)_ms$")
Shape: TypeAlias = Callable[[ast.AST], bool]


def divides_by_count(node: ast.AST) -> bool:
    if isinstance(node, ast.While):
        return "islice(" in ast.unparse(node.test)
    is_range = isinstance(node, ast.Call) and ast.unparse(node.func) == "range" and len(node.args) == 3
    return is_range and re.search(r"^range\(0, len\(.+\), \D", ast.unparse(node)) is not None


def computes_a_timeout(node: ast.AST) -> bool:
    """In seconds; a share of one in milliseconds is not meant."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.Mult | ast.FloorDiv):
        sides = node.left, node.right
        return any(isinstance(it, ast.Constant) for it in sides) and any(map(TIMEOUT.search, map(last_name, sides)))
    return isinstance(node, ast.keyword) and node.arg == "milliseconds"


def last_name(node: ast.AST | None) -> str:
    """`c` of `a.b.c`, and of `c`."""
    return str(getattr(node, "attr", None) or getattr(node, "id", ""))


def marks_an_answer(node: ast.AST) -> bool:
    """Of an answer that has both marks: what is no answer, or comes from the graph alone, has no request id."""
    if isinstance(node, ast.Dict):
        return {"content_trust", "request_id"} <= {key.value for key in node.keys if isinstance(key, ast.Constant)}
    is_stored = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
    is_dict = isinstance(node, ast.Call) and ast.unparse(node.func) == "dict"
    return (is_stored or is_dict) and "content_trust" in ast.unparse(node)


def reads_consent(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == "cite_in_kg"
    is_read = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load)
    is_call = isinstance(node, ast.Call) and re.search(r"(^|\.)(getattr|get|pop|attrgetter)$", ast.unparse(node.func))
    return bool(is_read or is_call) and re.search(r"[\[(, ]'cite_in_kg'", ast.unparse(node)) is not None


def publishes(node: ast.AST) -> bool:
    """Other than by giving the function to `publish_results`, which asks for consent."""
    called_or_named = node.func if isinstance(node, ast.Call) else getattr(node, "value", None)
    is_either = isinstance(node, ast.Call | ast.Assign | ast.AnnAssign) and isinstance(called_or_named, ast.Attribute)
    return is_either and last_name(called_or_named) == "publish"


def is_transaction(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and re.match("transact_|execute_transaction", node.attr) is not None


def writes_digits(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in {"hex", "hexdigest"}


def lacks_a_named_config(node: ast.AST) -> bool:
    """A client, resource or session of boto3 whose time-outs are botocore's own, or made at the place."""
    if not isinstance(node, ast.Call) or not re.match(r"boto3\.(client|resource|[Ss]ession)$", ast.unparse(node.func)):
        return False
    configs = [ast.unparse(it.value) for it in node.keywords if it.arg == "config"]
    return not configs or not re.match(r"(BEST_EFFORT|ESSENTIAL|single_invocation\()", configs[0])


def rounds_a_moment(node: ast.AST) -> bool:
    """To the nearest second or the one that has begun: which of them is a rule with a name."""
    is_rounded = isinstance(node, ast.Call) and last_name(node.func) in {"int", "round", "floor", "ceil", "trunc"}
    return is_rounded and any(last_name(it) == "timestamp" for it in ast.walk(node))


# rule: (what it looks like in code that does not call its home, the only files that may look so, code of that look)
SHAPES: dict[str, tuple[Shape, set[str], tuple[str, ...]]] = {
    "chunks of so many items": (
        divides_by_count,
        # They divide one text or value.
        {CANONICAL_JSON, "shared/aws/dynamodb/large_items.py", "shared/documents/xml_source.py"},
        ("[a[i : i + n] for i in range(0, len(a), n)]", "while part := list(islice(rest, n)):\n    f(part)"),
    ),
    "a deadline of milliseconds": (
        computes_a_timeout,
        {"shared/clock.py", LEG_TIME},
        ("until = now + request.timeout_ms / 1e3", "until = now + 0.001 * timeout_ms", "timedelta(milliseconds=n)"),
    ),
    "an epoch second": (
        rounds_a_moment,
        {"shared/clock.py"},
        ("at = int(now.timestamp())", "round(1000 * moment.timestamp())", "math.floor(now().timestamp())"),
    ),
    "a transaction, which is repeated while the table is busy": (
        is_transaction,
        {"shared/aws/dynamodb/throttling.py"},
        ("client.transact_get_items(TransactItems=items)", "call = table.meta.client.transact_write_items"),
    ),
    "hexadecimal digits, of which ids are made": (
        writes_digits,
        {CANONICAL_JSON, CLIENT, "shared/aws/lambda_functions/provider_handler.py"},  # the latter of a process
        ("sha(text).digest().hex()", "uuid4().hex"),
    ),
    "the marks of an answer": (
        marks_an_answer,
        {MARKS, CITATIONS},
        (
            "answer = {'content_trust': UNTRUSTED, 'request_id': given}",
            "answer['content_trust'] = UNTRUSTED",
            "dict(content_trust=trust)",
        ),
    ),
    "consent to the graph": (
        reads_consent,
        {"shared/search/publishing.py"},
        (
            "if request.cite_in_kg: f()",
            "getattr(request, 'cite_in_kg')",
            "body['cite_in_kg']",
            "body.get('cite_in_kg')",
        ),
    ),
    "publishing without asking for consent": (
        publishes,
        {WATCHES, "functions/deliverer/handler.py"},  # the latter to a topic of SNS
        ("dependencies.publish(papers, None)", "send = dependencies.publish"),
    ),
    "a client without one of the named configurations": (
        lacks_a_named_config,
        set(),
        (
            "boto3.client('sqs')",
            "boto3.Session().client('sqs')",
            "boto3.resource('dynamodb', config=Config(read_timeout=3))",
        ),
    ),
}


@pytest.mark.parametrize("name", RULES)
def test_a_rule_has_one_home(name: str) -> None:
    rule = RULES[name]
    found = {path for path, source in CODE.items() if rule.text in source}
    assert found, f"nothing has {rule.text!r} any more: remove the rule"
    assert found == rule.homes


@pytest.mark.parametrize("name", LIBRARIES)
def test_only_its_homes_import_a_library_of_a_rule(name: str) -> None:
    importers = {path for path in CODE if any(f"{it}.".startswith(f"{name}.") for it in imports(ROOT / path))}
    assert importers == LIBRARIES[name]


@pytest.mark.parametrize("name", SHAPES)
def test_only_its_home_looks_like_a_rule(name: str) -> None:
    shape, homes, examples = SHAPES[name]
    assert {path for path, nodes in TREES.items() if any(map(shape, nodes))} == homes
    assert [it for it in examples if not any(map(shape, ast.walk(ast.parse(it))))] == []


def test_a_sequence_is_divided_by_size_in_one_place() -> None:
    assert CHUNKER.search("if used > limit:\n    yield chunk\n    chunk, used = [], 0")
    assert CHUNKER.search("if chunk and used + len(item) >= limit:\n    chunks.append(chunk)\n    chunk = [item]")
    assert {path for path, source in CODE.items() if CHUNKER.search(source)} == set()
    assert "def chunked(" in CODE[CANONICAL_JSON]
