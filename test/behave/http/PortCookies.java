// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.net.CookieHandler;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.URI;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A cookie manager of its own for each server, so that rows do not see those of others. */
final class PortCookies extends CookieHandler {
    private static final PortCookies SHARED = new PortCookies();
    private final Map<Integer, CookieManager> managers = new ConcurrentHashMap<>();

    private PortCookies() { }

    /** The one of this JVM; ports are never used twice. */
    static PortCookies shared() {
        return SHARED;
    }

    /** From now on, what this server sets is kept. */
    CookieManager keep(int port) {
        CookieManager manager = new CookieManager(null, CookiePolicy.ACCEPT_ORIGINAL_SERVER);
        managers.put(port, manager);
        return manager;
    }

    @Override
    public Map<String, List<String>> get(URI uri, Map<String, List<String>> fields)
            throws IOException {
        CookieManager manager = managers.get(uri.getPort());
        return manager == null ? Collections.emptyMap() : manager.get(uri, fields);
    }

    @Override
    public void put(URI uri, Map<String, List<String>> fields) throws IOException {
        CookieManager manager = managers.get(uri.getPort());
        if (manager != null) {
            manager.put(uri, fields);
        }
    }
}
