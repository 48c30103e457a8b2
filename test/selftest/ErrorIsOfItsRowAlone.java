// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary Does an Error in one row of the interoperability suite leave the next one as it is?
 * @key selftest
 * @library /lib /interop/lib
 * @build Peer
 * @run testng/othervm ErrorIsOfItsRowAlone
 */

import java.nio.file.Files;
import java.nio.file.Paths;
import java.security.KeyStore;
import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.TrustManagerFactorySpi;
import org.testng.annotations.Test;

/** Makes the JDK throw an Error when a client starts. */
public class ErrorIsOfItsRowAlone {
    /** Of three rows, only the second has the broken JDK. */
    @Test
    public void nextRowPasses() throws Throwable {
        RowSuite suite = new RowSuite() {
            @Override
            List<Row> rows() {
                return new ArrayList<>();
            }
        };
        suite.start();
        try {
            suite.row(row());
            Security.insertProviderAt(new BrokenProvider(), 1);
            String said = failureOf(suite, row());
            Security.removeProvider(BrokenProvider.NAME);
            Check.that(said.contains(BrokenTrust.WHAT), "it failed otherwise: " + said);
            suite.row(row());
        } finally {
            suite.end();
            Files.delete(Paths.get("rows.jsonl"));      // the kit would grade them
        }
    }

    private static String failureOf(RowSuite suite, Row row) throws Throwable {
        try {
            suite.row(row);
        } catch (AssertionError e) {
            return e.getMessage();
        }
        throw new AssertionError("it passed");
    }

    private static Row row() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put(Row.SIDE, "client");
        values.put(Row.FEATURE, "full");
        values.put(Row.PROTOCOL, Row.ANY);
        values.put(Row.SUITE, Row.ANY);
        values.put(Row.KEY, "ec256");
        values.put(Row.GROUP, Row.ANY);
        values.put(Row.API, "SSLSocket");
        values.put(Row.PEER, "jsse");
        values.put(Row.BODY, "1");
        return Row.of(values);
    }

    private static final class BrokenProvider extends Provider {
        static final String NAME = "broken";

        private static final long serialVersionUID = 1;

        @SuppressWarnings("deprecation")        // the constructor that Java 8 has
        BrokenProvider() {
            super(NAME, 1, "throws an Error");
            put("TrustManagerFactory." + TrustManagerFactory.getDefaultAlgorithm(),
                BrokenTrust.class.getName());
        }
    }

    /** Throws an Error when it is initialised. */
    public static final class BrokenTrust extends TrustManagerFactorySpi {
        static final String WHAT = "a broken JDK";

        @Override
        protected void engineInit(KeyStore store) {
            throw new InternalError(WHAT);
        }

        @Override
        protected void engineInit(ManagerFactoryParameters parameters) {
            throw new InternalError(WHAT);
        }

        @Override
        protected TrustManager[] engineGetTrustManagers() {
            return new TrustManager[0];
        }
    }
}
