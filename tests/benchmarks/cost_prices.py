"""AWS's public prices in us-east-1, as of 2026-11-20, without free tiers and discounts; and what is assumed besides."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for `per` units, and the page of aws.amazon.com that says so."""

    dollars: float
    per: float
    unit: str
    page: str


PRICES = {
    "api": Price(3.50, 1e6, "a million REST API calls", "api-gateway/pricing"),
    "lambda request": Price(0.20, 1e6, "a million Lambda requests", "lambda/pricing"),
    "lambda": Price(0.0000133334, 1, "a GB-s of an arm64 Lambda", "lambda/pricing"),
    "wru": Price(0.625, 1e6, "a million write request units", "dynamodb/pricing/on-demand"),
    "rru": Price(0.125, 1e6, "a million read request units", "dynamodb/pricing/on-demand"),
    "file written": Price(5.00, 1e6, "a million files written to S3", "s3/pricing"),
    "file read": Price(0.40, 1e6, "a million files read from S3", "s3/pricing"),
    "storage": Price(0.25, 1, "a GB-month in DynamoDB", "dynamodb/pricing/on-demand"),
    "sqs": Price(0.40, 1e6, "a million SQS requests of 64 KB", "sqs/pricing"),
    "log": Price(0.50, 1e9, "a GB of log", "cloudwatch/pricing"),
    "metric": Price(0.30, 1, "a custom metric a month", "cloudwatch/pricing"),
    "alarm": Price(0.10, 1, "a metric of an alarm a month", "cloudwatch/pricing"),
    "dashboard": Price(3.00, 1, "a dashboard a month", "cloudwatch/pricing"),
    "firewall": Price(5.00, 1, "a web ACL a month", "waf/pricing"),
    "firewall rule": Price(1.00, 1, "a rule of a web ACL a month", "waf/pricing"),
    "firewall request": Price(0.60, 1e6, "a million requests that a web ACL inspects", "waf/pricing"),
    "trace": Price(5.00, 1e6, "a million X-Ray traces", "xray/pricing"),
    "out": Price(0.09, 1e9, "a GB to the internet", "ec2/pricing/on-demand"),
    "secret": Price(0.05, 1e4, "10,000 calls of Secrets Manager", "secrets-manager/pricing"),
    "secret kept": Price(0.40, 1, "a secret a month", "secrets-manager/pricing"),
    "schedule": Price(1.00, 1e6, "a million invocations by EventBridge Scheduler", "eventbridge/pricing"),
}

# What a source takes for one request, in seconds: assumed, as nothing here was measured on the internet. Paperclip says
# 0.3 s of itself; arXiv and Europe PMC are known to take longer.
LATENCY_S = {
    "arxiv": 1.5,
    "crossref": 1.0,
    "europe_pmc": 0.8,
    "openalex": 0.5,
    "paperclip": 0.5,
    "pubmed": 0.4,
    "semantic_scholar": 0.6,
}
# Of the sources that a search does not query by itself; CORE takes half a minute for four times as many works.
OTHER_LATENCY_S = {"core": 8.0, "any other": 1.0}
REQUESTS_A_LEG = {"pubmed": 2}  # the ids, then their records; all others need one
# A hundred recorded answers through each source's reader, CPU ms a hundred records (2026-11).
READING_MS = {
    "arxiv": 22.0,
    "crossref": 28.0,
    "europe_pmc": 20.0,
    "openalex": 42.0,
    "paperclip": 15.0,
    "pubmed": 40.0,
    "semantic_scholar": 15.0,
}
MEMORY_MB = {"dispatcher": 1024, "provider": 256, "citation_writer": 512}
VCPU_MB = 1769  # memory that comes with one whole processor
PLATFORM_LOG_BYTES = 330  # START, END and REPORT of an invocation
TRACED = 0.05  # X-Ray's default: the first request of a second, and 5 % of the others
ALARM_METRICS = 45  # which the alarms look at; a test counts them
FIREWALL_RULES = 3  # of the firewall, which `prod` always has; a test counts them
POLLS_A_MONTH = 5 * 3 * 60 * 730  # five pollers a queue, each asking three times a minute
# Of each of the seven that are searched, the legs that fail; for the service, by the source of legs, and in a bad month
# also the stale ones and those without a permit; and what is left of two providers' days.
METRICS = {"quiet": 7 + 3 + 1, "bad": 7 + 5 + 2}


def processor_s(memory_mb: float, cpu_ms: float) -> float:
    """How long a function works that has only its memory's share of a processor."""
    return cpu_ms / 1000 * VCPU_MB / min(memory_mb, VCPU_MB)


def dollars(name: str, units: float) -> float:
    """What so many units cost."""
    return units * PRICES[name].dollars / PRICES[name].per


def prices() -> str:
    """The prices, each with its page."""
    pages: dict[str, list[str]] = {}
    for price in PRICES.values():
        pages.setdefault(price.page, []).append(f"{price.dollars:.8g} {price.unit}")
    text = "; ".join(f"{', '.join(units)} ({page})" for page, units in pages.items())
    return "\n".join(wrap(f"Dollars for: {text}.", 120, break_on_hyphens=False)) + "\n"
