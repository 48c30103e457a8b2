// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.Arrays;
import jdk.jfr.EventType;

/**
 * What does the digest do with an event of this type, and which fields does it have? Found once for
 * each type: fields differ between JDKs, and to look one up by name for each event would cost more
 * than to parse the event.
 *
 * @param use what to do with it
 * @param kind the kind of activity; null for any use other than {@link Use#ACTIVITY}
 * @param hasAddress whether it has the address of the lock
 * @param hasTimeout whether it has the time limit of a park
 * @param hasUntil whether it has the deadline of a park
 */
record EventShape(Use use, Activity.Kind kind, boolean hasAddress, boolean hasTimeout,
        boolean hasUntil) {

    /** CPU_LOAD: the thread has run since the last one, but may be blocked by now. */
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
