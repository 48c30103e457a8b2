// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What does a text become when parts of it are replaced? The parts must not overlap. */
final class Edits {
    private record Edit(int start, int end, String text) { }

    private final List<Edit> edits = new ArrayList<>();

    void replace(int start, int end, String text) {
        edits.add(new Edit(start, end, text));
    }

    boolean isEmpty() {
        return edits.isEmpty();
    }

    /** The text from {@code start} to {@code end}, with the edits that lie there. */
    String apply(String source, int start, int end) {
        edits.sort(Comparator.comparingInt(Edit::start));
        StringBuilder text = new StringBuilder();
        int from = start;
        for (Edit edit : edits) {
            if (edit.start < start || edit.end > end) {
                continue;
            }
            text.append(source, from, edit.start).append(edit.text);
            from = edit.end;
        }
        return text.append(source, from, end).toString();
    }
}
