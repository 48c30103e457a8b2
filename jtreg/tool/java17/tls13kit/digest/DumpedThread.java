// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tls13kit.digest.ThreadDump.Dumped;
import tls13kit.digest.ThreadDump.Target;

/** What do the lines of one thread of a dump say? */
final class DumpedThread {
    /** At the end of a head: where its stack is. The JVM's own threads have none, and 0 there. */
    private static final Pattern STACK = Pattern.compile("\\[0x0*[1-9a-f]\\p{XDigit}*]");
    private static final Pattern CPU = Pattern.compile(" cpu=(\\d{1,12}(?:[.,]\\d+)?)ms ");
    private static final Pattern ELAPSED =
            Pattern.compile(" elapsed=(\\d{1,12}(?:[.,]\\d+)?)s ");
    private static final Pattern OBJECT = Pattern.compile(
            "\\s*- ([^<]*)<0x0*(\\p{XDigit}+)> \\(an? (.*?)\\)"
                    + "(?: owned by (?:#(\\d{1,18})|\"(.*)\"))?");
    private static final Pattern OWNED_BY =
            Pattern.compile("\\s*owned by .* id=(\\d{1,18})");
    private static final String STATE = "java.lang.Thread.State: ";
    static final String INITIALIZES = ".<clinit>";
    /** Since 17; before, only the head hints at it. */
    private static final String AWAITS_CLASS = "- waiting on the Class initialization monitor for ";
    private static final String IN_OBJECT_WAIT = " in Object.wait() ";
    private static final String RUNNABLE = "RUNNABLE";
    /** HotSpot calls a thread runnable that waits for another one to initialize a class. */
    static final String INITIALIZED_ELSEWHERE = " (class initialization)";
    private static final String LOCKED = "locked";
    private static final String PARKED = "parking to wait for";
    /** The second is of a thread that ends a wait(), and must enter the monitor again. */
    private static final List<String> ENTERING =
            List.of("waiting to lock", "waiting to re-lock in wait()");
    /** What a state lacks outside of HotSpot's own dumps, by the innermost frame. */
    private static final Map<String, String> DOING = Map.of(
            "java.lang.Thread.sleep", " (sleeping)", "java.lang.Thread.sleep0", " (sleeping)",
            "java.lang.Thread.sleepNanos0", " (sleeping)",
            "java.lang.Object.wait", " (on object monitor)",
            "java.lang.Object.wait0", " (on object monitor)",
            "sun.misc.Unsafe.park", " (parking)", "jdk.internal.misc.Unsafe.park", " (parking)");

    private final String name;
    private final long thread;
    private final String head;
    private final List<String> frames = new ArrayList<>();
    private final Map<String, Integer> lockedAt = new HashMap<>();
    private final Map<String, Long> ownerIds = new HashMap<>();
    private final Map<String, String> ownerNames = new HashMap<>();
    private final List<String> letGo = new ArrayList<>();
    private String state = "";
    private Target wants;
    /** The address of a lock, or of something else whose class begins as one of a lock does. */
    private String maybeWants;
    /** Only the locks that {@code -l} lists follow the stack. */
    private boolean stackEnded;

    DumpedThread(String name, long thread, String head) {
        this.name = name;
        this.thread = thread;
        this.head = head;
    }

    /** Has it no frame, although it must have some? */
    boolean lacksStack() {
        return frames.isEmpty() && (STACK.matcher(head).find() || ThreadDump.isInCall(state));
    }

    /** Is it one of HotSpot's own, which up to 7 have heads as Java's have? */
    boolean isOfJvm() {
        return head.contains(Shapes.WITHOUT_ID) && frames.isEmpty() && state.isEmpty();
    }

    /** Who has the locks that this one waits for, where its own lines say so. */
    Map<String, Long> ownerIds() {
        return ownerIds;
    }

    /** The same by their names, where those are all that is said. */
    Map<String, String> ownerNames() {
        return ownerNames;
    }

