"""A reply as bytes: the provider's function encodes it once, and the same bytes are stored in the cache.

    zlib of {"form": FORM, "reply": {…}}

The reply was checked before it was encoded (`answer_question`). `form` names the version and every type, range and
length that the check held it to. Where the reader's are the same, it decodes the reply by its types alone, which takes
a tenth of the time; anything else is checked again, value by value.

Only our own functions write these bytes: the dispatcher reads them from a provider's function and from the cache's
table, which its role alone may write. zlib's checksum finds damaged bytes (RFC 1950).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec

from shared.canonical_json import digest
from shared.compression import Damaged, compressed, decompressed
from shared.field_checks import Unfit, checked
from shared.field_ranges import Token
from shared.providers.provider import ProviderReply
from shared.version import VERSION

MAX_BYTES = 64_000_000  # of a decompressed reply: 2,000 records with the longest texts and some references


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodedReply(ProviderReply):
    """A reply with the bytes that it was read from, for the cache to store as they are."""

    encoded: bytes


class _Envelope(msgspec.Struct):
    form: str
    reply: msgspec.Raw


class _Reply(msgspec.Struct):
    form: str
    reply: ProviderReply


_envelopes = msgspec.json.Decoder(_Envelope)
_replies = msgspec.json.Decoder(ProviderReply)
_FIELDS = tuple(field.name for field in fields(ProviderReply))


def encode_reply(reply: ProviderReply) -> bytes:
    """The bytes of a reply that was checked. Raises ValueError for one with half a character."""
    return compressed(msgspec.json.encode(_Reply(form(), reply)))


def read_encoded(encoded: bytes) -> ProviderReply:
    """The reply, with these bytes if they have this version's form. Raises ValueError if they are not a reply."""
    try:
        text = decompressed(encoded, MAX_BYTES)
    except Damaged as error:
        raise Unfit(str(error)) from error
    reply = _of_this_form(text)
    if reply is None:
        return _checked(_envelopes.decode(text))
    return EncodedReply(**{name: getattr(reply, name) for name in _FIELDS}, encoded=encoded)


def decode_reply(text: bytes) -> ProviderReply:
    """The reply of decompressed bytes. Raises ValueError on anything else."""
    return _of_this_form(text) or _checked(_envelopes.decode(text))


def _of_this_form(text: bytes) -> ProviderReply | None:
    """The reply if it has this form, else None. What `encode_reply` wrote is read in one pass."""
    before = _before_reply()
    if text.startswith(before):
        return _replies.decode(memoryview(text)[len(before) : -1])
    envelope = _envelopes.decode(text)
    return _replies.decode(envelope.reply) if envelope.form == form() else None


def _checked(envelope: _Envelope) -> ProviderReply:
    """The reply of another version: fields that only it has are ignored, and those that it lacks have their default."""
    return checked(ProviderReply, msgspec.json.decode(envelope.reply))[0]


@cache
def _before_reply() -> bytes:
    return msgspec.json.encode(_Envelope(form(), msgspec.Raw(b""))).removesuffix(b"}")


@cache
def form() -> str:
    """Names this version and what a checked reply is held to."""
    return digest(f"{VERSION} {_declaration(ProviderReply)}", 16)


def _declaration(declared: Any) -> str:
    """Everything that `checked` holds a type to, but the functions of tokens, which the version stands for."""
    if is_dataclass(declared):
        hints: Mapping[str, Any] = get_type_hints(declared, include_extras=True)
        return f"{declared}({', '.join(f'{it.name}: {_declaration(hints[it.name])}' for it in fields(declared))})"
    if get_origin(declared) is Annotated:
        inner, bound = get_args(declared)
        return f"{_declaration(inner)} {(bound.name, bound.longest) if isinstance(bound, Token) else bound}"
    inner_types = get_args(declared)
    return f"{get_origin(declared)}[{', '.join(map(_declaration, inner_types))}]" if inner_types else str(declared)
