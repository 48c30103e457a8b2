// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;

/** Which JVM is this? */
final class Jvm {
    private Jvm() { }

    static Map<String, Object> identity() {
        String name = ManagementFactory.getRuntimeMXBean().getName();
        Map<String, Object> identity = new LinkedHashMap<>();
        identity.put("version", System.getProperty("java.version"));
        identity.put("runtime_version", System.getProperty("java.runtime.version"));
        identity.put("vendor", System.getProperty("java.vendor"));
        identity.put("vm", System.getProperty("java.vm.name"));
        identity.put("pid", Long.valueOf(name.substring(0, name.indexOf('@'))));
        return identity;
    }
}
