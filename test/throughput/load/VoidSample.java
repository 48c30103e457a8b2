// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** Why is there no measurement? Ends a sample; its message is the reason. */
final class VoidSample extends Exception {
    private static final long serialVersionUID = 1;

    VoidSample(String reason) {
        super(reason);
    }
}
