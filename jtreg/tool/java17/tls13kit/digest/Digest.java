// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Who was blocked, by whom, for how long, doing what? Reads the Flight Recorder files and thread
 * dumps given as arguments, dumps of one JVM together, and writes one JSON document
 * (digest.schema.json) to standard output.
 *
 * <p>A file that cannot be read becomes an entry with an error; the others are still read. With
 * {@code --unfinished} first, a recording that a killed JVM left in its repository (14+) is read
 * up to its last flush. After {@code --hangs} come thread dumps of JVMs that hung, each JVM's in
 * the order in which they were taken.
 */
public final class Digest {
    private static final int SCHEMA = 2;
    private static final int EXIT_USAGE = 4;
    private static final String UNFINISHED = "--unfinished";
    private static final String HANGS = "--hangs";

    private Digest() {}

    /** Exit code 0 once the document is written, 4 without arguments. */
    public static void main(String[] args) throws IOException {
        boolean unfinishedToo = args.length > 0 && args[0].equals(UNFINISHED);
        List<String> files = Arrays.asList(args).subList(unfinishedToo ? 1 : 0, args.length);
        int hangs = files.indexOf(HANGS);
        List<String> dumps = hangs < 0 ? List.of() : files.subList(hangs + 1, files.size());
        if (files.isEmpty()) {
            System.err.println("usage: java tls13kit.Tool digest [" + UNFINISHED
                    + "] RECORDING.jfr|SAMPLES.txt... [" + HANGS + " DUMPS.txt...]");
            System.exit(EXIT_USAGE);
        }
        List<Object> recordings = RecordingReader.digest(
                (hangs < 0 ? files : files.subList(0, hangs)).stream().map(Path::of).toList(),
                unfinishedToo);
        List<Object> hung = Hang.digest(dumps.stream().map(Path::of).toList());
        try (Writer out = new OutputStreamWriter(System.out, StandardCharsets.UTF_8)) {
            Json.write(Json.object("schema", SCHEMA, "recordings", recordings, "hangs", hung), out);
            out.write('\n');
        }
    }
}
