# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Stage 2, the builds: sources, download, verification, lock, cache, measured facts."""
