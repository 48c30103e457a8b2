# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The stages of `matrix throughput` and `matrix validate`, put together."""
