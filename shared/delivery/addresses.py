"""Checks of webhook URLs: https to the public internet only, as text and again as resolved addresses (SSRF)."""

from __future__ import annotations

from collections.abc import Sequence

from shared.delivery.errors import AddressRefused
from shared.errors import Unprocessable
from shared.providers.public_addresses import NotAllowed, Target, is_public, read_target

FIELD = "delivery.webhook.url"


def check_url(url: str) -> Target:
    """Parse and check a webhook URL. Raises Unprocessable, naming `delivery.webhook.url`, if it is not allowed."""
    try:
        return read_target(url)
    except NotAllowed as error:
        raise Unprocessable.field(FIELD, str(error)) from None


def permitted(addresses: Sequence[str]) -> str:
    """Return the first address, if all of them are public. Raises AddressRefused otherwise.

    One internal address among the others of a host is an attack or a mistake.
    """
    if not addresses:
        raise AddressRefused("the receiver's host has no address")
    if not all(map(is_public, addresses)):  # the message omits the address, which may reveal an internal network
        raise AddressRefused("the receiver's host has an address that is not public; webhooks go to public ones only")
    return addresses[0]
