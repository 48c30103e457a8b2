// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.File;
import java.io.FileNotFoundException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/** Latencies in a histogram. Only this class needs HdrHistogram, so it is loaded by name. */
final class HdrLatencies extends Latencies {
    private static final int SIGNIFICANT_DIGITS = 3;

    private final Histogram histogram = new Histogram(SIGNIFICANT_DIGITS);

    @Override
    void record(long nanos) {
        histogram.recordValue(Math.max(0, TimeUnit.NANOSECONDS.toMicros(nanos)));
    }

    @Override
    void add(Latencies other) {
        histogram.add(((HdrLatencies) other).histogram);
    }

    @Override
    Map<String, Object> microseconds() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("p50", histogram.getValueAtPercentile(50));
        values.put("p90", histogram.getValueAtPercentile(90));
        values.put("p99", histogram.getValueAtPercentile(99));
        values.put("p999", histogram.getValueAtPercentile(99.9));
        values.put("max", histogram.getMaxValue());
        return values;
    }

    @Override
    void log(File file, long beginMs, long endMs) throws FileNotFoundException {
        histogram.setStartTimeStamp(beginMs);
        histogram.setEndTimeStamp(endMs);
        HistogramLogWriter writer = new HistogramLogWriter(file);
        try {
            writer.outputLogFormatVersion();
            writer.outputStartTime(beginMs);
            writer.outputLegend();
            writer.outputIntervalHistogram(histogram);
        } finally {
            writer.close();
        }
    }
}
