// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Globs of row ids: ids, in which {@code *} stands for any text. */
final class RowGlobs {
    private final Set<String> ids = new HashSet<>();
    private final List<String> beginnings = new ArrayList<>();
    private final List<Pattern> patterns = new ArrayList<>();

    /** Those of each {@code gold.txt} below a folder: one per line; {@code #} begins a comment. */
    static RowGlobs gold(Path folder) throws IOException {
        RowGlobs globs = new RowGlobs();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path topics : files) {
                Path list = topics.resolve("gold.txt");
                if (Files.exists(list)) {
                    Files.readAllLines(list).forEach(line -> globs.add(line.split("#", 2)[0].trim()));
                }
            }
        }
        return globs;
    }

    private void add(String glob) {
        int star = glob.indexOf('*');
        if (star < 0) {
            ids.add(glob);
        } else {
            beginnings.add(glob.substring(0, star));
            patterns.add(Pattern.compile("\\Q" + glob.replace("*", "\\E.*\\Q") + "\\E"));
        }
    }

    boolean matches(String id) {
        for (int i = 0; i < beginnings.size(); i++) {
            if (id.startsWith(beginnings.get(i)) && patterns.get(i).matcher(id).matches()) {
                return true;
            }
        }
        return ids.contains(id);
    }
}
