# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The workflows and the action are sound: by actionlint, ShellCheck and zizmor. Every action that
they use is a commit, every container a digest.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

USES = re.compile(r"uses: (?P<action>\S+?)@(?P<ref>\S+)(?P<comment>.*)")
PINNED = re.compile(r"[0-9a-f]{40}")


def lint(*files: Path) -> subprocess.CompletedProcess[str]:
    tools = Path(sys.executable).parent
    command = [str(tools / "actionlint"), "-no-color", *map(str, files)]
    offline = {"HTTPS_PROXY": "http://127.0.0.1:1", "HTTP_PROXY": "http://127.0.0.1:1"}
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"  # where it looks for ShellCheck
    environment = {**os.environ, **offline, "PATH": path}
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=60, env=environment
    )


def workflows(root: Path) -> list[Path]:
    return sorted((root / ".github" / "workflows").glob("*.yml"))


def test_every_workflow_passes(root: Path) -> None:
    files = workflows(root)
    assert [file.name for file in files] == ["ci.yml", "nightly.yml"]
    process = lint(*files)
    assert (process.stdout, process.stderr, process.returncode) == ("", "", 0)


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("needs: plan", "needs: paln", 'needs job "paln"'),
        ("steps.compare.outputs", "steps.compared.outputs", '"compared"'),
        ("ISSUE: ${{ vars.NIGHTLY_ISSUE }}\n", "ISSUE: ${{ vers.X }}\n", '"vers"'),
        ('"$ISSUE" --repo', "$ISSUE --repo", "SC2086"),
    ],
)
def test_a_fault_in_a_workflow_is_seen(
    root: Path, tmp_path: Path, right: str, wrong: str, message: str
) -> None:
    text = (root / ".github" / "workflows" / "nightly.yml").read_text()
    assert right in text
    faulty_file = tmp_path / "broken.yml"
    faulty_file.write_text(text.replace(right, wrong))
    process = lint(faulty_file)
    assert process.returncode == 1
    assert message in process.stdout


def test_every_action_is_a_commit_with_its_release_beside(root: Path) -> None:
    commits: dict[str, str] = {}
    for file in workflows(root):
        for match in USES.finditer(file.read_text()):
            assert PINNED.fullmatch(match["ref"]), match[0]
            assert re.fullmatch(r" # v\d+\.\d+\.\d+", match["comment"]), match[0]
            action = "/".join(match["action"].split("/")[:2])
            assert commits.setdefault(action, match["ref"]) == match["ref"], f"two of {action}"
    assert set(commits) == {
        "actions/cache",
        "actions/checkout",
        "actions/download-artifact",
        "actions/upload-artifact",
    }


def test_every_container_is_one_digest_with_its_release_beside(root: Path) -> None:
    digests = re.findall(
        r"\n +(?:container|image): (\S+)\n", "".join(map(Path.read_text, workflows(root)))
    )
    assert len(digests) == 5
    assert re.fullmatch(r"debian:\d+\.\d+@sha256:[0-9a-f]{64}", "|".join(set(digests)))


def audit(root: Path) -> subprocess.CompletedProcess[str]:
    """What zizmor says of the workflows and the action under `root`, offline."""
    tool = str(Path(sys.executable).with_name("zizmor"))
    command = [tool, "--offline", "--no-progress", "--quiet", "--color=never", str(root)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def copy_workflows(root: Path, place: Path) -> Path:
    """The workflows and the action alone."""
    (place / ".github" / "workflows").mkdir(parents=True)
    for file in (*workflows(root), root / "action.yml"):
        shutil.copy(file, place / file.relative_to(root))
    return place


def test_the_workflows_and_the_action_are_safe(root: Path, tmp_path: Path) -> None:
    process = audit(copy_workflows(root, tmp_path))
    assert process.returncode == 0, process.stdout


@pytest.mark.parametrize(
    ("file", "right", "wrong", "message"),
    [
        ("action.yml", "in $BUGS; do", "in ${{ inputs.bugs }}; do", "template-injection"),
        (
            ".github/workflows/nightly.yml",
            "${{ !inputs.builds && !inputs.bugs && ':full' || '' }}",
            "${{ (inputs.builds || inputs.bugs) && '' || ':full' }}",
            "unsound-ternary",
        ),
        (
            ".github/workflows/ci.yml",
            "actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0",
            "actions/checkout@v5",
            "unpinned-uses",
        ),
    ],
)
def test_what_is_unsafe_is_seen(
    root: Path, tmp_path: Path, file: str, right: str, wrong: str, message: str
) -> None:
    place = copy_workflows(root, tmp_path) / file
    text = place.read_text()
    assert right in text
    place.write_text(text.replace(right, wrong))
    process = audit(tmp_path)
    assert process.returncode != 0
    assert message in process.stdout
