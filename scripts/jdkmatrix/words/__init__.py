# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The sentences that people read, made from data: the same in console, page, Markdown and CI."""