    /** Takes a line below the head. */
    void accept(String line) {
        int at = line.indexOf("at ");
        if (line.isEmpty()) {
            stackEnded = true;
        } else if (stackEnded && !line.startsWith("\t- <0x")) {
            return;
        } else if (line.contains(STATE)) {
            state = line.substring(line.indexOf(STATE) + STATE.length());
        } else if (line.startsWith("\tat ") && line.indexOf('(') > at) {
            frames.add(line.substring(at + 3, line.indexOf('(')).intern());
        } else if (!frames.isEmpty() && line.strip().equals("...")) {
            frames.add(Frames.LEFT_OUT);
        } else if (line.contains("<0x")) {
            Matcher object = OBJECT.matcher(line);
            if (object.matches()) {
                object(object.group(1).strip(), "0x" + object.group(2), object.group(3));
                owner("0x" + object.group(2), object.group(4), object.group(5));
            }
        } else if (line.strip().startsWith(AWAITS_CLASS)) {
            wants = ThreadDump.initialization(line.strip().substring(AWAITS_CLASS.length()));
        } else {
            ownerBelow(line);
        }
    }

    /** Some tools name the owner in a line of its own. */
    private void ownerBelow(String line) {
        Matcher owner = wants == null || !frames.isEmpty() ? null : OWNED_BY.matcher(line);
        if (owner != null && owner.matches()) {
            ownerIds.putIfAbsent(wants.address(), Long.parseLong(owner.group(1)));
        }
    }

    /** How many frames it has so far. */
    int frames() {
        return frames.size();
    }

    private void object(String word, String address, String className) {
        if (word.isEmpty()) {
            lockedAt.put(address, ThreadDump.SOMEWHERE);
        } else if (word.equals(LOCKED)) {
            lockedAt.put(address, Math.max(0, frames.size() - 1));
        } else if (ENTERING.contains(word)) {
            wants = new Target(true, className, address);
            letGo.add(address);
        } else if (LockClasses.isLock(className)
                && (word.equals(PARKED) || word.startsWith("waiting on"))) {
            wants = new Target(false, className, address);
        } else if (word.equals(PARKED) && LockClasses.isBeginOfLock(className)) {
            maybeWants = address;
        } else if (word.startsWith("waiting on")) {
            letGo.add(address);
        }
    }

    private void owner(String address, String ownerId, String ownerName) {
        if (ownerId != null) {
            ownerIds.put(address, Long.parseLong(ownerId));
        } else if (ownerName != null) {
            ownerNames.put(address, ownerName);
        }
    }

    /**
     * The thread, once all of its lines have been taken; {@code mounted} is the stack of a virtual
     * thread that runs on it, or null.
     */
    Dumped done(Function<List<String>, CallStack> stacks, CallStack mounted) {
        letGo.forEach(lockedAt::remove);
        if (wants == null && maybeWants != null) {
            wants = frames.stream().filter(LockClasses::locks).findFirst().map(frame ->
                    new Target(false, Frames.classOf(frame), maybeWants)).orElse(null);
        }
        for (int i = 0; i < frames.size(); i++) {
            if (frames.get(i).endsWith(INITIALIZES)) {
                Target initialized = ThreadDump.initialization(Frames.classOf(frames.get(i)));
                lockedAt.put(initialized.address(), i);
            }
        }
        String inState = fullState();
        // JDK 11 prints "waiting to re-lock" for every wait().
        boolean hasEntered = wants != null && wants.monitor() && !wants.isInitialization()
                && !inState.startsWith("BLOCKED");
        CallStack stack = stacks.apply(List.copyOf(frames));
        return new Dumped(name, thread, number(CPU), elapsedMs(), inState, stack,
                mounted == null ? stack : mounted, hasEntered ? null : wants, lockedAt);
    }

    /** Its lines name no state of a mounted thread, in a deadlock by itself, in JSON of 21. */
    private String fullState() {
        String doing = frames.isEmpty() ? "" : DOING.getOrDefault(frames.get(0), "");
        if (state.equals(RUNNABLE) && head.contains(IN_OBJECT_WAIT)) {
            return state + INITIALIZED_ELSEWHERE;
        }
        if (!state.isEmpty()) {
            return state.contains("(") ? state : state + doing;
        }
        return wants != null && wants.monitor() ? "BLOCKED"
                : doing.isEmpty() ? RUNNABLE : "WAITING" + doing;
    }

    private double elapsedMs() {
        double elapsedS = number(ELAPSED);
        return elapsedS == ThreadDump.UNKNOWN_MS ? elapsedS : elapsedS * 1000;
    }

    private double number(Pattern inHead) {
        Matcher number = inHead.matcher(head);
        return number.find() ? Double.parseDouble(number.group(1).replace(',', '.'))
                : ThreadDump.UNKNOWN_MS;
    }
}
