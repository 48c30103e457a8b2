# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which tools of the kit's own does a run use: jtreg with its timeout handler, and the digest?"""

from dataclasses import replace
from pathlib import Path

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.evidence.digest import Digester
from jdkmatrix.java_program import JavaProgram
from jdkmatrix.paths import Checkout
from jdkmatrix.run.jtreg import Jtreg


def jtreg_of(checkout: Checkout, home: Path, tool_jdk: Path, *, watched: bool) -> Jtreg:
    """The jtreg installed at `home`; not `watched` for a suite of the user's.

    Raises MachineError.
    """
    jtreg = Jtreg(home, tool_jdk, checkout.recording_settings)
    handler = JavaProgram(
        "timeout handler",
        checkout.timeout_sources,
        tool_jdk,
        cache_root() / "timeout",
        class_path=(jtreg.jar,),
    )
    return replace(jtreg, timeout_handler=handler.compiled(), watched=watched)


def digester_of(checkout: Checkout, tool_jdk: Path) -> Digester:
    """What reads recordings."""
    return Digester(checkout.digest_sources, tool_jdk, cache_root() / "digest")
