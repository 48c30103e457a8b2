# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Cells: one test on one build, run by the kit itself or by jtreg."""
