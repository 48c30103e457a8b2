// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.List;
import java.util.regex.Pattern;

/**
 * What is a file that has no dump to read? A row for each format that people take for one: what it
 * is, a line that nothing else has, and what to take instead.
 */
final class Foreign {
    private static final String PRINT = "jcmd PID Thread.print -l";

    private record Row(String format, Pattern line, String instead) {
        Row(String format, String line, String instead) {
            this(format, Pattern.compile(line), instead);
        }
    }

    private static final List<Row> ROWS = List.of(
            new Row("what jcmd or jstack says of a JVM that it does not reach",
                    "(?:\\d+: )?(?:Unable to open socket file|.*AttachNotSupportedException|"
                            + "\\d*: (?:Operation not permitted|No such process)).*",
                    PRINT + " as the JVM's own user, or kill -3 PID"),
            new Row("what jfr print shows of a recording", "jdk\\.\\w+ \\{",
                    "the recording (.jfr) itself"),
            new Row("a histogram of classes, without threads",
                    "num +#instances +#bytes +class name.*", PRINT),
            new Row("a list of threads without their stacks",
                    "\"[^\"]+\" (?:#\\d|daemon |prio=).*\\bnid=.*", PRINT + ", whole"),
            new Row("a javacore of OpenJ9", "(?:0SECTION|1TISIGINFO|1CIJAVAVERSION|3XMTHREADINFO) .*",
                    "its threads by JMX, as Spring's /actuator/threaddump has them"),
            new Row("the output of jstack -F or jhsdb jstack, which names no locks",
                    "Thread \\d+: \\(state = \\w+\\).*", PRINT + ", or kill -3 PID"),
            new Row("the output of jstack -m, which names no locks",
                    "-{5,} \\d+ -{5,}", PRINT + ", or kill -3 PID"),
            new Row("the text of Thread.dump_to_file", "#\\d+ \".*\"(?: .*)?",
                    PRINT + ", or Thread.dump_to_file -format=json"),
            new Row("a crash report of the JVM (hs_err)",
                    "# A fatal error has been detected by the Java Runtime Environment:",
                    PRINT + " of a JVM that runs"),
            new Row("a dump of Go's goroutines", "goroutine \\d+ \\[.*\\]:", PRINT + " of a JVM"),
            new Row("a dump of Python's threads",
                    "(?:Current thread|Thread) 0x\\p{XDigit}+ \\(most recent call first\\):"
                            + "|Traceback \\(most recent call last\\):"
                            + "|Thread (?:0x)?\\p{XDigit}+ \\((?:idle|active)[^)]*\\)(?:: .*)?",
                    PRINT + " of a JVM"),
            new Row("a dump of .NET's threads",
                    "OS Thread Id: 0x.*|Thread \\(0x\\p{XDigit}+\\):|.*\\bSystem\\.Private\\.CoreLib!.*",
                    PRINT + " of a JVM"),
            new Row("a backtrace of gdb or pstack", "Thread \\d+ \\((?:Thread 0x|LWP ).*",
                    PRINT),
            new Row("a dump of Android's runtime",
                    "DALVIK THREADS.*|\"[^\"]+\" (?:daemon )?prio=\\d+ tid=\\d+ [A-Z][A-Za-z]+",
                    PRINT + " of a JVM"),
            new Row("a dump of JRockit", "=+ FULL THREAD DUMP =+", PRINT + " of HotSpot"),
            new Row("a list of Elasticsearch's hot threads, which names no locks",
                    "[\\d.]+% .*usage by thread '.*'", PRINT),
            new Row("a profile of hprof", "JAVA PROFILE 1\\.0\\.\\d, created .*", PRINT),
            new Row("a dump of Kotlin's coroutines", "Coroutine \".*\":.*, state: [A-Z]+", PRINT),
            new Row("the output of jdb", "\\[1\\] [\\w.$]+ \\([^()]*\\)", PRINT),
            new Row("a text of YourKit", "Stacks at .* \\(uptime .*\\)", PRINT),
            new Row("a reply of jboss-cli", "\"thread-name\" => .*", "jboss-cli.sh --output-json"),
            new Row("a profile of async-profiler", "--- Execution profile ---|--- \\d+ ns .*samples?",
                    "its output as jfr, or " + PRINT),
            new Row("collapsed stacks, as of async-profiler", "[^\\s;]+(?:;[^\\s;]+){3,} \\d+",
                    "its output as jfr, or " + PRINT));

    private Foreign() {}

    /** What to say of a file by one of its lines; null if no row knows it. */
    static String of(String line) {
        String text = line.strip();
        for (Row row : ROWS) {
            if (row.line().matcher(text).matches()) {
                return "is " + row.format() + "; accepted: " + row.instead();
            }
        }
        return null;
    }
}
