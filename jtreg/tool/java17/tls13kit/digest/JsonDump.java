// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What does a dump in JSON say, in HotSpot's own lines? One by {@code jcmd PID Thread.dump_to_file
 * -format=json} names locks and the owners of monitors since 25, since 26 also the owners of other
 * locks (in 25u: 25.0.4.1 does, 25.0.2 does not); virtual threads are among its threads. The other
 * kind is a list of ThreadInfo, as Spring's actuator has it.
 */
final class JsonDump {
    /** Below what asked for it, as the head of a reply. */
    private static final Pattern BEGIN = Pattern.compile("(?m)^[ \\t]*+\\{\\s*+\"threadDump\"");
    private static final Pattern BEGIN_OF_INFO = Pattern.compile(
            "(?:HTTP/[^\\[{]*|\\$ [^\\n]*|\\[\\w+@[^\\]\\n]*][^\\n]*)?(\\s*[\\[{])", Pattern.DOTALL);
    private static final String OF_INFO = "JSON of ThreadInfo, as Spring's";
    private static final String LOG_LINE = "{\"log\"";
    private static final String LOCK = "java.util.concurrent.locks.Reentrant";
    private static final Pattern PARKED =
            Pattern.compile("jdk\\.internal\\.misc\\.Unsafe\\.park|java\\.lang\\.VirtualThread\\..*");
    private static final String NAMES_NO_LOCKS = "This JSON names no locks and no states, as it"
            + " does since 25: waits for monitors are not in it, others by their frames alone;"
            + " jcmd PID Thread.print -l has all.";
    private static final int HEX = 16;

    private final DumpParser parser = new DumpParser();
    private boolean lacksLocks;

    private JsonDump() {}

    /** Where in a text such a dump begins, by its first characters; -1 if it is none. */
    static int begin(String head) {
        Matcher ofJdk = BEGIN.matcher(head);
        if (ofJdk.find()) {
            return ofJdk.start();
        }
        // Loggers write the name of a thread, too.
        Matcher ofInfo = BEGIN_OF_INFO.matcher(head);
        return !head.startsWith(LOG_LINE) && JsonThreads.areIn(head) && ofInfo.lookingAt() ? ofInfo.start(1) : -1;
    }

    /**
     * The dumps in a text that begins as one, one after the other. Throws IOException with a
     * one-line message.
     */
    static DumpFile read(Path file, String text) throws IOException {
        List<DumpFile> dumps = new ArrayList<>();
        for (Object document : JsonReader.readAll(text)) {
            dumps.add(one(file, document));
        }
        Set<String> processes = new HashSet<>();
        Set<String> unread = new LinkedHashSet<>();
        for (DumpFile dump : dumps) {
            processes.add(dump.process());
            unread.addAll(dump.unread());
        }
        DumpFile.checkOne(processes.size());
        return new DumpFile(file, dumps.stream().flatMap(dump -> dump.dumps().stream()).toList(),
                false, dumps.get(0).process(), dumps.get(0).shapes(), List.copyOf(unread));
    }

    private static DumpFile one(Path file, Object document) throws IOException {
        JsonDump json = new JsonDump();
        try {
            Map<?, ?> object = document instanceof Map<?, ?> map ? map : Map.of();
            if (object.get("threadDump") instanceof Map<?, ?> dump) {
                return json.ofJdk(file, dump);
            }
            if (JsonThreads.read(document, json.parser) > 0) {
                return json.file(file, DumpFile.UNKNOWN_NS, null, List.of(OF_INFO));
            }
        } catch (RuntimeException e) {
            // A field is missing, or of another type than a JDK writes.
        }
        throw new IOException("is no thread dump in JSON as a JDK writes it");
    }

    private DumpFile ofJdk(Path file, Map<?, ?> dump) {
        long atNs = Instant.parse((String) dump.get("time")).toEpochMilli() * 1_000_000;
        for (Object container : (List<?>) dump.get("threadContainers")) {
            for (Object one : (List<?>) ((Map<?, ?>) container).get("threads")) {
                thread((Map<?, ?>) one);
            }
        }
        parser.showsVirtual();
        parser.version((String) dump.get("runtimeVersion"));
        return file(file, atNs, "process " + dump.get("processId"), List.of());
    }

