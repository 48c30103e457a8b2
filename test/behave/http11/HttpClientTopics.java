// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.ArrayList;
import java.util.List;

/** The topics of java.net.http, compiled for Java 11. */
final class HttpClientTopics {
    private HttpClientTopics() { }

    static List<Topic> all() {
        List<Topic> topics = new ArrayList<>();
        topics.add(new ClientSentFields());
        topics.add(new OddFrames());
        topics.add(new OddFrameFields());
        topics.addAll(HttpTopics.of(new NetUser()));
        return topics;
    }
}
