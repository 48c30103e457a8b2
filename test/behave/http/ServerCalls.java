// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Collections;
import java.util.TreeMap;

/** What does HttpServer say to calls of its own, by an application or one of its handlers? */
final class ServerCalls implements Topic {
    private static final String POST =
        "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello";

    /** What an application does to a server that was not started. */
    private interface Act {
        Object on(HttpServer server) throws IOException;
    }

    /** What a handler does; it is told to the client. */
    private interface Handling {
        Object of(HttpExchange exchange) throws IOException;
    }

    /** What an application does to fields. */
    private interface Fields {
        Object of(Headers fields);
    }

    @Override
    public String name() {
        return "server-call";
    }

    @Override
    public void declare(TopicRows rows) {
        contexts(rows);
        exchanges(rows);
        streams(rows);
        fields(rows);
    }

    private static String told(Object seen) {
        return String.valueOf(seen);
    }

    private static void act(TopicRows rows, String id, String does, Act act) {
        rows.row("server-call." + id, "HttpServer: " + does, () -> {
            HttpServer server = HttpServer.create(new InetSocketAddress(TlsPeer.loopback(), 0), 0);
            try {
                return told(act.on(server));
            } catch (IllegalArgumentException | IllegalStateException e) {
                return Failure.refusal(e);
            } catch (NullPointerException e) {
                return "refused";
            } finally {
                server.stop(0);
            }
        });
    }

    private static void contexts(TopicRows rows) {
        act(rows, "context-twice", "a path gets two contexts", server -> {
            server.createContext("/a", ServedRaw::echo);
            return server.createContext("/a", ServedRaw::echo).getPath();
        });
        act(rows, "context-no-slash", "a path without a slash",
            server -> server.createContext("a", ServedRaw::echo));
        act(rows, "context-null", "no path", server -> server.createContext(null, ServedRaw::echo));
        act(rows, "context-no-handler", "a context gets its handler later", server -> {
            HttpContext context = server.createContext("/a");
            Object before = context.getHandler();
            context.setHandler(ServedRaw::echo);
            context.setHandler(ServedRaw::echo);
            return before + ", set";
        });
        act(rows, "context-handler-null", "a context gets no handler", server -> {
            server.createContext("/a").setHandler(null);
            return "set";
        });
        act(rows, "context-removed", "contexts are taken out", server -> {
            server.createContext("/a", ServedRaw::echo);
            server.removeContext("/a");
            return server.createContext("/a", ServedRaw::echo).getPath();
        });
        act(rows, "context-removed-itself", "a context is taken out", server -> {
            server.removeContext(server.createContext("/a", ServedRaw::echo));
            return "taken out";
        });
        act(rows, "context-removed-unknown", "a path without a context is taken out", server -> {
            server.removeContext("/b");
            return "taken out";
        });
        act(rows, "context-removed-null", "no path is taken out", server -> {
            server.removeContext((String) null);
            return "taken out";
        });
        act(rows, "context-attributes", "what a context has", server -> {
            HttpContext context = server.createContext("/a", ServedRaw::echo);
            context.getAttributes().put("k", "v");
            return context.getAttributes() + ", " + context.getFilters() + ", " + context.getPath() + ", "
                + context.getAuthenticator() + ", " + (context.getServer() == null);
        });
        act(rows, "bound-twice", "it is bound again", server -> {
            server.bind(new InetSocketAddress(TlsPeer.loopback(), 0), 0);
            return "bound";
        });
        act(rows, "bound-null", "it is bound to no address", server -> {
            server.bind(null, 0);
            return "bound";
        });
        act(rows, "started-twice", "it is started twice", server -> {
            server.start();
            server.start();
            return "started";
        });
        act(rows, "executor-late", "it gets an executor after its start", server -> {
            server.start();
            server.setExecutor(null);
            return "set";
        });
        act(rows, "executor", "which executor has it?", server -> server.getExecutor());
        act(rows, "stop-minus", "it is stopped with a delay of -1", server -> {
            server.stop(-1);
            return "stopped";
        });
        rows.row("server-call.principal", "HttpPrincipal: equality and texts", () -> {
            HttpPrincipal principal = new HttpPrincipal("u", "r");
            return principal + ", " + principal.equals(new HttpPrincipal("u", "r")) + ", "
                + principal.equals(new HttpPrincipal("u", "s")) + ", " + principal.getName() + ", "
                + principal.getUsername() + ", " + principal.getRealm() + ", "
                + (principal.hashCode() == new HttpPrincipal("u", "r").hashCode());
        });
    }

