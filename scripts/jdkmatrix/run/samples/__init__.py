# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Samples of throughput: load JVMs, their peers, and blocks of samples."""
