# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The program behind `scripts/matrix`."""

import gc
import signal
import sys
from contextlib import suppress

_MACHINE_FAILED = 2
# New objects until Python looks for garbage, of which the kit makes little: 700 by default, so that
# loading some 80,000, which stay, took a tenth of a start.
_LOOK_FOR_GARBAGE_EVERY = 100_000


def _end(code: int) -> None:
    """End with this exit code. `python -m` ends by SIGINT, whatever the code, if the last text that
    it ran was interrupted, such as that of a dataclass (`run_eval_code_obj` of Python 3.11). While
    Python ends it has no handler of its own: what comes then comes too late to change the code.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(MemoryError):
        eval("0")
    sys.exit(code)


gc.set_threshold(_LOOK_FOR_GARBAGE_EVERY)
try:
    from jdkmatrix.surroundings import settle_streams

    settle_streams()
    from jdkmatrix.cli.signals import end_as_by_ctrl_c

    end_as_by_ctrl_c()
    from jdkmatrix.cli.app import main, with_output
except KeyboardInterrupt:
    print("matrix: interrupted", file=sys.stderr)
    _end(_MACHINE_FAILED)
except Exception as error:  # Python's own exit code 1 would mean that a JDK has regressed
    print(f"matrix: the kit cannot be loaded: {type(error).__name__}: {error}", file=sys.stderr)
    is_short = isinstance(error, MemoryError) or "failed to map segment" in str(error)
    remedy = "allow more memory" if is_short else f"remove {sys.prefix}, then try again"
    print(f"matrix: to fix it: {remedy}", file=sys.stderr)
    _end(_MACHINE_FAILED)

_end(with_output(main(sys.argv[1:])))
