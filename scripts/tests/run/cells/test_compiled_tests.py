# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What becomes of tests whose jars can't be had?"""

from pathlib import Path
from typing import NoReturn

import pytest

from jdkmatrix.errors import LackingError, MachineError
from jdkmatrix.paths import Checkout
from jdkmatrix.run.cells.compiled_tests import othervm_of
from jdkmatrix.run.cells.othervm import OtherVm

TEST = "interop/QuickRows.java"
LACK = "jars: no mvn on this machine's PATH, and no apt-get on this machine"


def othervm(root: Path, error: MachineError) -> OtherVm:
    """The runner where getting a jar ends so."""

    def no_jars(_: str) -> NoReturn:
        raise error

    return othervm_of(Checkout(root), [TEST], Path("/nix"), 1.0, no_jars, Path)


def test_they_are_left_out_where_no_jar_can_be_had(root: Path) -> None:
    assert othervm(root, LackingError(LACK)).tests[TEST].lacks == LACK


def test_jars_that_only_failed_to_come_end_the_run(root: Path) -> None:
    with pytest.raises(MachineError, match=r"^jars: mvn: exit code 1$"):
        othervm(root, MachineError("jars: mvn: exit code 1"))
