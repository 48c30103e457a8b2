# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium that a test asks about a page, over the DevTools protocol on a pipe.

https://chromedevtools.github.io/devtools-protocol/: messages are JSON that ends with a NUL.
"""

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
_START_S = 60


def find_chromium() -> str | None:
    """The browser's path, None if the machine has none."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Chromium:
    """One tab. Events that came meanwhile are kept in `events`."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._requests = to_browser
        self._replies = os.fdopen(from_browser, "rb")
        self._number = 0
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = session["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: object) -> dict[str, Any]:
        """Ask, and wait for the answer. Raises AssertionError where Chromium refuses."""
        self._number += 1
        message: dict[str, object] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._requests, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                reply: dict[str, Any] = answer["result"]
                return reply
            self.events.append(answer)

    def open(self, page: Path, width: int = 1440, fragment: str = "") -> None:
        """Load a file into a window of that width, and wait for its load event."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=900,
            deviceScaleFactor=1,
            mobile=width < 700,
        )
        self.events.clear()
        self.call("Page.navigate", url="about:blank")
        self._wait_for("Page.loadEventFired")
        self.events.clear()
        self.call("Page.navigate", url=page.as_uri() + fragment)
        self._wait_for("Page.loadEventFired")

    def run_js(self, expression: str) -> Any:
        """What a JavaScript expression gives, a promise's value included."""
        reply = self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in reply, reply
        return reply["result"].get("value")

    def complaints(self) -> list[dict[str, Any]]:
        """Errors that the page caused, such as what its own policy forbade."""
        errors = [e for e in self.events if e.get("method") == "Runtime.exceptionThrown"]
        log_entries = [e for e in self.events if e.get("method") == "Log.entryAdded"]
        return errors + [e for e in log_entries if e["params"]["entry"]["level"] == "error"]

    def requests(self) -> list[str]:
        """Every address that was asked for."""
        requests = [e for e in self.events if e.get("method") == "Network.requestWillBeSent"]
        return [event["params"]["request"]["url"] for event in requests]

    def _wait_for(self, method: str) -> None:
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self._read())

    def _read(self) -> dict[str, Any]:
        text = bytearray()
        while (byte := self._replies.read(1)) != b"\0":
            assert byte, "Chromium has ended"
            text += byte
        message: dict[str, Any] = json.loads(text)
        return message


@contextmanager
def chromium(path: str, profile: Path) -> Iterator[Chromium]:
    """Start the browser with a profile of its own; it is ended with all its processes."""
    commands, to_browser = os.pipe()
    from_browser, answers = os.pipe()
    # It reads file descriptor 3 and writes 4.
    shell = f'exec "$0" "$@" 3<&{commands} 4>&{answers}'
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"]
    browser = subprocess.Popen(
        ["/bin/bash", "-c", shell, path, *options, f"--user-data-dir={profile}"],
        pass_fds=(commands, answers),
        start_new_session=True,
        stderr=subprocess.DEVNULL,
    )
    os.close(commands)
    os.close(answers)
    try:
        yield Chromium(to_browser, from_browser)
    finally:
        os.killpg(browser.pid, signal.SIGKILL)
        browser.wait(_START_S)
        os.close(to_browser)
