// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Who was blocked, by whom, for how long, doing what? Reads Flight Recorder files given as
 * arguments and writes one JSON document (digest.schema.json) to standard output.
 *
 * <p>A file that cannot be read becomes an entry with an error; the others are still read. With
 * {@code --unfinished} first, a recording that a killed JVM left in its repository (14+) is read
 * up to its last flush.
 */
public final class Main {
    private static final int SCHEMA = 1;
    private static final int EXIT_USAGE = 4;
    private static final String UNFINISHED = "--unfinished";

    private Main() {}

    /** Exit code 0 once the document is written, 4 without arguments. */
    public static void main(String[] args) throws IOException {
        boolean unfinishedToo = args.length > 0 && args[0].equals(UNFINISHED);
        List<String> files = Arrays.asList(args).subList(unfinishedToo ? 1 : 0, args.length);
        if (files.isEmpty()) {
            System.err.println("usage: java tls13kit.digest.Main [" + UNFINISHED
                    + "] RECORDING.jfr...");
            System.exit(EXIT_USAGE);
        }
        List<Object> recordings = new ArrayList<>();
        for (String file : files) {
            recordings.add(RecordingReader.digest(Path.of(file), unfinishedToo));
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("schema", SCHEMA);
        document.put("recordings", recordings);
        try (Writer out = new OutputStreamWriter(System.out, StandardCharsets.UTF_8)) {
            Json.write(document, out);
            out.write('\n');
        }
    }
}
