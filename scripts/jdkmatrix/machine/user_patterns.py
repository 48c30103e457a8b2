# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does a text have what a user's regular expression says? Some take for ever: `(a+)+$`.

So one that repeats anything is searched for in a process of its own, which has an end.
"""

import re
import signal
import sys
from functools import lru_cache

from jdkmatrix.errors import MachineError
from jdkmatrix.machine.processes import run
from jdkmatrix.machine.trees import scratch_folder

# Of CPU time: on a busy machine a search lasts longer by the clock. Of a pattern that backtracks
# little, one in the 1 MB that is read of an output takes less than a second.
MOST_S = 10
_STRETCH = 6
_MOST_KEPT = 64
_REPEATS = re.compile(r"[*+{]")
_HAS, _LACKS = 10, 11
_PROGRAM = f"""
import re, resource, sys, warnings
limit_s = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s + 1))
warnings.simplefilter("ignore")
pattern, text = (
    open(name, encoding="utf-8", errors="surrogatepass", newline="").read()
    for name in ("pattern", "text")
)
sys.exit({_HAS} if re.search(pattern, text, re.MULTILINE) else {_LACKS})
"""


class PatternSearches:
    """The searches for a user's patterns, of which one that took too long is not tried again."""

    def __init__(self, most_s: int = MOST_S) -> None:
        self._most_s = most_s
        self._slow_patterns: set[str] = set()
        # An output is judged as its cell ends, and again with all others.
        self._has = lru_cache(maxsize=_MOST_KEPT)(self._search)

    def has(self, pattern: str, text: str) -> bool | None:
        """Whether the text has a valid pattern, in one of its lines; None if that takes too long.

        Raises MachineError.
        """
        if not _REPEATS.search(pattern):
            return re.search(pattern, text, re.MULTILINE) is not None
        return None if pattern in self._slow_patterns else self._has(pattern, text)

    def _search(self, pattern: str, text: str) -> bool | None:
        with scratch_folder() as folder:
            for name, content in (("pattern", pattern), ("text", text)):
                (folder / name).write_bytes(content.encode("utf-8", "surrogatepass"))
            command = [sys.executable, "-I", "-S", "-c", _PROGRAM, str(self._most_s)]
            process = run(command, cwd=folder, timeout_s=_STRETCH * self._most_s)
        if process.is_late or process.code == -signal.SIGXCPU:
            self._slow_patterns.add(pattern)
            return None
        if process.code not in (_HAS, _LACKS):
            raise MachineError(f"searching for {pattern!r}: {process.errors.strip()[-200:]}")
        return process.code == _HAS
