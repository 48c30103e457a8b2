// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What would a copy of Spark's page of threads say, if the page was saved? Its cells have ids; the
 * stack is in one that is not shown, and once more where somebody has opened it.
 */
final class SparkPage {
    private static final Pattern TITLE =
            Pattern.compile("<title>[^<]*Thread dump for (?:executor|task) ", Pattern.CASE_INSENSITIVE);
    private static final Pattern CELL = Pattern.compile("<td id=\"(\\d{1,18})_td_([a-z]+)\"[^>]*>");
    private static final Pattern TIME =
            Pattern.compile("Updated at (\\d{4})/(\\d\\d)/(\\d\\d) (\\d\\d:\\d\\d:\\d\\d)");
    private static final Pattern BREAK = Pattern.compile("<br ?/?>");
    private static final Pattern BLANKS = Pattern.compile("\\s+");

    private SparkPage() {}

    /** Is a text such a page, by its first characters? */
    static boolean begins(String head) {
        return TITLE.matcher(head).find();
    }

    /** The lines as a copy has them: for each thread one of its id, name, state and locks first. */
    static String text(String page) {
        List<String> lines = new ArrayList<>();
        Matcher time = TIME.matcher(page);
        if (time.find()) {
            lines.add(time.group(1) + "-" + time.group(2) + "-" + time.group(3) + " "
                    + time.group(4));
        }
        Map<String, String> cells = new HashMap<>();
        Matcher cell = CELL.matcher(page);
        while (cell.find()) {
            int end = page.indexOf("</td>", cell.end());
            String content = page.substring(cell.end(), end < 0 ? page.length() : end);
            if (!cell.group(2).equals("stacktrace")) {
                cells.put(cell.group(2), BLANKS.matcher(Markup.shown(content)).replaceAll(" ").strip());
                continue;
            }
            lines.add(cell.group(1) + "\t" + cells.getOrDefault("name", "") + "\t"
                    + cells.getOrDefault("state", "") + "\t" + cells.getOrDefault("locking", ""));
            Markup.shown(BREAK.matcher(content).replaceAll("\n")).lines()
                    .filter(line -> !line.isBlank()).forEach(lines::add);
            cells.clear();
        }
        return String.join("\n", lines);
    }
}
