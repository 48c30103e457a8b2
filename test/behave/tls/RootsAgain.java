// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import com.sun.management.ThreadMXBean;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.TrustManagerFactory;

/**
 * Is the default trust store read and parsed anew for each trust manager? By the JVM's own count of
 * the bytes that this thread allocates. The first trust managers are kept: a JDK holds what it has
 * read only as long as somebody uses it.
 */
final class RootsAgain implements Topic {
    private static final int WITHIN_MS = 15_000;
    private static final int ROOTS = 100;
    private static final int TIMES = 3;
    private static final int BYTES_EACH = 500;
    private static final String PROPERTY = "javax.net.ssl.trustStore";

    @Override
    public String name() {
        return "roots";
    }

    @Override
    public boolean isAlone() {
        return true;
    }

    @Override
    public void declare(TopicRows rows) {
        rows.row("roots.again", "the default trust store has " + ROOTS + " roots; does a third trust"
            + " manager allocate more than " + BYTES_EACH + " bytes for each?", RootsAgain::again)
            .within(WITHIN_MS);
    }

    private static String again() throws Exception {
        Path file = Files.createTempFile("roots", ".jks");
        String old = System.getProperty(PROPERTY);
        try {
            KeyStore store = KeyStore.getInstance("JKS");
            store.load(null, null);
            X509Certificate root = RowsIdentity.certificate();
            for (int i = 0; i < ROOTS; i++) {
                store.setCertificateEntry("root" + i, root);
            }
            try (OutputStream out = Files.newOutputStream(file)) {
                store.store(out, "changeit".toCharArray());
            }
            System.setProperty(PROPERTY, file.toString());
            TrustManagerFactory[] kept = new TrustManagerFactory[TIMES];
            long bytes = 0;
            for (int i = 0; i < TIMES; i++) {
                bytes = cost(kept, i);
            }
            return bytes > ROOTS * BYTES_EACH ? "more" : "no more";
        } finally {
            if (old == null) {
                System.clearProperty(PROPERTY);
            } else {
                System.setProperty(PROPERTY, old);
            }
            Files.delete(file);
        }
    }

    private static long cost(TrustManagerFactory[] kept, int i) throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        final long begin = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        kept[i] = TrustManagerFactory.getInstance("PKIX");
        kept[i].init((KeyStore) null);
        return threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - begin;
    }
}
