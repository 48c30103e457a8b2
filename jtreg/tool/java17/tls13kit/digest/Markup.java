// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What does a line say that came as JSON of a log, in a web page, or in a terminal's colours? */
final class Markup {
    /** Of Docker, then of loggers and collectors: where the line itself is. */
    private static final Pattern LOG_FIELD = Pattern.compile(
            "\"(?:log|message|msg|line|MESSAGE|textPayload|_raw)\"\\s*:\\s*(?=\")");
    private static final String JSON = "lines of a log in JSON";
    /** What else is in an object that is more than a line. */
    private static final Pattern BESIDE =
            Pattern.compile("\\s*(?:[\\[\\]{}],?|\"[^\"]{1,99}\"\\s*:\\s*\\S.*)\\s*");
    private static final Pattern TAG = Pattern.compile(
            "</?(?:a|b|i|em|tt|p|br|pre|code|span|strong|div|li|ul|ol|t[drh]|table|tbody|font|samp"
                    + "|blockquote|body|html|head|mark|section|article)(?: [^<>]*)?/?>",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern LINE_END = Pattern.compile(
            "<(?:br ?/?|/p|/div|/li|/tr|/pre)>", Pattern.CASE_INSENSITIVE);
    private static final Pattern ENTITY = Pattern.compile("&(?:#(\\d{1,7})|#[xX](\\p{XDigit}{1,6})"
            + "|(quot|lt|gt|amp|apos|nbsp|emsp|ensp|Tab));");
    private static final Map<String, String> ENTITIES = Map.of(
            "quot", "\"", "lt", "<", "gt", ">", "amp", "&", "apos", "'", "nbsp", " ",
            "emsp", "    ", "ensp", "  ", "Tab", "\t");
    private static final Pattern HEAD_IN_CELL = Pattern.compile(
            "\"\"[^\"]+\"\" (?:#\\d|daemon |prio=|Id=|- Thread).*");
    private static final Pattern COLOUR = Pattern.compile("\u001b\\[[\\d;?]{0,20}[a-zA-Z]");
    private static final Pattern ODD_BLANKS =
            Pattern.compile("[\\u00a0\\u2000-\\u200a\\u202f\\u3000]");
    private static final Pattern ODD_QUOTES = Pattern.compile("[\\u201c-\\u201f\\u00ab\\u00bb\\uff02]");
    private static final Pattern INVISIBLE = Pattern.compile("[\\u200b-\\u200f\\u2060\\ufeff]");
    private static final int HEX = 16;

    private Markup() {}

    /** The lines that a line stands for; itself if it is plain. {@code seen} takes what it was. */
    static List<String> plain(String line, Set<String> seen) {
        String text = line;
        String logged = logged(text);
        if (logged != null) {
            seen.add(JSON);
            text = logged;
        } else if (seen.contains(JSON) && BESIDE.matcher(text).matches()) {
            return List.of();
        } else if (text.contains("\"\"") || text.endsWith("\"") && text.contains(",\"")) {
            String cell = cell(text);
            if (cell != null) {
                seen.add("a table in CSV");
                text = cell;
            }
        }
        if (text.contains("\\n") && text.contains(DumpParser.FIRST.strip())) {
            seen.add("line ends written as \\n");
            text = unescaped(text);
        }
        if (text.indexOf('\u001b') >= 0) {
            seen.add("a terminal's colours");
            text = COLOUR.matcher(text).replaceAll("");
        }
        if (text.indexOf('<') >= 0 || text.indexOf('&') >= 0) {
            String shown = shown(text);
            if (!shown.equals(text)) {
                seen.add("HTML");
                text = shown;
            }
        }
        if (!isAscii(text)) {
            text = INVISIBLE.matcher(ODD_BLANKS.matcher(text).replaceAll(" ")).replaceAll("");
            if (ODD_QUOTES.matcher(text).find()) {
                seen.add("a text processor's quotes");
                text = ODD_QUOTES.matcher(text).replaceAll("\"");
            }
        }
        return text.indexOf('\n') < 0 ? List.of(text) : text.lines().toList();
    }

    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > '\u007f') {
                return false;
            }
        }
        return true;
    }

    /**
     * The field of a log's line that has what was printed, by itself or in an object, which columns
     * may stand before; null if there is none.
     */
    private static String logged(String line) {
        int begin = line.indexOf('{');
        boolean isObject = begin >= 0 && line.stripTrailing().endsWith("}");
        String text = isObject ? line.substring(begin) : line.stripLeading();
        Matcher field = LOG_FIELD.matcher(text);
        if (!(isObject ? field.find() : field.lookingAt())) {
            return null;
        }
        try {
            return JsonReader.stringAt(text, field.end()).stripTrailing();
        } catch (IOException e) {
            return null;
        }
    }

    /** The last cell of a row, or the line of one of many lines; null if it has no doubled quotes. */
    private static String cell(String line) {
        int begin = line.indexOf(",\"");
        boolean isRow = line.endsWith("\"") && begin >= 0 && !line.startsWith("\"\"");
        String cell = isRow ? line.substring(begin + 2, line.length() - 1) : line;
        boolean isCell = isRow ? cell.replace("\"\"", "").indexOf('"') < 0
                : HEAD_IN_CELL.matcher(line).matches();
        return isCell ? cell.replace("\"\"", "\"") : null;
    }

    /** A dump that is one string, of whatever language: from its quote on, if it has one. */
    private static String unescaped(String text) {
        int quote = text.lastIndexOf('"', text.indexOf(DumpParser.FIRST.strip()));
        String string = text.substring(quote + 1);
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < string.length(); i++) {
            char next = string.charAt(i);
            if (next == '\\' && i + 1 < string.length()) {
                char escape = string.charAt(++i);
                plain.append(escape == 'n' ? '\n' : escape == 't' ? '\t'
                        : escape == 'r' ? ' ' : escape);
            } else if (next == '"' && quote >= 0) {
                break;
            } else {
                plain.append(next);
            }
        }
        return plain.toString();
    }

    /** What a page shows of a part of its source. */
    static String shown(String text) {
        String bare = TAG.matcher(LINE_END.matcher(text).replaceAll("\n")).replaceAll("");
        for (int depth = 0; depth < 2 && bare.indexOf('&') >= 0; depth++) {
            bare = ENTITY.matcher(bare).replaceAll(
                    entity -> Matcher.quoteReplacement(character(entity)));
        }
        return bare;
    }

    private static String character(MatchResult entity) {
        if (entity.group(3) != null) {
            return ENTITIES.get(entity.group(3));
        }
        int code = entity.group(1) != null ? Integer.parseInt(entity.group(1))
                : Integer.parseInt(entity.group(2), HEX);
        return Character.isValidCodePoint(code) ? Character.toString(code) : "";
    }
}
