// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Which thread dumps are in a file, and when was each taken? They may be the kit's samples of a
 * JVM, or printed by jstack, jcmd or SIGQUIT, amid any other output, or one written by jcmd as
 * JSON; gzipped or not.
 *
 * @param sampled whether by the kit; the process id is then in the file's name
 * @param process the same for all dumps of a process, different for other processes, or null: the
 *     address of its VM thread, in JSON its id
 */
record DumpFile(Path file, List<Timed> dumps, boolean sampled, String process) {
    /** A dump and when it was taken, in ns since 1970, or {@link #UNKNOWN_NS}. */
    record Timed(long atNs, ThreadDump dump) {}

    static final long UNKNOWN_NS = Long.MIN_VALUE;
    private static final String MARK = "# sampled at ";
    private static final Pattern MARKS =
            Pattern.compile("^" + MARK + "(\\d{1,18})$", Pattern.MULTILINE);
    /** The line before is a local time, whose zone is not given: only differences count. */
    private static final Pattern DUMPS = Pattern.compile(
            "(?:^(\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d)\\R)?^(Full thread dump .*)$",
            Pattern.MULTILINE);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");
    private static final Pattern VM_THREAD =
            Pattern.compile("^\"VM Thread\" .*?\\btid=(0x\\p{XDigit}+)", Pattern.MULTILINE);
    private static final int GZIP_MAGIC = 0x1f8b;
    private static final int HEAD_BYTES = 4096;

    /**
     * Reads a file; null if it has no dump or may not be read. Throws IOException if it is damaged,
     * has dumps of several JVMs, is a JSON dump without locks, or is in a shape that is not read:
     * copied from a page or a mail, or written by another program than a JDK's.
     */
    static DumpFile read(Path file) throws IOException {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            return null;
        }
        String text = text(file);
        List<String> processes = VM_THREAD.matcher(text).results().map(vm -> vm.group(1))
                .distinct().toList();
        if (processes.size() > 1) {
            throw new IOException("has thread dumps of " + processes.size()
                    + " JVMs; accepted: a file for each");
        }
        String process = processes.isEmpty() ? null : processes.get(0);
        if (text.startsWith(MARK)) {
            return new DumpFile(file, sampled(text), true, process);
        }
        DumpFile json = JsonDump.read(file, text);
        List<Timed> dumps = json != null ? json.dumps() : printed(text);
        for (int i = 0; i < dumps.size(); i++) {
            checkWhole(dumps.get(i).dump(), i + 1, dumps.size());
        }
        return json != null || dumps.isEmpty() ? json : new DumpFile(file, dumps, false, process);
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
        List<String> missing = new ArrayList<>();
        if (dump.stackless() > 0) {
            missing.add("the frames of " + counted(dump.stackless(), "thread"));
        }
        if (dump.unreadFrames() > 0) {
            missing.add(counted(dump.unreadFrames(), "line") + " like a frame");
        }
        throw new IOException("in thread dump " + number + " of " + count + ", "
                + counted(threads, "thread") + " and " + counted(dump.frames(), "frame")
                + " were read; missing: "
                + (missing.isEmpty() ? "every stack" : String.join(", ", missing))
                + "; accepted: the output of jcmd PID Thread.print -l, attached as it is");
    }

    private static String counted(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    /** The text of a file; empty for a recording or other binary file, as an early 0 byte shows. */
    private static String text(Path file) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            in.mark(2);
            int magic = in.read() << Byte.SIZE | in.read();
            in.reset();
            return magic == GZIP_MAGIC ? unzipped(in) : plain(in);
        }
    }

    private static String plain(InputStream in) throws IOException {
        byte[] head = in.readNBytes(HEAD_BYTES);
        boolean isBinary = new String(head, StandardCharsets.ISO_8859_1).indexOf(0) >= 0;
        return isBinary ? "" : new String(
                new SequenceInputStream(new ByteArrayInputStream(head), in).readAllBytes(),
                StandardCharsets.UTF_8);
    }

    private static String unzipped(InputStream in) throws IOException {
        try {
            return plain(new GZIPInputStream(in));
        } catch (ZipException | EOFException e) {
            throw new IOException("is a damaged gzip file: " + e.getMessage());
        }
    }

    private static List<Timed> sampled(String text) {
        List<Timed> dumps = new ArrayList<>();
        String[] parts = MARKS.split(text, -1);
        Matcher marks = MARKS.matcher(text);
        for (int i = 1; marks.find(); i++) {
            long atNs = Long.parseLong(marks.group(1)) * 1_000_000;
            ThreadDump.parseAll(parts[i]).stream().findFirst()
                    .ifPresent(dump -> dumps.add(new Timed(atNs, dump)));
        }
        return dumps;
    }

    /** {@link #UNKNOWN_NS} for the 30th of February, and without a time. */
    private static long ns(String localTime) {
        try {
            return localTime == null ? UNKNOWN_NS
                    : LocalDateTime.parse(localTime, TIME).toEpochSecond(ZoneOffset.UTC)
                            * 1_000_000_000L;
        } catch (DateTimeParseException e) {
            return UNKNOWN_NS;
        }
    }

    private static List<Timed> printed(String text) {
        List<Timed> dumps = new ArrayList<>();
        Matcher begins = DUMPS.matcher(text);
        int from = -1;
        long atNs = UNKNOWN_NS;
        while (begins.find()) {
            if (from >= 0) {
                dumps.add(new Timed(atNs, ThreadDump.parse(text.substring(from, begins.start()))));
            }
            from = begins.start(2);
            atNs = ns(begins.group(1));
        }
        if (from >= 0) {
            dumps.add(new Timed(atNs, ThreadDump.parse(text.substring(from))));
        }
        // A file may be cut there, or somebody have written that line.
        List<Timed> heads = dumps.stream().filter(one -> one.dump().isBare()).toList();
        if (heads.size() < dumps.size()) {
            dumps.removeAll(heads);
        }
        return dumps;
    }
}
