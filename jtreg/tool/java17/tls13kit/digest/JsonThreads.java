// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which threads are in JSON that some program made of ThreadInfo, and what do they wait for? Each
 * has a name, a state and a stack; the fields are called threadName, thread_name, or Name; they may
 * be objects within objects.
 */
final class JsonThreads {
    private static final String STATES = "NEW|RUNNABLE|BLOCKED|WAITING|TIMED_WAITING|TERMINATED";
    private static final Pattern STATE = Pattern.compile(STATES, Pattern.CASE_INSENSITIVE);
    private static final Pattern STATE_FIELD = Pattern.compile(
            "\"(?:thread[_ -]?)?state\"\\s*(?::|=>)\\s*\"(?:" + STATES + ")\"", Pattern.CASE_INSENSITIVE);
    private static final Pattern STACK_FIELD = Pattern.compile(
            "\"(?:stack[_ -]?trace|traces)\"\\s*(?::|=>)\\s*[\\[{\"]", Pattern.CASE_INSENSITIVE);
    private static final Pattern NO_LETTER = Pattern.compile("[^a-z]|thread");
    private static final Pattern FRAME = Pattern.compile("\\s*(?:at )?([^\\s(]+\\(.*)");
    private static final Pattern VERSION = Pattern.compile("java\\.base@(\\d[^/)\\s]*)/.*");
    private static final Pattern LOCK = Pattern.compile(
            "(?:Lock\\(|Monitor\\()?([^\\s@]+)@(\\p{XDigit}{1,16})[)}]*");
    private static final String NULL = "null";

    private JsonThreads() {}

    /** Has a text such threads, by its first characters? */
    static boolean areIn(String head) {
        return STATE_FIELD.matcher(head).find() && STACK_FIELD.matcher(head).find();
    }

    /** Hands all threads in a document to a parser; the number of them. */
    static int read(Object document, DumpParser parser) {
        List<Map<String, Object>> threads = new ArrayList<>();
        collect(document, threads);
        threads.forEach(thread -> hand(thread, parser));
        return threads.size();
    }

    private static void collect(Object part, List<Map<String, Object>> threads) {
        if (part instanceof List<?> list) {
            list.forEach(one -> collect(one, threads));
        } else if (part instanceof Map<?, ?> object) {
            Map<String, Object> fields = new HashMap<>();
            flatten("", object, fields);
            if (!text(fields, "name").isEmpty() && stack(fields) != null
                    && STATE.matcher(text(fields, "state")).matches()) {
                threads.add(fields);
            } else {
                object.values().forEach(one -> collect(one, threads));
            }
        }
    }

    /** The fields of an object, and of those in it below their name and its own. */
    private static void flatten(String prefix, Map<?, ?> object, Map<String, Object> fields) {
        object.forEach((name, value) -> {
            String key = prefix + NO_LETTER.matcher(
                    ((String) name).toLowerCase(Locale.ROOT)).replaceAll("");
            if (value instanceof Map<?, ?> inner) {
                // A number is no name: such an object has many, each with fields of its own.
                flatten(key.isEmpty() ? (String) name : key, inner, fields);
            } else {
                fields.putIfAbsent(key, value);
            }
        });
    }

    private static Object stack(Map<String, Object> fields) {
        Object stack = Stream.of("stacktrace", "stacktraceelems", "traces")
                .map(fields::get).filter(Objects::nonNull).findFirst().orElse(null);
        return stack instanceof List<?> ? stack
                : stack instanceof String text && text.contains("(") ? text.lines().toList() : null;
    }

    /** The first of the fields that has a text; "" if none does. */
    private static String text(Map<String, Object> fields, String... names) {
        for (String name : names) {
            if (fields.get(name) instanceof String text && !text.equals(NULL)) {
                return text;
            }
        }
        return "";
    }

