// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Who was blocked, by whom, for how long, doing what? Reads Flight Recorder files given as
 * arguments and writes one JSON document (digest.schema.json) to standard output.
 *
 * <p>A file that cannot be read becomes an entry with an error; the others are still read.
 */
public final class Main {
    private static final int SCHEMA = 1;
    private static final int EXIT_USAGE = 4;

    private Main() {}

    /** Exit code 0 once the document is written, 4 without arguments. */
    public static void main(String[] args) throws IOException {
        if (args.length == 0) {
            System.err.println("usage: java tls13kit.digest.Main RECORDING.jfr...");
            System.exit(EXIT_USAGE);
        }
        List<Object> recordings = new ArrayList<>();
        for (String arg : args) {
            recordings.add(RecordingReader.digest(Path.of(arg)));
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
