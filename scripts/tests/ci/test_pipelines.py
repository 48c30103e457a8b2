# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The pipelines that the documentation quotes are whole files, and sound: Jenkins' by Groovy with
each step replaced, Kubernetes' by its schemas and in a shell, GitHub's by actionlint.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.machine.files import sha256_of
from jdkmatrix.machine.java_program import SHORT_LIVED
from jdkmatrix.machine.trees import scratch_folder
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.jars.maven import first_command, resolve
from jdkmatrix.supply.supplier import Supplier
from tests.ci.test_workflows import USES, lint

# Jenkins has this one: its Pipeline: Groovy plug-in is bound to Groovy 2.4.
GROOVY_SHA256 = "cc637a03e8ffddd487177bed948f162200a08f4847089091e06d70c2a1480fee"
GROOVY_JAR = "org/codehaus/groovy/groovy/2.4.21/groovy-2.4.21.jar"
FOLDER = Path(__file__).parent
PIPELINES = ("scripted.Jenkinsfile", "declarative.Jenkinsfile")
FENCE = re.compile(r"^```(?:groovy|yaml)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
FILE_LINK = re.compile(r"\]\(\.\./\.\./jtreg/ci/(?P<name>[\w.]+)\)")
SHARDS = 4


def test_the_page_quotes_each_file_whole(root: Path) -> None:
    page = (root / "docs" / "reference" / "pipelines.md").read_text()
    quotations = []
    for match in FENCE.finditer(page):
        name = FILE_LINK.findall(page[: match.start()])[-1]
        file_text = (root / "jtreg" / "ci" / name).read_text()
        assert file_text.partition("\n\n")[2] == match["text"], name
        quotations.append(name)
    assert sorted(quotations) == sorted(file.name for file in (root / "jtreg" / "ci").iterdir())


@pytest.fixture(scope="session")
def groovy() -> Path:
    """The jar of Groovy, fetched once for all checkouts."""
    jar = cache_root() / "tests" / Path(GROOVY_JAR).name
    if not jar.is_file():
        checkout = Checkout.current()
        ways = Supplier.of_checkout(checkout, offline=False).maven_ways(checkout)
        with scratch_folder() as folder:
            repository = folder / "repository"
            maven = first_command(ways, folder)
            resolve(maven, FOLDER / "groovy-pom.xml", "groovy", repository, lambda: None)
            jar.parent.mkdir(parents=True, exist_ok=True)
            part = jar.with_name(f"{jar.name}.{os.getpid()}")
            shutil.copyfile(repository / GROOVY_JAR, part)
            part.replace(jar)
    assert sha256_of(jar) == GROOVY_SHA256
    return jar


def run_pipeline(
    groovy: Path, tool_jdk: Path, file: Path, *codes: str
) -> subprocess.CompletedProcess[str]:
    """Run a Jenkinsfile; `codes` are the exit codes of shell lines, by a part of them."""
    java = [str(tool_jdk / "bin" / "java"), *SHORT_LIVED, "-cp", str(groovy)]
    command = [*java, "groovy.ui.GroovyMain", str(FOLDER / "pipeline.groovy"), str(file), *codes]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.network
@pytest.mark.jdk
class TestJenkins:
    @pytest.mark.parametrize("name", PIPELINES)
    def test_it_runs_each_shard_and_merges(
        self, root: Path, groovy: Path, tool_jdk: Path, name: str
    ) -> None:
        process = run_pipeline(groovy, tool_jdk, root / "jtreg" / "ci" / name)
        assert process.returncode == 0, process.stdout + process.stderr
        steps = process.stdout.splitlines()
        shards = ["$SHARD"] if "declarative" in name else [str(n + 1) for n in range(SHARDS)]
        for shard in shards:
            assert any(f"--shard {shard}/{SHARDS} --out shard-{shard}" in step for step in steps)
        assert steps[-3:] == [
            "sh scripts/matrix merge shard-* --out merged",
            "junit [testResults:merged/junit.xml, allowEmptyResults:true]",
            "archiveArtifacts [artifacts:merged/**, allowEmptyArchive:true]",
        ]
        assert [step for step in steps if step.startswith("unstash")] == [
            f"unstash shard-{n + 1}" for n in range(SHARDS)
        ]

    @pytest.mark.parametrize("name", PIPELINES)
    def test_of_a_surprise_the_report_is_kept(
        self, root: Path, groovy: Path, tool_jdk: Path, name: str
    ) -> None:
        file = root / "jtreg" / "ci" / name
        process = run_pipeline(groovy, tool_jdk, file, "matrix merge=1")
        assert process.returncode == 1
        assert process.stdout.splitlines()[-2].startswith("archiveArtifacts")

    def test_a_shards_surprise_is_for_the_merge_to_judge_and_no_more(
        self, root: Path, groovy: Path, tool_jdk: Path
    ) -> None:
        file = root / "jtreg" / "ci" / PIPELINES[0]
        process = run_pipeline(groovy, tool_jdk, file, "--shard 2/4=1", "--shard 3/4=3")
        assert process.returncode == 0
        process = run_pipeline(groovy, tool_jdk, file, "--shard 2/4=2")
        assert process.returncode == 1
        assert "failed: shard 2: exit code 2" in process.stdout

    FAULTS = (
        ("scripted", "node('debian') {\n    checkout", "if (true) {\n    checkout", "outside of"),
        ("scripted", "junit testResults", "junti testResults", "no such step: junti"),
        ("scripted", 'includes: "shard-${number}/**"', 'includes: "shard-${numbr}/**"', "numbr"),
        (
            "declarative",
            "agent { label 'debian' }\n            steps",
            "steps",
            "outside of a node",
        ),
        ("declarative", "stages {\n        stage", "stges {\n        stage", "no such step: stges"),
    )

    @pytest.mark.parametrize(("name", "right", "wrong", "says"), FAULTS)
    def test_a_fault_is_seen(
        self,
        root: Path,
        groovy: Path,
        tool_jdk: Path,
        tmp_path: Path,
        name: str,
        right: str,
        wrong: str,
        says: str,
    ) -> None:
        text = (root / "jtreg" / "ci" / f"{name}.Jenkinsfile").read_text()
        assert right in text
        file = tmp_path / "Jenkinsfile"
        file.write_text(text.replace(right, wrong, 1))
        process = run_pipeline(groovy, tool_jdk, file)
        assert process.returncode == 1
        assert says in process.stdout + process.stderr


def validate(file: Path) -> subprocess.CompletedProcess[str]:
    """By Kubernetes' own schemas, strictly: no property that they lack."""
    tool = str(Path(sys.executable).with_name("kubernetes-validate"))
    command = [tool, "--strict", str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def manifests(root: Path) -> list[Any]:
    return list(YAML(typ="safe").load_all((root / "jtreg" / "ci" / "kubernetes.yaml").read_text()))


def test_kubernetes_takes_the_manifests(root: Path) -> None:
    process = validate(root / "jtreg" / "ci" / "kubernetes.yaml")
    output = process.stdout + process.stderr
    assert process.returncode == 0, output
    assert output.count(" passed for resource ") == 3


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("accessModes: [", "accessMode: ["),
        ("backoffLimit: 8", "backofLimit: 8"),
        ("restartPolicy: Never", "restartPolicy: [Never]"),
        ("completions: 4", "completions: four"),
    ],
)
def test_a_fault_in_a_manifest_is_seen(root: Path, tmp_path: Path, right: str, wrong: str) -> None:
    text = (root / "jtreg" / "ci" / "kubernetes.yaml").read_text()
    assert right in text
    file = tmp_path / "wrong.yaml"
    file.write_text(text.replace(right, wrong, 1))
    assert validate(file).returncode != 0


