# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does `index.html` show of a run, and how is it drawn? Results in, one page out."""
