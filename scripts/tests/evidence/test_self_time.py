# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which code took the CPU time, and where did that grow from one build to another?"""

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.evidence.digest import (
    Digester,
    FlameFrame,
    Jvm,
    Method,
    Recording,
    Timeline,
)
from jdkmatrix.evidence.self_time import Profile, package, where_it_grew
from jdkmatrix.machine.java_program import JavaProgram, recording_options
from jdkmatrix.paths import Checkout
from jdkmatrix.words.waiting import growth_phrase
from tests.conftest import FIXTURES
from tests.evidence.conftest import SHORT_LIVED

GHASH = "com.sun.crypto.provider.GHASH.processBlock"
AES = "com.sun.crypto.provider.AESCrypt.encryptBlock"
SIGN = "sun.security.ec.ECDSASignature.engineSign"
PARSE = "org.eclipse.jetty.http.HttpParser.next"


def profile(cpu_us: float, *methods: tuple[str, str, int]) -> Profile:
    recording = Recording(
        file="recording.jfr",
        pid=1,
        jvm=Jvm(version=None, name=None, args=None),
        start_epoch_ms=0,
        duration_ms=1000,
        finished=True,
        threads=1,
        settings={},
        waits=(),
        timeline=Timeline(bin_ms=1000, blocked_threads=()),
        self_time=tuple(
            Method.model_validate({"method": name, "part": part, "samples": count})
            for name, part, count in methods
        ),
        error=None,
    )
    return Profile(recording, cpu_us)


def phrase(old: Profile, new: Profile) -> str | None:
    growth = where_it_grew(old, new)
    return growth_phrase(growth) if growth else None


BASELINE = profile(100, (GHASH, "records", 40), (AES, "records", 40), (PARSE, "other", 120))


def test_the_part_and_the_method_that_grew_are_named() -> None:
    candidate = profile(200, (GHASH, "records", 130), (AES, "records", 20), (PARSE, "other", 50))
    assert phrase(BASELINE, candidate) == (
        "most of it in its records, 110 µs more per request, mainly GHASH.processBlock "
        "(130 µs by its samples, 20 before)"
    )


def test_the_handshake_is_told_from_records() -> None:
    candidate = profile(300, (SIGN, "handshake", 100), (GHASH, "records", 20), (PARSE, "other", 80))
    sentence = phrase(BASELINE, candidate)
    assert sentence
    assert sentence.startswith(
        "most of it in its handshake, 150 µs more per request, mainly ECDSASignature"
    )


def test_what_grew_outside_of_tls_is_not_blamed_on_it() -> None:
    candidate = profile(200, (GHASH, "records", 20), (AES, "records", 20), (PARSE, "other", 160))
    sentence = phrase(BASELINE, candidate)
    assert sentence
    assert sentence.startswith(
        "most of it in code that TLS is not part of, 100 µs more per request"
    )


def test_many_methods_that_grew_a_little_leave_the_part() -> None:
    spread = [(f"a.b.C.m{n}", "records", 10) for n in range(20)]
    sentence = phrase(BASELINE, profile(200, *spread))
    assert sentence == "most of it in its records, 160 µs more per request"


@pytest.mark.parametrize(
    "candidate",
    [
        profile(200, (GHASH, "records", 99)),
        profile(50, (GHASH, "records", 80), (PARSE, "other", 80)),
    ],
    ids=["few samples", "nothing grew"],
)
def test_else_nothing_is_said(candidate: Profile) -> None:
    assert phrase(BASELINE, candidate) is None


def test_shares_are_summed_by_package_the_largest_first() -> None:
    assert list(BASELINE.shares(package).items()) == [
        ("org.eclipse.jetty.http", 0.6),
        ("com.sun.crypto.provider", 0.4),
    ]
    assert package(Method(method="Main.run", part="other", samples=1)) == "Main"


PARTS = ("records", "handshake")
PART_MS = 500


@pytest.fixture(scope="module")
def real_recordings(
    digester: Digester, tool_jdk: Path, root: Path, tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, Recording]:
    """What is read of a real JVM that does nothing but one part of TLS, by the part."""
    checkout = Checkout(root)
    sources = FIXTURES / "tls"
    classes = JavaProgram(
        "TlsParts",
        sources,
        tool_jdk,
        cache_root() / "tests",
        main_files=(sources / "TlsParts.java",),
        libraries=(checkout.test_library,),
    ).compile()
    folder = tmp_path_factory.mktemp("parts")
    for part in PARTS:
        options = recording_options(
            checkout.execution_settings, str(folder / f"{part}.jfr"), delay_s=1
        )
        command = [str(tool_jdk / "bin" / "java"), *SHORT_LIVED, *options, "-cp", str(classes)]
        command += ["TlsParts", part, str(PART_MS)]
        subprocess.run(command, check=True, capture_output=True, timeout=60)
    read = digester.digest([folder / f"{part}.jfr" for part in PARTS]).readable
    return {Path(recording.file).stem: recording for recording in read}


@pytest.mark.jdk
@pytest.mark.parametrize("part", PARTS)
def test_a_real_recording_tells_records_from_handshakes(
    real_recordings: Mapping[str, Recording], part: str
) -> None:
    read = real_recordings[part]
    counts = dict.fromkeys(("records", "handshake", "other"), 0)
    for method in read.self_time:
        counts[method.part] += method.samples
    assert sum(counts.values()) >= 10
    assert max(counts, key=lambda name: counts[name]) == part, counts
    assert any("sun.security.ssl" in frame.frame for frame in read.flame)
    callers: list[FlameFrame] = []
    for frame in read.flame:  # each within its caller
        del callers[frame.depth :]
        assert len(callers) == frame.depth
        for caller in callers:
            assert caller.left_samples <= frame.left_samples
            ends = caller.left_samples + caller.samples
            assert frame.left_samples + frame.samples <= ends <= sum(counts.values())
        callers.append(frame)
