# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The program behind `scripts/matrix`."""

import sys

from jdkmatrix.bootstrap import MACHINE_FAILED

try:
    from jdkmatrix.cli.signals import end_as_by_ctrl_c

    end_as_by_ctrl_c()
    from jdkmatrix.cli.app import main
except KeyboardInterrupt:
    print("matrix: interrupted", file=sys.stderr)
    sys.exit(MACHINE_FAILED)
except Exception as error:  # Python's own exit code 1 would mean that a JDK has regressed
    print(f"matrix: the kit cannot be loaded: {type(error).__name__}: {error}", file=sys.stderr)
    print(f"matrix: to fix it: remove {sys.prefix}, then try again", file=sys.stderr)
    sys.exit(MACHINE_FAILED)

sys.exit(main(sys.argv[1:]))
