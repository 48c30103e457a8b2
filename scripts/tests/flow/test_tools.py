# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a run go on without?"""

from dataclasses import replace
from pathlib import Path

import pytest

from jdkmatrix.errors import UsageError
from jdkmatrix.flow.tools import Tools
from jdkmatrix.paths import Checkout
from tests.flow.run_kit import PLAIN


def with_java(home: Path, script: str) -> Path:
    """A JDK whose `java` is a shell script."""
    java = home / "bin" / "java"
    java.parent.mkdir()
    java.write_text(f"#!/bin/sh\n{script}\n")
    java.chmod(0o755)
    return home


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (
            "echo 'Error occurred during initialization of VM'; echo 'Could not reserve it';"
            " echo 'Error: Could not create the Java Virtual Machine.'; exit 1",
            "Error occurred during initialization of VM: Could not reserve it",
        ),
        ("echo 'java: error while loading shared libraries' >&2; exit 127", "java: error while"),
    ],
)
def test_of_a_build_whose_jvm_does_not_start_here_nothing_else_counts(
    script: str, reason: str, tmp_path: Path
) -> None:
    """Even if it has said what it is: that may be of another day."""
    build = replace(PLAIN, home=with_java(tmp_path, script))
    answers = Tools(Checkout.current()).ask(build, PLAIN, lambda text: None, defaults=False)
    assert answers.keys() == {"refusal"}
    assert str(answers["refusal"]).startswith(f"Its JVM does not start: {reason}")


def test_options_with_which_no_jvm_starts_are_a_mistake(tmp_path: Path) -> None:
    script = 'case "$*" in *-XX:Bad*) echo "Unrecognized VM option \'Bad\'"; exit 1;; esac'
    build = replace(PLAIN, home=with_java(tmp_path, script))
    tools = Tools(Checkout.current())
    tools.check_options(build, ["-XX:Good"])
    with pytest.raises(UsageError) as mistake:
        tools.check_options(build, ["-Dtext=a b", "-XX:Bad"])
    assert str(mistake.value) == (
        f"--java-option='-Dtext=a b' --java-option=-XX:Bad: the JVM of {PLAIN.id} does not start: "
        "Unrecognized VM option 'Bad'; accepted: options of java that each build has, without a "
        "class or jar"
    )


def test_options_are_not_blamed_for_a_jvm_that_never_starts(tmp_path: Path) -> None:
    build = replace(PLAIN, home=with_java(tmp_path, "exit 1"))
    Tools(Checkout.current()).check_options(build, ["-XX:Bad"])


def test_a_build_that_cannot_be_asked_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JDKMATRIX_CACHE", str(tmp_path))
    notices: list[str] = []
    tool_jdk = replace(PLAIN, home=Path("/nix"))
    build = replace(PLAIN, home=with_java(tmp_path, "exit 0"))
    assert Tools(Checkout.current()).ask(build, tool_jdk, notices.append, defaults=False) == {}
    assert notices == [
        f"{PLAIN.id}: could not be queried: compiling the facts: the tool JDK has no /nix/bin/javac"
    ]
