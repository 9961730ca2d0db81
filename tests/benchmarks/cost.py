"""What searches cost: `python -m tests.benchmarks.cost` prints the tables of infra/cost.md; `--write` puts them there.

The arithmetic alone: what was used is in infra/cost_measured.json (made by `tests.benchmarks.cost_usage`), prices and
assumptions are in `tests.benchmarks.cost_prices`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from infra.tables import QUEUES
from tests.benchmarks.cost_day import million_tables
from tests.benchmarks.cost_operations import table as operations_table
from tests.benchmarks.cost_prices import (
    ALARM_METRICS,
    FIREWALL_RULES,
    LATENCY_S,
    MEMORY_MB,
    METRICS,
    PLATFORM_LOG_BYTES,
    POLLS_A_MONTH,
    PRICES,
    READING_MS,
    REQUESTS_A_LEG,
    TRACED,
    dollars,
    prices,
    processor_s,
)

INFRA = Path(__file__).parents[2] / "infra"
MEASURED, TEXT = INFRA / "cost_measured.json", INFRA / "cost.md"
END = "<!-- until here -->\n"
# A call of DynamoDB or SQS, one after the other: assumed. How many of them a search waits for is in its code.
CALL_S = 0.005
REFUSAL_S = 0.05  # of a provider's function that reads the budget and refuses
CALLS = {"miss": 10, "again": 11, "refused": 12, "coalesced": 9, "hit": 3}
KINDS = ("miss", "again", "refused", "coalesced", "hit")
ASK_ALL = ("miss", "again")  # all seven sources are queried
HEADINGS = "miss | again next day | one leg refused | coalesced | hit"
WAITING = ("Lambda: dispatcher", "Lambda: providers")  # billed by the time that sources take

_GRAPHS = {"miss": "graph of a miss", "again": "graph of again", "refused": "graph of refused"}

Figures = Mapping[str, Any]


def gb_s(function: str, seconds: float) -> float:
    """Billed for a function that takes so long."""
    return MEMORY_MB[function] / 1024 * seconds


def on_cpu_s(function: str, cpu_ms: float) -> float:
    """How long a function works that has only its memory's share of a processor."""
    return processor_s(MEMORY_MB[function], cpu_ms)


def leg_s(measured: Figures, name: str, slower: float = 1.0) -> float:
    """How long a provider's function takes for a leg of a hundred records."""
    cpu_ms = measured["providers"]["sandbox"]["cpu_ms"][f"provider {name}"] + READING_MS[name]
    return slower * LATENCY_S[name] * REQUESTS_A_LEG.get(name, 1) + on_cpu_s("provider", cpu_ms)


def coalesced(searches: Figures) -> dict[str, dict[str, float]]:
    """What the second of two at once has used."""
    both, one = searches["two at once"], searches["miss of a second"]
    return {
        part: {name: max(both[part][name] - one[part].get(name, 0), 0) for name in both[part]}
        for part in ("cpu_ms", "counts")
    }


def search_s(measured: Figures, kind: str, slower: float = 1.0) -> float:
    """How long the dispatcher takes: its slowest leg, its own work, its calls one after the other."""
    searches = measured["searches"]
    used = coalesced(searches) if kind == "coalesced" else searches[kind]
    own_ms = used["cpu_ms"]["dispatcher"] + used["cpu_ms"].get("dispatcher threads", 0)
    waited = kind in (*ASK_ALL, "coalesced")
    slowest = max(leg_s(measured, name, slower) for name in LATENCY_S) if waited else 0.0
    return slowest + on_cpu_s("dispatcher", own_ms) + CALLS[kind] * CALL_S


def _table(counts: Figures, unit: str, *tables: str) -> float:
    return dollars(unit, sum(counts.get(f"{unit} local-{table}", 0) for table in tables))


