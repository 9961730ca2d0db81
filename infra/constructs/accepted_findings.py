"""Findings of cdk-nag that are accepted: each is recorded on the construct it concerns, with the reason."""

from __future__ import annotations

from collections.abc import Mapping

from aws_cdk import Acknowledgment, Validations
from constructs import IConstruct


def accept(construct: IConstruct, findings: Mapping[str, str]) -> None:
    """Accept findings, `rule` or `rule[finding]` -> reason, for this construct and its children."""
    Validations.of(construct).acknowledge(*(Acknowledgment(id=id_, reason=reason) for id_, reason in findings.items()))
