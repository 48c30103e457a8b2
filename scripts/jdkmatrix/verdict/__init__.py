# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Stage 6: outcome against expectation. Pure: no files, no clock, no processes."""