def graph(used: Figures, tree: Figures) -> float:
    """What becomes of a search's message: sent, received and deleted, and written by one invocation of its own.

    `tree`: what its edges cost as they move down the tree of cited ids, later and in other invocations.
    """
    counts = used["counts"]
    time_s = on_cpu_s("citation_writer", used["cpu_ms"].get("citation_writer", 0)) + 20 * CALL_S
    invocations = counts.get("citation_writer invocations", 0)
    return (
        dollars("sqs", 3 * invocations)
        + dollars("lambda", gb_s("citation_writer", time_s) * invocations)
        + dollars("lambda request", invocations)
        + dollars("log", counts["log bytes"] + PLATFORM_LOG_BYTES * invocations)
        + _table(counts, "rru", "papers")
        + _table(counts, "wru", "papers")
        + dollars("rru", tree["read_units"])
        + dollars("wru", tree["write_units"])
    )


def moved(measured: Figures, kind: str) -> Figures:
    """What the tree of cited ids does for a miss, whose edges are new, at the size of the graph at which it is most."""
    dearest: Figures = max(measured["tree"], key=lambda row: float(row["write_units"]))
    return dearest if kind == "miss" else {"read_units": 0, "write_units": 0}


def cost(measured: Figures, kind: str, slower: float = 1.0) -> dict[str, float]:
    """Dollars of 1,000 searches by row. With `slower`, every source takes that many times as long."""
    searches, sandbox = measured["searches"], measured["providers"]["sandbox"]["counts"]
    counts = (coalesced(searches) if kind == "coalesced" else searches[kind])["counts"]
    legs = {**dict.fromkeys(ASK_ALL, len(LATENCY_S)), "refused": 1}.get(kind, 0)
    log = counts["log bytes"] + PLATFORM_LOG_BYTES * (1 + legs)
    log += (sandbox["log bytes"] - searches["miss"]["counts"]["log bytes"]) * legs / len(LATENCY_S)
    busy_s = sum(leg_s(measured, name, slower) for name in LATENCY_S) if kind in ASK_ALL else legs * REFUSAL_S
    one = {
        "API Gateway": dollars("api", 1),
        "Lambda: dispatcher": dollars("lambda", gb_s("dispatcher", search_s(measured, kind, slower))),
        "Lambda: providers": dollars("lambda", gb_s("provider", busy_s)),
        "Lambda: requests": dollars("lambda request", 1 + legs),
        "DynamoDB: kept answers, written": _table(counts, "wru", "search-cache"),
        "DynamoDB: kept answers, read": _table(counts, "rru", "search-cache"),
        "S3: kept answers, written": dollars("file written", counts.get("files written", 0)),
        "S3: kept answers, read": dollars("file read", counts.get("files read", 0)),
        "DynamoDB: budgets": _table(sandbox, "rru", "provider-budgets") + _table(sandbox, "wru", "provider-budgets")
        if kind in ASK_ALL
        else _table(counts, "rru", "provider-budgets") + dollars("rru", legs),
        "Graph: queue, writer, table": graph(searches[_GRAPHS.get(kind, "graph of a hit")], moved(measured, kind)),
        "Secrets Manager": dollars("secret", sandbox.get("secrets calls", 0.0)) if kind in ASK_ALL else 0.0,
        "Logs": dollars("log", log),
        "Traces, data out": dollars("trace", TRACED) + dollars("out", searches["answer_bytes"]),
    }
    return {name: 1000 * it for name, it in one.items()}


def saved_search(measured: Figures) -> float:
    """Dollars of a month of a saved search that runs daily: thirty runs like the last that was measured."""
    run = measured["providers"]["next_run"]
    counts, cpu = run["counts"], run["cpu_ms"]
    waited_s = max(leg_s(measured, name) for name in LATENCY_S)
    own_s = on_cpu_s("dispatcher", cpu["dispatcher"] + cpu["dispatcher threads"]) + 10 * CALL_S
    invocations = 1 + len(LATENCY_S)
    tables = ("search-cache", "provider-budgets", "saved-searches", "papers")
    one = (
        dollars("schedule", 1)
        + dollars("lambda", gb_s("dispatcher", waited_s + own_s))
        + dollars("lambda", gb_s("provider", sum(leg_s(measured, name) for name in LATENCY_S)))
        + dollars("lambda request", invocations)
        + _table(counts, "rru", *tables)
        + _table(counts, "wru", *tables)
        + dollars("file written", counts.get("files written", 0))
        + dollars("file read", counts.get("files read", 0))
        + dollars("secret", counts.get("secrets calls", 0.0))
        + dollars("log", counts["log bytes"] + PLATFORM_LOG_BYTES * invocations)
    )
    return 30 * one


