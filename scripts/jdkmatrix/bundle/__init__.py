# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a reporter attach to a JBS bug? A zip made from a run: one Java file, and the proof."""
