"""The bucket of the search cache: replies and result sets that would be expensive in its table."""

from __future__ import annotations

from aws_cdk import Duration, RemovalPolicy
from aws_cdk import aws_s3 as s3
from aws_cdk.aws_lambda import Function
from constructs import Construct

from infra.constructs.accepted_findings import accept
from infra.constructs.lambda_functions import allow

# Beginning of a file's name -> days until it is deleted: a day more than its item in the table lives.
LIFETIMES = {"leg": 8, "result": 2}
NAMED_BY_CONTENT = "A file is named by a digest of what it contains, so that no policy can list the files."


def new_cache_files(scope: Construct) -> s3.Bucket:
    """Create the bucket. It outlives its stack, since one with files cannot be deleted; a week later it is empty."""
    bucket = s3.Bucket(
        scope,
        "cache-files",
        block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
        encryption=s3.BucketEncryption.S3_MANAGED,
        enforce_ssl=True,
        lifecycle_rules=[
            s3.LifecycleRule(prefix=prefix, expiration=Duration.days(days)) for prefix, days in LIFETIMES.items()
        ],
        removal_policy=RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    )
    accept(bucket, {"AwsSolutions-S1": "It contains copies of public records, which are fetched again when lost."})
    return bucket


def allow_files(function: Function, bucket: s3.Bucket) -> None:
    """Let a function read and write every file; it reads its bucket's name from the environment."""
    function.add_environment("SEARCH_CACHE_BUCKET", bucket.bucket_name)
    allow(function, ["s3:GetObject", "s3:PutObject"], on=[bucket.arn_for_objects("*")], because=NAMED_BY_CONTENT)


def leg_keys(provider: str) -> list[str]:
    """Return the patterns of the keys of a provider's legs in the cache (`shared.aws.dynamodb.leg_cache`).

    They hold for every form, a number of one or two digits: after a deployment, the version before it still writes its
    own. An asterisk would match the keys of other providers too.
    """
    return [f"leg{form}#{provider}#*" for form in ("?", "??")]


def allow_late_replies(function: Function, provider: str, bucket: s3.Bucket) -> None:
    """Let a provider's function write the replies of its own provider."""
    function.add_environment("SEARCH_CACHE_BUCKET", bucket.bucket_name)
    files = [bucket.arn_for_objects(key.replace("#", "/")) for key in leg_keys(provider)]
    allow(function, ["s3:PutObject"], on=files, because=NAMED_BY_CONTENT)
