# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The JDK regression test kit for TLS 1.3: reproducers over a matrix of JDK builds."""

__version__ = "0.1.0"
