"""What the other requests for papers cost: single optional sources, full texts, passages, similar papers.

The arithmetic alone: what was used is in infra/cost_measured.json (made by `tests.benchmarks.cost_operations_usage`).
Nothing is handed to the graph.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tests.benchmarks.cost_prices import (
    LATENCY_S,
    MEMORY_MB,
    OTHER_LATENCY_S,
    PLATFORM_LOG_BYTES,
    TRACED,
    dollars,
    processor_s,
)

CALL_S = 0.005  # a call of DynamoDB or S3: assumed
CALLS = 10  # one after the other
_TABLES = ("search-cache", "provider-budgets", "papers")


def _latency_s(provider: str) -> float:
    return LATENCY_S.get(provider) or OTHER_LATENCY_S.get(provider, OTHER_LATENCY_S["any other"])


def _invoked(used: Mapping[str, Any]) -> dict[str, float]:
    """How often each provider's function was invoked."""
    names = {key: key.removesuffix(" invocations") for key in used["counts"] if key.startswith("provider ")}
    return {name.removeprefix("provider "): used["counts"][key] for key, name in names.items() if used["counts"][key]}


def providers_s(used: Mapping[str, Any]) -> dict[str, float]:
    """How long each provider's function is billed: its requests one after the other, and its processor time."""
    found = {}
    for name in _invoked(used):
        cpu_ms = used["cpu_ms"].get(f"provider {name}", 0.0)
        if name == "open_copy_text":
            cpu_ms += used["cpu_ms"].get("child", 0.0)
        sent = used["requests"].get(name, 0.0)
        found[name] = sent * _latency_s(name) + processor_s(used["memory_mb"][name], cpu_ms)
    return found


def cost(used: Mapping[str, Any]) -> dict[str, float]:
    """Dollars of 1,000 requests by row."""
    counts, busy = used["counts"], providers_s(used)
    own_ms = used["cpu_ms"]["dispatcher"] + used["cpu_ms"].get("dispatcher threads", 0.0)
    own_s = sum(sorted(busy.values(), reverse=True)[: used["rounds"]]) + CALLS * CALL_S
    own_s += processor_s(MEMORY_MB["dispatcher"], own_ms)
    invocations = 1 + sum(_invoked(used).values())
    legs = sum(used["memory_mb"][name] / 1024 * seconds for name, seconds in busy.items())
    units = {kind: sum(counts.get(f"{kind} local-{table}", 0) for table in _TABLES) for kind in ("wru", "rru")}
    one = {
        "API Gateway": dollars("api", 1),
        "dispatcher": dollars("lambda", MEMORY_MB["dispatcher"] / 1024 * own_s),
        "providers": dollars("lambda", legs),
        "requests": dollars("lambda request", invocations),
        "tables": sum(dollars(kind, number) for kind, number in units.items()),
        "files": dollars("file written", counts.get("files written", 0))
        + dollars("file read", counts.get("files read", 0)),
        "logs": dollars("log", counts["log bytes"] + PLATFORM_LOG_BYTES * invocations),
        "traces, data out": dollars("trace", TRACED) + dollars("out", used["answer_bytes"]),
    }
    return {name: 1000 * it for name, it in one.items()}


def table(operations: Mapping[str, Mapping[str, Any]]) -> str:
    """The Markdown between the marks."""
    return "\n".join([*_rows(operations), ""])


def _rows(operations: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield (
        "| request | legs | requests sent | dispatcher, own CPU ms | providers, CPU ms | providers, billed GB-s "
        "| files written | dollars for 1,000 |"
    )
    yield "|---" * 8 + "|"
    for name, used in operations.items():
        cpu, busy = used["cpu_ms"], providers_s(used)
        own = cpu["dispatcher"] + cpu.get("dispatcher threads", 0.0)
        providers = sum(it for key, it in cpu.items() if key.startswith("provider ") or key == "child")
        gb_s = sum(used["memory_mb"][it] / 1024 * seconds for it, seconds in busy.items())
        yield (
            f"| {name} | {sum(_invoked(used).values()):.0f} | {sum(used['requests'].values()):.0f} | {own:,.0f} "
            f"| {providers:,.0f} | {gb_s:.2f} | {used['counts'].get('files written', 0):.0f} "
            f"| {sum(cost(used).values()):.3f} |"
        )
