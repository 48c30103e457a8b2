# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What every part needs of the machine: processes, files, locks, ports, cores."""
