# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The command that measures a build again names the very JDKs that were compared."""

import pytest

from jdkmatrix.grading.rerun import rerun_command
from jdkmatrix.plan.blocks import copies_of
from jdkmatrix.records.record import OverlayRecord
from tests.flow.test_resumed_throughput import compared
from tests.report.conftest import make_build

OLD, NEW = make_build("temurin-17.0.7+7"), make_build("temurin-17.0.9+9")
OWN = NEW.model_copy(update={"id": f"{NEW.id}@jdk", "source": "local", "home": "/my jdk"})
PATCH = OverlayRecord(
    name="fix", option="--overlay-patch fix.diff", sha256="aa", java_options=(), note=""
)
LAID = NEW.model_copy(update={"id": f"{NEW.id}+overlay-fix", "overlay": PATCH})
OWN_LAID = OWN.model_copy(update={"id": f"{OWN.id}+overlay-fix", "overlay": PATCH})
BUILDS = {one.id: one for one in (OLD, NEW, OWN, LAID, OWN_LAID)}
(COPY,) = copies_of(OLD.id, 1)
(OWN_COPY,) = copies_of(OWN.id, 1)
THROUGHPUT = "throughput --scenario reuse/brief --client "


@pytest.mark.parametrize(
    ("baseline", "build", "command"),
    [
        (OLD.id, NEW.id, f" --build {OLD.id} --build {NEW.id} --baseline {OLD.id} --blocks "),
        (OLD.id, COPY, f" --build {OLD.id} --baseline {OLD.id} --copies 1 --blocks "),
        (OWN.id, OWN_COPY, " --jdk '/my jdk' --baseline '/my jdk' --copies 1 --blocks "),
        (NEW.id, LAID.id, f" --build {NEW.id} --overlay-patch fix.diff --blocks "),
        (OWN.id, OWN_LAID.id, " --jdk '/my jdk' --overlay-patch fix.diff --blocks "),
        (OLD.id, OWN.id, f" --build {OLD.id} --jdk '/my jdk' --baseline {OLD.id} --blocks "),
        (OWN.id, OLD.id, f" --jdk '/my jdk' --build {OLD.id} --baseline '/my jdk' --blocks "),
    ],
)
def test_the_jdks_that_were_compared(baseline: str, build: str, command: str) -> None:
    plan = compared(baseline=baseline, builds=(baseline, build))
    (comparison,) = plan.comparisons
    told = rerun_command(comparison, build, plan, BUILDS)
    assert command in told
    assert THROUGHPUT in told
