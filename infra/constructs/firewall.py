"""The optional web application firewall (AWS WAF): blocks bad IP addresses, floods of requests and huge bodies."""

from __future__ import annotations

from aws_cdk import aws_apigateway as apigateway
from aws_cdk import aws_wafv2 as waf
from constructs import Construct

REQUESTS_IN_FIVE_MINUTES = 5_000  # from one IP address, with or without a key
# AWS WAF inspects the first 16 kB of a body, so the rule uses the Content-Length header: 7 digits are at least 1 MB,
# which no route accepts.
TOO_LONG = r"^[0-9]{7,}$"
Rule = waf.CfnWebACL.RuleProperty


def attach_firewall(scope: Construct, stage: apigateway.Stage) -> None:
    """Attach the firewall to an API stage. AWS's managed rules for bodies are not used: they block titles and prose."""
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
            regex_string=TOO_LONG,
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
        visibility_config=_visibility("firewall"),
        rules=[
            Rule(
                name="reputation", priority=0, statement=reputation, visibility_config=_visibility("reputation"),
                override_action=waf.CfnWebACL.OverrideActionProperty(none={}),
            ),
            Rule(name="flood", priority=1, statement=flood, action=block, visibility_config=_visibility("flood")),
            Rule(name="huge", priority=2, statement=huge, action=block, visibility_config=_visibility("huge")),
        ],
    )  # fmt: skip
    waf.CfnWebACLAssociation(scope, "firewall-at-the-door", resource_arn=stage.stage_arn, web_acl_arn=acl.attr_arn)


def _visibility(name: str) -> waf.CfnWebACL.VisibilityConfigProperty:
    return waf.CfnWebACL.VisibilityConfigProperty(
        cloud_watch_metrics_enabled=True, metric_name=name, sampled_requests_enabled=False
    )