    private static void handling(TopicRows rows, String id, String does, Handling handling) {
        rows.row("server-call." + id, "HttpServer: in its handler, " + does, () ->
            ServedRaw.answer(exchange -> {
                String seen;
                try {
                    seen = told(handling.of(exchange));
                } catch (IllegalArgumentException | IllegalStateException e) {
                    seen = Failure.refusal(e);
                } catch (NullPointerException e) {
                    seen = "refused";
                } catch (IOException e) {
                    seen = Failure.text(e);
                }
                if (exchange.getResponseCode() < 0) {
                    ServedRaw.reply(exchange, seen);
                }
                exchange.close();
            }, POST));
    }

    private static void exchanges(TopicRows rows) {
        handling(rows, "attributes", "attributes are set and asked for", exchange -> {
            exchange.setAttribute("k", "v");
            Object set = exchange.getAttribute("k");
            exchange.setAttribute("k", null);
            return set + ", " + exchange.getAttribute("k") + ", " + exchange.getAttribute("none");
        });
        handling(rows, "attribute-null", "an attribute without a name", e -> e.getAttribute(null));
        handling(rows, "asked", "what is asked of an exchange", exchange -> exchange.getProtocol() + ", "
            + exchange.getRequestMethod() + ", " + exchange.getRequestURI() + ", "
            + exchange.getPrincipal() + ", " + exchange.getResponseCode() + ", "
            + exchange.getHttpContext().getPath() + ", "
            + exchange.getLocalAddress().getAddress().isLoopbackAddress() + ", "
            + exchange.getRemoteAddress().getAddress().isLoopbackAddress());
        handling(rows, "head-twice", "two heads are sent", exchange -> {
            exchange.sendResponseHeaders(200, 3);
            String seen;
            try {
                exchange.sendResponseHeaders(200, 3);
                seen = "two";
            } catch (IOException e) {
                seen = "one";
            }
            exchange.getResponseBody().write(seen.getBytes("ISO-8859-1"));
            return seen;
        });
        handling(rows, "fields-read-only", "fields of the request are changed", exchange -> {
            try {
                exchange.getRequestHeaders().add("X-A", "b");
                return "added";
            } catch (UnsupportedOperationException e) {
                return "refused";
            }
        });
        handling(rows, "same-streams", "its streams are asked for twice", exchange ->
            (exchange.getRequestBody() == exchange.getRequestBody()) + ", "
            + (exchange.getResponseBody() == exchange.getResponseBody()));
    }

