// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What do java.net.http's publishers send, and what do its handlers make of a body? */
final class ClientBodies implements Topic {
    private static final int WITHIN_MS = 15_000;
    private static final String[][] TYPES = {{"none", null}, {"utf-8", "text/plain; charset=utf-8"},
        {"iso", "text/plain; charset=ISO-8859-1"}, {"quoted", "text/plain; charset=\"ISO-8859-1\""},
        {"capitals", "text/plain; CHARSET=iso-8859-1"}, {"unknown", "text/plain; charset=none-such"},
        {"second", "text/plain; format=flowed; charset=ISO-8859-1"}, {"blanks",
            "text/plain ;  charset = ISO-8859-1"}, {"no-type", "charset=ISO-8859-1"},
        {"utf-16", "text/plain; charset=UTF-16BE"}};

    /** The folder of the test, which its runner empties. */
    private static final Path HERE = Paths.get("").toAbsolutePath();

    private HttpClient client;
    private TopicRows rows;

    /** A publisher that a row is about. */
    private interface Published {
        BodyPublisher publisher() throws Exception;
    }

    /** What an application makes of a reply. */
    private interface Handled {
        String by(HttpClient client, HttpRequest request) throws Exception;
    }

    @Override
    public String name() {
        return "net-body";
    }

    @Override
    public void declare(TopicRows declared) {
        rows = declared;
        published();
        handled();
    }

    private void published() {
        byte[] letters = "abcdef".getBytes(StandardCharsets.US_ASCII);
        sent("part-of-array", "ofByteArray of some bytes of an array",
            () -> BodyPublishers.ofByteArray(letters, 2, 3));
        sent("part-of-array-40-kb", "ofByteArray of some bytes of a large array", () -> {
            byte[] large = new byte[50_000];
            Arrays.fill(large, 9_000, 49_000, (byte) 'x');
            return BodyPublishers.ofByteArray(large, 9_000, 40_000);
        });
        sent("arrays", "ofByteArrays of three arrays, of which one is empty",
            () -> BodyPublishers.ofByteArrays(List.of(letters, new byte[0], letters)));
        sent("stream", "ofInputStream", () -> BodyPublishers.ofInputStream(
            () -> new ByteArrayInputStream(letters)));
        sent("stream-null", "ofInputStream of no stream",
            () -> BodyPublishers.ofInputStream(() -> null));
        sent("stream-fails", "ofInputStream of a stream that fails after two bytes",
            () -> BodyPublishers.ofInputStream(() -> new InputStream() {
                private int count;

                @Override
                public int read() throws IOException {
                    if (count == 2) {
                        throw new IOException("on purpose");
                    }
                    return 'a' + count++;
                }

                @Override
                public int read(byte[] into, int offset, int length) throws IOException {
                    into[offset] = (byte) read();
                    return 1;
                }
            }));
        sent("string", "ofString with letters beyond ASCII", () -> BodyPublishers.ofString("\u00e4"));
        sent("string-iso", "ofString in ISO 8859-1",
            () -> BodyPublishers.ofString("\u00e4", StandardCharsets.ISO_8859_1));
        sent("file", "ofFile", () -> {
            Path file = Files.createTempFile(HERE, "body", ".txt");
            Files.write(file, letters);
            return BodyPublishers.ofFile(file);
        });
        sent("empty", "ofString of no letter", () -> BodyPublishers.ofString(""));
        sent("none", "noBody", BodyPublishers::noBody);
        for (int length : new int[] {3, 6, 9}) {
            sent("length-" + length, "fromPublisher of six bytes, with the length " + length,
                () -> BodyPublishers.fromPublisher(BodyPublishers.ofByteArray(letters), length));
        }
        sent("length-unknown", "fromPublisher of six bytes, without a length",
            () -> BodyPublishers.fromPublisher(BodyPublishers.ofByteArray(letters)));
        for (int length : new int[] {0, -1}) {
            sent("length-" + (length == 0 ? "zero" : "minus"), "fromPublisher with the length " + length,
                () -> BodyPublishers.fromPublisher(BodyPublishers.noBody(), length));
        }
    }

    private synchronized HttpClient client() throws GeneralSecurityException {
        if (client == null) {
            client = new NetUser().builder().build();
        }
        return client;
    }

    /** A body that is cut ends the connection: the peer then has no whole request. */
    private void sent(String id, String does, Published published) {
        rows.row("net-body.sent-" + id, "java.net.http: a POST with " + does, () -> {
            try (WirePeer peer = WirePeer.answering(Redirected.OK)) {
                String seen;
                try {
                    seen = String.valueOf(client().send(HttpRequest.newBuilder(
                        peer.url("/x").toURI()).POST(published.publisher()).build(),
                        BodyHandlers.discarding()).statusCode());
                } catch (IOException e) {
                    seen = reason(e);
                } catch (IllegalArgumentException e) {
                    seen = Failure.refusal(e);
                }
                List<WireRequest> requests = peer.requests();
                return seen + "; " + (requests.isEmpty() ? "no whole request" : "Content-Length '"
                    + requests.get(0).field("Content-Length") + "', body "
                    + (requests.get(0).body.length() > 30 ? requests.get(0).body.replace("x", "").length()
                        + " of " + requests.get(0).body.length() + " bytes are others"
                        : requests.get(0).body.trim()));
            }
        }).within(WITHIN_MS);
    }

