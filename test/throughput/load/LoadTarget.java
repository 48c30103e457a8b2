// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.net.URL;

/** What does one request ask for? A group shares one target, so a client may cache by it. */
public final class LoadTarget {
    /** Path and query say how many bytes the reply's body has: {@code /body?bytes=N}. */
    public final URL url;

    /** The client's read or response time-out in ms; 0 means none. */
    public final int readTimeoutMs;

    /** 0: a GET. Otherwise: a POST with a body of this many bytes and a Content-Length. */
    public final int requestBodyBytes;

    /** Whether the request says {@code Connection: close}, so that no connection is reused. */
    public final boolean closeAfter;

    public LoadTarget(URL url, int readTimeoutMs, int requestBodyBytes, boolean closeAfter) {
        this.url = url;
        this.readTimeoutMs = readTimeoutMs;
        this.requestBodyBytes = requestBodyBytes;
        this.closeAfter = closeAfter;
    }
}
