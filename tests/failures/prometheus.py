"""A real Prometheus, which scrapes services once a second and evaluates the rules in `config/`."""

import json
import shutil
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.api.live.drawing import RULES
from tests.failures.shopping import seconds_until
from tests.missing import missing
from tests.servers.free_port import free_port

START_SECONDS = 60.0


class Prometheus:
    """A running Prometheus server."""

    def __init__(self, address: str) -> None:
        self._address = address

    def ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self._address}/-/ready", timeout=5) as response:
                return bool(response.status == 200)
        except urllib.error.URLError:
            return False

    def query(self, expression: str) -> list[Any]:
        """Evaluate an expression now. Returns its series, except those whose value is NaN."""
        found = self._get("query", query=expression)["result"]
        return [series for series in found if series["value"][1] != "NaN"]

    def faulty_rules(self) -> dict[str, str]:
        """Return the errors of the rules that could not be evaluated, by rule name."""
        groups = self._get("rules")["groups"]
        return {
            rule["name"]: rule.get("lastError", "")
            for group in groups
            for rule in group["rules"]
            if rule["health"] == "err"
        }

    def _get(self, path: str, **parameters: str) -> Any:
        url = f"{self._address}/api/v1/{path}?{urllib.parse.urlencode(parameters)}"
        with urllib.request.urlopen(url, timeout=30) as response:
            return json.load(response)["data"]


@contextmanager
def prometheus(folder: Path, targets: Sequence[str]) -> Iterator[Prometheus]:
    """Run a server that scrapes these targets (host and port) as the job `bundlesvc`, as the guide describes."""
    program = shutil.which("prometheus") or missing("there is no prometheus on the PATH: apt install prometheus")
    settings = {
        "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
        "scrape_configs": [{"job_name": "bundlesvc", "static_configs": [{"targets": list(targets)}]}],
        "rule_files": [str(file) for file in RULES],
    }
    file, address = folder / "prometheus.yml", f"127.0.0.1:{free_port()}"
    file.write_text(json.dumps(settings))  # JSON is YAML
    options = [f"--config.file={file}", f"--storage.tsdb.path={folder / 'data'}", f"--web.listen-address={address}"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([program, *options], stdout=log, stderr=log, stdin=subprocess.DEVNULL)
    try:
        server = Prometheus(f"http://{address}")
        seconds_until(server.ready, START_SECONDS)
        yield server
    finally:
        process.terminate()
        process.wait(START_SECONDS)