    /** The innermost cause, which is the application's own, or the JDK's first words. */
    private static String reason(IOException thrown) {
        Throwable cause = thrown;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        // Before and after them are a connection, a thread and the reply's fields.
        return Masked.text(thrown.getClass().getSimpleName() + ": " + String.valueOf(
            cause.getMessage()).replaceFirst(".*(Too (few|many) bytes)", "$1")
            .replaceFirst(" in response \\[.*", ""));
    }

    private void handled() {
        for (String[] type : TYPES) {
            for (String handler : new String[] {"string", "lines"}) {
                rows.row("net-body.charset-" + type[0] + "-" + handler, "java.net.http: a body of one"
                    + " byte above ASCII, of the type '" + type[1] + "', is read as " + handler,
                    () -> charset(type[1], handler));
            }
        }
        got("lines", "ofLines of three lines with three ends", "a\nb\r\nc\rd\n", (client, request) -> {
            try (Stream<String> lines = client.send(request, BodyHandlers.ofLines()).body()) {
                return lines.collect(Collectors.toList()).toString();
            }
        });
        got("stream", "ofInputStream", "abc", (client, request) -> {
            try (InputStream in = client.send(request, BodyHandlers.ofInputStream()).body()) {
                return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            }
        });
        got("stream-closed", "ofInputStream, closed before its end, and the next request", "abc",
            (client, request) -> {
                client.send(request, BodyHandlers.ofInputStream()).body().close();
                return "closed, then " + client.send(request, BodyHandlers.ofString()).body();
            });
        got("bytes", "ofByteArray", "abc", (client, request) -> Arrays.toString(
            client.send(request, BodyHandlers.ofByteArray()).body()));
        got("consumer", "ofByteArrayConsumer", "abc", (client, request) -> {
            StringBuffer parts = new StringBuffer();
            client.send(request, BodyHandlers.ofByteArrayConsumer(part -> parts.append(
                part.map(bytes -> bytes.length + " ").orElse("end"))));
            return parts.toString();
        });
        got("discarding", "discarding", "abc", (client, request) -> String.valueOf(
            client.send(request, BodyHandlers.discarding()).body()));
        got("replacing", "replacing", "abc", (client, request) ->
            client.send(request, BodyHandlers.replacing("other")).body());
        got("buffering", "buffering of two bytes each", "abcde", (client, request) -> {
            StringBuffer parts = new StringBuffer();
            client.send(request, BodyHandlers.buffering(BodyHandlers.ofByteArrayConsumer(
                part -> parts.append(part.map(bytes -> bytes.length + " ").orElse("end"))), 2));
            return parts.toString();
        });
        got("mapping", "mapping of a string's length", "abc", (client, request) -> String.valueOf(
            client.send(request, head -> BodySubscribers.mapping(
                BodySubscribers.ofString(StandardCharsets.US_ASCII), String::length)).body()));
        got("throws", "a handler that throws", "abc", (client, request) ->
            client.send(request, (BodyHandler<String>) head -> {
                throw new IllegalStateException("on purpose");
            }).body());
        got("file", "ofFile, where a longer file is", "abc", (client, request) -> {
            Path file = Files.createTempFile(HERE, "body", ".txt");
            Files.write(file, new byte[10]);
            return Files.size(client.send(request, BodyHandlers.ofFile(file,
                StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)).body()) + " bytes";
        });
        for (String[] name : new String[][] {{"token", "attachment; filename=a.txt"},
            {"quoted", "attachment; filename=\"a b.txt\""}, {"none", "attachment"},
            {"path", "attachment; filename=\"../a.txt\""}, {"dots", "attachment; filename=\"..\""},
            {"inline", "inline; filename=a.txt"}, {"capitals", "Attachment; FileName=a.txt"},
            {"backslash", "attachment; filename=\"a\\\\b.txt\""}, {"empty",
                "attachment; filename=\"\""}}) {
            rows.row("net-body.download-" + name[0], "java.net.http: ofFileDownload, and"
                + " Content-Disposition is " + name[1], () -> got("Content-Disposition: " + name[1],
                    "abc", (client, request) -> {
                        Path folder = Files.createTempDirectory(HERE, "download");
                        Path file = client.send(request, BodyHandlers.ofFileDownload(folder,
                            StandardOpenOption.CREATE, StandardOpenOption.WRITE)).body();
                        return folder.relativize(file) + ", " + Files.size(file) + " bytes";
                    })).within(WITHIN_MS);
        }
    }

    private void got(String id, String does, String body, Handled handled) {
        rows.row("net-body.got-" + id, "java.net.http: a body is read by " + does,
            () -> got("X-A: b", body, handled)).within(WITHIN_MS);
    }

    private String got(String field, String body, Handled handled) throws Exception {
        try (WirePeer peer = WirePeer.answering("HTTP/1.1 200 OK\r\n" + field
                + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)) {
            return handled.by(client(), HttpRequest.newBuilder(peer.url("/x").toURI()).build());
        } catch (IOException e) {
            return reason(e);
        }
    }

    private String charset(String type, String handler) throws Exception {
        return got(type == null ? "X-A: b" : "Content-Type: " + type, "\u00e4", (client, request) -> {
            String text = handler.equals("string")
                ? client.send(request, BodyHandlers.ofString()).body()
                : client.send(request, BodyHandlers.ofLines()).body().collect(Collectors.joining());
            return text.chars().mapToObj(Integer::toHexString).collect(Collectors.joining(" "));
        });
    }
}
