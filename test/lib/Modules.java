// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** Does this runtime image have the module that a reproducer is about? */
final class Modules {
    private Modules() { }

    /**
     * @param className a class of the module
     * @throws CaseEnd as not applicable where the runtime image lacks it
     */
    static void need(String className, String module) {
        try {
            Class.forName(className);
        } catch (ClassNotFoundException e) {
            throw new CaseEnd(Outcome.NOT_APPLICABLE, "This runtime has no module " + module + ".");
        }
    }
}
