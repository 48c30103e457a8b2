# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs few builds of a train to find where a bug came or went; drives the other stages."""
