// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.Collections;
import java.util.List;

/** Of what do some rows ask? One small class each; its rows share a JVM of the build under test. */
interface Topic {
    /** The first word of the ids of its rows: {@code redirect}. */
    String name();

    /** Declares the rows, and does nothing else: no socket, no key, no class a build may lack. */
    void declare(TopicRows rows);

    /** Options of the JVM; topics with the same ones share it. */
    default List<String> options() {
        return Collections.emptyList();
    }

    /** Do its rows change what the whole JVM sees, such as a default? Then they run one by one. */
    default boolean isAlone() {
        return false;
    }

    /**
     * May a row turn in a circle for ever? What runs after it in that JVM would share its core, so it
     * comes last.
     */
    default boolean isLast() {
        return false;
    }
}
