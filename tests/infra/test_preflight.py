"""The check before a deployment names what would fail, and what to do about it."""

from __future__ import annotations

import os
import subprocess

import pytest
from pytest_httpserver import HTTPServer

from infra.preflight import main
from infra.unprotect import main as unprotect
from tests.infra.aws_account import Account, serve

pytestmark = pytest.mark.slow  # whole accounts, read over HTTP

DEV = ["-c", "stage=dev", "-c", "contact=me@university.edu"]
PROD = ["-c", "stage=prod", "-c", "contact=me@university.edu", "-c", "alarm_email=ops@university.edu"]
KEYS = {
    f"literature-search/{stage}/{name}": False
    for stage in ("dev", "prod")
    for name in (
        "core",
        "openalex",
        "semantic_scholar",
        "pubmed",
        "paperclip",
        "crossref",
        "europe_pmc",
        "arxiv",
        "opencitations",
    )
}


@pytest.fixture
def account(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> Account:
    """A ready account, over HTTP."""
    ready = Account(secrets=dict(KEYS))
    monkeypatch.setenv("AWS_ENDPOINT_URL", serve(httpserver, ready))
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    return ready


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().err.splitlines()


@pytest.mark.parametrize("arguments", [DEV, PROD], ids=["dev", "prod"])
def test_a_ready_account_has_no_findings(
    account: Account, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    assert "account 111122223333" in printed.out and "ready" in printed.out


def test_a_rerankers_files_must_be_there(
    account: Account, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # The bucket is part of the path, not of the host.
    monkeypatch.setenv("AWS_ENDPOINT_URL", os.environ["AWS_ENDPOINT_URL"].replace("localhost", "127.0.0.1"))
    arguments = [*DEV, "-c", "reranker_model=s3://models/tiny"]
    account.files = {"/models/tiny/model.onnx": 200}
    assert main(arguments) == 2
    assert lines(capsys) == ["error: the re-ranker's file s3://models/tiny/tokenizer.json is not there"]
    account.files["/models/tiny/tokenizer.json"] = 403
    assert main(arguments) == 0
    (line,) = lines(capsys)
    assert line.startswith("warning: ") and "tokenizer.json cannot be looked for" in line
    account.files["/models/tiny/tokenizer.json"] = 200
    assert main(arguments) == 0
    assert lines(capsys) == []


def test_an_account_that_is_not_bootstrapped_is_refused(account: Account, capsys: pytest.CaptureFixture[str]) -> None:
    for version in (None, "5"):
        account.bootstrap = version
        assert main(DEV) == 2
        (line,) = lines(capsys)
        assert line.startswith("error: ") and "make bootstrap" in line


def test_a_new_account_can_have_dev_with_a_warning_and_not_prod(
    account: Account, capsys: pytest.CaptureFixture[str]
) -> None:
    account.limit = 10
    assert main(DEV) == 0
    (line,) = lines(capsys)
    assert line.startswith("warning: ") and "10 functions at once" in line and "L-B99A9384" in line
    assert main(PROD) == 2
    _, error = lines(capsys)
    assert error.startswith("error: ") and "-c reserve_concurrency=false" in error
    assert main([*PROD, "-c", "reserve_concurrency=false"]) == 0


def test_existing_reservations_of_the_stage_are_not_counted_twice(
    account: Account, capsys: pytest.CaptureFixture[str]
) -> None:
    account.reserved = {"literature-search-prod-pubmed": 650}
    assert main(PROD) == 0
    # The last is replaced by one that is named after its provider, and until then there are both.
    for other in ("another-stack-function", "literature-search-prod-pubmed3E0A1B52-0123456789abc"):
        account.reserved = {other: 650}
        assert main(PROD) == 2
        assert "cannot be reserved" in lines(capsys)[-1]


def test_a_canary_that_renames_the_functions_of_sources_is_warned_of(
    account: Account, capsys: pytest.CaptureFixture[str]
) -> None:
    account.reserved = {
        "literature-search-prod-dispatcher1A2B": 0,
        "literature-search-prod-pubmed3E0A1B52-0123456789abc": 0,
    }
    assert main(PROD) == 0
    (line,) = lines(capsys)
    assert line.startswith("warning: ") and "-c canary=false" in line
    assert main([*PROD, "-c", "canary=false"]) == 0
    assert lines(capsys) == []
    account.reserved["literature-search-prod-arxiv"] = 0
    assert main(PROD) == 0
    assert lines(capsys) == []


def test_the_access_log_of_prod_needs_the_accounts_role(account: Account, capsys: pytest.CaptureFixture[str]) -> None:
    account.log_role = None
    assert main(DEV) == 0
    assert main(PROD) == 2
    assert "aws apigateway update-account" in lines(capsys)[-1]


def test_missing_and_deleted_keys_are_named_with_the_command(
    account: Account, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before a deployment."""
    del account.secrets["literature-search/dev/paperclip"]
    account.secrets["literature-search/dev/pubmed"] = True
    assert main(DEV) == 0
    skipped, deleted = lines(capsys)
    assert skipped == (
        "warning: paperclip has no key and is skipped: aws secretsmanager create-secret --name "
        "literature-search/dev/paperclip --secret-string KEY"
    )
    assert "restore-secret --secret-id literature-search/dev/pubmed" in deleted


INDEX = {"IndexName": "by_target"}
KEYS_OF_A_TABLE = [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]
RESTORED = {"KeySchema": KEYS_OF_A_TABLE, "TableStatus": "ACTIVE", "GlobalSecondaryIndexes": [INDEX],
            "DeletionProtectionEnabled": True}  # fmt: skip


@pytest.mark.parametrize(("change", "named"), [
    ({}, None), (None, "there is no table"), ({"GlobalSecondaryIndexes": []}, "indexes by_target"),
    ({"KeySchema": KEYS_OF_A_TABLE[:1]}, "pk and sk"), ({"TableStatus": "CREATING"}, "is creating"),
    ({"DeletionProtectionEnabled": False}, "--deletion-protection-enabled"),
])  # fmt: skip
def test_an_adopted_table_must_have_the_form_of_the_one_it_replaces(
    account: Account, change: dict[str, object] | None, named: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    if change is not None:
        account.tables["restored"] = {**RESTORED, **change}
    fatal = named is not None and not named.startswith("--")
    assert main([*DEV, "-c", "papers_table=restored"]) == (2 if fatal else 0)
    found = lines(capsys)
    assert len(found) == (0 if named is None else 1)
    assert all(named in line for line in found if named)


def test_a_contact_is_required_of_prod_and_must_not_be_an_example(
    account: Account, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["-c", "stage=dev"]) == 0
    assert main(["-c", "stage=prod", "-c", "alarm_email=ops@university.edu"]) == 2
    assert main(["-c", "stage=dev", "-c", "contact=me@example.org"]) == 0
    warning, error, refused = lines(capsys)
    assert warning.startswith("warning: CONTACT") and error.startswith("error: CONTACT")
    assert "refuses addresses of examples" in refused


def test_without_credentials_or_with_a_wrong_setting_one_line_says_so(
    httpserver: HTTPServer, account: Account, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["-c", "stage=prod"]) == 2
    httpserver.clear()
    httpserver.expect_request("/").respond_with_data(
        "<ErrorResponse><Error><Code>InvalidClientTokenId</Code><Message>Invalid</Message></Error>"
        "</ErrorResponse>", status=403, content_type="text/xml",
    )  # fmt: skip
    assert main(DEV) == 2
    wrong, refused = lines(capsys)
    assert "alarm_email" in wrong
    assert refused.startswith("error: AWS cannot be asked") and "InvalidClientTokenId" in refused


def test_a_stack_that_is_not_there_cannot_be_unprotected(
    httpserver: HTTPServer, account: Account, capsys: pytest.CaptureFixture[str]
) -> None:
    httpserver.clear()
    httpserver.expect_request("/").respond_with_data(
        "<ErrorResponse><Error><Code>ValidationError</Code><Message>Stack does not exist</Message></Error>"
        "</ErrorResponse>", status=400, content_type="text/xml",
    )  # fmt: skip
    assert unprotect(["literature-search-prod"]) == 1
    assert "does not exist" in lines(capsys)[0]


@pytest.mark.parametrize(("stage", "approval"), [("dev", "never"), ("prod", "broadening")])
def test_make_deploy_checks_first_and_prod_needs_a_consent_to_grant_more(stage: str, approval: str) -> None:
    done = subprocess.run(
        ["make", "-n", "deploy", f"STAGE={stage}", "CONTACT=a@b.org"],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    commands = done.stdout
    assert 0 <= commands.find("infra.preflight") < commands.find("cdk deploy")
    assert f"--require-approval {approval}" in commands
    assert "cdk bootstrap" not in commands
