// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.ProtocolException;
import java.util.TreeMap;

/** What does HttpURLConnection say to calls that few make, or in an order that is wrong? */
final class UrlCalls implements Topic {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Number: 7\r\n"
        + "X-Word: seven\r\nX-Date: Thu, 01 Jan 2015 00:00:00 GMT\r\nX-Twice: a\r\nX-Twice: b\r\n"
        + "Last-Modified: Fri, 02 Jan 2015 00:00:00 GMT\r\nExpires: 0\r\n"
        + "Content-Encoding: none\r\nContent-Type: text/plain; charset=x\r\n\r\nhello";
    private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "5\r\nhello\r\n3\r\nyou\r\n0\r\n\r\n";
    private static final String NOT_FOUND =
        "HTTP/1.1 404 No\r\nContent-Length: 5\r\n\r\nabsent";

    /** What an application does with a connection. */
    private interface Act {
        Object on(HttpURLConnection connection) throws IOException;
    }

    private TopicRows rows;

    @Override
    public String name() {
        return "call";
    }

    @Override
    public void declare(TopicRows declared) {
        rows = declared;
        fields();
        requests();
        orders();
        streams();
    }

    private void row(String id, String does, String answer, Act act) {
        rows.row("call." + id, "HttpURLConnection: " + does, () -> {
            try (WirePeer peer = WirePeer.answering(answer)) {
                HttpURLConnection connection =
                    (HttpURLConnection) peer.url("/x").openConnection(Proxy.NO_PROXY);
                String seen;
                try {
                    seen = String.valueOf(act.on(connection));
                } catch (IllegalStateException | IllegalArgumentException | NullPointerException e) {
                    seen = Failure.refusal(e);
                } catch (ProtocolException e) {
                    seen = "refused: " + e.getMessage();
                } finally {
                    connection.disconnect();
                }
                return seen + "; requests " + peer.requests().size();
            }
        });
    }

    private void fields() {
        row("field-number", "a field as a number", OK, c -> c.getHeaderFieldInt("X-Number", -1) + ", "
            + c.getHeaderFieldInt("X-Word", -1) + ", " + c.getHeaderFieldLong("X-None", -1));
        row("field-date", "a field as a date", OK, c -> c.getHeaderFieldDate("X-Date", -1) + ", "
            + c.getHeaderFieldDate("X-Word", -1) + ", " + c.getHeaderFieldDate("X-None", -1));
        row("field-by-number", "fields by their numbers", OK, c -> c.getHeaderFieldKey(0) + "="
            + c.getHeaderField(0) + ", " + c.getHeaderFieldKey(1) + "=" + c.getHeaderField(1) + ", "
            + c.getHeaderFieldKey(99) + "=" + c.getHeaderField(99));
        row("field-twice", "a field that comes twice", OK, c -> c.getHeaderField("x-twice") + ", "
            + c.getHeaderFields().get("X-Twice") + ", " + c.getHeaderFields().get("x-twice"));
        row("field-known", "what has a method of its own", OK, c -> c.getContentLength() + ", "
            + c.getContentLengthLong() + ", " + c.getContentType() + ", " + c.getContentEncoding()
            + ", " + c.getLastModified() + ", " + c.getExpiration() + ", " + c.getDate());
        row("field-none", "what a reply lacks", "HTTP/1.1 204 No\r\n\r\n", c -> c.getContentLength()
            + ", " + c.getContentType() + ", " + c.getContentEncoding() + ", " + c.getLastModified()
            + ", " + c.getHeaderField("X-A"));
        row("fields-changed", "a list of fields is changed", OK, c -> {
            try {
                return c.getHeaderFields().get("X-Twice").add("c");
            } catch (UnsupportedOperationException e) {
                return "refused";
            }
        });
        row("message", "the reason of a status", OK,
            c -> c.getResponseCode() + " " + c.getResponseMessage());
        row("content", "getContent of text", OK.replace("text/plain; charset=x", "text/plain"),
            c -> c.getContent() instanceof InputStream);
        row("content-unknown", "getContent of an unknown type", OK.replace("text/plain", "a/b"),
            c -> c.getContent() instanceof InputStream);
        row("proxy", "is a proxy used, before and after?", OK,
            c -> c.usingProxy() + ", " + c.getResponseCode() + ", " + c.usingProxy());
    }

