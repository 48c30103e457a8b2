// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.File;
import java.io.IOException;
import java.util.Map;

/** How long did requests take? Recorded by HdrHistogram, if that is on the class path. */
abstract class Latencies {
    /** @return null without HdrHistogram: then there are no percentiles, and no log */
    static Latencies ifPossible() {
        try {
            Class.forName("org.HdrHistogram.Histogram");
            return (Latencies) Class.forName("HdrLatencies").getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException | LinkageError without) {
            return null;
        }
    }

    abstract void record(long nanos);

    /** Adds the latencies of {@code other}, which is not used after that. */
    abstract void add(Latencies other);

    /** Percentiles and the maximum, in microseconds: p50, p90, p99, p999, max. */
    abstract Map<String, Object> microseconds();

    /** Writes a histogram log with one interval, in microseconds. */
    abstract void log(File file, long beginMs, long endMs) throws IOException;
}
