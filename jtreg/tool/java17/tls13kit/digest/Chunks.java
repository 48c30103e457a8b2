// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Is this a whole Flight Recorder file, and which time does it span?
 *
 * <p>Checked before the events are read: on a file whose chunks do not add up to its length, the
 * JDK's own reader waits forever or throws any exception.
 *
 * @param startsNs starts of the chunks, nanoseconds since 1970, earliest first
 * @param endNs end of the last chunk, nanoseconds since 1970
 * @param unfinishedAt offset of the chunk that was never closed, or -1
 * @param readableBytes length of what can be read: the file, or up to that chunk's last flush
 * @param gapNs the time between chunks in which nothing was recorded, in {@code gaps} stretches
 */
record Chunks(List<Long> startsNs, long endNs, long unfinishedAt, long readableBytes, long gapNs,
        int gaps) {
    /** From one chunk to the next of a recording that goes on, some ms pass. */
    private static final long LEAST_GAP_NS = 1_000_000_000L;

    /** The byte here is 0 in a closed chunk; the rest of the header is the same in all versions. */
    static final int STATE_OFFSET = 64;
    private static final int MAGIC = 'F' << 24 | 'L' << 16 | 'R' << 8;
    private static final int HEADER_BYTES = 68;
    /** The format of JDK 9+ and 8u262+; 0 and 1 are those of Oracle 7 and 8. */
    private static final int MAJOR = 2;
    private static final byte[] HEAP_DUMP =
            "JAVA PROFILE".getBytes(StandardCharsets.US_ASCII);
    /** PNG, JPEG, GIF and PDF: of a screen, where somebody was asked for a dump. */
    private static final List<String> PICTURES =
            List.of("\u0089PNG", "\u00ff\u00d8\u00ff", "GIF8", "%PDF-");

    long startNs() {
        return startsNs.get(0);
    }

    /** Throws IOException with one line saying what is wrong with the file. */
    static Chunks check(Path file, boolean unfinishedToo) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IOException("is a directory");
        }
        if (!Files.isReadable(file)) {
            throw new IOException(Files.exists(file) ? "may not be read" : "does not exist");
        }
        if (!Files.isRegularFile(file)) {
            throw new IOException("is no regular file");
        }
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            return check(in, unfinishedToo);
        }
    }

    private static Chunks check(RandomAccessFile in, boolean unfinishedToo) throws IOException {
        long length = in.length();
        if (length == 0) {
            throw new IOException("is empty");
        }
        List<Header> headers = new ArrayList<>();
        long endNs = 0;
        long at = 0;
        long unfinishedAt = -1;
        while (at < length && unfinishedAt < 0) {
            Header header = Header.read(in, at, length - at, headers.size() + 1);
            headers.add(header);
            endNs = Math.max(endNs, header.endNs());
            if (header.unfinished) {
                if (!unfinishedToo || header.size < HEADER_BYTES) {
                    throw new IOException(header.neverClosed());
                }
                unfinishedAt = at;
            }
            header.check(length - at);
            at += header.size;
        }
        headers.sort(Comparator.comparingLong(Header::startNs));
        long gapNs = 0;
        int gaps = 0;
        long reachedNs = headers.get(0).startNs;
        for (Header header : headers) {
            long missingNs = header.startNs - reachedNs;
            gaps += missingNs >= LEAST_GAP_NS ? 1 : 0;
            gapNs += missingNs >= LEAST_GAP_NS ? missingNs : 0;
            reachedNs = Math.max(reachedNs, header.endNs());
        }
        return new Chunks(headers.stream().map(Header::startNs).toList(), endNs, unfinishedAt, at,
                gapNs, gaps);
    }

    /** The header of one chunk. */
    private record Header(int number, long size, long metadataAt, long startNs, long durationNs,
            boolean unfinished) {

        static Header read(RandomAccessFile in, long at, long available, int number)
                throws IOException {
            in.seek(at);
            if (available < Integer.BYTES || in.readInt() != MAGIC) {
                throw new IOException(at == 0 ? noRecording(in)
                        : "is damaged: no chunk begins at byte " + at);
            }
            if (available < HEADER_BYTES) {
                throw new IOException("is truncated in the header of chunk " + number);
            }
            int major = in.readUnsignedShort();
            int minor = in.readUnsignedShort();
            if (major != MAJOR) {
                throw new IOException("has format " + major + "." + minor + "; known: 2.x");
            }
            long size = in.readLong();
            in.skipBytes(Long.BYTES);
            long metadataAt = in.readLong();
            long startNs = in.readLong();
            long durationNs = in.readLong();
            in.seek(at + STATE_OFFSET);
            boolean unfinished = in.readByte() != 0 || size == 0;
            return new Header(number, size, metadataAt, startNs, durationNs, unfinished);
        }

        long endNs() {
            return startNs + durationNs;
        }

        String neverClosed() {
            return "is unfinished: chunk " + number + " was never closed; its JVM still writes it,"
                    + " or was killed"
                    + (size < HEADER_BYTES ? "" : "; --unfinished reads it up to its last flush");
        }

        void check(long available) throws IOException {
            String chunk = "chunk " + number;
            if (size < HEADER_BYTES) {
                throw new IOException("is damaged: " + chunk + " claims " + size + " bytes");
            }
            if (size > available) {
                throw new IOException("is truncated: " + chunk + " has " + size
                        + " bytes, of which " + available + " are there");
            }
            if (metadataAt < HEADER_BYTES || metadataAt >= size) {
                throw new IOException("is damaged: " + chunk + " describes no events");
            }
        }
    }

    private static String noRecording(RandomAccessFile in) throws IOException {
        byte[] head = new byte[HEAP_DUMP.length];
        in.seek(0);
        int read = in.read(head);
        if (read == head.length && Arrays.equals(head, HEAP_DUMP)) {
            return "is a heap dump, no Flight Recorder file";
        }
        String begin = new String(head, 0, Math.max(0, read), StandardCharsets.ISO_8859_1);
        return PICTURES.stream().anyMatch(begin::startsWith)
                ? "is a picture; accepted: the text that it shows"
                : "is no Flight Recorder file, and has no thread dump of HotSpot";
    }
}
