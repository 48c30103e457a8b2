// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** The JVM in which rows are tried, some at the same time, the topics one after the other. */
final class RowsJvm {
    /** Most rows wait for their peer; more at once would only make one another late. */
    private static final int AT_ONCE = 4;

    /** A JVM with this many rows that hang is not the one that the next rows are about. */
    private static final int MOST_HANGING = 8;

    private final RowsReport.Writer report;
    private final AtomicInteger hanging = new AtomicInteger();

    RowsJvm(Path report) throws IOException {
        this.report = new RowsReport.Writer(report);
    }

    /** Tries these rows, then ends the JVM. */
    void run(List<TopicRow> rows) throws IOException, InterruptedException {
        TlsPeer.daemon("end with the parent", RowsJvm::endWithParent).start();
        Map<Topic, List<TopicRow>> byTopic = new LinkedHashMap<>();
        List<TopicRow> ordered = new ArrayList<>(rows);
        ordered.sort(Comparator.comparing(row -> row.topic.isLast()));
        for (TopicRow row : ordered) {
            byTopic.computeIfAbsent(row.topic, topic -> new ArrayList<>()).add(row);
        }
        for (Map.Entry<Topic, List<TopicRow>> entry : byTopic.entrySet()) {
            List<RowTrial> trials = new ArrayList<>();
            entry.getValue().forEach(row -> trials.add(new RowTrial(row, report)));
            tryAll(trials, entry.getKey().isAlone() ? 1 : AT_ONCE);
            for (RowTrial trial : trials) {
                trial.noteRest();
            }
            if (hanging.get() >= MOST_HANGING) {
                break;
            }
        }
        Runtime.getRuntime().halt(0);
    }

    private void tryAll(List<RowTrial> trials, int atOnce) throws InterruptedException {
        Queue<RowTrial> left = new ConcurrentLinkedQueue<>(trials);
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < atOnce; i++) {
            Thread worker = new Thread(() -> work(left), "rows-" + i);
            worker.start();
            workers.add(worker);
        }
        for (Thread worker : workers) {
            worker.join();
        }
    }

    private void work(Queue<RowTrial> left) {
        RowTrial trial = left.poll();
        while (trial != null && hanging.get() < MOST_HANGING) {
            try {
                if (!trial.run()) {
                    hanging.incrementAndGet();
                }
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
            trial = left.poll();
        }
    }

    private static void endWithParent() {
        try {
            while (System.in.read() >= 0) { }
        } catch (IOException e) {
            System.err.println("no input: " + e);
        }
        Runtime.getRuntime().halt(1);
    }
}
