// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What does the build under test do, row by row? The rows run in JVMs of their own, so that one
 * that ends its JVM costs itself alone. The first of them also plans which rows there are.
 * {@code -Drows.only=PATTERN} selects rows by their ids.
 */
final class BehaveSuite {
    static final String CHILD = "rows";

    /** Topics that need the same modules of the JDK. */
    interface Topics {
        List<Topic> all();
    }

    private BehaveSuite() { }

    /**
     * Runs the rows of these topics and writes {@link ObservationsFile}.
     *
     * @param test the class whose main calls this, as the JVMs of the rows do once more
     * @param args of its main
     * @param isGold only the rows that a {@code gold.txt} beside the topics names
     */
    static void run(Class<?> test, String[] args, boolean isGold, Topics... topics)
            throws IOException, InterruptedException {
        if (args.length > 0 && args[0].equals(CHILD)) {
            runRows(Paths.get(args[1]), Paths.get(args[2]), Paths.get(args[3]), isGold, topics);
            return;
        }
        ObservationsFile file = new ObservationsFile();
        RowsProcesses usual = new RowsProcesses(test, Collections.emptyList(), file);
        Map<List<String>, List<PlannedRow>> byOptions = new LinkedHashMap<>();
        for (PlannedRow row : usual.plan()) {
            byOptions.computeIfAbsent(row.options, o -> new ArrayList<>()).add(row);
        }
        for (Map.Entry<List<String>, List<PlannedRow>> alike : byOptions.entrySet()) {
            RowsProcesses jvms = alike.getKey().isEmpty() ? usual
                : new RowsProcesses(test, alike.getKey(), file);
            jvms.run(alike.getValue());
        }
        file.end();
    }

    /** Tries the rows that a file names; if it names none, plans all and tries those without options. */
    private static void runRows(Path report, Path ids, Path plan, boolean isGold, Topics... topics)
            throws IOException, InterruptedException {
        Set<String> wanted = new HashSet<>(Files.readAllLines(ids, StandardCharsets.UTF_8));
        List<TopicRow> rows = new ArrayList<>();
        if (wanted.isEmpty()) {
            RowGlobs gold = RowGlobs.gold(Paths.get(System.getProperty("test.src", ".")));
            Pattern only = Pattern.compile(System.getProperty("rows.only", ""));
            List<TopicRow> planned = new ArrayList<>();
            for (TopicRow row : declared(present(topics))) {
                if ((!isGold || gold.matches(row.id)) && only.matcher(row.id).find()) {
                    planned.add(row);
                }
            }
            PlannedRow.write(plan, planned, gold);
            planned.stream().filter(row -> row.topic.options().isEmpty()).forEach(rows::add);
        } else {
            List<Topic> asked = present(topics);
            Set<String> names = new HashSet<>();
            wanted.forEach(id -> names.add(id.split("\\.", 2)[0]));
            asked.removeIf(topic -> !names.contains(topic.name()));
            declared(asked).stream().filter(row -> wanted.contains(row.id)).forEach(rows::add);
        }
        new RowsJvm(report).run(rows);
    }

    private static List<Topic> present(Topics... topics) {
        List<Topic> present = new ArrayList<>();
        for (Topics alike : topics) {
            try {
                present.addAll(alike.all());
            } catch (NoClassDefFoundError e) {      // no such module here: its topics are absent
                System.err.println("topics are absent: " + e.getMessage());
            }
        }
        return present;
    }

    private static Collection<TopicRow> declared(List<Topic> topics) {
        TopicRows rows = new TopicRows();
        for (Topic topic : topics) {
            try {
                rows.add(topic);
            } catch (NoClassDefFoundError e) {      // no such module here: its rows are absent
                System.err.println(topic.name() + " is absent: " + e.getMessage());
            }
        }
        return rows.byId().values();
    }
}
