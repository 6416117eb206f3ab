"""The Kubernetes manifests: their types, checked by the TypeScript compiler, and their consistency."""

import json
import subprocess
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from tests.deploy.files import DEPLOY, assert_is_command, read_settings
from tests.packages.npm import require_packages
from tests.storefront.node import require_node

MANIFESTS = DEPLOY / "kubernetes.yaml"
OPTIONS = {"noEmit": True, "strict": True, "types": [], "module": "esnext", "moduleResolution": "bundler"}


@pytest.fixture(scope="module")
def manifests() -> dict[str, Any]:
    """The Kubernetes manifests, by kind."""
    found = list(yaml.safe_load_all(MANIFESTS.read_text("utf-8")))
    return {manifest["kind"]: manifest for manifest in found}


@pytest.fixture(scope="module")
def pod(manifests: dict[str, Any]) -> Any:
    return manifests["Deployment"]["spec"]["template"]["spec"]


@pytest.mark.process
def test_manifests_have_the_types_of_kubernetes(manifests: dict[str, Any], tmp_path: Path) -> None:
    """Manifests match the Kubernetes API types and contain no unknown fields."""
    types = require_packages() / "kubernetes-types"
    lines = []
    for kind, manifest in manifests.items():
        group = {"v1": "core/v1"}.get(manifest["apiVersion"], manifest["apiVersion"])
        lines.append(f'import type {{ {kind} }} from "{(types / group).as_posix()}";')
        lines.append(f"export const a{kind}: {kind} = {json.dumps(manifest)};")
    (tmp_path / "manifests.mts").write_text("\n".join(lines))
    (tmp_path / "tsconfig.json").write_text(json.dumps({"compilerOptions": OPTIONS, "files": ["manifests.mts"]}))
    compiler = [require_node(), str(require_packages() / "typescript" / "bin" / "tsc"), "-p", str(tmp_path)]

    run = subprocess.run(compiler, capture_output=True, text=True, check=False, timeout=120)

    assert run.stdout + run.stderr == ""


@pytest.mark.parametrize("release", ["1.30", "1.37"])
def test_manifests_are_valid_by_the_published_schemas(release: str) -> None:
    """Manifests are valid according to the published schemas of a Kubernetes release, in strict mode, which rejects unknown
    fields."""
    for manifest in yaml.safe_load_all(MANIFESTS.read_text("utf-8")):
        kubernetes_validate.validate(manifest, release, strict=True)


def test_schemas_find_a_fault() -> None:
    manifest = next(yaml.safe_load_all(MANIFESTS.read_text("utf-8")))
    manifest["spec"]["replica"] = 2
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(manifest, "1.37", strict=True)


def test_autoscaler_adds_a_pod_when_most_of_a_core_is_used(manifests: dict[str, Any], pod: Any) -> None:
    (metric,) = manifests["HorizontalPodAutoscaler"]["spec"]["metrics"]
    (container,) = pod["containers"]
    cores = float(container["resources"]["requests"]["cpu"])
    assert 0.6 <= cores * metric["resource"]["target"]["averageUtilization"] / 100 <= 0.8


def test_selectors_and_names_match(manifests: dict[str, Any]) -> None:
    labels = manifests["Deployment"]["spec"]["template"]["metadata"]["labels"]
    selectors = [
        manifests["Deployment"]["spec"]["selector"]["matchLabels"],
        manifests["Service"]["spec"]["selector"],
        manifests["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"],
    ]
    scaled = manifests["HorizontalPodAutoscaler"]["spec"]["scaleTargetRef"]

    assert selectors == [labels] * 3
    assert {name: manifests["Deployment"][name] for name in ("apiVersion", "kind")} == {
        name: scaled[name] for name in ("apiVersion", "kind")
    }
    assert scaled["name"] == manifests["Deployment"]["metadata"]["name"]


def test_disruption_budget_leaves_a_pod_to_move(manifests: dict[str, Any]) -> None:
    kept = manifests["PodDisruptionBudget"]["spec"]["minAvailable"]

    assert kept < manifests["HorizontalPodAutoscaler"]["spec"]["minReplicas"]


def test_only_the_start_depends_on_the_database(pod: Any) -> None:
    """Only the startup probe depends on the database, because a database outage must neither remove all pods from service nor
    restart them."""
    (container,) = pod["containers"]
    paths = {name: container[name]["httpGet"]["path"] for name in ("startupProbe", "readinessProbe", "livenessProbe")}

    assert paths == {"startupProbe": "/readyz", "readinessProbe": "/healthz", "livenessProbe": "/healthz"}
    assert {port["name"]: port["containerPort"] for port in container["ports"]} == {"http": 8080, "metrics": 9100}


def test_metrics_are_scraped_on_a_port_that_the_service_does_not_have(manifests: dict[str, Any], pod: Any) -> None:
    (container,) = pod["containers"]
    variables = {variable["name"]: variable["value"] for variable in container["env"]}
    annotations = manifests["Deployment"]["spec"]["template"]["metadata"]["annotations"]

    assert variables["BUNDLESVC_METRICS_PORT"] == annotations["prometheus.io/port"] == "9100"
    assert [port["targetPort"] for port in manifests["Service"]["spec"]["ports"]] == ["http"]


def test_containers_are_locked_up(pod: Any) -> None:
    assert pod["securityContext"]["runAsNonRoot"]
    for container in (*pod["initContainers"], *pod["containers"]):
        security = container["securityContext"]
        assert security["readOnlyRootFilesystem"]
        assert not security["allowPrivilegeEscalation"]
        assert security["capabilities"] == {"drop": ["ALL"]}


def test_pods_start_commands_with_valid_settings(pod: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (upgrade,), (container,) = pod["initContainers"], pod["containers"]
    settings = read_settings({entry["name"]: entry["value"] for entry in container["env"]}, monkeypatch)

    assert_is_command(upgrade["args"])
    assert_is_command(container["args"])
    assert pod["terminationGracePeriodSeconds"] >= settings.stop_delay + 25
    assert settings.workers == 1, "several processes need a /tmp, which these containers do not have"
