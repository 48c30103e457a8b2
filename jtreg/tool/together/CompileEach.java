// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;

/**
 * Runs javac once for each list of arguments, in one JVM, as `java CompileEach.java -- ... -- ...`,
 * and prints its exit codes. What javac says is left out.
 */
public final class CompileEach {

    private static final String NEXT_LIST = "--";

    private CompileEach() {
    }

    public static void main(String[] arguments) {
        List<List<String>> lists = new ArrayList<>();
        for (String argument : arguments) {
            if (argument.equals(NEXT_LIST)) {
                lists.add(new ArrayList<>());
            } else {
                lists.get(lists.size() - 1).add(argument);
            }
        }
        ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
        PrintStream none = new PrintStream(OutputStream.nullOutputStream());
        for (List<String> list : lists) {
            System.out.println(javac.run(none, none, list.toArray(String[]::new)));
        }
    }
}
