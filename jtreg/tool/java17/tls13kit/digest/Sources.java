// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;

/**
 * Which recordings and thread dumps are in what the user names? In a file, gzipped or not; in the
 * files of a folder, a zip or a tar; or on standard input. What is packed is read as it is
 * unpacked; only a recording needs a file of its own for that.
 */
final class Sources implements AutoCloseable {
    /** Stands for standard input. */
    private static final Path STDIN = Path.of("-");
    private static final int MOST_FILES = 10_000;
    /** A tar in a gzip, or a gzip in a zip; no zip of zips of zips. */
    private static final int MOST_LAYERS = 3;
    private static final int GZIP = 0x1f8b;
    private static final int ZIP = 'P' << 24 | 'K' << 16 | 3 << 8 | 4;
    private static final int RECORDING = 'F' << 24 | 'L' << 16 | 'R' << 8;
    private static final String NOTHING = "no recording and no thread dump of HotSpot";

    private final List<Path> temporary = new ArrayList<>();
    private Unpacked budget;
    private List<Source> read = new ArrayList<>();
    private int files;
    private int skipped;

    /**
     * One of them.
     *
     * @param recording where it may be read as a recording; null if it is no such file
     * @param unread sentences on what beside it is missing
     */
    record Source(Path file, Path recording, DumpFile dumps, String error, List<String> unread) {
        static Source failed(Path file, String error) {
            return new Source(file, null, null, error, List.of());
        }

        /** A key that is equal for dumps of one JVM, and for nothing else. */
        Object jvm() {
            boolean isNamed = dumps != null && !dumps.sampled() && dumps.process() != null;
            return isNamed ? dumps.process() : this;
        }
    }

    /** All that a name stands for: one source at least, which may be an error. */
    List<Source> of(Path named) {
        read = new ArrayList<>();
        files = 0;
        skipped = 0;
        if (!Files.isDirectory(named)) {
            take(named, named);
        } else {
            folder(named);
        }
        if (read.isEmpty()) {
            return List.of(Source.failed(named, files == 0 ? "is an empty folder"
                    : "has " + NOTHING + " in its " + counted(files)));
        }
        if (skipped > 0) {
            Source first = read.get(0);
            read.set(0, new Source(first.file(), first.recording(), first.dumps(), first.error(),
                    List.of("Of " + named.getFileName() + ", " + counted(skipped) + " had "
                            + NOTHING + ".")));
        }
        return read;
    }

    @Override
    public void close() {
        for (Path file : temporary) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                file.toFile().deleteOnExit();
            }
        }
    }

    private static String counted(int count) {
        return count + (count == 1 ? " file" : " files");
    }

    private void folder(Path folder) {
        List<Path> inside;
        try (Stream<Path> all = Files.walk(folder)) {
            inside = all.filter(Files::isRegularFile).sorted().limit(MOST_FILES + 1L).toList();
        } catch (IOException | java.io.UncheckedIOException e) {
            read.add(Source.failed(folder, "may not be read"));
            return;
        }
        if (inside.size() > MOST_FILES) {
            read.add(Source.failed(folder, tooMany()));
        } else {
            inside.forEach(file -> take(file, null));
        }
    }

    private static String tooMany() {
        return "has more than " + MOST_FILES + " files";
    }

    /** {@code alone} is the file if the user named it: it is then said what it lacks. */
    private void take(Path file, Path alone) {
        boolean isStdin = file.equals(STDIN);
        if (!isStdin && !(Files.isRegularFile(file) && Files.isReadable(file))) {
            read.add(new Source(file, file, null, null, List.of()));
            return;
        }
        guarded(file, () -> {
            try (InputStream in = isStdin ? System.in : Files.newInputStream(file)) {
                budget = new Unpacked(isStdin ? Long.MAX_VALUE : Files.size(file));
                layer(file, new BufferedInputStream(in, 1 << 16), isStdin ? null : file, alone, 0);
            }
        });
    }

    private interface Reading {
        void run() throws IOException;
    }

    private void guarded(Path file, Reading reading) {
        try {
            reading.run();
        } catch (ZipException | EOFException e) {
            read.add(Source.failed(file, damaged("packed", e).getMessage()));
        } catch (IOException e) {
            read.add(Source.failed(file, RecordingReader.oneLine(e.getMessage())));
        } catch (RuntimeException e) {
            read.add(Source.failed(file, RecordingReader.damaged(e)));
        } catch (OutOfMemoryError e) {
            read.add(Source.failed(file, RecordingReader.tooLarge()));
        }
    }

    /** {@code itself} is null for what is packed. */
    private void layer(Path file, InputStream in, Path itself, Path alone, int layers)
            throws IOException {
        if (layers > MOST_LAYERS) {
            throw new IOException("is packed more than " + MOST_LAYERS + " times");
        }
        in.mark(Tar.HEADER_BYTES);
        byte[] head = in.readNBytes(Tar.HEADER_BYTES);
        in.reset();
        int magic = head.length < 4 ? 0 : java.nio.ByteBuffer.wrap(head).getInt();
        if (magic >>> 16 == GZIP) {
            gzip(file, in, alone, layers);
        } else if (magic == ZIP) {
            zip(file, in, layers);
        } else if (Tar.begins(head)) {
            tar(file, in, layers);
        } else {
            content(file, in, itself, alone, magic);
        }
    }

    private void content(Path file, InputStream in, Path itself, Path alone, int magic)
            throws IOException {
        files++;
        if (magic == RECORDING) {
            read.add(new Source(file, itself != null ? itself : spooled(in), null, null,
                    List.of()));
            return;
        }
        DumpFile dumps = DumpFile.read(file, in);
        if (dumps != null) {
            read.add(new Source(file, null, dumps, null, List.of()));
        } else if (alone != null) {
            read.add(file.equals(STDIN) ? Source.failed(file, "has " + NOTHING)
                    : new Source(file, file, null, null, List.of()));
        } else {
            skipped++;
        }
    }

    private void gzip(Path file, InputStream in, Path alone, int layers) throws IOException {
        try {
            layer(file, budget.bounded(new GZIPInputStream(in, 1 << 16)), null, alone, layers + 1);
        } catch (ZipException | EOFException e) {
            throw damaged("gzip", e);
        }
    }

    private void zip(Path file, InputStream in, int layers) throws IOException {
        try {
            ZipInputStream zip = new ZipInputStream(in);
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (!entry.isDirectory()) {
                    member(file, entry.getName(), zip, layers);
                }
            }
        } catch (ZipException | EOFException | IllegalArgumentException e) {
            throw damaged("zip", e);
        }
    }

    private static IOException damaged(String kind, Exception e) {
        return new IOException("is a damaged " + kind + " file: "
                + (e.getMessage() == null ? "it is cut short" : e.getMessage()));
    }

    private void tar(Path file, InputStream in, int layers) throws IOException {
        Tar tar = new Tar(in);
        for (String name = tar.next(); name != null; name = tar.next()) {
            member(file, name, tar.content(), layers);
        }
    }

    private void member(Path file, String name, InputStream in, int layers) throws IOException {
        if (files >= MOST_FILES) {
            throw new IOException(tooMany());
        }
        Path inside = Path.of(file + "/" + name.replace('\0', '?'));
        InputStream bounded = budget.bounded(in);
        guarded(inside, () -> layer(inside, bounded, null, null, layers + 1));
        if (budget.isExceeded()) {
            read.remove(read.size() - 1);
            budget.check();
        }
    }

    private Path spooled(InputStream in) throws IOException {
        Path file = Files.createTempFile("recording-", ".jfr");
        temporary.add(file);
        Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
        return file;
    }
}