    private void requests() {
        row("asked", "an application's own fields, before", OK, c -> {
            c.setRequestProperty("X-A", "a");
            c.addRequestProperty("X-A", "b");
            c.setRequestProperty("Authorization", "secret");
            c.setRequestProperty("Cookie", "secret");
            return c.getRequestProperty("x-a") + ", " + new TreeMap<>(c.getRequestProperties()) + ", "
                + c.getRequestProperty("Authorization") + ", " + c.getRequestProperty("Cookie");
        });
        row("asked-after", "its own fields, after", OK, c -> {
            c.connect();
            return c.getRequestProperty("X-A") + ", " + c.getRequestProperties();
        });
        row("asked-changed", "its own fields are changed as a list", OK, c -> {
            c.setRequestProperty("X-A", "a");
            try {
                return c.getRequestProperties().put("X-B", null);
            } catch (UnsupportedOperationException e) {
                return "refused";
            }
        });
        for (String[] field : new String[][] {{"null", null, "b"}, {"null-text", "X-A", null},
            {"empty", "", "b"}, {"colon", "X:A", "b"}, {"blank", "X A", "b"}, {"line", "X-A", "b\nc"},
            {"line-folded", "X-A", "b\r\n c"}, {"line-in-name", "X\nA", "b"}, {"nul", "X-A", "\0"}}) {
            row("set." + field[0], "a field of this kind is set: " + field[0], OK, c -> {
                c.setRequestProperty(field[1], field[2]);
                return c.getResponseCode();
            });
        }
        for (String method : new String[] {"GET", "get", "TRACE", "CONNECT", "PATCH", "", "G T"}) {
            row("method." + (method.isEmpty() ? "none" : method.replace(" ", "-")),
                "the method is '" + method + "'", OK, c -> {
                    c.setRequestMethod(method);
                    return c.getResponseCode();
                });
        }
    }

    private void orders() {
        row("order.field", "a field is set after the connection", OK, c -> {
            c.connect();
            c.setRequestProperty("X-A", "b");
            return "set";
        });
        row("order.field-added", "a field is added after the connection", OK, c -> {
            c.connect();
            c.addRequestProperty("X-A", "b");
            return "added";
        });
        row("order.method", "the method is set after the reply", OK, c -> {
            c.getResponseCode();
            c.setRequestMethod("POST");
            return c.getResponseCode();
        });
        row("order.output", "setDoOutput after the connection", OK, c -> {
            c.connect();
            c.setDoOutput(true);
            return "set";
        });
        row("order.no-output", "a body without setDoOutput", OK, HttpURLConnection::getOutputStream);
        row("order.no-input", "a reply without setDoInput", OK, c -> {
            c.setDoInput(false);
            return c.getInputStream();
        });
        row("order.output-late", "a body after the reply", OK, c -> {
            c.setDoOutput(true);
            c.getResponseCode();
            return c.getOutputStream();
        });
        row("order.trace-output", "a body of TRACE", OK, c -> {
            c.setRequestMethod("TRACE");
            c.setDoOutput(true);
            return c.getOutputStream();
        });
        row("order.get-output", "a body of GET", OK, c -> {
            c.setDoOutput(true);
            c.getOutputStream().write('b');
            return c.getRequestMethod() + " " + c.getResponseCode();
        });
        row("order.lengths", "a fixed length and chunks", OK, c -> {
            c.setFixedLengthStreamingMode(3);
            c.setChunkedStreamingMode(3);
            return "set";
        });
        row("order.lengths-reversed", "chunks and a fixed length", OK, c -> {
            c.setChunkedStreamingMode(3);
            c.setFixedLengthStreamingMode(3L);
            return "set";
        });
        row("order.length-minus", "a fixed length of -1", OK, c -> {
            c.setFixedLengthStreamingMode(-1);
            return "set";
        });
        row("order.length-late", "a fixed length after the connection", OK, c -> {
            c.connect();
            c.setFixedLengthStreamingMode(3);
            return "set";
        });
        row("order.timeout-minus", "a read time-out of -1", OK, c -> {
            c.setReadTimeout(-1);
            return "set";
        });
        row("order.connect-timeout-minus", "a time-out of -1 to connect", OK, c -> {
            c.setConnectTimeout(-1);
            return "set";
        });
        row("order.timeouts", "its time-outs, before and after", OK, c -> {
            c.setReadTimeout(7_000);
            String before = c.getReadTimeout() + "/" + c.getConnectTimeout();
            c.getResponseCode();
            return before + ", " + c.getReadTimeout() + "/" + c.getConnectTimeout();
        });
        row("order.follow", "following redirects, as it is by default", OK,
            c -> c.getInstanceFollowRedirects() + ", " + HttpURLConnection.getFollowRedirects());
        row("order.connect-twice", "connect twice", OK, c -> {
            c.connect();
            c.connect();
            return c.getResponseCode();
        });
        row("order.disconnect-first", "disconnect, then a reply", OK, c -> {
            c.disconnect();
            return c.getResponseCode();
        });
        row("order.disconnect-between", "a status, disconnect, then the body", OK, c -> {
            c.getResponseCode();
            c.disconnect();
            return c.getInputStream().read();
        });
    }

