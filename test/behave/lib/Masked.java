// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.regex.Pattern;

/** What of a text differs from run to run, or between builds by their version alone? */
final class Masked {
    private static final int MOST_CHARACTERS = 2_000;
    private static final Object[][] MASKS = {
        {Pattern.compile("(?<=127\\.0\\.0\\.1[:/ ]|(?i:localhost)[:/ ]|\\[::1\\]:)\\d{2,5}\\b"),
            "PORT"},
        {Pattern.compile("(?<=(?i:port)[= ]{1,2}\"?)\\d{4,5}\\b"), "PORT"},
        {Pattern.compile("\\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \\d\\d \\w{3} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT"),
            "DATE"},
        {Pattern.compile("\\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \\w{3} \\d\\d \\d\\d:\\d\\d:\\d\\d \\w+ \\d{4}"),
            "DATE"},
        {Pattern.compile("(?<=\\bJava/|\\bJava-http-client/|\\bJRE/)[\\w.+-]+"), "VERSION"},
        {Pattern.compile("@[0-9a-f]{5,8}\\b"), "@HASH"},
        {Pattern.compile("\\s*[\\r\\n]+\\s*"), " "},
        {Pattern.compile("\\p{Cntrl}"), "?"},
    };

    private Masked() { }

    /** The text without ports, dates and versions, on one line, and bounded. */
    static String text(String text) {
        String masked = text;
        for (Object[] mask : MASKS) {
            masked = ((Pattern) mask[0]).matcher(masked).replaceAll((String) mask[1]);
        }
        return masked.length() <= MOST_CHARACTERS ? masked
            : masked.substring(0, MOST_CHARACTERS) + "... of " + masked.length() + " characters";
    }
}