def test_the_manifests_mean_one_volume_and_one_run(root: Path) -> None:
    claim, *jobs = manifests(root)
    for job in jobs:
        spec = job["spec"]["template"]["spec"]
        assert spec["volumes"][0]["persistentVolumeClaim"]["claimName"] == claim["metadata"]["name"]
        (container,) = spec["containers"]
        assert container["volumeMounts"] == [{"name": "shared", "mountPath": "/shared"}]
        assert container["env"] == [{"name": "RUN", "value": "tls13-night"}]
    assert jobs[0]["spec"]["completions"] == SHARDS


class Pod:
    """A container's script in a shell, with `apt-get` and the kit replaced."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.volume = folder / "shared"
        (self.volume / "kit" / "scripts").mkdir(parents=True)
        (folder / "bin").mkdir()
        self._path = folder / "bin"
        self._folder = folder
        self._scripts = {
            job["metadata"]["name"]: job["spec"]["template"]["spec"]["containers"][0]["args"][0]
            for job in manifests(root)[1:]
        }
        self._program(folder / "bin" / "apt-get", "exit 0")

    def _program(self, path: Path, text: str) -> None:
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def run(self, job: str, host: str, code: int, index: int = 0) -> int:
        """The exit code of a try, in which the kit ends with `code`."""
        kit = self.volume / "kit" / "scripts" / "matrix"
        note = 'for out; do :; done; mkdir "$out" || exit 4; echo "$@" > "$out/arguments"'
        self._program(kit, f"{note}; exit {code}")
        script = self._scripts[f"tls13-night-{job}"].replace("/shared", str(self.volume))
        script = script.replace("/kit # ", "/kit # ").replace(" /kit", f" {self._folder}/{host}")
        environment = {
            "PATH": f"{self._path}{os.pathsep}{os.environ['PATH']}",
            "RUN": "tls13-night",
            "HOSTNAME": host,
            "JOB_COMPLETION_INDEX": str(index),
        }
        return subprocess.run(
            ["sh", "-ec", script], env=environment, check=False, timeout=60, cwd=self._folder
        ).returncode

    def shards(self) -> list[str]:
        return sorted(path.name for path in (self.volume / "tls13-night").glob("shard-*"))


def test_a_try_that_fails_does_not_hinder_the_next(root: Path, tmp_path: Path) -> None:
    pod = Pod(root, tmp_path)
    assert pod.run("shards", "pod-a", code=2) == 2
    assert pod.shards() == []
    assert pod.run("shards", "pod-b", code=0) == 0
    for index, code in ((1, 1), (2, 3), (3, 0)):
        assert pod.run("shards", f"pod-{index}", code, index) == 0
    assert pod.shards() == [f"shard-{n}" for n in range(SHARDS)]
    arguments = (pod.volume / "tls13-night" / "shard-3" / "arguments").read_text()
    assert f"--shard 4/{SHARDS} --out" in arguments
    assert pod.run("merge", "pod-m", code=1) == 1
    merged_arguments = (pod.volume / "tls13-night" / "merged" / "arguments").read_text()
    assert merged_arguments.count("/tls13-night/shard-") == SHARDS


def test_the_step_is_sound(root: Path) -> None:
    file = root / "jtreg" / "ci" / "github.yml"
    process = lint(file)
    assert (process.stdout, process.stderr, process.returncode) == ("", "", 0)
    workflow_text = (root / ".github" / "workflows" / "nightly.yml").read_text()
    pins = {match["action"]: match["ref"] for match in USES.finditer(workflow_text)}
    for match in USES.finditer(file.read_text()):
        assert pins[match["action"]] == match["ref"]
    inputs = YAML(typ="safe").load((root / "action.yml").read_text())["inputs"]
    steps = YAML(typ="safe").load(file.read_text())["jobs"]["kit"]["steps"]
    (step,) = (step for step in steps if step.get("id") == "kit")
    assert set(step["with"]) <= set(inputs)


def test_a_fault_in_the_step_is_seen(root: Path, tmp_path: Path) -> None:
    text = (root / "jtreg" / "ci" / "github.yml").read_text()
    file = tmp_path / "wrong.yml"
    file.write_text(text.replace("steps.kit.outputs", "steps.kti.outputs"))
    assert lint(file).returncode == 1
