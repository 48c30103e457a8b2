# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The fake JVM of a load: `fake_load.py HOME ARGUMENTS...`. See conftest.py."""

import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

Behaviour = dict[str, Any]
VETOES = {
    "veto": ["Host far negotiated TLSv1.2, not TLSv1.3 alone."],
    "failing": ["Requests of group load failed: {SSLException=9}, the first with SSLException."],
}


def is_bad(home: Path, behaviour: Behaviour) -> bool:
    """Does the next sample of this build have its fault?"""
    return number_of_next(home) in behaviour.get("bad_samples", []) or bool(
        behaviour.get("always_bad")
    )


def number_of_next(home: Path) -> int:
    count = home / "count"
    return int(count.read_text()) + 1 if count.exists() else 1


def load(home: Path, behaviour: Behaviour, properties: Path) -> None:
    settings = dict(
        line.split("=", 1) for line in properties.read_text().splitlines() if "=" in line
    )
    out = Path(settings["out"])
    number = number_of_next(home)
    fault = behaviour.get("fault") if is_bad(home, behaviour) else None
    (home / "count").write_text(str(number))
    warm_up_requests = 0
    if "turns" in settings and not (fault and behaviour.get("unready")):
        warm_up_requests = take_turns(settings["turns"], fault, behaviour.get("per_turn", 100))
    if fault == "hang":
        time.sleep(60)
    if fault == "stopped":
        os.kill(os.getpid(), signal.SIGSTOP)
    if fault == "oom":
        print("Terminating due to java.lang.OutOfMemoryError: Java heap space")
        sys.exit(3)
    if fault == "no-file":
        sys.exit("Error: Could not find or load main class Load")
    if fault == "killed":
        child = subprocess.Popen(["sleep", "60"])
        (home / "child.pid").write_text(str(child.pid))
        os.kill(os.getpid(), signal.SIGKILL)
    if fault == "kill-services":
        for pid_file in home.parent.glob("*/service-*.pid"):
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(pid_file.stem.partition("-")[2]), signal.SIGKILL)
        time.sleep(0.2)
    if fault == "kill-peer":
        os.kill(int((home.parent / "peer.pid").read_text()), signal.SIGKILL)
        time.sleep(0.2)
    spread = behaviour.get("spread", 0.01)
    rate = behaviour.get("rate", 1000) * random.Random(f"{home.name}{number}").uniform(
        1 - spread, 1 + spread
    )
    is_cold = warm_up_requests < behaviour.get("compiled_after", 0)
    cpu_us = (
        behaviour.get("cpu_us", 100)
        * (3 if is_cold else 1)
        * random.Random(f"{number}{home}").uniform(0.99, 1.01)
    )
    version = "1.2.3" if fault == "wrong-jvm" else behaviour["runtime_version"]
    sample = {
        "schema": 1,
        "scenario": settings["scenario"],
        "client": settings["client"],
        "pacing": settings["pacing"],
        "jvm": {
            "version": version,
            "runtime_version": version,
            "vendor": behaviour["vendor"],
            "vm": "Fake",
            "pid": os.getpid(),
        },
        "warm_up_ms": 0,
        "void": "no TLSv1.3 in this JDK" if fault == "void" else None,
    }
    if fault == "void":
        (out / "sample.json").write_text(json.dumps(sample))
        sys.exit(3)
    sample |= {
        "measured_ms": 100.0,
        "groups": [
            {
                "name": "load",
                "measured": True,
                "threads": 2,
                "requests": 100,
                "requests_per_s": 0 if fault in ("idle", "failing") else rate,
                "longest_us": 50,
            }
        ],
        "requests": 100,
        "cpu_us_per_request": cpu_us,
        "hosts": [{"name": "far", "peer": {"connections": 3}, "relay": behaviour.get("relay")}],
        "protocol": "TLSv1.3",
        "warm_up_requests": warm_up_requests,
        "driver_cores": behaviour.get("driver_cores"),
        "vetoes": VETOES.get(fault or "", []),
    }
    (out / "sample.json").write_text(json.dumps(sample))


def take_turns(address: str, fault: str | None, per_turn: int) -> int:
    """Make so many requests a turn; return how many were made before the window."""
    host, _, port = address.partition(":")
    with (
        socket.create_connection((host, int(port))) as connection,
        connection.makefile("r") as answers,
    ):
        warm_up_requests = 0
        connection.sendall(b"ready 0\n")
        for answer in answers:
            if answer == "end\n" or fault == "no-file":
                return warm_up_requests
            warm_up_requests += per_turn if answer.startswith("warm-up") else 0
            connection.sendall(f"ready {warm_up_requests}\n".encode())
    sys.exit("nobody gives turns any more")


def main(home: Path, arguments: list[str]) -> None:
    behaviour = json.loads((home / "behaviour.json").read_text())
    (home / "arguments.json").write_text(json.dumps(arguments))
    load(home, behaviour, Path(arguments[-1]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
