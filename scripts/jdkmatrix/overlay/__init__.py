# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Stage 2, continued: a build with other classes laid over it is a build of its own."""
