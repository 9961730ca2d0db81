"""The web application firewall before the API, for who asks for it: addresses of ill repute, floods, huge bodies."""

from __future__ import annotations

from aws_cdk import aws_apigateway as apigateway
from aws_cdk import aws_wafv2 as waf
from constructs import Construct

REQUESTS_IN_FIVE_MINUTES = 5_000  # from one address, keys or not
# The firewall sees a body's first 16 kB, so the size is read from the header. No route takes more than 1 MB.
LONGEST_LENGTH = r"^[0-9]{7,}$"
Rule = waf.CfnWebACL.RuleProperty


def put_firewall_before(scope: Construct, stage: apigateway.Stage) -> None:
    """AWS's ready-made rules for bodies are left out: they take the text of a debate, or a title, for an attack."""
    reputation = waf.CfnWebACL.StatementProperty(
        managed_rule_group_statement=waf.CfnWebACL.ManagedRuleGroupStatementProperty(
            vendor_name="AWS", name="AWSManagedRulesAmazonIpReputationList"
        )
    )
    flood = waf.CfnWebACL.StatementProperty(
        rate_based_statement=waf.CfnWebACL.RateBasedStatementProperty(
            limit=REQUESTS_IN_FIVE_MINUTES, aggregate_key_type="IP"
        )
    )
    huge = waf.CfnWebACL.StatementProperty(
        regex_match_statement=waf.CfnWebACL.RegexMatchStatementProperty(
            regex_string=LONGEST_LENGTH,
            field_to_match=waf.CfnWebACL.FieldToMatchProperty(single_header={"Name": "content-length"}),
            text_transformations=[waf.CfnWebACL.TextTransformationProperty(priority=0, type="NONE")],
        )
    )
    block = waf.CfnWebACL.RuleActionProperty(block={})
    acl = waf.CfnWebACL(
        scope,
        "firewall",
        scope="REGIONAL",
        default_action=waf.CfnWebACL.DefaultActionProperty(allow={}),
        visibility_config=_seen_as("firewall"),
        rules=[
            Rule(
                name="reputation", priority=0, statement=reputation, visibility_config=_seen_as("reputation"),
                override_action=waf.CfnWebACL.OverrideActionProperty(none={}),
            ),
            Rule(name="flood", priority=1, statement=flood, action=block, visibility_config=_seen_as("flood")),
            Rule(name="huge", priority=2, statement=huge, action=block, visibility_config=_seen_as("huge")),
        ],
    )  # fmt: skip
    waf.CfnWebACLAssociation(scope, "firewall-at-the-door", resource_arn=stage.stage_arn, web_acl_arn=acl.attr_arn)


def _seen_as(name: str) -> waf.CfnWebACL.VisibilityConfigProperty:
    return waf.CfnWebACL.VisibilityConfigProperty(
        cloud_watch_metrics_enabled=True, metric_name=name, sampled_requests_enabled=False
    )
