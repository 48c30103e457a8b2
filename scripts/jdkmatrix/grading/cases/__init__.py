# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The cases of a run: one module for each kind of finding, and the table of kinds."""
