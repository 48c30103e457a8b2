// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/** How many objects of a class are alive? From the JVM's own class histogram, after a full GC. */
final class LiveObjects {
    private LiveObjects() { }

    /** @param className as Class.getName has it */
    static long count(String className) throws JMException {
        String histogram = (String) ManagementFactory.getPlatformMBeanServer().invoke(
            new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram",
            new Object[] {new String[0]}, new String[] {String[].class.getName()});
        for (String line : histogram.split("\n")) {
            // Number, instances, bytes, class, and on 9+ the module.
            String[] columns = line.trim().split("\\s+");
            if (columns.length >= 4 && columns[3].equals(className)) {
                return Long.parseLong(columns[1]);
            }
        }
        return 0;
    }
}
