# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does `doctor` say of the jars, and does each mend name what is lacking?"""

from pathlib import Path

import pytest

from jdkmatrix.cli.app import main
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.supplier import Supplier

JARS = "jars of throughput and validate"


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The one folder of the PATH, empty; the cache is empty too."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("JDKMATRIX_CACHE", str(tmp_path / "cache"))
    return folder


def install(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)


def told(capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    code = main(["doctor"])
    return code, capsys.readouterr().out.splitlines()


def test_without_any_maven_the_jars_are_missing(
    tools: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, lines = told(capsys)
    assert code == 2
    (n,) = [n for n, line in enumerate(lines) if JARS in line]
    assert lines[n].startswith("missing")
    assert lines[n + 1].strip().startswith("to fix it: put Maven's mvn on the PATH, or get")


def test_either_maven_will_do(tools: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(tools, "apt-get", "dpkg-deb", "gpgv")
    _, lines = told(capsys)
    assert f"ok      {JARS}: scripts/matrix jdks fetch gets them by Debian's maven" in lines
    install(tools, "mvn")
    _, lines = told(capsys)
    assert f"ok      {JARS}: scripts/matrix jdks fetch gets them by {tools / 'mvn'}" in lines


@pytest.mark.jdk
def test_cached_jars_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    checkout = Checkout.here()
    where = Supplier.of(checkout, offline=False).jars(checkout).fetched()
    _, lines = told(capsys)
    assert f"ok      {JARS} {where}" in lines
