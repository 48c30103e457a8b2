// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** How many objects of a class are alive? From the JVM's own class histogram, after a full GC. */
final class LiveObjects {
    private LiveObjects() { }

    /**
     * @param className as returned by Class.getName
     * @throws CaseEnd as not applicable where the runtime image lacks the module jdk.management
     */
    static long count(String className) throws JMException {
        for (String line : histogram().split("\n")) {
            // Number, instances, bytes, class, and on 9+ the module.
            String[] columns = line.trim().split("\\s+");
            if (columns.length >= 4 && columns[3].equals(className)) {
                return Long.parseLong(columns[1]);
            }
        }
        return 0;
    }

    private static String histogram() throws JMException {
        ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        if (!server.isRegistered(commands)) {
            throw new CaseEnd(Outcome.NOT_APPLICABLE,
                "This runtime has no module jdk.management, so its objects cannot be counted.");
        }
        return (String) server.invoke(commands, "gcClassHistogram",
            new Object[] {new String[0]}, new String[] {String[].class.getName()});
    }
}