    private DumpFile file(Path file, long atNs, String process, List<String> shapes) {
        return new DumpFile(file, List.of(new DumpFile.Timed(atNs, parser.done())), false, process,
                shapes, lacksLocks ? List.of(NAMES_NO_LOCKS) : List.of());
    }

    private void thread(Map<?, ?> thread) {
        List<String> frames = new ArrayList<>();
        for (Object frame : (List<?>) thread.get("stack")) {
            frames.add(((String) frame).substring(Frames.begin((String) frame)));
        }
        head(thread.get("name"), thread.get("tid"), thread.get("state"));
        if (!thread.containsKey("state")) {
            lacksLocks = true;
            unnamedLock(frames);
        } else if (thread.get("blockedOn") instanceof String monitor) {
            lock("waiting to lock ", monitor, null);
        } else if (thread.get("parkBlocker") instanceof Map<?, ?> blocker) {
            lock("parking to wait for ", (String) blocker.get("object"), blocker.get("owner"));
        }
        frames(frames, locksByFrame(thread.get("monitorsOwned")));
    }

    /** Without a depth (25.0.2) it is known that a thread has them, but not where. */
    private static Map<Integer, List<String>> locksByFrame(Object owned) {
        Map<Integer, List<String>> locks = new HashMap<>();
        if (owned instanceof List<?> all) {
            for (Object at : all) {
                Object depth = ((Map<?, ?>) at).get("depth");
                ((List<?>) ((Map<?, ?>) at).get("locks")).forEach(lock -> locks
                        .computeIfAbsent(depth == null ? ThreadDump.SOMEWHERE
                                : Integer.parseInt((String) depth), none -> new ArrayList<>())
                        .add((String) lock));
            }
        }
        return locks;
    }

    private void frames(List<String> frames, Map<Integer, List<String>> locks) {
        for (int i = 0; i < frames.size(); i++) {
            parser.accept("\tat " + frames.get(i));
            locks.getOrDefault(i, List.of()).forEach(lock -> lock("locked ", lock, null));
        }
        locks.getOrDefault(ThreadDump.SOMEWHERE, List.of()).forEach(lock -> lock("", lock, null));
    }

    /** A thread that is parked in lock() waits for a lock, though nothing says for which. */
    private void unnamedLock(List<String> frames) {
        CallStack stack = new CallStack(
                frames.stream().map(frame -> frame.substring(0, frame.indexOf('('))).toList());
        int entered = stack.frames.indexOf(stack.waiter);
        if (entered > 0 && PARKED.matcher(stack.frames.get(0)).matches()
                && stack.frames.get(entered - 1).startsWith(LOCK)
                && stack.frames.get(entered - 1).endsWith(".lock")) {
            lock("parking to wait for ", LOCK + "Lock$Sync@"
                    + Integer.toHexString(stack.waiterClass.hashCode()), null);
        }
    }

    private void head(Object name, Object id, Object state) {
        Long.parseLong((String) id);
        parser.accept("\"" + ((String) name).replaceAll("[\\r\\n]", " ") + "\" #" + id + " ");
        if (state != null) {
            parser.accept("   java.lang.Thread.State: " + state);
        }
    }

    /** Takes {@code java.lang.Object@15394a96}; the number is the identity hash code. */
    private void lock(String word, String lock, Object owner) {
        int at = lock.lastIndexOf('@');
        if (at < 0) {
            return; // one that escape analysis has removed
        }
        String type = lock.substring(0, at);
        long hash = Long.parseLong(lock.substring(at + 1), HEX);
        parser.accept("\t- " + word + "<0x" + Long.toHexString(hash)
                + Integer.toHexString(type.hashCode()) + "> (a " + type + ")"
                + (owner == null ? "" : " owned by #" + owner));
    }
}
