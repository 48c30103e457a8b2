// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * How much CPU time has a process spent, and how much of it was its JIT compiler's? Programs that
 * it started count once they have ended. Read for each thread from
 * {@code /proc/PID/task/TID/schedstat} (proc(5)), in ns: the total of a process is only in ticks of
 * 10 ms. 0 if there is no /proc.
 *
 * <p>Compilation is paid once, whatever a request costs: a service doing full handshakes was still
 * compiling after fifty seconds, at four tenths of the CPU time of its work.
 */
final class CpuTime {
    static final String SELF = "self";
    /** Names of HotSpot's and OpenJ9's compiler threads, which the kernel cuts to 15 bytes. */
    private static final String[] JIT_THREADS = {"C1 CompilerThre", "C2 CompilerThre",
        "JVMCI CompilerT", "JVMCI-native Co", "JIT Compilation"};
    /** USER_HZ is 100 on every architecture of Linux that JDKs are built for. */
    private static final long TICK_NANOS = 10_000_000;
    private static final int UTIME = 11;
    private static final int CUTIME = 13;

    private final File process;
    /** By thread; for one that has ended, what it was last seen to have spent. */
    private final Map<String, Long> nanos = new HashMap<>();
    private final Map<String, Boolean> compiles = new HashMap<>();
    private long endedNanos;
    private long wholeNanos;

    /** @param process its id, or {@link #SELF} */
    CpuTime(String process) {
        this.process = new File("/proc", process);
    }

    /** Reads all threads; {@link #workNanos} and {@link #jitNanos} return what was read last. */
    void look() {
        String stat = text("stat");
        if (stat.isEmpty()) {
            return;
        }
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        wholeNanos = ticks(fields, UTIME);
        endedNanos = ticks(fields, CUTIME);
        String[] threads = new File(process, "task").list();
        for (String thread : threads == null ? new String[0] : threads) {
            String spent = text("task/" + thread + "/schedstat");
            if (!spent.isEmpty()) {
                nanos.merge(thread, Long.valueOf(spent.split(" ")[0]), Math::max);
                compiles.computeIfAbsent(thread, this::isCompiler);
            }
        }
    }

    /**
     * CPU time of all threads except the compiler's, and of programs that have ended. A thread that
     * came and went between two looks is in the total of the process, which ticks never overstate.
     */
    long workNanos() {
        return Math.max(wholeNanos, sum(false) + sum(true)) - sum(true) + endedNanos;
    }

    /** CPU time of the compiler's threads. */
    long jitNanos() {
        return sum(true);
    }

    private long sum(boolean jit) {
        return nanos.entrySet().stream().filter(one -> compiles.get(one.getKey()) == jit)
            .mapToLong(Map.Entry::getValue).sum();
    }

    /** User and system time, which are adjacent fields of stat. */
    private static long ticks(String[] fields, int at) {
        return TICK_NANOS * (Long.parseLong(fields[at]) + Long.parseLong(fields[at + 1]));
    }

    /** By name. A Java thread could have such a name, but none of a load or service does. */
    private boolean isCompiler(String thread) {
        String name = text("task/" + thread + "/comm");
        return Arrays.stream(JIT_THREADS).anyMatch(name::startsWith);
    }

    /** The text of a file of the process; empty if its thread has ended. */
    private String text(String file) {
        try {
            byte[] text = Files.readAllBytes(new File(process, file).toPath());
            return new String(text, StandardCharsets.US_ASCII).trim();
        } catch (IOException ended) {
            return "";
        }
    }
}
