// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** Does the runtime image have a module? The header of the file says which it needs. */
final class Modules {
    private Modules() { }

    static void need(String className, String module) { }
}