    private static void hand(Map<String, Object> fields, DumpParser parser) {
        String name = text(fields, "name").replaceAll("[\\r\\n]", " ");
        String state = text(fields, "state").toUpperCase(Locale.ROOT);
        String id = text(fields, "id");
        parser.accept("\"" + name + "\" #" + (id.isEmpty() ? name.hashCode() & Integer.MAX_VALUE
                : Long.parseLong(id)) + " ");
        parser.accept("   java.lang.Thread.State: " + state);
        Matcher lock = LOCK.matcher(text(fields, "lockname", "lock", "blockedbylock"));
        String type = text(fields, "lockinfoclassname", "lockinfolockedonclass");
        if (lock.matches()) {
            lock(parser, Shapes.waitingFor(state, lock.group(1)), lock.group(1), lock.group(2),
                    owner(fields));
        } else if (!type.isEmpty()) {
            lock(parser, Shapes.waitingFor(state, type), type, hash(text(fields,
                    "lockinfoidentityhashcode", "lockinfolockedonidentityhashcode")),
                    owner(fields));
        }
        Map<Integer, List<Map<String, Object>>> held = new HashMap<>();
        fields.forEach((key, value) -> {
            if (key.endsWith("lockedmonitors") || key.endsWith("lockedsynchronizers")) {
                held(value, held);
            }
        });
        int depth = 0;
        for (Object frame : (List<?>) stack(fields)) {
            if (frame(frame, parser)) {
                locked(held.remove(depth++), "locked ", parser);
            }
        }
        held.values().forEach(locks -> locked(locks, "", parser));
    }

    private static String owner(Map<String, Object> fields) {
        String id = text(fields, "lockownerid", "ownerid", "lockinfolockownerid",
                "blockedbyid");
        return id.isEmpty() || id.startsWith("-") ? "" : " owned by #" + Long.parseLong(id);
    }

    private static void held(Object owned, Map<Integer, List<Map<String, Object>>> held) {
        if (owned instanceof List<?> all) {
            for (Object one : all) {
                Map<String, Object> lock = new HashMap<>();
                flatten("", (Map<?, ?>) one, lock);
                String depth = text(lock, "lockedstackdepth");
                held.computeIfAbsent(depth.isEmpty() ? ThreadDump.SOMEWHERE
                        : Integer.parseInt(depth), none -> new ArrayList<>()).add(lock);
            }
        }
    }

    private static void locked(List<Map<String, Object>> locks, String word, DumpParser parser) {
        if (locks != null) {
            locks.forEach(lock -> lock(parser, word, text(lock, "classname", "class"),
                    hash(text(lock, "identityhashcode")), ""));
        }
    }

    private static void lock(DumpParser parser, String word, String type, String hash,
            String owner) {
        parser.accept("\t- " + word + "<0x" + hash + Integer.toHexString(type.hashCode()) + "> (a "
                + type + ")" + owner);
    }

    private static String hash(String decimal) {
        return decimal.isEmpty() ? "0" : Integer.toHexString(Integer.parseInt(decimal));
    }

    /** Hands on a frame that is a text or has its parts in fields; false if it is none. */
    private static boolean frame(Object frame, DumpParser parser) {
        if (frame instanceof Map<?, ?> object) {
            Map<String, Object> fields = new HashMap<>();
            flatten("", object, fields);
            if (text(fields, "modulename").equals("java.base")) {
                String version = text(fields, "moduleversion");
                parser.version(version.isEmpty() ? null : version);
            }
            parser.accept("\tat " + text(fields, "classname") + "." + text(fields, "methodname")
                    + "(");
            return true;
        }
        Matcher text = FRAME.matcher(((String) frame).lines().findFirst().orElse(""));
        if (!text.matches()) {
            return false;
        }
        String method = text.group(1);
        Matcher version = VERSION.matcher(method);
        if (version.matches()) {
            parser.version(version.group(1));
        }
        parser.accept("\tat " + method.substring(Frames.begin(
                method.substring(0, method.indexOf('(')))));
        return true;
    }
}