    private static void streams(TopicRows rows) {
        handling(rows, "read.available", "what is there of a body", exchange -> {
            InputStream in = exchange.getRequestBody();
            in.read();
            return (in.available() >= 0) + ", " + in.markSupported() + ", " + in.skip(2) + ", "
                + (char) in.read() + ", " + in.read(new byte[9]) + ", " + in.read();
        });
        handling(rows, "read.mark", "a body is marked", exchange -> {
            InputStream in = exchange.getRequestBody();
            in.mark(3);
            in.read();
            in.reset();
            return in.read();
        });
        handling(rows, "read.closed", "a closed body is read", exchange -> {
            InputStream in = exchange.getRequestBody();
            in.close();
            return in.read();
        });
        for (long length : new long[] {0, 5}) {
            handling(rows, "written.by-byte." + length, "a body is written byte by byte, its length being "
                + length, exchange -> {
                    exchange.sendResponseHeaders(200, length);
                    OutputStream out = exchange.getResponseBody();
                    for (byte next : "hello".getBytes("ISO-8859-1")) {
                        out.write(next);
                    }
                    out.close();
                    return "written";
                });
            handling(rows, "written.closed." + length, "a body is written after its end, its length being "
                + length, exchange -> {
                    exchange.getResponseHeaders().set("X-Kind", "late");
                    exchange.sendResponseHeaders(200, length);
                    OutputStream out = exchange.getResponseBody();
                    out.write("hello".getBytes("ISO-8859-1"));
                    out.close();
                    out.write('!');
                    return "written";
                });
        }
        handling(rows, "written.too-long", "a body is longer than its length, byte by byte", exchange -> {
            exchange.sendResponseHeaders(200, 1);
            OutputStream out = exchange.getResponseBody();
            out.write('a');
            out.write('b');
            return "written";
        });
        handling(rows, "written.early", "a body is written before the head", exchange -> {
            exchange.getResponseBody().write('a');
            return "written";
        });
        rows.row("server-call.written.by-byte.1-0", "HttpServer: to a client of HTTP/1.0 a body without"
            + " a length is written byte by byte", () -> ServedRaw.answer(exchange -> {
                exchange.sendResponseHeaders(200, 0);
                OutputStream out = exchange.getResponseBody();
                out.write('a');
                out.write("bc".getBytes("ISO-8859-1"));
                out.flush();
                out.close();
            }, "GET /x HTTP/1.0\r\n\r\n"));
    }

    private static void field(TopicRows rows, String id, String does, Fields act) {
        rows.row("server-call.fields." + id, "Headers: " + does, () -> {
            Headers fields = new Headers();
            fields.add("x-first", "a");
            fields.add("X-FIRST", "b");
            try {
                return act.of(fields) + ", " + new TreeMap<>(fields);
            } catch (IllegalArgumentException e) {
                return Failure.refusal(e);
            } catch (NullPointerException e) {
                return "refused";
            }
        });
    }

    private static void fields(TopicRows rows) {
        field(rows, "first", "the first of two", fields -> fields.getFirst("X-first"));
        field(rows, "get", "all of a name", fields -> fields.get("x-FIRST") + " " + fields.get("x-none"));
        field(rows, "set", "one is replaced", fields -> {
            fields.set("x-first", "c");
            return fields.size();
        });
        field(rows, "put", "some are put", fields ->
            fields.put("x-second", Arrays.asList("d", "e")));
        field(rows, "put-all", "a map is put", fields -> {
            fields.putAll(Collections.singletonMap("x-third", Collections.singletonList("f")));
            return fields.containsKey("X-THIRD");
        });
        field(rows, "remove", "one is taken out", fields -> fields.remove("X-First"));
        field(rows, "contains", "what is in it?", fields -> fields.containsKey("X-FIRST") + " "
            + fields.containsKey(null) + " " + fields.containsValue(Arrays.asList("a", "b")) + " "
            + fields.isEmpty() + " " + fields.keySet() + " " + fields.values());
        field(rows, "equal", "is it the same as another?", fields -> {
            Headers other = new Headers();
            other.put("X-First", Arrays.asList("a", "b"));
            return fields.equals(other) + " " + (fields.hashCode() == other.hashCode());
        });
        field(rows, "clear", "all are taken out", fields -> {
            fields.clear();
            return fields.size();
        });
        String[][] odd = {{"name-null", null, "a"}, {"null", "x", null}, {"cr", "x", "a\rb"},
            {"lf", "x", "a\nb"}, {"crlf", "x", "a\r\nb"}, {"crlf-blank", "x", "a\r\n b"},
            {"crlf-last", "x", "a\r\n"}, {"name-lf", "x\ny", "a"}, {"name-cr", "x\ry", "a"},
            {"name-empty", "", "a"}, {"name-blank", "x y", "a"}};
        for (String[] pair : odd) {
            field(rows, "add-" + pair[0], "one of this kind is added: " + pair[0], fields -> {
                fields.add(pair[1], pair[2]);
                return "added";
            });
            field(rows, "set-" + pair[0], "one of this kind is set: " + pair[0], fields -> {
                fields.set(pair[1], pair[2]);
                return "set";
            });
        }
    }
}
