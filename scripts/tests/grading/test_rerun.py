# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The command that measures a build again names the very JDKs that were compared."""

import pytest

from jdkmatrix.grading.rerun import rerun_command
from jdkmatrix.plan.blocks import copies_of
from jdkmatrix.records.record import OverlayRecord
from tests.flow.test_resumed_throughput import make_plan
from tests.report.conftest import make_build

OLD, NEW = make_build("temurin-17.0.7+7"), make_build("temurin-17.0.9+9")
LOCAL = NEW.model_copy(update={"id": f"{NEW.id}@jdk", "source": "local", "home": "/my jdk"})
PATCH = OverlayRecord(
    name="fix", option="--overlay-patch fix.diff", sha256="aa", java_options=(), note=""
)
MOVING = NEW.model_copy(update={"id": f"{NEW.id}@temurin-17", "entry": "temurin-17"})
LAID = NEW.model_copy(update={"id": f"{NEW.id}+overlay-fix", "overlay": PATCH})
LOCAL_LAID = LOCAL.model_copy(update={"id": f"{LOCAL.id}+overlay-fix", "overlay": PATCH})
BUILDS = {build.id: build for build in (OLD, NEW, LOCAL, MOVING, LAID, LOCAL_LAID)}
(COPY,) = copies_of(OLD.id, 1)
(LOCAL_COPY,) = copies_of(LOCAL.id, 1)
THROUGHPUT = "throughput --scenario reuse/brief --client "


@pytest.mark.parametrize(
    ("baseline", "build", "command"),
    [
        (OLD.id, NEW.id, f" --build {OLD.id} --build {NEW.id} --baseline {OLD.id} --blocks "),
        (OLD.id, MOVING.id, f" --build {OLD.id} --build temurin-17 --baseline {OLD.id} --blocks "),
        (MOVING.id, OLD.id, f" --build temurin-17 --build {OLD.id} --baseline temurin-17 "),
        (OLD.id, COPY, f" --build {OLD.id} --baseline {OLD.id} --copies 1 --blocks "),
        (LOCAL.id, LOCAL_COPY, " --jdk '/my jdk' --baseline '/my jdk' --copies 1 --blocks "),
        (NEW.id, LAID.id, f" --build {NEW.id} --overlay-patch fix.diff --blocks "),
        (LOCAL.id, LOCAL_LAID.id, " --jdk '/my jdk' --overlay-patch fix.diff --blocks "),
        (OLD.id, LOCAL.id, f" --build {OLD.id} --jdk '/my jdk' --baseline {OLD.id} --blocks "),
        (LOCAL.id, OLD.id, f" --jdk '/my jdk' --build {OLD.id} --baseline '/my jdk' --blocks "),
    ],
)
def test_the_jdks_that_were_compared(baseline: str, build: str, command: str) -> None:
    plan = make_plan(baseline=baseline, builds=(baseline, build))
    (comparison,) = plan.comparisons
    line = rerun_command(comparison, build, plan, BUILDS)
    assert command in line
    assert THROUGHPUT in line
