// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How much CPU time did the machine withhold from this JVM, and from processes that it waits for?
 * Linux records for each thread how long it wanted to run and did not
 * (/proc/self/task/N/schedstat). The times of all threads are added up, because Java 8 cannot tell
 * which thread is which. So no chain of threads that wait for one another lost more than this to
 * the scheduler. On other systems nothing is known, and the sum is 0.
 */
final class Withheld {
    private static final File PROCESSES = new File("/proc");
    private static final File TASKS = new File(PROCESSES, "self/task");
    private static final Path PRESSURE = new File("/proc/pressure/cpu").toPath();

    // Some 60 threads are 60 files, 1 to 3 ms; often enough to lose little when a thread ends.
    private static final long READ_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** For each thread the CPU time given and the time waited, in ns, when last read. */
    private static final Map<String, long[]> READ = new HashMap<>();

    /** The sum of each over all threads, including those that have ended since. */
    private static final long[] SUM = new long[2];

    /** The task folders of the other processes that count. */
    private static final List<File> STARTED = new ArrayList<>();

    private static long readNanos = System.nanoTime() - READ_EVERY_NANOS;

    private final long beginNanos = System.nanoTime();
    private final long[] begin = sum();
    private final long beginPressureMicros = pressureMicros();

    /** Counts from now on. */
    Withheld() { }

    /** From now on, what is withheld from this process counts too, until it has ended. */
    static synchronized void countToo(Process process) {
        STARTED.add(new File(PROCESSES, pid(process) + "/task"));
    }

    private static Object pid(Process process) {
        try {
            try {
                return Process.class.getMethod("pid").invoke(process);
            } catch (NoSuchMethodException e) {     // Java 8
                Field pid = process.getClass().getDeclaredField("pid");
                pid.setAccessible(true);
                return pid.get(process);
            }
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** How long all threads of these processes together waited for a CPU, in ms. */
    long ms() {
        return TimeUnit.NANOSECONDS.toMillis(sum()[1] - begin[1]);
    }

    /** The CPU time that they were given, in ms. */
    long givenMs() {
        return TimeUnit.NANOSECONDS.toMillis(sum()[0] - begin[0]);
    }

    /** The share of the time in which a thread of the machine waited for a CPU; -1 if unknown. */
    long pressurePercent() {
        long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - beginNanos);
        return beginPressureMicros < 0 || micros == 0 ? -1
            : Math.min(100, (pressureMicros() - beginPressureMicros) * 100 / micros);
    }

    void tell(Findings findings) {
        if (TASKS.isDirectory()) {
            findings.fact("withheld_ms", ms());
            findings.fact("given_cpu_ms", givenMs());
        }
        if (beginPressureMicros >= 0) {
            findings.fact("cpu_pressure_percent", pressurePercent());
        }
    }

    /** A clause for a reason. */
    @Override
    public String toString() {
        return !TASKS.isDirectory() ? "what CPU the machine withheld is not known here"
            : "the machine gave the JVM's threads " + givenMs() + " ms of CPU and withheld " + ms()
                + " ms" + (beginPressureMicros < 0 ? ""
                : ", at a CPU pressure of " + pressurePercent() + " %");
    }

    private static synchronized long[] sum() {
        if (System.nanoTime() - readNanos >= READ_EVERY_NANOS) {
            addThreadsIn(TASKS);
            STARTED.removeIf(tasks -> !tasks.isDirectory());
            STARTED.forEach(Withheld::addThreadsIn);
            readNanos = System.nanoTime();
        }
        return SUM.clone();
    }

    private static void addThreadsIn(File tasks) {
        String[] threads = tasks.list();
        for (String thread : threads == null ? new String[0] : threads) {
            add(new File(tasks, thread));
        }
    }

    private static void add(File thread) {
        long[] now = numbers(new File(thread, "schedstat").toPath());
        if (now.length < 2) {
            return;     // the thread has ended, or this kernel does not say
        }
        long[] before = READ.put(thread.getName(), now);
        for (int i = 0; i < SUM.length; i++) {
            // Less than before: a new thread has the id of one that has ended.
            SUM[i] += before == null || now[i] < before[i] ? now[i] : now[i] - before[i];
        }
    }

    /** From "some avg10=0.00 avg60=0.00 avg300=0.00 total=1234"; -1 if there is no such line. */
    private static long pressureMicros() {
        String text = text(PRESSURE);
        int total = text.indexOf("total=");
        return total < 0 ? -1
            : Long.parseLong(text.substring(total + "total=".length()).split("\\s", 2)[0]);
    }

    private static long[] numbers(Path file) {
        String text = text(file).trim();
        String[] words = text.isEmpty() ? new String[0] : text.split(" ");     // no regular expression
        long[] numbers = new long[words.length];
        for (int i = 0; i < words.length; i++) {
            numbers[i] = Long.parseLong(words[i]);
        }
        return numbers;
    }

    private static String text(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            return "";
        }
    }
}
