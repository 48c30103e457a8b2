# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which JDK has which HTTPS bug? Static pages, for whoever has a browser and not the kit."""
