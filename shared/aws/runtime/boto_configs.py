"""Time-outs and attempts of the AWS clients, by what their callers can afford.

botocore's own defaults (60 s to connect, 60 s to read, up to five attempts) outlast a request to API Gateway:
https://botocore.amazonaws.com/v1/documentation/api/latest/reference/config.html
"""

from __future__ import annotations

from botocore.config import Config

from shared.providers.http_headers import USER_AGENT

# A search makes some forty calls, and a quarter of what botocore spends on one goes into these. What a call may hold is
# checked by the service; files have a checksum of their own (zlib's), and connections TLS's.
_LEAN = Config(
    user_agent=USER_AGENT,
    parameter_validation=False,
    request_checksum_calculation="when_required",
    response_checksum_validation="when_required",
)

# For what a search can do without (caches, shared rate limits, the graph's queue): at most 5 s,
# two attempts of 1 + 1 s and up to 1 s between them.
BEST_EFFORT = _LEAN.merge(
    Config(connect_timeout=1, read_timeout=1, retries={"total_max_attempts": 2, "mode": "standard"})
)

# For storage that an answer or a message depends on: at most 7 s, two attempts of 1 + 2 s and up to 1 s between them.
# A failure then fails the request, or the message, which is redelivered.
ESSENTIAL = Config(connect_timeout=1, read_timeout=2, retries={"total_max_attempts": 2, "mode": "standard"})


def single_invocation(read_timeout_s: int, connections: int = 10) -> Config:
    """For invoking Lambda functions: never repeated, since a second attempt would send every upstream request again."""
    return _LEAN.merge(
        Config(
            max_pool_connections=connections,
            connect_timeout=1,
            read_timeout=read_timeout_s,
            retries={"total_max_attempts": 1, "mode": "standard"},
        )
    )