def tables(measured: Figures) -> str:
    """The Markdown between the marks."""
    parts = (_costs, _used, _sensitivity, _trees, _months)
    return "\n".join(line for part in parts for line in [*part(measured), ""])


def _costs(measured: Figures) -> Iterator[str]:
    columns = {kind: cost(measured, kind) for kind in KINDS}
    yield f"| US dollars for 1,000 searches | {HEADINGS} |"
    yield "|---" * (1 + len(KINDS)) + "|"
    for row in columns["miss"]:
        yield f"| {row} | " + " | ".join(_cents(columns[kind][row]) for kind in KINDS) + " |"
    totals = (f"**{sum(columns[kind].values()):.3f}**" for kind in KINDS)
    yield "| **together** | " + " | ".join(totals) + " |"


def _cents(value: float) -> str:
    return "–" if not value else f"{value:.4f}"


def _used(measured: Figures) -> Iterator[str]:
    searches, sandbox = measured["searches"], measured["providers"]["sandbox"]["counts"]
    used = {kind: coalesced(searches) if kind == "coalesced" else searches[kind] for kind in KINDS}
    graphs = {kind: searches[_GRAPHS.get(kind, "graph of a hit")]["counts"] for kind in KINDS}
    yield f"| used by one search | {HEADINGS} |"
    yield "|---" * (1 + len(KINDS)) + "|"
    all_ms = 1000 * sum(leg_s(measured, it) for it in LATENCY_S)
    rows: dict[str, list[float]] = {
        "dispatcher, own CPU ms": [_own_ms(used[kind]) for kind in KINDS],
        "dispatcher, billed ms (1,024 MB)": [1000 * search_s(measured, kind) for kind in KINDS],
        "providers, billed ms, all seven (256 MB)": [*[all_ms] * len(ASK_ALL), 1000 * REFUSAL_S, 0, 0],
        "kept answers, write units": [used[kind]["counts"].get("wru local-search-cache", 0) for kind in KINDS],
        "kept answers, read units": [used[kind]["counts"].get("rru local-search-cache", 0) for kind in KINDS],
        "kept answers, files written": [used[kind]["counts"].get("files written", 0) for kind in KINDS],
        "kept answers, files read": [used[kind]["counts"].get("files read", 0) for kind in KINDS],
        "budgets, write units": [*[sandbox["wru local-provider-budgets"]] * len(ASK_ALL), 0, 0, 0],
        "graph, write units, its tree without": [graphs[kind].get("wru local-papers", 0) for kind in KINDS],
        "graph's tree, write units": [moved(measured, kind)["write_units"] for kind in KINDS],
        "log, bytes of ours": [used[kind]["counts"]["log bytes"] for kind in KINDS],
    }
    rows["log, bytes of ours"][: len(ASK_ALL)] = [sandbox["log bytes"]] * len(ASK_ALL)
    for name, row in rows.items():
        yield f"| {name} | " + " | ".join(f"{value:,.0f}" for value in row) + " |"


def _own_ms(used: Figures) -> float:
    return float(used["cpu_ms"]["dispatcher"] + used["cpu_ms"].get("dispatcher threads", 0))


