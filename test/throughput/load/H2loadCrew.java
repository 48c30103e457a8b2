// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Drives a service with h2load of nghttp2, which speaks HTTP/1.1 or HTTP/2 and costs a fraction of
 * a JVM. It offers one suite and one group, and reports what was negotiated. A turn takes one run
 * or more, each with new connections. Of a load group, h2load uses the URL, the threads (as
 * connections), the request body and {@code close_after}.
 *
 * <p>A run is given a number of requests: as many as fit into a turn at the rate of the largest run
 * of the turn before. Given a time, h2load cuts off requests under way, which cost the service but
 * are not counted; and one of some hundred runs did not end.
 *
 * <p>{@code driver.program} is the path of h2load, {@code driver.streams} how many requests a
 * connection has under way at once.
 */
final class H2loadCrew implements Crew {
    private static final double NANOS_PER_MS = 1e6;
    private static final long OVERDUE_MS = 30_000;
    /** The longest run planned, so that it may be six times slower than the last one. */
    private static final double MOST_MS = 5_000;
    private static final Pattern DONE = Pattern.compile("requests: .* (\\d+) done, (\\d+) succeeded,"
        + " (\\d+) failed, (\\d+) errored, (\\d+) timeout");
    /** The largest run if each request has its own connection: all are made at once. */
    private static final long AT_ONCE = 100;
    /** A turn is over when no more than this fraction of it is left. */
    private static final double REST = 0.15;
    private static final Pattern DATA = Pattern.compile("traffic: .*\\((\\d+)\\) data");
    private static final Pattern SUITE = Pattern.compile("(?m)^Cipher: (.*)$");
    private static final Pattern GROUP = Pattern.compile("(?m)^Server Temp Key: (?:ECDH )?(\\S+)");
    private static final String NONE = "none";
    private static final Pattern ALPN = Pattern.compile("(?m)^Application protocol: (\\S+)");
    /** By the name in jdk.tls.namedGroups: what h2load is given, and what it prints. */
    private static final Map<String, String[]> GROUPS = new TreeMap<>();

    static {
        GROUPS.put("secp256r1", new String[] {"P-256", "prime256v1"});
        GROUPS.put("x25519", new String[] {"X25519", "X25519"});
        // It prints nothing for a key that it has no name for; it offered no other group.
        GROUPS.put("X25519MLKEM768", new String[] {"X25519MLKEM768", NONE});
    }

    private final LoadPlan plan;
    private final LoadGroup group;
    private final String program;
    private final boolean isHttp2;
    private final long streams;
    /** Names of the expected group: as h2load is given it, as it prints it; null: any will do. */
    private final String[] names;
    private final File output;
    private final File body;
    private final Tally tally = new Tally();
    private double requestsPerMs;

    /** @throws IllegalArgumentException if h2load cannot do what the sample asks for */
    H2loadCrew(LoadPlan plan) throws IOException {
        if (plan.groups.size() != 1 || plan.openLoop) {
            throw new IllegalArgumentException("h2load asks for one group, in a closed loop");
        }
        this.plan = plan;
        group = plan.groups.get(0);
        program = plan.driver.text("program");
        isHttp2 = plan.driver.oneOf("http", "h1", "h2").equals("h2");
        streams = plan.driver.number("streams", 1, 1000, 1);
        names = plan.expect.group == null ? null : names(plan.expect.group);
        output = new File(plan.out, "h2load.log");
        body = new File(plan.out, "h2load.body");
        Files.write(body.toPath(), new byte[group.target.requestBodyBytes]);
    }

    @Override
    public void start() { }

    @Override
    public void work(long ms) throws InterruptedException, VoidSample {
        workAndPause(ms);
    }

    @Override
    public void pause() { }

