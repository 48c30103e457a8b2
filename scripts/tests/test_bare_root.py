# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is mmdebstrap asked for, and what becomes of its answer? It is a stand-in here;
`test_real_bare_roots.py` has the real one.
"""

import subprocess
from pathlib import Path

import pytest

import bare_root
from jdkmatrix.supply.build import SourceError
from jdkmatrix.supply.sources.mirror import Mirror

MIRROR = Mirror(
    "http://mirror.example/debian",
    "http://mirror.example/debian-security",
    Path("keys.gpg"),
    ('Acquire::http::Proxy "http://proxy.example/";',),
)
# Keeps its arguments, and answers with these codes of the commands.
MMDEBSTRAP = """#!/bin/sh
for word; do
    echo "$word" >> {place}/arguments
    case $word in *"=download "*) printf '{codes}' > "${{word##* }}" ;; esac
done
exit {code}
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr("bare_root.machine_mirror", lambda: MIRROR)
    monkeypatch.setattr("bare_root.CHECKOUT", tmp_path / "checkout")
    git(tmp_path, "init", "-q", "checkout")
    git(tmp_path / "checkout", *GIT_USER, "commit", "-q", "--allow-empty", "-m", "a commit")
    return tmp_path


GIT_USER = ("-c", "user.name=nobody", "-c", "user.email=nobody@example.com")


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


def answers(place: Path, codes: str, code: int = 0) -> None:
    program = place / "mmdebstrap"
    program.write_text(MMDEBSTRAP.format(place=place, codes=codes, code=code))
    program.chmod(0o755)


@pytest.mark.parametrize(
    ("codes", "code", "ends"),
    [("0\\n0\\n", 0, 0), ("0\\n1\\n", 0, 1), ("", 0, 1), ("0\\n0\\n", 1, 2)],
    ids=["good", "a command fails", "none was run", "no root"],
)
def test_each_command_must_end_with_0(place: Path, codes: str, code: int, ends: int) -> None:
    answers(place, codes, code)
    assert bare_root.main(["trixie"]) == ends
    assert bare_root.main([]) == ends


def test_a_root_has_all_pockets_of_the_machines_mirror_and_its_settings(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers(place, "0\\n0\\n")
    monkeypatch.setenv("PIP_INDEX_URL", "http://index.example/it's")
    monkeypatch.setenv("https_proxy", "http://proxy.example")
    monkeypatch.setenv("SOME_TOKEN", "secret")
    assert bare_root.main(["--tests", "tests/supply -k 'a or b'", "trixie"]) == 0
    text = (place / "arguments").read_text()
    assert text.endswith(
        "trixie\n/dev/null\n"
        "deb http://mirror.example/debian trixie main\n"
        "deb http://mirror.example/debian trixie-updates main\n"
        "deb http://mirror.example/debian-security trixie-security main\n"
    )
    assert '--aptopt=Acquire::http::Proxy "http://proxy.example/";\n' in text
    assert "for command in scripts/matrix " in text
    assert "PIP_INDEX_URL=http://index.example/it" in text
    assert "https_proxy=http://proxy.example " in text
    assert "secret" not in text


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--nix"], "unrecognized arguments: --nix"),
        (["trxie"], "no suite 'trxie'; accepted: bookworm, trixie"),
        (["--tests", "'x"], "No closing quotation"),
    ],
)
def test_bad_arguments_are_one_line(
    place: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], line: str
) -> None:
    answers(place, "")
    assert bare_root.main(arguments) == 4
    assert capsys.readouterr().err == f"bare-root: {line}\n"
    assert not (place / "arguments").exists()


def test_what_the_machine_lacks_is_one_line(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_mirror() -> Mirror:
        raise SourceError("no Debian mirror")

    monkeypatch.setattr("bare_root.machine_mirror", no_mirror)
    answers(place, "")
    assert bare_root.main([]) == 2
    monkeypatch.setattr("bare_root.machine_mirror", lambda: MIRROR)
    git(place, "init", "-q", "empty")
    monkeypatch.setattr("bare_root.CHECKOUT", place / "empty")
    assert bare_root.main(["trixie"]) == 2
    monkeypatch.setenv("PATH", str(place / "nowhere"))
    assert bare_root.main([]) == 2
    assert capsys.readouterr().err == (
        "bare-root: no Debian mirror\n"
        "bare-root: no commit of this checkout to clone\n"
        "bare-root: no mmdebstrap on this machine; to fix it: install it\n"
    )
