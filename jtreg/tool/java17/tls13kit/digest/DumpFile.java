// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which thread dumps are in a file, and when was each taken? They may be the kit's samples of a
 * JVM, or printed by jstack, jcmd or SIGQUIT, amid any other output, and have come through whatever
 * {@link Normaliser} knows; or be JSON.
 *
 * @param sampled whether by the kit; the process id is then in the file's name
 * @param process the same for all dumps of a process, different for other processes, or null: the
 *     address of its VM thread, in JSON its id
 * @param shapes in which the dumps came, as far as not HotSpot's own
 * @param unread sentences on what is missing
 */
record DumpFile(Path file, List<Timed> dumps, boolean sampled, String process, List<String> shapes,
        List<String> unread) {
    /** A dump and when it was taken, in ns since 1970, or {@link #UNKNOWN_NS}. */
    record Timed(long atNs, ThreadDump dump) {}

    static final long UNKNOWN_NS = Long.MIN_VALUE;
    private static final String MARK = "# sampled at ";
    private static final int MOST_DIGITS = 18;
    /** A JSON dump of 100,000 threads has some 100 million characters. */
    private static final int MOST_CHARACTERS = 1 << 25;
    /** Ten dumps of 20,000; they take some 100 MB. */
    private static final int MOST_THREADS = 200_000;
    /** The lines that are looked at to tell which other format a file has. */
    private static final int FOREIGN_LINES = 2000;
    private static final int FOREIGN_CHARACTERS = 1000;

    /**
     * Reads the text of a stream that can mark; null if it is binary, or has no dump. Throws
     * IOException if it is damaged, has dumps of several JVMs, or is in a shape that is not read.
     */
    static DumpFile read(Path file, InputStream in) throws IOException {
        TextLines lines = TextLines.of(in);
        if (lines == null) {
            return null;
        }
        String head = lines.head();
        int json = JsonDump.begin(head);
        if (SparkPage.begins(head)) {
            lines = lines.of(SparkPage.text(lines.rest(MOST_CHARACTERS)));
        }
        DumpFile read = json >= 0
                ? JsonDump.read(file, lines.rest(MOST_CHARACTERS).substring(json))
                : printed(file, lines, head.startsWith(MARK));
        if (read != null && !read.sampled) {
            for (int i = 0; i < read.dumps.size(); i++) {
                checkWhole(read.dumps.get(i).dump(), i + 1, read.dumps.size());
            }
        }
        return read;
    }

    private static DumpFile printed(Path file, TextLines lines, boolean sampled)
            throws IOException {
        DumpReader dumps = new DumpReader();
        Normaliser normaliser = new Normaliser(dumps);
        String foreign = null;
        int number = 0;
        for (String line = lines.next(); line != null; line = lines.next(), number++) {
            if (sampled && isMark(line)) {
                dumps.at(Long.parseLong(line.substring(MARK.length())) * 1_000_000);
            } else {
                normaliser.accept(line);
            }
            if (dumps.threads() > MOST_THREADS) {
                throw new IOException("has more than " + MOST_THREADS + " threads in its dumps");
            }
            if (foreign == null && number < FOREIGN_LINES
                    && line.length() < FOREIGN_CHARACTERS) {
                foreign = Foreign.of(line);
            }
        }
        normaliser.end();
        List<Timed> timed = dumps.done();
        if (timed.isEmpty() && !sampled) {
            if (foreign != null) {
                throw new IOException(foreign);
            }
            return null;
        }
        checkOne(dumps.processes().size());
        Set<String> shapes = new LinkedHashSet<>();
        if (lines.encoding() != null) {
            shapes.add(lines.encoding());
        }
        shapes.addAll(normaliser.shapes());
        return new DumpFile(file, timed, sampled,
                dumps.processes().stream().findFirst().orElse(null), List.copyOf(shapes),
                unread(timed, dumps));
    }

    /** Throws IOException if the dumps of a file are of more than one JVM. */
    static void checkOne(int processes) throws IOException {
        if (processes > 1) {
            throw new IOException("has thread dumps of " + processes
                    + " JVMs; accepted: a file for each");
        }
    }

    private static boolean isMark(String line) {
        return line.startsWith(MARK) && line.length() <= MARK.length() + MOST_DIGITS
                && line.length() > MARK.length()
                && line.chars().skip(MARK.length()).allMatch(Character::isDigit);
    }

    /** What a dump that is read all the same does not have. */
    private static List<String> unread(List<Timed> dumps, DumpReader reader) {
        List<String> sentences = new ArrayList<>();
        int headless = reader.headless() - reader.leftOut();
        if (reader.leftOut() > 0) {
            sentences.add("Left out: " + counted(reader.leftOut(), "report")
                    + " of threads by a tool, beside the dumps.");
        }
        int frames = dumps.stream().mapToInt(one -> one.dump().unreadFrames()).sum();
        int stacks = dumps.stream().mapToInt(one -> one.dump().stackless()).sum();
        if (frames + stacks > 0) {
            sentences.add("Not read: " + missing(stacks, frames) + ".");
        }
        int cut = dumps.stream().mapToInt(one -> one.dump().cutStacks()).sum();
        if (cut > 0) {
            sentences.add("What is below the eighth frame of " + counted(cut, "stack")
                    + ", as ThreadInfo.toString leaves that out: jcmd PID Thread.print -l has all.");
        }
        boolean lacksVersion = dumps.stream().anyMatch(one -> one.dump().version() == null);
        if (headless > 0 && lacksVersion) {
            sentences.add("The first line of " + (headless == dumps.size() ? "each dump"
                    : counted(headless, "dump")) + " is missing, which says what JVM it is.");
        }
        return sentences;
    }

    /**
     * Throws IOException if a dump has no frame at all, as of no JVM, or if most of what it should
     * have was not read. A few stacks may be lost where a file was cut, or changed by hand.
     */
    private static void checkWhole(ThreadDump dump, int number, int count) throws IOException {
        int threads = dump.threads().size();
        long stacks = dump.threads().stream()
                .filter(thread -> !thread.stack().frames.isEmpty()).count();
        if (stacks > 0 && dump.stackless() <= stacks && dump.unreadFrames() <= dump.frames()) {
            return;
        }
        throw new IOException("in thread dump " + number + " of " + count + ", "
                + counted(threads, "thread") + " and " + counted(dump.frames(), "frame")
                + " were read; missing: " + missing(dump.stackless(), dump.unreadFrames())
                + "; accepted: the output of jcmd PID Thread.print -l, attached as it is");
    }

    private static String missing(int stackless, int unreadFrames) {
        List<String> missing = new ArrayList<>();
        if (stackless > 0) {
            missing.add("the frames of " + counted(stackless, "thread"));
        }
        if (unreadFrames > 0) {
            missing.add(counted(unreadFrames, "line") + " like a frame");
        }
        return missing.isEmpty() ? "every stack" : String.join(", ", missing);
    }

    private static String counted(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
