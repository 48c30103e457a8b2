// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.MultivaluedMap;
import javax.ws.rs.ext.MessageBodyWriter;

/** A serializer of our own, in place of Jackson's. */
@Produces(MediaType.APPLICATION_JSON)
public final class SayingWriter implements MessageBodyWriter<Saying> {
    private static final JsonFactory JSON = new JsonFactory();

    @Override
    public boolean isWriteable(
            Class<?> type, Type generic, Annotation[] annotations, MediaType media) {
        return type == Saying.class;
    }

    @Override
    public void writeTo(Saying saying, Class<?> type, Type generic, Annotation[] annotations,
            MediaType media, MultivaluedMap<String, Object> headers, OutputStream out)
            throws IOException {
        try (JsonGenerator json = JSON.createGenerator(out)) {
            saying.write(json);
        }
    }
}
