// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How does each reproducer end without its precondition? Its header says so, a line for each way:
 *
 * <pre>
 * [CONDITION] [control] -DNAME=TEXT...: OUTCOME: part of the reason
 * </pre>
 *
 * CONDITION is {@code since N} (a train), {@code with CLASS} or {@code without CLASS}. A line that
 * is too long goes on in the next, further to the right.
 */
final class Preconditions {
    private static final Pattern PARAGRAPH =
        Pattern.compile("\n \\* Without its precondition\n(?<lines>(?: \\*     .*\n)+)");
    private static final Pattern CONTINUED = Pattern.compile("\n \\*      +");
    private static final Pattern LINE = Pattern.compile(" \\*     "
        + "(?:(?<condition>since|with|without) (?<of>\\S+) )?(?<control>control )?"
        + "(?<options>-D\\S+(?: -D\\S+)*): (?<outcome>[a-z-]+): (?<reason>.+)");
    private static final Path SUITE = Paths.get(System.getProperty("test.src"), "..", "..");

    private Preconditions() { }

    /**
     * The claims of all reproducers in these folders of the suite.
     *
     * @throws AssertionError where a reproducer claims nothing, or a line says it otherwise
     */
    static List<Callable<Void>> claims(String... folders) throws Exception {
        List<Callable<Void>> claims = new ArrayList<>();
        for (String folder : folders) {
            int reproducers = 0;
            try (DirectoryStream<Path> files =
                    Files.newDirectoryStream(SUITE.resolve(folder), "*.java")) {
                for (Path file : files) {
                    reproducers++;
                    claims.addAll(claimsOf(file));
                }
            }
            Check.that(reproducers > 0, folder + ": no reproducers");
        }
        return claims;
    }

    private static List<Callable<Void>> claimsOf(Path file) throws Exception {
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        Matcher paragraph = PARAGRAPH.matcher(text);
        Check.that(paragraph.find(), file + ": no lines below \"Without its precondition\"");
        String test = file.getFileName().toString().replace(".java", "");
        List<Callable<Void>> claims = new ArrayList<>();
        for (String line : CONTINUED.matcher(paragraph.group("lines")).replaceAll(" ")
                .split("\n")) {
            Matcher claim = LINE.matcher(line);
            Check.that(claim.matches(), file + ": " + line + "; accepted: [since N|with CLASS|"
                + "without CLASS] [control] -DNAME=TEXT...: OUTCOME: REASON");
            if (holds(claim.group("condition"), claim.group("of"))) {
                claims.add(ChildJvm.claimOf(
                    claim.group("control") == null ? Case.SUBJECT : Case.CONTROL,
                    claim.group("outcome"), claim.group("reason"), test,
                    claim.group("options").split(" ")));
            }
        }
        return claims;
    }

    private static boolean holds(String condition, String of) {
        if (condition == null) {
            return true;
        }
        if (condition.equals("since")) {
            String train = System.getProperty("java.specification.version").replace("1.8", "8");
            return Integer.parseInt(train) >= Integer.parseInt(of);
        }
        return isThere(of) == condition.equals("with");
    }

    private static boolean isThere(String name) {
        try {
            Class.forName(name, false, Preconditions.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
