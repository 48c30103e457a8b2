// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import com.codahale.metrics.annotation.Timed;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.InputStream;

/** Sends back the body of a POST, with the Jersey of Jakarta EE. */
@Path("/")
public final class Echo5Resource {
    private final ServiceCounters counters;

    Echo5Resource(ServiceCounters counters) {
        this.counters = counters;
    }

    @POST
    @Path("echo")
    @Produces(MediaType.APPLICATION_OCTET_STREAM)
    @Timed
    public Response echo(InputStream body, @HeaderParam(HttpHeaders.CONTENT_LENGTH) long length) {
        counters.peer.requests.increment();
        StreamingOutput reply = out -> counters.echo(body, out);
        return Response.ok(reply).header(HttpHeaders.CONTENT_LENGTH, length).build();
    }
}
