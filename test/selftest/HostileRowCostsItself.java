// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary Does a row that hangs, throws, leaves a thread or ends its JVM leave the others as they are?
 * @key selftest
 * @library /lib /behave/lib
 * @run main/othervm HostileRowCostsItself
 */

import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.List;

/** Rows of each hostile kind, each beside rows that are not. */
public class HostileRowCostsItself implements Topic {
    private static final Path FILE = Paths.get("observations.jsonl");
    private static final int MANY = 20;

    /** Runs them, and reads what they left. */
    public static void main(String[] args) throws Exception {
        Topic topic = new HostileRowCostsItself();
        BehaveSuite.run(HostileRowCostsItself.class, args, false,
            () -> Arrays.asList(new Circle(), topic));
        if (args.length > 0) {
            return;
        }
        List<String> lines = Files.readAllLines(FILE);
        Files.delete(FILE);     // the kit would grade them
        String text = String.join("\n", lines);
        System.err.println(text);
        int hanging = 0;
        for (int i = 0; i < MANY; i++) {
            need(text, "hostile.good-" + i, "\"seen\", \"text\": \"" + i + "\"");
            hanging += needOf(text, "hostile.hangs-" + i).contains("\"hangs\"") ? 1 : 0;
        }
        Check.that(hanging == MANY, hanging + " rows hang, not " + MANY);
        need(text, "hostile.exits", "\"ends-jvm\", \"text\": \"ends the JVM, exit code 7\"");
        need(text, "hostile.halts", "\"ends-jvm\", \"text\": \"ends the JVM, exit code 9\"");
        need(text, "hostile.throws", "\"IllegalStateException: at 127.0.0.1:PORT <- Error: on 2 lines\"");
        need(text, "hostile.absent", "\"absent\", \"text\": \"Absent: a module\"");
        need(text, "hostile.no-class", "\"absent\", \"text\": \"NoClassDefFoundError: no/Such\"");
        need(text, "hostile.leaves-thread", "\"notes\": [\"leaves thread left\"]");
        need(text, "hostile.uncaught", "\"notes\": [\"uncaught in dies: IllegalStateException: x\"]");
        need(text, "hostile.halts-later", "\"ends-jvm\", \"text\": \"ends the JVM, exit code 5\"");
        need(text, "hostile.null", "\"seen\", \"text\": \"null\"");
        need(text, "hostile.long", "... of 3000 characters");
        need(lines.get(lines.size() - 2), "circle.turns", "\"hangs\"");    // the last of all
        Check.that(lines.get(lines.size() - 1).equals("{\"rows\": " + (lines.size() - 1) + "}"),
            "no count at the end");
    }

    private static String needOf(String text, String row) {
        for (String line : text.split("\n")) {
            if (line.contains("\"" + row + "\"")) {
                return line;
            }
        }
        throw new AssertionError("no row " + row);
    }

    private static void need(String text, String row, String part) {
        Check.that(needOf(text, row).contains(part), row + " is not " + part);
    }

    @Override
    public String name() {
        return "hostile";
    }

    @Override
    public void declare(TopicRows rows) {
        rows.row("hostile.exits", "ends the JVM", () -> {
            System.exit(7);
            return "";
        });
        for (int i = 0; i < MANY; i++) {
            String text = Integer.toString(i);
            rows.row("hostile.good-" + i, "ends", () -> text);
            rows.row("hostile.hangs-" + i, "waits", () -> {
                try (ServerSocket socket = new ServerSocket(0, 1, TlsPeer.loopback())) {
                    return socket.accept().toString();
                }
            }).within(300);
        }
        rows.row("hostile.halts", "ends the JVM at once", () -> {
            Runtime.getRuntime().halt(9);
            return "";
        });
        rows.row("hostile.halts-later", "its thread ends the JVM after it", () -> {
            new Thread(HostileRowCostsItself::haltLater, "halts").start();
            return "started";
        });
        rows.row("hostile.throws", "throws", () -> {
            throw new IllegalStateException("at 127.0.0.1:12345", new Error("on\n2 lines"));
        });
        rows.row("hostile.absent", "needs a module", () -> {
            throw new Absent("a module");
        });
        rows.row("hostile.no-class", "needs a class", () -> {
            throw new NoClassDefFoundError("no/Such");
        });
        rows.row("hostile.leaves-thread", "starts a thread", () -> {
            Thread thread = new Thread(HostileRowCostsItself::sleep, "left");
            thread.start();
            return "started";
        });
        rows.row("hostile.uncaught", "its thread throws", () -> {
            Thread thread = new Thread(HostileRowCostsItself::fail, "dies");
            thread.start();
            thread.join();
            return "ended";
        });
        rows.row("hostile.null", "sees nothing", () -> null);
        rows.row("hostile.long", "sees much", () -> Exchange.body(3_000));
    }

    private static void haltLater() {
        try {
            Thread.sleep(200);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(5);
    }

    private static void sleep() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void fail() {
        throw new IllegalStateException("x");
    }

    /** A row that takes a core until its JVM ends. */
    private static final class Circle implements Topic {
        @Override
        public String name() {
            return "circle";
        }

        @Override
        public boolean isLast() {
            return true;
        }

        @Override
        public void declare(TopicRows rows) {
            rows.row("circle.turns", "turns in a circle", () -> {
                while (true) {
                    Thread.yield();
                }
            }).within(300);
        }
    }
}
