# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Stage 1: what is wanted: `jdks.yaml`, the ledger, the suite, versions. Knows no other stage."""
