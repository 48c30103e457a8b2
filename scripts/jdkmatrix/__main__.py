# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The program behind `scripts/matrix`."""

import sys

from jdkmatrix.cli.app import main
from jdkmatrix.cli.signals import end_as_by_ctrl_c

end_as_by_ctrl_c()
sys.exit(main(sys.argv[1:]))
