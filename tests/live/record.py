"""Save the answers of the real APIs, sanitised: `make record [RECORDINGS=folder]`.

Each source gets one request (tests/live/sources.py). `<folder>/<source>/` then holds a file for each HTTP answer and
`manifest.json`, a list with the request, status, headers and digest of each file. Saved are neither keys nor e-mail
addresses: they are replaced in URLs, forms and bodies. The default folder is ignored by git, because answers contain
publishers' abstracts; cut a recording down to facts before it goes into tests/recorded.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

import httpx

from infra.functions import provider_names, provider_spec
from shared.aws.runtime.settings import contact, provider_key
from shared.providers.provider import ProviderSpec
from tests.live.sources import ask, missing, question_for

SECRET_PARAMETERS = frozenset({"api_key", "apikey", "key", "email", "mailto"})
# Of the answer's headers only those that say how to read it, and what limits hold.
SAVED_HEADERS = re.compile(r"content-type|date|retry-after|x-rate-?limit.*|x-api-pool|x-concurrency-limit")
EMAIL = re.compile(rb"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
NO_EMAIL = b"name@example.org"
REDACTED = "REDACTED"
MANIFEST = "manifest.json"


def main(arguments: list[str] | None = None) -> int:
    """Record every source; the exit status is 1 if a source that was queried did not answer."""
    parser = argparse.ArgumentParser(prog="make record", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("sources", nargs="*", metavar="SOURCE", help="default: all")
    options = parser.parse_args(arguments)
    failed = False
    for name in options.sources or provider_names():
        spec = provider_spec(name)
        if variable := missing(spec):
            print(f"{name}: skipped; set {variable}", file=sys.stderr)
            continue
        outcome, files = record(name, options.into)
        failed = failed or outcome != "ok"
        print(f"{name}: {outcome}, {len(files)} files in {options.into / name}", file=sys.stderr)
    return int(failed)


def record(name: str, folder: Path) -> tuple[str, list[str]]:
    """Query one source and save its answers. Returns the outcome and the names of the files."""
    answers: list[httpx.Response] = []
    reply = ask(name, answers.append)
    target = folder / name
    target.mkdir(parents=True, exist_ok=True)
    entries = [
        _saved(response, number, target, provider_spec(name)) for number, response in enumerate(answers, start=1)
    ]
    _update(target / MANIFEST, entries)
    return reply.outcome.value, [entry["file"] for entry in entries]


def _saved(response: httpx.Response, number: int, target: Path, spec: ProviderSpec) -> dict[str, Any]:
    """Write the body and return the manifest's entry for it."""
    body = sanitised(response.content, spec.name)
    content_type = response.headers.get("content-type", "")
    file = f"live-{question_for(spec).operation}-{number}.{_extension(content_type)}"
    (target / file).write_bytes(body)
    request: dict[str, Any] = {"method": response.request.method, "url": _public_url(response.request.url, spec)}
    if response.request.content:
        request["body"] = _public_body(response.request, spec)
    return {
        "file": file,
        "sha256": hashlib.sha256(body).hexdigest(),
        "bytes": len(body),
        "request": request,
        "status": response.status_code,
        "headers": {name: value for name, value in sorted(response.headers.items()) if SAVED_HEADERS.fullmatch(name)},
        "note": "recorded from the live API; e-mail addresses and keys replaced"
        + ("" if body == response.content else " (the body was changed)"),
    }


def sanitised(body: bytes, name: str) -> bytes:
    """Return the body without e-mail addresses, including authors', and without the caller's key."""
    body = EMAIL.sub(NO_EMAIL, body)
    key = provider_key(name)
    return body.replace(key.encode(), REDACTED.encode()) if key else body


def _public_url(url: httpx.URL, spec: ProviderSpec) -> str:
    """Return the URL at the API's public address, without secrets."""
    pairs = _redacted(parse_qsl(url.query.decode(), keep_blank_values=True))
    query = f"?{urlencode(pairs)}" if pairs else ""
    return sanitised(
        f"{spec.base_url.rstrip('/')}{url.raw_path.decode().partition('?')[0]}{query}".encode(), spec.name
    ).decode()


def _public_body(request: httpx.Request, spec: ProviderSpec) -> str:
    text = request.content.decode("utf-8", "replace")
    if "form-urlencoded" in request.headers.get("content-type", ""):
        text = urlencode(_redacted(parse_qsl(text, keep_blank_values=True)))
    return sanitised(text.encode(), spec.name).decode()


def _redacted(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    address = contact()
    return [
        (name, REDACTED if name.lower() in SECRET_PARAMETERS or (address and address in value) else value)
        for name, value in pairs
    ]


def _extension(content_type: str) -> str:
    return "json" if "json" in content_type else "xml" if "xml" in content_type else "txt"


def _update(manifest: Path, entries: list[dict[str, Any]]) -> None:
    """Replace the entries of the same files and keep the others."""
    new = {entry["file"] for entry in entries}
    old = json.loads(manifest.read_text(encoding="utf-8")) if manifest.exists() else []
    merged = sorted(
        [entry for entry in old if entry["file"] not in new] + entries, key=lambda entry: str(entry["file"])
    )
    manifest.write_text(json.dumps(merged, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
