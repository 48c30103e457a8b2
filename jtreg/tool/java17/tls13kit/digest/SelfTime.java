// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which methods were threads in when sampled (jdk.ExecutionSample), and for which part of TLS? */
final class SelfTime {
    /** Further methods become one entry for each part. */
    private static final int MOST_METHODS = 300;
    private static final String OTHERS = "others";
    private static final Pattern JSSE = Pattern.compile("sun\\.security\\.ssl\\.(\\w+)\\b.*");
    /** Ciphers of records. A handshake message passes them too, but is handled outside of them. */
    private static final Pattern CIPHERS = Pattern.compile("SSLCipher|Authenticator");
    private static final Pattern RECORDS = Pattern.compile(
            "\\w*(?:Record|Transport|EngineImpl|SocketImpl|Alert|Plaintext)\\w*");

    private record Place(String method, String part) {}

    private final Map<CallStack, long[]> samples = new HashMap<>();

    /** Takes the stack of a sample. */
    void accept(CallStack stack) {
        if (!stack.frames.isEmpty()) {
            samples.computeIfAbsent(stack, none -> new long[1])[0]++;
        }
    }

    List<Object> toJson() {
        Map<Place, Long> places = new HashMap<>();
        samples.forEach((stack, count) -> places.merge(
                new Place(stack.frames.get(0), part(stack.frames)), count[0], Long::sum));
        List<Map.Entry<Place, Long>> sorted = places.entrySet().stream()
                .sorted(Comparator.comparingLong((Map.Entry<Place, Long> one) -> -one.getValue())
                        .thenComparing(one -> one.getKey().method)
                        .thenComparing(one -> one.getKey().part)).toList();
        Map<Place, Long> told = new LinkedHashMap<>();
        for (Map.Entry<Place, Long> one : sorted) {
            Place place = told.size() < MOST_METHODS ? one.getKey()
                    : new Place(OTHERS, one.getKey().part);
            told.merge(place, one.getValue(), Long::sum);
        }
        return told.entrySet().stream().map(one -> (Object) Json.object("method",
                one.getKey().method, "part", one.getKey().part, "samples", one.getValue()))
                .toList();
    }

    /** The same samples as a tree of callers and callees. */
    List<Object> flameToJson() {
        Flame flame = new Flame();
        samples.forEach((stack, count) -> flame.add(stack, count[0]));
        return flame.toJson();
    }

    /** {@code records}, {@code handshake} or {@code other}, by the innermost frame of JSSE. */
    static String part(List<String> frames) {
        for (String frame : frames) {
            Matcher jsse = JSSE.matcher(frame);
            if (jsse.matches()) {
                boolean task = frame.contains("DelegatedTask");
                return !task && (CIPHERS.matcher(jsse.group(1)).matches()
                        || RECORDS.matcher(jsse.group(1)).matches()) ? "records" : "handshake";
            }
        }
        return "other";
    }
}
