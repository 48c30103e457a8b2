# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Are the cores those that this process may use, on every system?"""

import os

import pytest

from jdkmatrix.machine.cores import usable_cores
from jdkmatrix.records.provenance import machine_record


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no affinity here")
def test_cores_that_this_process_may_not_use_do_not_count() -> None:
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        assert usable_cores() == machine_record().cores == 1
    finally:
        os.sched_setaffinity(0, cores)


def test_where_the_system_cannot_tell_all_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert usable_cores() == machine_record().cores == os.cpu_count()
