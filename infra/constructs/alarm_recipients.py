"""Who is notified: the topic that publishes alarms, its subscriber, and the budget of the account."""

from __future__ import annotations

from aws_cdk import ArnFormat, Stack
from aws_cdk import aws_budgets as budgets
from aws_cdk import aws_iam as iam
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sns_subscriptions as subscriptions
from constructs import Construct

from infra.constructs.accepted_findings import accept


def new_alarms_topic(scope: Construct, email: str | None) -> sns.Topic:
    """Create the topic, not encrypted: CloudWatch cannot use AWS's own key, and alarms contain no private data."""
    topic = sns.Topic(scope, "alarms", enforce_ssl=True)
    stack = Stack.of(scope)
    alarms_of_this_stack = stack.format_arn(
        service="cloudwatch",
        resource="alarm",
        resource_name=f"{stack.stack_name}-*",
        arn_format=ArnFormat.COLON_RESOURCE_NAME,
    )
    topic.add_to_resource_policy(
        iam.PolicyStatement(
            actions=["sns:Publish"],
            resources=[topic.topic_arn],
            principals=[iam.ServicePrincipal("cloudwatch.amazonaws.com")],
            conditions={
                "StringEquals": {"aws:SourceAccount": stack.account},
                "ArnLike": {"aws:SourceArn": alarms_of_this_stack},
            },
        )
    )
    if email:
        topic.add_subscription(subscriptions.EmailSubscription(email))
        accept(
            topic, {"Serverless-SNSRedrivePolicy": "An e-mail subscription needs no dead-letter queue: SNS retries it."}
        )
    return topic


def add_budget(scope: Construct, dollars: int, email: str) -> None:
    """Create a budget of the whole account: costs of one stage are known only where its tags were activated."""
    subscriber = budgets.CfnBudget.SubscriberProperty(subscription_type="EMAIL", address=email)
    budgets.CfnBudget(
        scope,
        "budget",
        budget=budgets.CfnBudget.BudgetDataProperty(
            budget_type="COST",
            time_unit="MONTHLY",
            budget_limit=budgets.CfnBudget.SpendProperty(amount=dollars, unit="USD"),
        ),
        notifications_with_subscribers=[
            budgets.CfnBudget.NotificationWithSubscribersProperty(
                notification=budgets.CfnBudget.NotificationProperty(
                    comparison_operator="GREATER_THAN", notification_type=kind, threshold=percent
                ),
                subscribers=[subscriber],
            )
            for kind, percent in (("ACTUAL", 80), ("FORECASTED", 100))
        ],
    )
