// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Collections;
import java.util.List;

/** For how long is the address of a name kept? Names come from a file of these rows alone. */
final class Lookups implements Topic {
    private static final String FILE = "hosts-of-lookups.txt";

    @Override
    public String name() {
        return "lookup";
    }

    @Override
    public List<String> options() {
        return Collections.singletonList("-Djdk.net.hosts.file=" + FILE);
    }

    @Override
    public boolean isAlone() {
        return true;
    }

    @Override
    public void declare(TopicRows rows) {
        rows.row("lookup.again", "a name gets another address; which is seen the second time?",
            () -> twice("127.0.0.2 again.example", "127.0.0.3 again.example", "again.example"));
        rows.row("lookup.gone", "a name is gone; what is seen the second time?",
            () -> twice("127.0.0.2 gone.example", "", "gone.example"));
        rows.row("lookup.come", "a name that there was not has come; what is seen the second time?",
            () -> twice("", "127.0.0.2 come.example", "come.example"));
    }

    private static String twice(String first, String second, String name) throws Exception {
        if (System.getProperty("java.specification.version").startsWith("1.")) {
            throw new Absent("jdk.net.hosts.file");
        }
        hosts(first);
        String seen = address(name);
        hosts(second);
        return seen + ", then " + address(name);
    }

    private static void hosts(String line) throws java.io.IOException {
        Files.write(Paths.get(FILE), (line + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    private static String address(String name) {
        try {
            return InetAddress.getByName(name).getHostAddress();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }
}
