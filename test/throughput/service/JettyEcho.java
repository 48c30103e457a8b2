// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.AbstractHandler;

/** Sends back the request's body, piece by piece as it arrives. */
final class JettyEcho extends AbstractHandler {
    private final ServiceCounters counters;

    JettyEcho(ServiceCounters counters) {
        this.counters = counters;
    }

    @Override
    public void handle(String target, Request base, HttpServletRequest request,
            HttpServletResponse response) throws IOException {
        base.setHandled(true);
        counters.peer.requests.increment();
        response.setContentType("application/octet-stream");
        response.setContentLengthLong(Math.max(0, request.getContentLengthLong()));
        counters.echo(request.getInputStream(), response.getOutputStream());
    }
}
