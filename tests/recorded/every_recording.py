"""How every stored recording of one provider must end: shared by the providers' tests."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from shared.providers.provider import ProviderReply
from tests.replay import OWN_RECORDINGS, RECORDINGS, replay

# The recordings' folders are named a little differently from ours.
FOLDERS = {"europe_pmc": "europepmc"}
needs_recordings = pytest.mark.skipif(
    not RECORDINGS.is_dir(), reason="the full recordings are kept outside the project and are not here"
)


def folder(provider: str) -> Path:
    """Where a provider's full recordings are stored."""
    return RECORDINGS / FOLDERS.get(provider, provider)


def expected(provider: str) -> dict[str, Any]:
    """`{file: [outcome, number of papers]}` of one provider."""
    return dict(json.loads((OWN_RECORDINGS / provider / "outcomes.json").read_text(encoding="utf-8")))


def manifest(provider: str) -> dict[str, Any]:
    """`{file: entry}` of one provider's recordings."""
    data = json.loads((folder(provider) / "manifest.json").read_text(encoding="utf-8"))
    entries = data if isinstance(data, list) else next(value for value in data.values() if isinstance(value, list))
    return {entry["file"]: entry for entry in entries}


def replay_recording(module: ModuleType, name: str) -> ProviderReply:
    """One recording through the provider's own code, with its recorded status and content type."""
    entry = manifest(module.SPEC.name)[name]
    kind = (entry.get("headers") or {}).get("content-type")
    path = folder(module.SPEC.name) / name
    return replay(module, path, status=entry["status"] or 200, content_type=kind)
