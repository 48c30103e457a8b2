// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import com.github.tomakehurst.wiremock.extension.ResponseTransformerV2;
import com.github.tomakehurst.wiremock.http.HttpHeader;
import com.github.tomakehurst.wiremock.http.HttpHeaders;
import com.github.tomakehurst.wiremock.http.Request;
import com.github.tomakehurst.wiremock.http.Response;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What does WireMock answer to {@code /body?bytes=N}? N bytes, made once for each N. */
final class WireMockBody implements ResponseTransformerV2 {
    private static final int MOST_BYTES = 1 << 28;
    // Jetty itself sends "Connection: close" if asked to.
    private static final HttpHeaders CLOSING = new HttpHeaders();

    private final Map<Integer, byte[]> bodies = new ConcurrentHashMap<>();
    private final HttpHeaders keeping;

    /** @param keepAliveS how long replies promise to keep an idle connection; 0: no promise */
    WireMockBody(int keepAliveS) {
        HttpHeaders kept = new HttpHeaders(HttpHeader.httpHeader("Connection", "keep-alive"));
        keeping = keepAliveS == 0
            ? kept : kept.plus(HttpHeader.httpHeader("Keep-Alive", "timeout=" + keepAliveS));
    }

    @Override
    public String getName() {
        return "body";
    }

    @Override
    public Response transform(Response response, ServeEvent event) {
        Request request = event.getRequest();
        Response.Builder reply = Response.Builder.like(response).but();
        String wanted = request.queryParameter("bytes").isPresent()
            ? request.queryParameter("bytes").firstValue() : "0";
        if (!wanted.matches("\\d{1,9}") || Integer.parseInt(wanted) > MOST_BYTES) {
            return reply.status(400)
                .body("bytes=N: give a whole number up to " + MOST_BYTES).build();
        }
        return reply
            .headers("close".equalsIgnoreCase(request.getHeader("Connection")) ? CLOSING : keeping)
            .body(bodies.computeIfAbsent(Integer.parseInt(wanted), WireMockBody::filled))
            .build();
    }

    private static byte[] filled(int bytes) {
        byte[] body = new byte[bytes];
        Arrays.fill(body, (byte) 'x');
        return body;
    }
}
