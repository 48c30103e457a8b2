// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.Arrays;
import jdk.jfr.EventType;

/**
 * What is an event of this type to the digest, and which fields does it have? Asked once a type:
 * fields differ between JDKs, and a look-up by name for each event costs more than its parsing.
 *
 * @param use what to do with it
 * @param kind of what a holder may sit in, null for any other use than {@link Use#ACTIVITY}
 * @param hasAddress whether it tells which object is the lock
 * @param hasTimeout whether a park tells its length of at most
 * @param hasUntil whether a park tells its deadline
 */
record EventShape(Use use, Activity.Kind kind, boolean hasAddress, boolean hasTimeout,
        boolean hasUntil) {

    /** CPU_LOAD: of any thread that had run since the last one, and may have blocked meanwhile. */
    enum Use { JVM, SETTING, DUMP, CPU_LOAD, ACTIVITY, NONE }

    static EventShape of(EventType type) {
        Activity.Kind kind = Arrays.stream(Activity.Kind.values())
                .filter(one -> one.event.equals(type.getName())).findFirst().orElse(null);
        return new EventShape(use(type.getName(), kind), kind, has(type, "address"),
                has(type, "timeout"), has(type, "until"));
    }

    private static Use use(String event, Activity.Kind kind) {
        return switch (event) {
            case "jdk.JVMInformation" -> Use.JVM;
            case "jdk.ActiveSetting" -> Use.SETTING;
            case "jdk.ThreadDump" -> Use.DUMP;
            case "jdk.ThreadCPULoad" -> Use.CPU_LOAD;
            default -> kind == null ? Use.NONE : Use.ACTIVITY;
        };
    }

    private static boolean has(EventType type, String field) {
        return type.getField(field) != null;
    }
}
