"""`make live` and `make record` against the sandbox over HTTP: every source parses, and no secret is saved."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from infra.functions import provider_names, provider_spec
from infra.local.sandbox.server import Sandbox
from shared.outcomes import Outcome
from tests.live.record import main, record, sanitised
from tests.live.sources import ask, missing, question_for
from tests.replay import replay

KEY = "key-of-the-caller-7f3a"
CONTACT = "caller@university.example"
every_provider = pytest.mark.parametrize("name", provider_names())


@pytest.fixture(scope="module", autouse=True)
def _sandbox() -> Iterator[None]:
    with Sandbox(faults={}) as sandbox, pytest.MonkeyPatch.context() as environment:
        for name, value in sandbox.base_urls.items():
            environment.setenv(name, value)
        for name in provider_names():
            environment.setenv(f"{name.upper()}_API_KEY", KEY)
        environment.setenv("CONTACT_EMAIL", CONTACT)
        yield


@every_provider
def test_a_source_is_requested_at_its_address_and_its_answer_is_read(name: str) -> None:
    reply = ask(name)
    assert reply.outcome in (Outcome.OK, Outcome.EMPTY), reply.warnings


@every_provider
def test_a_recording_has_the_manifests_form_and_no_secret(name: str, tmp_path: Path) -> None:
    outcome, files = record(name, tmp_path)
    assert outcome in ("ok", "empty")
    assert files
    entries = json.loads((tmp_path / name / "manifest.json").read_text(encoding="utf-8"))
    assert [entry["file"] for entry in entries] == sorted(files)
    for entry in entries:
        body = (tmp_path / name / entry["file"]).read_bytes()
        assert (entry["sha256"], entry["bytes"]) == (hashlib.sha256(body).hexdigest(), len(body))
        assert entry["status"] in (200, 404)
        assert entry["request"]["url"].startswith(provider_spec(name).base_url)
        assert "content-type" in entry["headers"]
    saved = b"".join(path.read_bytes() for path in (tmp_path / name).iterdir())
    for secret in (KEY, CONTACT, "127.0.0.1"):
        assert secret.encode() not in saved


@pytest.mark.parametrize("name", ["crossref", "openalex", "semantic_scholar"])
def test_a_recording_can_be_replayed(name: str, tmp_path: Path) -> None:
    _, files = record(name, tmp_path)
    module = import_module(f"functions.providers.{name}")
    again = replay(module, *(tmp_path / name / file for file in files), query=question_for(provider_spec(name)))
    assert again.outcome is Outcome.OK
    assert [paper.title for paper in again.papers] == [paper.title for paper in ask(name).papers]


def test_a_second_recording_replaces_the_files_of_the_first(tmp_path: Path) -> None:
    assert main(["--into", str(tmp_path), "crossref"]) == 0
    first = (tmp_path / "crossref" / "manifest.json").read_text(encoding="utf-8")
    assert main(["--into", str(tmp_path), "crossref"]) == 0
    second = (tmp_path / "crossref" / "manifest.json").read_text(encoding="utf-8")
    assert [entry["file"] for entry in json.loads(first)] == [entry["file"] for entry in json.loads(second)]


def test_missing_settings_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PAPERCLIP_API_KEY")
    monkeypatch.delenv("CONTACT_EMAIL")
    assert missing(provider_spec("paperclip")) == "PAPERCLIP_API_KEY"
    assert missing(provider_spec("unpaywall")) == "CONTACT_EMAIL"
    assert missing(provider_spec("crossref")) is None


def test_the_addresses_of_authors_are_not_saved() -> None:
    body = b'{"affiliation": "Dept. of X. a.writer-2@mail.uni-x.edu", "key": "key-of-the-caller-7f3a"}'
    assert sanitised(body, "pubmed") == b'{"affiliation": "Dept. of X. name@example.org", "key": "REDACTED"}'
