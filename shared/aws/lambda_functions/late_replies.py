"""Stores the reply of a provider's function whose caller may have responded early, in the cache of legs.

A search that has responded before its last legs is a Lambda that is frozen from then on: what its connection would
bring is lost. So the provider's function writes such a reply itself.
"""

from __future__ import annotations

from functools import cache

import boto3

from shared.aws.dynamodb.large_items import LargeItems
from shared.aws.dynamodb.leg_cache import DynamoLegCache
from shared.aws.dynamodb.search_cache import search_cache
from shared.aws.runtime.boto_configs import BEST_EFFORT
from shared.clock import now
from shared.legs.leg import Leg, share_reply
from shared.providers.provider import ProviderReply

# A reply that is ready so short a time before its caller may respond can reach it too late.
MARGIN_S = 1.0


@cache
def _items() -> LargeItems:
    return search_cache(boto3.resource("dynamodb", config=BEST_EFFORT))


def store_late(leg: Leg, reply: ProviderReply, *, owner: str, limited: bool) -> None:
    """Store the reply, or share the failure, and release the lease of the search `owner`. Never raises for DynamoDB."""
    share_reply(DynamoLegCache(_items(), now, owner=owner), leg, reply, limited=limited)
