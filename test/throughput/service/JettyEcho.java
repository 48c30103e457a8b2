// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.AbstractHandler;

/** Sends back what is posted, piece by piece as it comes. */
final class JettyEcho extends AbstractHandler {
    private static final int PIECE_BYTES = 16 * 1024;

    private final PeerCounters counters;

    JettyEcho(PeerCounters counters) {
        this.counters = counters;
    }

    @Override
    public void handle(String target, Request base, HttpServletRequest request,
            HttpServletResponse response) throws IOException {
        base.setHandled(true);
        counters.requests.increment();
        response.setContentType("application/octet-stream");
        response.setContentLengthLong(Math.max(0, request.getContentLengthLong()));
        copy(request.getInputStream(), response.getOutputStream());
    }

    /** Counts before it writes: who has the reply may ask for the counters. */
    private void copy(InputStream in, OutputStream out) throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
            counters.bytesIn.add(count);
            out.write(piece, 0, count);
        }
    }
}