    @Override
    public void workAndPause(long ms) throws InterruptedException, VoidSample {
        long beginNanos = System.nanoTime();
        double leftMs = ms;
        long largest = 0;
        while (leftMs > ms * REST) {
            long count = Math.max(group.threads, (long) (Math.min(leftMs, MOST_MS) * requestsPerMs));
            if (group.target.closeAfter) {
                count = Math.min(count, AT_ONCE);
            }
            long began = System.nanoTime();
            ask(count);
            if (count >= largest) {     // a smaller run spends most of its time starting up
                largest = count;
                requestsPerMs = count / ((System.nanoTime() - began) / NANOS_PER_MS);
            }
            leftMs = ms - (System.nanoTime() - beginNanos) / NANOS_PER_MS;
        }
    }

    private void ask(long count) throws InterruptedException, VoidSample {
        String said = run(count);
        check("suite", plan.expect.suite, plan.expect.suite, SUITE, said);
        check("group", plan.expect.group, names == null ? null : names[1], GROUP, said);
        check("ALPN protocol", plan.expect.alpn, plan.expect.alpn, ALPN, said);
        long requests = number(DONE, 2, said);
        Map<String, Long> errors = new TreeMap<>();
        for (int kind = 3; kind <= 5; kind++) {
            long failed = number(DONE, kind, said);
            if (failed > 0) {
                errors.put(new String[] {"failed", "errored", "timeout"}[kind - 3], failed);
            }
        }
        tally.completed(requests, number(DATA, 1, said), errors);
    }

    private String run(long count) throws InterruptedException, VoidSample {
        try {
            Process process = new ProcessBuilder(command(count)).redirectErrorStream(true)
                .redirectOutput(output).start();
            process.getOutputStream().close();
            if (!process.waitFor(OVERDUE_MS, TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
                throw new VoidSample("h2load had not ended after " + OVERDUE_MS + " ms");
            }
            String said = new String(Files.readAllBytes(output.toPath()), StandardCharsets.UTF_8);
            if (process.exitValue() != 0) {
                throw new VoidSample("h2load ended with " + process.exitValue() + ": "
                    + said.trim().replaceAll("(?s).*\\n", ""));
            }
            return said;
        } catch (IOException e) {
            throw new VoidSample("h2load did not start: " + e.getMessage());
        }
    }

    private List<String> command(long count) {
        List<String> command = new ArrayList<>();
        Collections.addAll(command, program, "--threads=1",
            "--clients=" + (group.target.closeAfter ? count : group.threads),
            "--requests=" + count,
            "--max-concurrent-streams=" + streams);
        if (!isHttp2) {
            command.add("--h1");
        }
        if (plan.expect.suite != null) {
            command.add("--tls13-ciphers=" + plan.expect.suite);
        }
        if (names != null) {
            command.add("--groups=" + names[0]);
        }
        if (body.length() > 0) {
            command.add("--data=" + body);
        }
        command.add(group.target.url.toString());
        return command;
    }

    private static String[] names(String group) {
        String[] names = GROUPS.get(group);
        if (names == null) {
            throw new IllegalArgumentException("h2load knows no group " + group
                + ": give one of " + GROUPS.keySet());
        }
        return names;
    }

    private static void check(
            String what, String wanted, String asTold, Pattern pattern, String said)
            throws VoidSample {
        Matcher matcher = pattern.matcher(said);
        String found = matcher.find() ? matcher.group(1) : NONE;
        if (wanted != null && !asTold.equals(found)) {
            throw new VoidSample("h2load negotiated the " + what + " " + found + ", not " + wanted);
        }
    }

    private static long number(Pattern pattern, int group, String said) throws VoidSample {
        Matcher matcher = pattern.matcher(said);
        if (!matcher.find()) {
            throw new VoidSample("h2load does not tell how many requests it made");
        }
        return Long.parseLong(matcher.group(group));
    }

    @Override
    public void openWindow() {
        tally.open();
    }

    @Override
    public void shutWindow() {
        tally.shut(0);
    }

    @Override
    public long requests() {
        return tally.requests();
    }

    @Override
    public Map<LoadGroup, Tally> tallies() {
        return Collections.singletonMap(group, tally);
    }
}
