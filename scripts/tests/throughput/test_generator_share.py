# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How much of a load JVM's CPU is the load generator's own, not the client library's under test?

The answer for longer than a test may take, with the places that it goes to:
`SHARE_MEASURE_MS=120000 scripts/test tests/throughput/test_generator_share.py -s`
"""

import json
import math
import os
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.throughput.load_kit import TIMEOUT_S, Java

pytestmark = [pytest.mark.jdk, pytest.mark.network]

MOST_SHARE = 0.05
MEASURE_MS = int(os.environ.get("SHARE_MEASURE_MS", "5000"))
MOST_JVMS = 4  # beside other work one may leave too few samples
WARM_UP_MS = 2000
THREADS = 8  # as the scenario `reuse`, in which they do not pause either
# One standard error of a share of 5 % is then 1 %.
LEAST_SAMPLES = 475
SETTINGS = """\
<?xml version="1.0" encoding="UTF-8"?>
<configuration version="2.0">
  <!-- 1 ms, the shortest: only threads that run Java code are sampled, not those in a read. -->
  <event name="jdk.ExecutionSample">
    <setting name="enabled">true</setting><setting name="period">1 ms</setting>
  </event>
</configuration>
"""
LIBRARY = ("java.net.", "javax.net.", "sun.net.", "sun.security.")

# Class and method, the top one first.
Stack = Sequence[tuple[str, str]]


def own_place(stack: Stack) -> str | None:
    """Where in the load generator a sample is; None if it is in the library under test.

    That is told by the frame that our topmost one called: what the library calls in turn is its
    own cost. Our classes, and no others, have no package. A thread without one of ours is the
    library's: the cache's timer.
    """
    for n, (name, method) in enumerate(stack):
        if "." not in name:
            frame = stack[n - 1][0] if n else ""
            return None if frame.startswith(LIBRARY) else f"{name}.{method} {frame}".strip()
    return None


def is_load(stack: Stack) -> bool:
    """Is a sample of the load? Not if of Flight Recorder, or of what comes after the window."""
    names = {name for name, _ in stack}
    if any(name.startswith("jdk.jfr.") for name in names):
        return False
    return "Worker" in names or all("." in name for name in names)


def read_stacks(java_home: Path, recording: Path) -> list[Stack]:
    """The stacks of all samples of the load."""
    command = ["print", "--json", "--stack-depth", "96", "--events", "jdk.ExecutionSample"]
    output = subprocess.run(
        [str(java_home / "bin" / "jfr"), *command, str(recording)],
        capture_output=True,
        timeout=TIMEOUT_S,
        check=True,
    ).stdout
    stacks: list[Stack] = []
    for event in json.loads(output)["recording"]["events"]:
        frames = event["values"]["stackTrace"]["frames"]
        methods = [frame["method"] for frame in frames]
        stack = [(method["type"]["name"].replace("/", "."), method["name"]) for method in methods]
        if is_load(stack):
            stacks.append(stack)
    return stacks


@pytest.mark.parametrize(
    ("stack", "place"),
    [
        ([("java.lang.Math", "max"), ("Tally", "took")], "Tally.took java.lang.Math"),
        ([("Worker", "run"), ("java.lang.Thread", "run")], "Worker.run"),
        ([("java.lang.Math", "max"), ("java.net.URL", "openConnection"), ("X", "exchange")], None),
        ([("sun.net.www.http.KeepAliveCache", "run")], None),
    ],
)
def test_a_sample_is_put_where_it_belongs(stack: Stack, place: str | None) -> None:
    assert is_load([*stack, ("Worker", "run")])
    assert own_place(stack) == place


def test_what_comes_after_the_window_is_no_load() -> None:
    assert not is_load([("java.io.PrintStream", "format"), ("HdrLatencies", "log")])
    assert not is_load([("jdk.jfr.internal.PlatformRecorder", "takeNap")])


def stacks_of_load(java: Java, measure_ms: int) -> list[Stack]:
    """What is sampled of a JVM that asks as fast as it can."""
    settings = {
        "warm_up_ms": WARM_UP_MS,
        "measure_ms": measure_ms,
        "group.load.threads": THREADS,
        "group.load.think_ms": 0,
        "expect.max_new_connections_per_1000_requests": 1,
    }
    jfc, recording = java.folder / "samples.jfc", java.folder / "samples.jfr"
    jfc.write_text(SETTINGS)
    program, *arguments = java.sample_command(java.peer(), settings)
    options = [
        f"-Dhttp.maxConnections={THREADS}",
        f"-XX:StartFlightRecording=settings={jfc},filename={recording},delay={WARM_UP_MS // 1000}s",
    ]
    subprocess.run(
        [program, *options, *arguments],
        capture_output=True,
        timeout=TIMEOUT_S + (WARM_UP_MS + measure_ms) / 1000,
        check=True,
    )
    java.close()
    sample = java.read()
    assert (sample["vetoes"], sample["void"]) == ([], None)
    print(f"\n{sample['groups'][0]['requests_per_s']} requests/s")
    return read_stacks(java.home, recording)


def test_the_generator_takes_little_of_the_cpu(java: Java) -> None:
    stacks: list[Stack] = []
    measure_ms = MEASURE_MS
    for _ in range(MOST_JVMS):
        new_stacks = stacks_of_load(java, measure_ms)
        stacks += new_stacks
        if len(stacks) >= LEAST_SAMPLES:
            break
        # Half as long again as those that lack would take.
        lacking = (LEAST_SAMPLES - len(stacks)) / max(1, len(new_stacks))
        measure_ms = max(1000, min(MEASURE_MS, round(1.5 * lacking * measure_ms)))
    own_counts = Counter(place for stack in stacks if (place := own_place(stack)))
    share = own_counts.total() / len(stacks)
    error = math.sqrt(share * (1 - share) / len(stacks))
    print(f"own share {share:.2%} of {len(stacks)} samples, standard error {error:.2%}")
    for place, count in own_counts.most_common(12):
        print(f"{count / len(stacks):7.2%}  {place}")
    if len(stacks) < LEAST_SAMPLES:
        pytest.skip(f"{len(stacks)} samples, as others had the CPU: too few to tell")
    assert share <= MOST_SHARE + 2 * error  # no more above it than by chance
