// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;

/**
 * Which exceptions were thrown, caught ones included? Flight Recorder is the only public way to
 * know. It is called by reflection, because 8u has it only from 8u262 on, and a runtime image may
 * lack its module.
 */
final class ThrownExceptions {
    private static final String EVENT = "jdk.JavaExceptionThrow";

    private final Object recording;

    private ThrownExceptions(Object recording) {
        this.recording = recording;
    }

    /** Starts to record; ends the case as not applicable if there is no Flight Recorder. */
    static ThrownExceptions record() throws ReflectiveOperationException {
        Class<?> type;
        try {
            type = Class.forName("jdk.jfr.Recording");
        } catch (ClassNotFoundException e) {
            throw new CaseEnd(Outcome.NOT_APPLICABLE,
                "This runtime has no Flight Recorder, and nothing else shows the bug.");
        }
        Object recording = type.getConstructor().newInstance();
        Object settings = type.getMethod("enable", String.class).invoke(recording, EVENT);
        settings.getClass().getMethod("withStackTrace").invoke(settings);
        type.getMethod("start").invoke(recording);
        return new ThrownExceptions(recording);
    }

    /**
     * Stops recording.
     *
     * @return for each throw the class of the exception, then the class of each frame, innermost
     *     first, separated by blanks
     */
    List<String> stop() throws Exception {
        recording.getClass().getMethod("stop").invoke(recording);
        Path file = Files.createTempFile(Paths.get(""), "thrown", ".part");
        recording.getClass().getMethod("dump", Path.class).invoke(recording, file);
        recording.getClass().getMethod("close").invoke(recording);
        List<?> events = (List<?>) Class.forName("jdk.jfr.consumer.RecordingFile")
            .getMethod("readAllEvents", Path.class).invoke(null, file);
        Files.delete(file);
        List<String> thrown = new ArrayList<>();
        for (Object event : events) {
            if (EVENT.equals(get(get(event, "getEventType"), "getName"))) {
                thrown.add(describe(event));
            }
        }
        return thrown;
    }

    private static String describe(Object event) throws ReflectiveOperationException {
        Object thrown = event.getClass().getMethod("getValue", String.class)
            .invoke(event, "thrownClass");
        StringBuilder out = new StringBuilder((String) get(thrown, "getName"));
        Object stack = get(event, "getStackTrace");
        if (stack != null) {
            for (Object frame : (List<?>) get(stack, "getFrames")) {
                out.append(' ').append(get(get(get(frame, "getMethod"), "getType"), "getName"));
            }
        }
        return out.toString();
    }

    private static Object get(Object from, String getter) throws ReflectiveOperationException {
        return from.getClass().getMethod(getter).invoke(from);
    }
}
