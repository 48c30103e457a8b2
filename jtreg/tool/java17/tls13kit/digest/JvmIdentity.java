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
     * Matches the text of {@code java -Xinternalversion}. It has java.runtime.version in brackets,
     * after those of the vendor's own version if there is one, as with Azul.
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

    /** For a file without jdk.JVMInformation; null if unknown. */
    void setPid(Long known) {
        pid = known;
    }

    /** For a file without jdk.JVMInformation, or if that has none; null if unknown. */
    void setVersion(String known) {
        version = version == null ? known : version;
    }

    /** The java.runtime.version in a jvmVersion; the text if it is not found, as in those of other recorders. */
    static String runtimeVersion(String text) {
        Matcher runtime = RUNTIME.matcher(text == null ? "" : text);
        return runtime.find() ? runtime.group(1) : HotSpotVersion.ofJdk(text);
    }

    Long pid() {
        return pid;
    }

    Map<String, Object> toJson() {
        return Json.object("version", version, "name", name, "args", args);
    }
}
