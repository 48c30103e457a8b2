# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a file away for a moment while it, or a folder above it, is replaced?"""

import threading
from collections.abc import Callable
from pathlib import Path


def looks_while(path: Path, replace: Callable[[], object], times: int) -> list[bool]:
    """Was it there, each time that a thread looked, without a pause, while it was replaced?"""
    looks: list[bool] = []
    end = threading.Event()

    def look() -> None:
        while not end.is_set():
            looks.append(path.exists())

    looker = threading.Thread(target=look)
    looker.start()
    try:
        for _ in range(times):
            replace()
    finally:
        end.set()
        looker.join()
    return looks