def _sensitivity(measured: Figures) -> Iterator[str]:
    yield "| a miss, if sources take | slowest leg, s | dispatcher, s | dollars for 1,000 |"
    yield "|---|---|---|---|"
    for times in (0.3, 1.0, 3.0, 8.0):
        slowest = max(leg_s(measured, name, times) for name in LATENCY_S)
        whole = sum(cost(measured, "miss", times).values())
        yield f"| {times:g} × as long | {slowest:.1f} | {search_s(measured, 'miss', times):.1f} | {whole:.2f} |"


def _trees(measured: Figures) -> Iterator[str]:
    yield "| graph of papers | edges | nodes of a path | a miss moves, write units | and reads | reading an id |"
    yield "|---|---|---|---|---|---|"
    for row in measured["tree"]:
        units = f"{row['write_units']:.0f} | {row['read_units']:.0f} | {row['units_of_a_reader']:.0f}"
        yield f"| {row['papers']:,} | {row['edges']:,} | {row['depth'] + 1} | {units} |"


def _months(measured: Figures) -> Iterator[str]:
    yield "| a month of | dollars |"
    yield "|---|---|"
    yield f"| a saved search that runs daily | {saved_search(measured):.3f} |"
    yield f"| nothing: {len(QUEUES)} queues polled | {dollars('sqs', len(QUEUES) * POLLS_A_MONTH):.2f} |"
    for name, number in METRICS.items():
        yield f"| {number} custom metrics, a {name} month (only hours in which they are written) | {number * 0.3:.0f} |"
    alarms = dollars("alarm", ALARM_METRICS)
    yield f"| the alarms, which look at {ALARM_METRICS} metrics | {alarms:.2f} |"
    yield f"| a dashboard, a secret | {', '.join(_monthly('dashboard', 'secret kept'))} |"
    firewall = PRICES["firewall"].dollars + dollars("firewall rule", FIREWALL_RULES)
    yield f"| the firewall, with {FIREWALL_RULES} rules | {firewall:.2f} |"
    idle = {
        "`dev`": PRICES["dashboard"].dollars,
        "`dev` with `-c alarms=true`": PRICES["dashboard"].dollars + alarms,
        "`prod`, which always has alarms and the firewall": PRICES["dashboard"].dollars + alarms + firewall,
        "`prod` with `-c dashboard=false`": alarms + firewall,
    }
    for stage, kept in idle.items():
        kept += dollars("sqs", len(QUEUES) * POLLS_A_MONTH) + PRICES["secret kept"].dollars
        hourly = kept + METRICS["quiet"] * PRICES["metric"].dollars
        yield f"| {stage}, idle; with a search every hour, whose own cost comes to it | {kept:.2f}; {hourly:.2f} |"


def _monthly(*names: str) -> list[str]:
    return [f"{PRICES[name].dollars:.2f}" for name in names]


def parts() -> dict[str, str]:
    """The texts between the marks of infra/cost.md."""
    measured = json.loads(MEASURED.read_text(encoding="utf-8"))
    whole = {kind: sum(cost(measured, kind).values()) for kind in KINDS}
    lambdas = {kind: sum(it for row, it in cost(measured, kind).items() if row in WAITING) for kind in KINDS}
    days = million_tables(measured["million"], whole, lambdas)
    others = operations_table(measured["operations"])
    return {"costs": tables(measured) + "\n" + prices(), "operations": others, "million": days}


def written(text: str, named_parts: Mapping[str, str]) -> str:
    """The text with these parts between their marks."""
    for name, part in named_parts.items():
        begin = f"<!-- {name}: made by tests/benchmarks/cost.py -->\n"
        before, mark, rest = text.partition(begin)
        _, end, after = rest.partition(END)
        if not (mark and end):
            raise ValueError(f"{TEXT.name} has no place for {name}")
        text = before + begin + part + END + after
    return text


def main() -> None:
    """Print; with `--write`, put it into infra/cost.md."""
    named_parts = parts()
    print("\n".join(named_parts.values()))
    if "--write" in sys.argv:
        TEXT.write_text(written(TEXT.read_text(encoding="utf-8"), named_parts), encoding="utf-8")


if __name__ == "__main__":
    main()
