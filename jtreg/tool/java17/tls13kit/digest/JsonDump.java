// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import tls13kit.digest.ThreadDump.Dumped;
import tls13kit.digest.ThreadDump.Target;

/**
 * What does a dump by {@code jcmd PID Thread.dump_to_file -format=json} say? Since 25 it names
 * locks and the owners of monitors, since 26 also the owners of other locks (in 25u: 25.0.4.1 does,
 * 25.0.2 does not). Virtual threads are among its threads.
 */
final class JsonDump {
    private static final Pattern BEGIN = Pattern.compile("\\s*\\{\\s*\"threadDump\"");
    private static final String SLEEP = "java.lang.Thread.sleep";

    private JsonDump() {}

    /** The dump in a text, or null if it is none. Throws IOException with a one-line message. */
    static DumpFile read(Path file, String text) throws IOException {
        if (!BEGIN.matcher(text).lookingAt()) {
            return null;
        }
        Object document = JsonReader.read(text);
        try {
            Map<?, ?> dump = (Map<?, ?>) ((Map<?, ?>) document).get("threadDump");
            List<Dumped> threads = threads(dump);
            long atNs = Instant.parse((String) dump.get("time")).toEpochMilli() * 1_000_000;
            ThreadDump read = new ThreadDump(
                    threads, List.of(), (String) dump.get("runtimeVersion"), true,
                    (int) threads.stream().filter(one -> one.stack().frames.isEmpty()
                            && ThreadDump.isInCall(one.state())).count(), 0);
            return new DumpFile(file, List.of(new DumpFile.Timed(atNs, read)), false,
                    "process " + dump.get("processId"));
        } catch (RuntimeException e) {
            // A field is missing, or of another type than a JDK writes.
            throw new IOException("is no thread dump in JSON as a JDK writes it");
        }
    }

    private static List<Dumped> threads(Map<?, ?> dump) throws IOException {
        List<Dumped> threads = new ArrayList<>();
        Map<Target, Long> owners = new HashMap<>();
        for (Object container : (List<?>) dump.get("threadContainers")) {
            for (Object one : (List<?>) ((Map<?, ?>) container).get("threads")) {
                threads.add(thread((Map<?, ?>) one, owners));
            }
        }
        owners.forEach((lock, owner) -> threads.stream().filter(one -> one.thread() == owner)
                .forEach(one -> one.lockedAt().putIfAbsent(lock.address(), ThreadDump.SOMEWHERE)));
        return threads;
    }

    private static Dumped thread(Map<?, ?> one, Map<Target, Long> owners) throws IOException {
        if (!one.containsKey("state")) {
            throw new IOException("is a JSON dump that names no locks, as they do since 25; "
                    + "accepted before: jcmd PID Thread.print -l");
        }
        List<String> frames = new ArrayList<>();
        for (Object frame : (List<?>) one.get("stack")) {
            frames.add(frame((String) frame));
        }
        Target wants = null;
        String doing = "";
        if (one.get("blockedOn") instanceof String monitor) {
            wants = target(true, monitor);
        } else if (one.get("waitingOn") != null) {
            doing = " (on object monitor)";
        } else if (one.get("parkBlocker") instanceof Map<?, ?> blocker) {
            doing = " (parking)";
            Target lock = target(false, (String) blocker.get("object"));
            wants = LockClasses.isLock(lock.className()) ? lock : null;
            if (blocker.get("owner") instanceof String owner) {
                owners.put(lock, Long.parseLong(owner));
            }
        } else if (frames.contains(SLEEP)) {
            doing = " (sleeping)";
        }
        return new Dumped((String) one.get("name"), Long.parseLong((String) one.get("tid")),
                ThreadDump.UNKNOWN_MS, ThreadDump.UNKNOWN_MS, one.get("state") + doing,
                new CallStack(List.copyOf(frames)), wants, locked(one));
    }

    private static Map<String, Integer> locked(Map<?, ?> one) {
        Map<String, Integer> lockedAt = new HashMap<>();
        if (one.get("monitorsOwned") instanceof List<?> owned) {
            for (Object at : owned) {
                int depth = Integer.parseInt((String) ((Map<?, ?>) at).get("depth"));
                ((List<?>) ((Map<?, ?>) at).get("locks"))
                        .forEach(lock -> lockedAt.put((String) lock, depth));
            }
        }
        lockedAt.remove("null"); // a lock that escape analysis has removed
        return lockedAt;
    }

    /** Parses {@code java.lang.Object@15394a96}; the number is the identity hash code. */
    private static Target target(boolean monitor, String text) {
        return new Target(monitor, text.substring(0, text.lastIndexOf('@')), text);
    }

    /** A frame without loader, module, file and line; the name of a hidden class has a slash. */
    private static String frame(String text) {
        String method = text.substring(0, text.indexOf('('));
        int slash = method.lastIndexOf('/');
        if (slash >= 0 && method.startsWith("0x", slash + 1)) {
            slash = method.lastIndexOf('/', slash - 1);
        }
        return method.substring(slash + 1).intern();
    }
}
