# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Of all that a run found, which exit code has it?"""

import pytest

from jdkmatrix.cli.run import exit_code
from jdkmatrix.errors import ExitCode
from jdkmatrix.grading.cases.kinds import with_cases
from jdkmatrix.results.document import BuildFault, BuildFaultKind
from jdkmatrix.vocabulary import Grade
from tests.report.conftest import make_cell, make_results

BUILD = "temurin-17.0.9+9"
FINE = make_cell(BUILD, "not-reproduced", "fixed")
BAD = make_cell(BUILD, "reproduced", "fixed")
SKIPPED = make_cell(BUILD, "not-applicable", "fixed")
OPEN = make_cell(BUILD, "inconclusive", "fixed")
ERROR = make_cell(BUILD, "error", "fixed")
BROKE = make_cell(BUILD, "error", "fixed", grade=Grade.BROKE)
REPLACED = BuildFault(
    build=BUILD, kind=BuildFaultKind.REPLACED, about="replaced", sentence="It is gone.", rerun="x"
)
PROMISE = REPLACED.model_copy(update={"kind": BuildFaultKind.BROKEN_PROMISE, "about": "tls13"})
LACKS_A_BUILD = make_results(FINE)
WHOLE = LACKS_A_BUILD.model_copy(update={"unavailable": ()})


@pytest.mark.parametrize(
    ("changes", "code", "strict_code"),
    [
        ({"cells": (FINE, SKIPPED)}, ExitCode.OK, ExitCode.MACHINE),
        ({"cells": (SKIPPED,)}, ExitCode.NOTHING_RAN, ExitCode.MACHINE),
        ({"cells": (FINE, BAD)}, ExitCode.SURPRISE, ExitCode.SURPRISE),
        ({"cells": (BAD,), "complete": False}, ExitCode.MACHINE, ExitCode.MACHINE),
        ({"cells": (FINE, OPEN)}, ExitCode.MACHINE, ExitCode.MACHINE),
        ({"cells": (FINE, ERROR)}, ExitCode.MACHINE, ExitCode.MACHINE),
        ({"cells": (ERROR, BAD)}, ExitCode.SURPRISE, ExitCode.SURPRISE),
        ({"cells": (FINE, BROKE)}, ExitCode.SURPRISE, ExitCode.SURPRISE),
        ({"cells": (FINE,), "build_faults": (REPLACED,)}, ExitCode.MACHINE, ExitCode.MACHINE),
        ({"cells": (FINE,), "build_faults": (PROMISE,)}, ExitCode.SURPRISE, ExitCode.SURPRISE),
    ],
    ids=[
        "fine",
        "skipped",
        "bad",
        "not complete",
        "inconclusive",
        "error",
        "error and bad",
        "crash",
        "replaced",
        "broken promise",
    ],
)
def test_without_a_build_strict_fails_what_is_not_worse(
    changes: dict[str, object], code: ExitCode, strict_code: ExitCode
) -> None:
    assert LACKS_A_BUILD.unavailable
    lacking = with_cases(LACKS_A_BUILD.model_copy(update=changes))
    assert exit_code(lacking, strict=False) is code
    assert exit_code(lacking, strict=True) is strict_code
    assert exit_code(with_cases(WHOLE.model_copy(update=changes)), strict=True) is code
