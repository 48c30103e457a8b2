// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What does the build under test do, row by row? The rows run in JVMs of their own, so that one
 * that ends its JVM costs itself alone. {@code -Drows.only=PATTERN} selects rows by their ids.
 */
final class BehaveSuite {
    static final String CHILD = "rows";

    private BehaveSuite() { }

    /**
     * Runs the rows of these topics and writes {@link ObservationsFile}.
     *
     * @param test the class whose main calls this, as the JVMs of the rows do once more
     * @param args of its main
     * @param isGold only the rows that a {@code gold.txt} beside the topics names
     */
    static void run(Class<?> test, String[] args, List<Topic> topics, boolean isGold)
            throws IOException, InterruptedException {
        TopicRows rows = new TopicRows();
        for (Topic topic : topics) {
            try {
                rows.add(topic);
            } catch (NoClassDefFoundError e) {      // no such module here: its rows are absent
                System.err.println(topic.name() + " is absent: " + e.getMessage());
            }
        }
        if (args.length > 0 && args[0].equals(CHILD)) {
            new RowsJvm(rows.byId(), Paths.get(args[1])).run(Paths.get(args[2]));
            return;
        }
        Predicate<String> gold = globs(goldLists());
        Pattern only = Pattern.compile(System.getProperty("rows.only", ""));
        ObservationsFile file = new ObservationsFile(gold);
        Map<List<String>, List<TopicRow>> byOptions = new LinkedHashMap<>();
        for (TopicRow row : rows.byId().values()) {
            if ((!isGold || gold.test(row.id)) && only.matcher(row.id).find()) {
                byOptions.computeIfAbsent(row.topic.options(), o -> new ArrayList<>()).add(row);
            }
        }
        for (Map.Entry<List<String>, List<TopicRow>> alike : byOptions.entrySet()) {
            new RowsProcesses(test, alike.getKey(), file).run(alike.getValue());
        }
        file.end();
    }

    /** Each list has a glob of row ids per line; {@code #} begins a comment. */
    private static List<Path> goldLists() throws IOException {
        List<Path> lists = new ArrayList<>();
        Path folder = Paths.get(System.getProperty("test.src", "."));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path topics : files) {
                if (Files.exists(topics.resolve("gold.txt"))) {
                    lists.add(topics.resolve("gold.txt"));
                }
            }
        }
        return lists;
    }

    private static Predicate<String> globs(List<Path> lists) throws IOException {
        StringBuilder pattern = new StringBuilder();
        for (Path list : lists) {
            for (String line : Files.readAllLines(list)) {
                String glob = line.replaceFirst("#.*", "").trim();
                if (!glob.isEmpty()) {
                    pattern.append(pattern.length() == 0 ? "" : "|").append("\\Q")
                        .append(glob.replace("*", "\\E.*\\Q")).append("\\E");
                }
            }
        }
        Pattern all = Pattern.compile(pattern.toString());
        return id -> all.matcher(id).matches();
    }
}
