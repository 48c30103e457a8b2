// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import com.codahale.metrics.annotation.Timed;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.InputStream;
import java.util.Optional;
import javax.ws.rs.GET;
import javax.ws.rs.HeaderParam;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.StreamingOutput;

/** Answers as {@link AnswerServlet} does, but in Jersey; how it writes JSON depends on the rung. */
@Path("/")
public final class AnswerResource {
    private static final JsonFactory JSON = new JsonFactory();

    private final ServiceCounters counters;
    private final boolean isStreaming;

    AnswerResource(ServiceCounters counters, boolean isStreaming) {
        this.counters = counters;
        this.isStreaming = isStreaming;
    }

    @GET
    @Path("body")
    @Produces(MediaType.APPLICATION_JSON)
    @Timed
    public Object say(@QueryParam("bytes") Optional<Integer> bytes) {
        counters.peer.requests.increment();
        Saying saying = Saying.of(bytes.orElse(0));
        if (!isStreaming) {
            return saying;
        }
        return (StreamingOutput) out -> {
            try (JsonGenerator json = JSON.createGenerator(out)) {
                saying.write(json);
            }
        };
    }

    @POST
    @Path("echo")
    @Produces(MediaType.APPLICATION_OCTET_STREAM)
    public Response echo(InputStream body, @HeaderParam(HttpHeaders.CONTENT_LENGTH) long length) {
        counters.peer.requests.increment();
        StreamingOutput reply = out -> counters.echo(body, out);
        return Response.ok(reply).header(HttpHeaders.CONTENT_LENGTH, length).build();
    }
}
