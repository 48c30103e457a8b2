// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.lang.management.ManagementFactory;
import javax.management.AttributeNotFoundException;
import javax.management.JMException;
import javax.management.ObjectName;

/** How many file descriptors does this JVM have open? */
final class Descriptors {
    /** For the kit's own tests: a JVM that counts none. */
    private static final boolean COUNTED =
        !"off".equals(System.getProperty("descriptors.counted"));

    private Descriptors() { }

    /**
     * @throws CaseEnd as not applicable where the runtime image lacks the module jdk.management, or
     *     the system has no descriptors
     */
    static long open() throws JMException {
        try {
            return !COUNTED ? 0 : (Long) ManagementFactory.getPlatformMBeanServer().getAttribute(
                new ObjectName("java.lang:type=OperatingSystem"), "OpenFileDescriptorCount");
        } catch (AttributeNotFoundException e) {
            throw new CaseEnd(Outcome.NOT_APPLICABLE, "This runtime does not count descriptors.");
        }
    }
}
