// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Is this a whole Flight Recorder file, and which time does it span?
 *
 * <p>Checked before the events are read: the JDK's own reader waits for ever, or throws whatever
 * came to pass, on a file whose chunks do not add up to its length.
 *
 * @param startNs start of the first chunk, nanoseconds since 1970
 * @param endNs end of the last chunk, nanoseconds since 1970
 */
record Chunks(long startNs, long endNs) {
    private static final int MAGIC = 'F' << 24 | 'L' << 16 | 'R' << 8;
    private static final int HEADER_BYTES = 68;
    /** The format of JDK 9+ and 8u262+; 0 and 1 are those of Oracle 7 and 8. */
    private static final int MAJOR = 2;

    /** Throws IOException with one line saying what is wrong with the file. */
    static Chunks check(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IOException("is a directory");
        }
        if (!Files.isReadable(file)) {
            throw new IOException(Files.exists(file) ? "may not be read" : "does not exist");
        }
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            return check(in);
        }
    }

    private static Chunks check(RandomAccessFile in) throws IOException {
        long length = in.length();
        if (length == 0) {
            throw new IOException("is empty");
        }
        long startNs = Long.MAX_VALUE;
        long endNs = 0;
        int number = 1;
        for (long at = 0; at < length; number++) {
            in.seek(at);
            if (readMagic(in, length - at) != MAGIC) {
                throw new IOException(at == 0 ? "is no Flight Recorder file"
                        : "is damaged: no chunk begins at byte " + at);
            }
            if (length - at < HEADER_BYTES) {
                throw new IOException("is truncated in the header of chunk " + number);
            }
            int major = in.readUnsignedShort();
            int minor = in.readUnsignedShort();
            if (major != MAJOR) {
                throw new IOException("has format " + major + "." + minor + "; known: 2.x");
            }
            long size = in.readLong();
            in.skipBytes(2 * Long.BYTES);
            long chunkStartNs = in.readLong();
            startNs = Math.min(startNs, chunkStartNs);
            endNs = Math.max(endNs, chunkStartNs + in.readLong());
            if (size < HEADER_BYTES) {
                throw new IOException("is unfinished: chunk " + number + " was never closed");
            }
            if (size > length - at) {
                throw new IOException("is truncated: chunk " + number + " has " + size
                        + " bytes, of which " + (length - at) + " are there");
            }
            at += size;
        }
        return new Chunks(startNs, endNs);
    }

    private static int readMagic(RandomAccessFile in, long available) throws IOException {
        return available < Integer.BYTES ? 0 : in.readInt();
    }
}
