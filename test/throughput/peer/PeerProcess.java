// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * How does the process of a peer or relay begin and end? It prints one line of JSON when it is
 * ready, and ends when its standard input does, so that a parent that dies leaves nothing behind.
 */
final class PeerProcess {
    private static final int BAD_ARGUMENTS = 4;
    private static final int BROKEN = 2;

    /** What runs in the process; it answers requests by the time that {@link #start} returns. */
    interface Program {
        /**
         * @return the port it answers on
         * @throws IllegalArgumentException for an argument that it cannot take
         */
        int start(Arguments arguments) throws Exception;

        Map<String, Long> counters();
    }

    private PeerProcess() { }

    /** Runs a program until the end of its input; a failure is one line and an exit code. */
    static void run(String[] args, Program program) throws IOException {
        String name = program.getClass().getSimpleName();
        try {
            int port = program.start(new Arguments(args));
            System.out.println(ready(port, program::counters));
        } catch (IllegalArgumentException e) {
            end(name + ": " + e.getMessage(), BAD_ARGUMENTS);
        } catch (Exception e) {
            end(name + " could not start: " + e, BROKEN);
        }
        while (System.in.read() >= 0) { }
        System.exit(0);
    }

    private static String ready(int port, Supplier<Map<String, Long>> counters)
            throws IOException {
        String jvm = ManagementFactory.getRuntimeMXBean().getName();
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("ready", true);
        line.put("port", port);
        line.put("control", new ControlPort(counters).port());
        line.put("pid", Long.valueOf(jvm.substring(0, jvm.indexOf('@'))));
        line.put("java", System.getProperty("java.runtime.version"));
        line.put("vendor", System.getProperty("java.vendor"));
        return Json.text(line);
    }

    private static void end(String message, int exitCode) {
        System.err.println(message);
        System.exit(exitCode);
    }
}
