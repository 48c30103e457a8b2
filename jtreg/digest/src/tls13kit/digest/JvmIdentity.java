// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordedEvent;

/** Which JVM made the recording? From jdk.JVMInformation, which each chunk repeats. */
final class JvmIdentity {
    /**
     * The text is that of {@code java -Xinternalversion}; java.runtime.version is in brackets, after
     * those of the vendor's own version where there is one: Azul's.
     */
    private static final Pattern RUNTIME =
            Pattern.compile("\\bJRE (?:\\([^)]*\\) )*?\\((\\d[^)]*)\\)");

    private Long pid;
    private String version;
    private String name;
    private String args;

    /** Takes a jdk.JVMInformation. */
    void accept(RecordedEvent event) {
        pid = event.hasField("pid") ? (Long) event.getLong("pid") : null;
        name = event.getString("jvmName");
        args = event.getString("jvmArguments");
        version = runtimeVersion(event.getString("jvmVersion"));
    }

    /** For files that tell nothing else. */
    void setPid(Long known) {
        pid = known;
    }

    /** Of a file that tells nothing else; null for unknown. */
    void setVersion(String known) {
        version = known;
    }

    /** The java.runtime.version in a jvmVersion; all of the text where it is not found. */
    static String runtimeVersion(String text) {
        Matcher runtime = RUNTIME.matcher(text == null ? "" : text);
        return runtime.find() ? runtime.group(1) : text;
    }

    Long pid() {
        return pid;
    }

    Map<String, Object> toJson() {
        return Json.object("version", version, "name", name, "args", args);
    }
}
