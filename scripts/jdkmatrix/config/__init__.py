# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Stage 1, the configuration: `jdks.yaml`, ledger, suite, versions. Knows no other stage."""
