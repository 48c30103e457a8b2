// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-@number@: TODO: the title, as in JBS
 *
 * What goes wrong: TODO: what a user sees, and why.
 *
 * What it takes: TODO: the least that shows it.
 *
 * Control: TODO: what differs from the subject, so that the bug can't show.
 *
 * Judged by a count of lines that the program prints if the bug shows.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: TODO: part of what it says then
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/@test@
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib @test@
 *     java -cp classes @name@ [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
@affected@
 * On a fixed build:
@fixed@
 */

/*
 * @test
 * @bug @number@
 * @summary TODO: what must hold, in a line
 * @key waits
@requires@ * @library /lib
 * @run main/othervm @name@ control
 * @run main/othervm @name@ subject
 */

@imports@
public class @name@ {
    // TODO: a count or a sign of its own is surer than what it prints.
    private static final Pattern SIGN = Pattern.compile(@pattern@, Pattern.MULTILINE);

    public static void main(String[] args) throws Exception {
        Reproducer.run("@name@", "JDK-@number@", args, @name@::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        // TODO: the control: what differs so that the bug can't show.
        findings.require(which == Case.SUBJECT, "TODO: there is no control yet.");
        String printed = printed();
        findings.fact("printed", printed);
        // TODO: what must hold for the bug to show: require it, and say what there is instead.
        findings.require(!printed.isEmpty(), "The program printed nothing.");
        int lines = 0;
        for (Matcher sign = SIGN.matcher(printed); sign.find(); lines++) {
            continue;
        }
        findings.judgeCount("lines_with_the_sign", lines, 1, "lines", "It showed", "It did not");
    }

    /** What the program prints, and what it throws. */
    private static String printed() throws Exception {
        PrintStream standard = System.out;
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        System.setOut(new PrintStream(text, true, "UTF-8"));
        try {
            // TODO: if it calls System.exit, let it return.
            @program@.main(new String[0]);
        } catch (Exception e) {
            System.out.println(e);
        } finally {
            System.setOut(standard);
        }
        return text.toString("UTF-8").trim();
    }
}

/** TODO: what the program does, in a sentence; then move it into measure(). */
@source@
