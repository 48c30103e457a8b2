// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

/** One row in a thread and a thread group of its own. */
final class RowTrial {
    /** Most rows take less; only of a longer one is it asked what CPU time was withheld. */
    private static final long USUAL_MS = 200;

    /** At a load of 60 on two cores, first rows took four times their deadline by the clock. */
    private static final int MOST_STRETCH = 6;

    /** What a peer's threads may take to see that it is closed. */
    private static final long ENDING_MS = 500;

    /** Threads that the JDK keeps for later requests. */
    private static final Pattern KEPT = Pattern.compile("HttpClient-.*|Keep-Alive-.*"
        + "|process reaper.*|Common-Cleaner|.*Cleaner.*|ForkJoinPool.*|.*RMI .*|GC Daemon"
        + "|CompletableFutureDelayScheduler|RenewClean.*|JMX .*|java-.*Disposer|DestroyJavaVM");

    private final TopicRow row;
    private final RowsReport.Writer report;
    private final Threads threads;

    RowTrial(TopicRow row, RowsReport.Writer report) {
        this.row = row;
        this.report = report;
        this.threads = new Threads(row.id);
    }

    /** @return whether it has ended before its deadline */
    boolean run() throws IOException, InterruptedException {
        report.begin(row.id);
        AtomicReference<String[]> end = new AtomicReference<>();
        long beginNanos = System.nanoTime();
        Thread thread = new Thread(threads, () -> end.set(observe()), row.id);
        thread.setDaemon(true);
        thread.start();
        thread.join(USUAL_MS);
        if (thread.isAlive()) {
            await(thread);
        }
        String[] seen = end.get();
        if (seen == null) {
            seen = new String[] {ObservationsFile.HANGS, "hangs in " + place(thread)};
        }
        long ms = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos);
        report.end(row.id, seen[0], ms, Masked.text(seen[1]));
        return end.get() != null;
    }

    private void await(Thread thread) throws InterruptedException {
        Patience patience = new Patience(row.deadlineMs() - USUAL_MS, MOST_STRETCH);
        while (thread.isAlive() && patience.left()) {
            thread.join(USUAL_MS);
        }
    }

    private String[] observe() {
        try {
            return new String[] {ObservationsFile.SEEN, String.valueOf(row.observation.observe())};
        } catch (Absent | NoClassDefFoundError | NoSuchMethodError
                | java.security.NoSuchAlgorithmException e) {
            return new String[] {ObservationsFile.ABSENT, Failure.text(e)};
        } catch (ThreadDeath e) {
            throw e;
        } catch (Throwable e) {
            return new String[] {ObservationsFile.SEEN, Failure.text(e)};
        }
    }

    /** The innermost frame that is not one of waiting as such. */
    private static String place(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (!frame.getClassName().matches("java\\.lang\\.(Object|Thread)|jdk\\.internal\\..*"
                    + "|sun\\.(misc|nio)\\..*|java\\.util\\.concurrent\\..*")) {
                return frame.getClassName() + "." + frame.getMethodName();
            }
        }
        return "an ended thread";
    }

    /** Writes down what it left: threads, and exceptions of its threads that nobody caught. */
    void noteRest() throws IOException, InterruptedException {
        List<String> left = threads.left();
        if (!left.isEmpty()) {
            Patience patience = new Patience(ENDING_MS);
            while (!left.isEmpty() && patience.left()) {
                Thread.sleep(10);
                left = threads.left();
            }
        }
        for (String name : left) {
            report.note(row.id, "leaves thread " + name);
        }
        for (String text : threads.uncaught()) {
            report.note(row.id, text);
        }
        report.left(row.id);
    }

    private static final class Threads extends ThreadGroup {
        private final List<String> uncaught = new ArrayList<>();

        Threads(String name) {
            super(name);
        }

        @Override
        public synchronized void uncaughtException(Thread thread, Throwable e) {
            uncaught.add("uncaught in " + Masked.text(thread.getName()) + ": " + Failure.text(e));
        }

        synchronized List<String> uncaught() {
            return new ArrayList<>(uncaught);
        }

        List<String> left() {
            Thread[] alive = new Thread[activeCount() + 8];
            int count = enumerate(alive);
            List<String> names = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                if (!KEPT.matcher(alive[i].getName()).matches()) {
                    names.add(Masked.text(alive[i].getName()));
                }
            }
            return names;
        }
    }
}
