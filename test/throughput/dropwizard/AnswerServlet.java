// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Echoes what is posted, piece by piece; says a {@link Saying} of {@code bytes} to a GET. */
public final class AnswerServlet extends HttpServlet {
    private static final int PIECE_BYTES = 16 * 1024;

    private final ObjectMapper json = new ObjectMapper();
    private final transient PeerCounters counters;

    AnswerServlet(PeerCounters counters) {
        this.counters = counters;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        counters.requests.increment();
        response.setContentType("application/json");
        Saying saying = Saying.of(Integer.parseInt(request.getParameter("bytes")));
        response.getOutputStream().write(json.writeValueAsBytes(saying));
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        counters.requests.increment();
        response.setContentType("application/octet-stream");
        response.setContentLengthLong(Math.max(0, request.getContentLengthLong()));
        copy(request.getInputStream(), response.getOutputStream(), counters);
    }

    /** Counts before it writes: who has the reply may ask for the counters. */
    static void copy(InputStream in, OutputStream out, PeerCounters counters) throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
            counters.bytesIn.add(count);
            out.write(piece, 0, count);
        }
    }
}
