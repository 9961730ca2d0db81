"""A stack can use tables that exist already, such as those that a backup was restored to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from infra.app import synthesise
from tests.infra.conftest import DEV, read
from tests.infra.template import Template

pytestmark = pytest.mark.slow  # importing the CDK and synthesising take seconds

TABLE = "AWS::DynamoDB::Table"
ADOPTED = {"papers_table": "restored-papers", "saved_searches_table": "restored-searches"}


@pytest.fixture(scope="module")
def adopting(layer: Path, tmp_path_factory: pytest.TempPathFactory) -> Template:
    return read(synthesise(layer, tmp_path_factory.mktemp("adopting"), {**DEV, **ADOPTED}))


def test_an_adopted_table_is_used_and_is_no_part_of_the_stack(template: Template, adopting: Template) -> None:
    gone = {*template.resources(TABLE)} - {*adopting.resources(TABLE)}
    assert gone == {template.only(TABLE, "papers"), template.only(TABLE, "saved")}
    assert adopting.environment("citation_writer")["PAPERS_TABLE"] == "restored-papers"
    assert adopting.environment("dispatcher")["PAPERS_TABLE"] == "restored-papers"
    assert adopting.environment("deliverer")["SAVED_SEARCHES_TABLE"] == "restored-searches"


def test_roles_and_alarms_follow_to_the_adopted_table(template: Template, adopting: Template) -> None:
    names = {template.only(TABLE, "papers"): "restored-papers", template.only(TABLE, "saved"): "restored-searches"}
    for function in template.functions:
        expected = set()
        for action, on in template.permissions(function):
            for table, name in names.items():
                arn = f"arn:<AWS::Partition>:dynamodb:<AWS::Region>:<AWS::AccountId>:table/{name}"
                on = on.replace(f"<{table}.Arn>", arn)
            expected.add((action, on))
        assert adopting.permissions(function) == expected, function
    written = json.dumps(adopting.resources("AWS::CloudWatch::Alarm"))
    assert '"Value": "restored-papers"' in written  # the other one has no alarm of its own


def test_a_table_that_can_be_recreated_cannot_be_adopted(template: Template, layer: Path, tmp_path: Path) -> None:
    ignored = read(synthesise(layer, tmp_path, {**DEV, "search_cache_table": "old-cache"}))
    assert {*ignored.resources(TABLE)} == {*template.resources(TABLE)}
