"""Two stages in one account: keys are separate, and production's tables are retained when it is destroyed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from infra.tables import TABLES
from tests.e2e.deployment import Deployment, deploy, make
from tests.e2e.emulated_aws import BED

LOG = BED / "deploy-prod.log"


@pytest.fixture(scope="module")
def production(deployed: Deployment) -> Iterator[Deployment]:
    """The stage `prod`, next to `dev`; no function of it is started. A test may have destroyed it."""
    LOG.unlink(missing_ok=True)
    role = {"op": "replace", "path": "/cloudwatchRoleArn", "value": "arn:aws:iam::000000000000:role/logs"}
    deployed.aws.client("apigateway").update_account(patchOperations=[role])  # as an operator does once
    output = deploy(deployed.aws, "prod", LOG).stdout
    stage = Deployment(deployed.aws, deployed.sandbox, output, stack="literature-search-prod")
    yield stage
    stage.close()
    done = make(deployed.aws, "destroy", "STAGE=prod", "CONFIRM=prod", "TARGET=local", log=LOG)
    assert done.returncode == 0, done.stdout


def test_a_key_of_another_stage_is_refused(deployed: Deployment, production: Deployment) -> None:
    assert production.key != deployed.key
    for service, key in ((deployed, production.key), (production, deployed.key)):
        with service.http(key) as stranger:
            for path in ("v1/tools", "v1/literature-search?query=TREM2", "mcp"):
                response = stranger.get(path)
                assert (response.status_code, response.json()["code"]) == (403, "forbidden"), path


def test_the_tables_of_production_are_retained(production: Deployment) -> None:
    tables = production.resources("AWS::DynamoDB::Table")
    assert len(tables) == len(TABLES)
    client = production.aws.client("dynamodb")
    protected = {it for it in tables if client.describe_table(TableName=it)["Table"]["DeletionProtectionEnabled"]}
    assert len(protected) == len([table for table in TABLES if table.irreplaceable])
    done = make(production.aws, "destroy", "STAGE=prod", "CONFIRM=prod", "TARGET=local", log=LOG)
    assert done.returncode == 0, done.stdout
    assert set(tables) & set(client.list_tables()["TableNames"]) == protected


def test_a_stack_that_is_deployed_again_adopts_the_retained_tables(
    deployed: Deployment, production: Deployment
) -> None:
    """As far as an emulator goes, a restore: the data is in a table of another name, outside of the stack."""
    dynamodb = production.aws.client("dynamodb")
    names = [name for name in dynamodb.list_tables()["TableNames"] if "prod" in name]
    (papers,) = (name for name in names if "papers" in name)
    (searches,) = (name for name in names if "savedsearches" in name)
    dynamodb.put_item(TableName=papers, Item={"pk": {"S": "context#debate#1"}, "sk": {"S": "owner"}})
    output = deploy(production.aws, "prod", LOG, f"-c papers_table={papers} -c saved_searches_table={searches}").stdout
    again = Deployment(production.aws, production.sandbox, output, stack="literature-search-prod")
    assert not {papers, searches} & set(again.resources("AWS::DynamoDB::Table"))
    client = production.aws.client("lambda")
    variables = client.get_function_configuration(FunctionName=again.functions["dispatcher"])["Environment"][
        "Variables"
    ]
    assert (variables["PAPERS_TABLE"], variables["SAVED_SEARCHES_TABLE"]) == (papers, searches)
    assert dynamodb.scan(TableName=papers)["Count"] == 1
