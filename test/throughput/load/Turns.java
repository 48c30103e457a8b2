// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * When may this JVM work? JVMs that are compared take turns of less than a second, so that whatever
 * else the machine does affects all of them. This JVM sends {@code ready 4711} on a connection, the
 * requests of its warm-up; the answer is {@code warm-up 250} or {@code measure 250}, in ms, or
 * {@code end}.
 */
final class Turns implements Closeable {
    private final Socket socket;
    private final BufferedReader answers;

    /** @param given where to connect to for turns, as HOST:PORT */
    Turns(String given) throws IOException {
        int colon = given.lastIndexOf(':');
        socket = new Socket(
            given.substring(0, colon), Integer.parseInt(given.substring(colon + 1)));
        socket.setTcpNoDelay(true);
        answers = new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }

    /**
     * Waits for the next turn; this JVM rests meanwhile.
     *
     * @param requests how many the hosts have answered in turns that do not count
     * @return null after the last turn
     * @throws IOException if the other side has closed the connection
     */
    Turn next(long requests) throws IOException {
        String line = "ready " + requests + "\n";
        socket.getOutputStream().write(line.getBytes(StandardCharsets.US_ASCII));
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("nobody gives turns any more");
        }
        String[] words = answer.split(" ");
        return words[0].equals("end") ? null
            : new Turn(words[0].equals("measure"), Long.parseLong(words[1]));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** One turn: whether it counts, and its length. */
    static final class Turn {
        final boolean counts;
        final long ms;

        Turn(boolean counts, long ms) {
            this.counts = counts;
            this.ms = ms;
        }
    }
}
