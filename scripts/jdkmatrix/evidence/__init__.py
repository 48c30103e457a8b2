# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Stage 5: what a cell left behind: outcome files, JFR digest, the sentence of cause."""
