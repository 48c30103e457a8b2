// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A peer or relay in a process of its own, on the JDK of {@code -Dpeer.java.home=} or this one. */
final class Child implements Closeable {
    private static final Pattern READY =
        Pattern.compile(".*\"port\": (\\d+), \"control\": (\\d+).*");

    final int port;
    final int control;
    private final Process process;

    /** @throws IOException if it does not report that it is ready; its stderr says why */
    Child(String mainClass, Map<String, String> arguments) throws IOException {
        String home = System.getProperty("peer.java.home", System.getProperty("java.home"));
        List<String> command = new ArrayList<>();
        Collections.addAll(command, home + "/bin/java", "-cp",
            System.getProperty("java.class.path"), mainClass);
        arguments.forEach((key, value) -> command.add(key + "=" + value));
        process = new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String line = new BufferedReader(new InputStreamReader(
            process.getInputStream(), StandardCharsets.US_ASCII)).readLine();
        Matcher ready = READY.matcher(String.valueOf(line));
        if (!ready.matches()) {
            process.destroy();
            throw new IOException(mainClass + " " + arguments + " did not start");
        }
        port = Integer.parseInt(ready.group(1));
        control = Integer.parseInt(ready.group(2));
    }

    /** Closes the input of the process, which ends it. */
    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
    }
}
