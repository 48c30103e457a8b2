# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a name that is nearly right told, and the system's reason?"""

import errno

import pytest

from jdkmatrix.errors import UsageError, suggest, translate_os_errors

BUILDS = ("debian-17", "temurin-17.0.3+7", "temurin-17.0.9+9")
BUGS = ("JDK-8293562", "JDK-8256818")
TESTS = ("keepalive/RequestsQueueWhenCacheIsFull.java", "tls13/CloseInboundLosesSession.java")


@pytest.mark.parametrize(
    ("text", "names", "guess"),
    [
        ("temurin-17.0.9", BUILDS, "temurin-17.0.9+9"),
        ("debain-17", BUILDS, "debian-17"),
        ("8293652", BUGS, "JDK-8293562"),
        ("RequestQueueWhenCacheFull", TESTS, TESTS[0]),
        ("tls13/CloseInboundLosesSesion.java", TESTS, TESTS[1]),
        ("nix", BUILDS, None),
        ("", BUILDS, None),
        ("x" * 100_000, BUILDS, None),
    ],
)
def test_the_nearest_name_is_told_first(
    text: str, names: tuple[str, ...], guess: str | None
) -> None:
    listing = f"accepted: {', '.join(names)}"
    assert suggest(text, names) == (f"did you mean {guess}?" if guess else listing)


def test_a_long_list_is_cut() -> None:
    names = [f"keepalive/Symptom{number:03}.java" for number in range(200)]
    assert suggest("keepalive/Symptom199.jaav", names) == "did you mean keepalive/Symptom199.java?"
    assert suggest("nix", names).endswith("Symptom007.java and 192 more")


def test_what_a_file_says_does_not_fill_the_terminal() -> None:
    assert len(str(UsageError("x" * 100_000))) == 4_000
    assert str(UsageError("x: wrong")) == "x: wrong"


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "no space"), OSError("no space")])
def test_an_os_error_is_told_with_or_without_its_number(error: OSError) -> None:
    with (
        pytest.raises(UsageError, match=r"^cells: no space$"),
        translate_os_errors(UsageError, "cells"),
    ):
        raise error
