# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Stage 7: console, Markdown, HTML, JUnit, TAP, GitHub Actions."""
