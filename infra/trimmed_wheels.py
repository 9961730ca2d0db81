"""Takes out of a layer's wheels what no function reads: `python -m infra.trimmed_wheels <folder with the wheels>`.

botocore describes every AWS service in JSON files, with the texts of its documentation. Before it makes a client it
lists the folders of all services, and it parses the whole description and the addresses of every service. So the layer
keeps the operations that functions call, without documentation, examples and older versions:
https://botocore.amazonaws.com/v1/documentation/api/latest/reference/loaders.html
"""

from __future__ import annotations

import gzip
import json
import shutil
import sys
from pathlib import Path
from typing import Any

# What functions call, by the names of services for boto3.client and boto3.resource; a test compares them with the code.
CALLED = {
    "dynamodb": (
        "BatchGetItem", "BatchWriteItem", "DeleteItem", "GetItem", "PutItem", "Query", "Scan", "TransactWriteItems",
        "UpdateItem",
    ),
    "lambda": ("Invoke",),
    "s3": ("GetObject", "PutObject"),
    "scheduler": ("CreateSchedule", "DeleteSchedule", "GetSchedule", "ListSchedules", "UpdateSchedule"),
    "secretsmanager": ("GetSecretValue",),
    "sns": ("Publish",),
    "sqs": ("ChangeMessageVisibility", "SendMessage", "SendMessageBatch"),
}  # fmt: skip
# What boto3 itself may call: to discover endpoints, to load a table's attributes, and to find the region of a bucket
# after a redirect.
CALLED_BY_BOTO3 = {"dynamodb": ("DescribeEndpoints", "DescribeTable"), "s3": ("HeadBucket",)}
_TEXTS = "documentation"


def trim(wheels: Path) -> None:
    """Trim the wheels in a folder. A file that changes is replaced, so that a link's target stays as it is.

    Raises FileNotFoundError if botocore is not among them, and ValueError if it does not know one of the services.
    """
    data = wheels / "botocore" / "data"
    folders = [path for path in data.iterdir() if path.is_dir()]
    if missing := CALLED.keys() - {path.name for path in folders}:
        raise ValueError(f"botocore does not know {', '.join(sorted(missing))}")
    for folder in folders:
        if folder.name in CALLED:
            _trim_service(folder)
        else:
            shutil.rmtree(folder)
    addresses = json.loads((data / "endpoints.json").read_bytes())
    for partition in addresses["partitions"]:
        partition["services"] = {name: it for name, it in partition["services"].items() if name in CALLED}
    _replace(data / "endpoints.json", _encoded(addresses))


def _trim_service(folder: Path) -> None:
    *earlier, latest = sorted(folder.iterdir())  # botocore takes the latest version
    for version in earlier:
        shutil.rmtree(version)
    for examples in latest.glob("examples-1.json"):
        examples.unlink()
    model = latest / "service-2.json.gz"
    described = _without_texts(json.loads(gzip.decompress(model.read_bytes())))
    operations = {*CALLED[folder.name], *CALLED_BY_BOTO3.get(folder.name, ())}
    described["operations"] = {name: described["operations"][name] for name in sorted(operations)}
    shapes = described["shapes"]
    described["shapes"] = {name: shapes[name] for name in sorted(_shapes_of(described["operations"], shapes))}
    _replace(model, gzip.compress(_encoded(described), mtime=0))  # the same wheels give the same layer


def _shapes_of(operations: Any, shapes: dict[str, Any]) -> set[str]:
    """The names of the shapes of requests, answers and errors, with those of their members."""
    found: set[str] = set()
    read = [operations]
    while read:
        part = read.pop()
        if isinstance(part, dict):
            name = part.get("shape")
            if isinstance(name, str) and name not in found:
                found.add(name)
                read.append(shapes[name])
            read.extend(part.values())
        elif isinstance(part, list):
            read.extend(part)
    return found


def _without_texts(part: Any) -> Any:
    """A part of a service's description, with empty texts: botocore reads some of them, such as those of S3's options.

    A member that is itself called `documentation` is an object, and stays.
    """
    if isinstance(part, list):
        return [_without_texts(it) for it in part]
    if isinstance(part, dict):
        return {name: "" if name == _TEXTS and isinstance(it, str) else _without_texts(it) for name, it in part.items()}
    return part


def _encoded(described: Any) -> bytes:
    return json.dumps(described, separators=(",", ":")).encode()


def _replace(path: Path, content: bytes) -> None:
    path.unlink()
    path.write_bytes(content)


if __name__ == "__main__":
    trim(Path(sys.argv[1]))
