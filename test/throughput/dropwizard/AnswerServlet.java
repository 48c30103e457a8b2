// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Echoes a POST, piece by piece; answers a GET with a {@link Saying} of {@code bytes}. */
public final class AnswerServlet extends HttpServlet {
    private final ObjectMapper json = new ObjectMapper();
    private final transient ServiceCounters counters;

    AnswerServlet(ServiceCounters counters) {
        this.counters = counters;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        counters.peer.requests.increment();
        response.setContentType("application/json");
        Saying saying = Saying.of(Integer.parseInt(request.getParameter("bytes")));
        response.getOutputStream().write(json.writeValueAsBytes(saying));
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        counters.peer.requests.increment();
        response.setContentType("application/octet-stream");
        response.setContentLengthLong(Math.max(0, request.getContentLengthLong()));
        counters.echo(request.getInputStream(), response.getOutputStream());
    }
}
