"""The variable that says to whatever invokes the providers' functions how they are named.

Lambda allows 4 kB for all variables of a function: one name for all of them, with `*` for the provider, does not grow
with their number.
"""

from __future__ import annotations

from collections.abc import Iterable

ANY_PROVIDER = "*"


def function_name(named: str, provider: str) -> str:
    """Return the name of a provider's function. Raises ValueError unless `named`, the variable, has one `*`."""
    before, *rest = named.split(ANY_PROVIDER)
    if len(rest) != 1:
        raise ValueError(f"the functions of providers are named {named!r}; {ANY_PROVIDER!r} must be in it once")
    return f"{before}{provider}{rest[0]}"


def function_names(named: str, providers: Iterable[str]) -> dict[str, str]:
    """Return the name of each provider's function. Raises ValueError as `function_name` does."""
    return {provider: function_name(named, provider) for provider in providers}
