// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What has a peer or relay counted since its start? A plain port on 127.0.0.1 that sends the
 * counters as {@link java.util.Properties} text to whoever connects, and closes.
 */
final class ControlPort {
    private final ServerSocket listener;
    private final Supplier<Map<String, Long>> counters;

    ControlPort(Supplier<Map<String, Long>> counters) throws IOException {
        this.counters = counters;
        listener = new ServerSocket(0, 16, TlsPeer.loopback());
        AcceptLoop.start("control", listener, this::tell);
    }

    int port() {
        return listener.getLocalPort();
    }

    private void tell(Socket connection) throws IOException {
        try (Socket asker = connection) {
            StringBuilder text = new StringBuilder();
            counters.get().forEach(
                (name, count) -> text.append(name).append('=').append(count).append('\n'));
            asker.getOutputStream().write(text.toString().getBytes(StandardCharsets.ISO_8859_1));
        }
    }
}
