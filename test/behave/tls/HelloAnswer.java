// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * What does a server answer to these bytes, after which nothing more comes? Its key is RSA, so that
 * each image of a JDK has it and all lengths are the same. The answer is what it sends, and the
 * class of what it throws.
 */
final class HelloAnswer {
    private static SSLContext context;

    /** A setting of the server. */
    interface Setting {
        void set(SSLParameters parameters);
    }

    private HelloAnswer() { }

    static synchronized SSLContext context() throws GeneralSecurityException, IOException {
        if (context == null) {
            context = RowsIdentity.serverContext();
        }
        return context;
    }

    /** Without the lengths of what is encrypted. */
    static String ofSocket(byte[]... flights) throws GeneralSecurityException, IOException {
        return ofSocket(parameters -> { }, false, flights);
    }

    /** With them: what extensions a server encrypts shows in their length alone. */
    static String ofSocket(Setting setting, byte[]... flights)
            throws GeneralSecurityException, IOException {
        return ofSocket(setting, true, flights);
    }

    private static String ofSocket(Setting setting, boolean showsLengths, byte[]... flights)
            throws GeneralSecurityException, IOException {
        MemorySocket memory = MemorySocket.saying(flights);
        SSLSocket socket = (SSLSocket) context().getSocketFactory()
            .createSocket(memory, "client", 443, true);
        socket.setUseClientMode(false);
        SSLParameters parameters = socket.getSSLParameters();
        setting.set(parameters);
        socket.setSSLParameters(parameters);
        String end = "done";
        try {
            socket.startHandshake();
        } catch (Exception e) {
            end = e.getClass().getSimpleName();
        }
        return WireText.of(memory.sent(), showsLengths) + "; " + end;
    }

    /** The same of an SSLEngine, whose records are read by other code. */
    static String ofEngine(byte[]... flights) throws GeneralSecurityException, IOException {
        SSLEngine engine = context().createSSLEngine();
        engine.setUseClientMode(false);
        ByteBuffer in = ByteBuffer.wrap(Der.join(flights));
        ByteBuffer out = ByteBuffer.allocate(200_000);
        String end = "waits for more";
        try {
            engine.beginHandshake();
            while (step(engine, in, out)) { }
        } catch (Exception e) {
            end = e.getClass().getSimpleName();
            flush(engine, out);
        }
        out.flip();
        byte[] sent = new byte[out.remaining()];
        out.get(sent);
        return WireText.of(sent, false) + "; " + end;
    }

    /** @return whether the engine did something */
    static boolean step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws IOException {
        switch (engine.getHandshakeStatus().name()) {
            case "NEED_TASK":
                for (Runnable task = engine.getDelegatedTask(); task != null;
                        task = engine.getDelegatedTask()) {
                    task.run();
                }
                return true;
            case "NEED_WRAP":
                return engine.wrap(ByteBuffer.allocate(0), out).bytesProduced() > 0;
            default:
                if (engine.isInboundDone()) {
                    return false;
                }
                SSLEngineResult result = engine.unwrap(in, ByteBuffer.allocate(40_000));
                return result.bytesConsumed() > 0 || !result.getHandshakeStatus().name()
                    .startsWith("NEED_UNWRAP") && in.hasRemaining();
        }
    }

    static void flush(SSLEngine engine, ByteBuffer out) {
        try {
            for (int i = 0; i < 3 && !engine.isOutboundDone(); i++) {
                engine.wrap(ByteBuffer.allocate(0), out);
            }
        } catch (IOException e) {
            // the first failure counts
        }
    }

    /** The classes of an exception and its causes. */
    static String thrown(Throwable thrown) {
        StringBuilder text = new StringBuilder();
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            text.append(at == thrown ? "" : " <- ").append(at.getClass().getSimpleName());
        }
        return text.toString();
    }
}
