// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.Closeable;
import java.io.IOException;

/**
 * How does one HTTP client library make a request? Loaded by class name in a sample's JVM, created
 * once by a public constructor without arguments, and used by many threads at once.
 */
public interface LoadClient extends Closeable {
    /**
     * Reads the settings of the run, before the first request: protocols, trust.
     *
     * @throws Exception if the library cannot do what is asked; the sample is then void, with
     *     this exception's message as the reason
     */
    void prepare(LoadSettings settings) throws Exception;

    /**
     * Sends one request and reads the whole reply.
     *
     * @return the bytes of the reply's body
     * @throws IOException for any failure, including a status other than 200; errors are counted by
     *     the name of its class
     */
    long exchange(LoadTarget target) throws IOException, InterruptedException;
}
