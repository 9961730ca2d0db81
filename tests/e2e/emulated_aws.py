"""AWS on loopback: MiniStack as a separate process with TLS and IAM, isolated from this machine's AWS settings.

Every Lambda runs under its own role, so a permission that the template does not give is refused here too. The process
and all that it wrote are gone at the end; its log stays.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import boto3
import httpx
from botocore.config import Config

from infra.lambda_python import lambda_python

ROOT = Path(__file__).parents[2]
BED = ROOT / ".build" / "e2e"
PYTHON = BED / ".venv" / "bin" / "python"
APP = Path(__file__).with_name("ministack_app.py")
LOG = BED / "ministack.log"
REGION = "us-east-1"
# The root user of the emulated account.
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}
START_S = 60
STOP_S = 5
PLENTY_BYTES = 8_000_000_000
LONG_TIMEOUT = Config(connect_timeout=5, read_timeout=180, retries={"total_max_attempts": 1, "mode": "standard"})


@dataclass(frozen=True, slots=True)
class EmulatedAws:
    """`url` is its endpoint; `authority` is the certificate that signed its own; `home` is a folder for this run."""

    url: str
    authority: Path
    home: Path
    clients: dict[str, Any] = field(default_factory=dict)

    def client(self, service: str) -> Any:
        """The boto3 client of the account's root user."""
        if service not in self.clients:
            session: Any = boto3.Session("test", "test", region_name=REGION)
            self.clients[service] = session.client(
                service, endpoint_url=self.url, verify=str(self.authority), config=LONG_TIMEOUT
            )
        return self.clients[service]

    def address(self, url: str) -> tuple[str, dict[str, str]]:
        """Return the base URL of a service, given its URL on AWS, and the headers that lead there."""
        parts = urlsplit(url)
        api_id = str(parts.hostname).split(".")[0]
        return f"{self.url}{parts.path}", {"host": f"{api_id}.execute-api.localhost"}

    @property
    def trust(self) -> ssl.SSLContext:
        """The TLS context for HTTPS requests to it."""
        return ssl.create_default_context(cafile=self.authority)

    @property
    def environment(self) -> Mapping[str, str]:
        """The environment of a program that uses only this AWS: no accounts of the user, no proxy."""
        python = lambda_python()  # which is not found from another home
        return {
            **CREDENTIALS,
            **({"PYTHON313": python} if python else {}),
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "AWS_REGION": REGION,
            "AWS_DEFAULT_REGION": REGION,
            "AWS_ENDPOINT_URL": self.url,
            "AWS_CA_BUNDLE": str(self.authority),
            "NODE_EXTRA_CA_CERTS": str(self.authority),
            "AWS_EC2_METADATA_DISABLED": "true",
        }


@contextmanager
def emulated_aws() -> Iterator[EmulatedAws]:
    """Start it, wait until it answers, and stop it."""
    assert PYTHON.exists(), "there is no environment for the emulated AWS; run make e2e"
    home = BED / "run"
    unpacked = _place_to_unpack(home)
    for folder in (home, unpacked):  # of a run that was killed
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(mode=0o700, parents=True)
    _certify(home)
    shutil.copy(APP, home)  # where nothing else of the repository can be imported, by the functions either
    port = _free_port()
    aws = EmulatedAws(f"https://127.0.0.1:{port}", home / "client.pem", home)
    with LOG.open("w", encoding="utf-8") as log:
        process = subprocess.Popen(
            [PYTHON, "-m", "hypercorn", f"{APP.stem}:app", "--bind", f"127.0.0.1:{port}", "--keep-alive", "75",
             "--certfile", home / "server.pem", "--keyfile", home / "server.key"],
            env=_environment(home, unpacked, port), cwd=home, stdout=log, stderr=subprocess.STDOUT,
            start_new_session=True,
        )  # fmt: skip
        try:
            _wait(aws, process)
            yield aws
        finally:
            for client in aws.clients.values():
                client.close()
            _stop(process)
            shutil.rmtree(unpacked, ignore_errors=True)
            shutil.rmtree(home, ignore_errors=True)


def _place_to_unpack(home: Path) -> Path:
    """Each started function is unpacked anew, 2 GB in 100,000 files altogether: in memory, where there is plenty."""
    memory = Path("/dev/shm")
    if memory.is_dir() and shutil.disk_usage(memory).free > PLENTY_BYTES:
        return memory / f"literature-search-e2e-{os.getuid()}-{sha256(str(ROOT).encode()).hexdigest()[:12]}"
    return home / "unpacked"


def _certify(home: Path) -> None:
    """Create `server.pem` and `server.key` for loopback, and `client.pem`, the CA certificate for clients."""
    subprocess.run(
        [PYTHON, "-m", "trustme", "--quiet", "--dir", home, "--identities", "127.0.0.1", "localhost"],
        check=True, timeout=60,
    )  # fmt: skip


def _free_port() -> int:
    with socket.socket() as it:
        it.bind(("127.0.0.1", 0))
        return int(it.getsockname()[1])


def _environment(home: Path, unpacked: Path, port: int) -> dict[str, str]:
    """Return MiniStack's environment, which functions inherit: no developer's keys, and only our CA is trusted."""
    authority = str(home / "client.pem")
    return {
        **CREDENTIALS,
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "TMPDIR": str(unpacked),
        "S3_DATA_DIR": str(home / "s3"),
        "GATEWAY_PORT": str(port),
        "MINISTACK_REGION": REGION,
        "AUTH": "true",
        "USE_SSL": "1",
        "AWS_CA_BUNDLE": authority,
        "SSL_CERT_FILE": authority,
        "REQUESTS_CA_BUNDLE": authority,
        "IOT_MTLS_ENABLED": "0",
        "SFTP_ENABLED": "0",
    }


def _wait(aws: EmulatedAws, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_S
    with httpx.Client(verify=aws.trust, trust_env=False) as http:
        while time.monotonic() < deadline and process.poll() is None:
            try:
                if http.get(f"{aws.url}/_ministack/health").is_success:
                    return
            except httpx.TransportError:
                time.sleep(0.1)
    raise RuntimeError(f"the emulated AWS did not start:\n{LOG.read_text(encoding='utf-8')[-2000:]}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    """It, and every function that it still runs."""
    process.terminate()
    try:
        process.wait(STOP_S)
    except subprocess.TimeoutExpired:
        pass
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return
        process.wait(STOP_S)