    private void streams() {
        row("stream.twice", "the stream of a body, asked for twice", OK,
            c -> c.getInputStream() == c.getInputStream());
        row("stream.skip", "three bytes of a body are skipped", OK,
            c -> c.getInputStream().skip(3) + ", " + (char) c.getInputStream().read());
        row("stream.skip-all", "more bytes are skipped than there are", OK,
            c -> c.getInputStream().skip(30) + ", " + c.getInputStream().read());
        row("stream.mark", "a body is marked, read and reset", OK, c -> {
            InputStream in = c.getInputStream();
            in.mark(10);
            int first = in.read();
            in.read();
            in.reset();
            return in.markSupported() + ", " + (in.read() == first);
        });
        row("stream.available", "which bytes are there at the end?", OK, c -> {
            InputStream in = c.getInputStream();
            int read = 0;
            while (in.read() >= 0) {
                read++;
            }
            return read + ", " + in.available() + ", " + in.read(new byte[3]);
        });
        row("stream.closed", "a closed body is read", OK, c -> {
            InputStream in = c.getInputStream();
            in.close();
            return in.read();
        });
        row("stream.closed-chunks", "a closed body of chunks is read", CHUNKED, c -> {
            InputStream in = c.getInputStream();
            in.close();
            return in.read();
        });
        row("stream.chunks", "chunks byte by byte, and what is there after them", CHUNKED, c -> {
            InputStream in = c.getInputStream();
            StringBuilder text = new StringBuilder();
            for (int next = in.read(); next >= 0; next = in.read()) {
                text.append((char) next);
            }
            return text + ", " + in.available() + ", " + in.read();
        });
        row("stream.chunks-skip", "bytes of chunks are skipped", CHUNKED, c -> {
            InputStream in = c.getInputStream();
            return in.skip(2) + ", " + (char) in.read();
        });
        row("stream.chunks-bounds", "chunks are read into too small an array", CHUNKED, c -> {
            try {
                return c.getInputStream().read(new byte[2], 1, 5);
            } catch (IndexOutOfBoundsException e) {
                return "refused";
            }
        });
        row("stream.error", "the body of a 404, by both streams", NOT_FOUND, c -> {
            int status = c.getResponseCode();
            int first = c.getErrorStream().read();
            try {
                return c.getInputStream();
            } catch (IOException e) {
                return status + ", " + (char) first + ", " + e.getClass().getSimpleName();
            }
        });
        row("stream.no-error", "the error stream of a 200", OK,
            c -> c.getResponseCode() + ", " + c.getErrorStream());
        row("stream.error-first", "the error stream before the reply", NOT_FOUND,
            c -> c.getErrorStream() + ", " + c.getResponseCode());
        row("stream.written", "a body is written byte by byte, flushed and closed twice", OK, c -> {
            c.setDoOutput(true);
            OutputStream out = c.getOutputStream();
            out.write('a');
            out.flush();
            out.close();
            out.close();
            return c.getResponseCode();
        });
        for (String kind : new String[] {"kept", "fixed", "chunked"}) {
            row("stream.written-late." + kind, "a " + kind + " body is written after its end", OK, c -> {
                c.setDoOutput(true);
                if (kind.equals("fixed")) {
                    c.setFixedLengthStreamingMode(1);
                } else if (kind.equals("chunked")) {
                    c.setChunkedStreamingMode(0);
                }
                OutputStream out = c.getOutputStream();
                out.write('a');
                out.close();
                try {
                    out.write('b');
                    return "written, " + c.getResponseCode();
                } catch (IOException e) {
                    return Failure.text(e) + ", " + c.getResponseCode();
                }
            });
        }
    }
}
