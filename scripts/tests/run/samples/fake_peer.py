# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The fake JVM of a peer, relay or service: `fake_peer.py HOME ARGUMENTS...`. See conftest.py.

It starts often: what it does not import would take longer than its start.
"""

import json
import os
import sys

JVM = {"java": "runtime_version", "vendor": "vendor"}


def peer(behaviour: dict[str, str]) -> None:
    if behaviour.get("refuses"):
        sys.exit(f"BarePeer: {behaviour['refuses']}\n\tat Somewhere.java")
    if behaviour.get("says"):
        print(behaviour["says"], flush=True)
    else:
        print(behaviour.get("says_first", ""), end="")
        print(json.dumps(ready(behaviour, os.getpid())), flush=True)
    sys.stdin.read()


def ready(behaviour: dict[str, str], pid: int) -> dict[str, object]:
    jvm = {name: behaviour.get(key, "17") for name, key in JVM.items()}
    return {"ready": True, "port": 4433, "control": 4434, "pid": pid, **jvm}


def write(path: str, text: str) -> None:
    with open(path, "w") as file:  # noqa: PTH123
        file.write(text)


def main(home: str, arguments: list[str]) -> None:
    with open(f"{home}/behaviour.json") as file:  # noqa: PTH123
        behaviour = json.load(file)
    if "FakeService" in arguments:
        write(f"{home}/arguments.json", json.dumps(arguments))
        write(f"{home}/service-{os.getpid()}.pid", "")
    if "BarePeer" in arguments:
        write(f"{home}/../peer.pid", str(os.getpid()))
    peer(behaviour)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
