// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8264554: X509KeyManagerImpl calls getProtectionParameter with incorrect alias
 *
 * What goes wrong: an application has a key store in which each key has its own password, and gives
 * the key manager a KeyStore.Builder that knows them. The key manager asks the builder for the
 * password of an alias of its own making, such as 1.0.peer, where the key store has peer. The
 * builder knows no such password, so the key is not found: the peer has no certificate, and
 * handshakes fail.
 *
 * What it takes: the key manager of KeyStoreBuilderParameters (NewSunX509, PKIX), and a builder
 * that looks at the alias.
 *
 * Control: a builder that has one password for all aliases.
 *
 * Judged by a count of aliases asked for that the key store does not have.
 *
 * Without its precondition
 *     -Dkey.wanted=off: inconclusive: Nobody asked for the password
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/KeyPasswordAskedByWrongAlias.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/KeyPasswordAskedByWrongAlias.java
 *     java -cp classes KeyPasswordAskedByWrongAlias [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 11.0.24+8-post-Debian-2deb11u1, Debian
 *     wrong_aliases = 1 aliases (bound 1)
 *       chosen: 1.0.peer
 *       asked_for: 1.0.peer
 *       key_found: false
 *     reproduced: The password was asked for by an alias that the key store does not have
 *         (wrong_aliases 1, bound 1).
 * On a fixed build:
 *     # java: 17.0.2+8, Eclipse Adoptium
 *     wrong_aliases = 0 aliases (bound 1)
 *       chosen: 1.0.peer
 *       asked_for: peer
 *       key_found: true
 *     not-reproduced: The password was asked for by the alias that the key store has
 *         (wrong_aliases 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has the aliases that were asked for.
 */

/*
 * @test
 * @bug 8264554
 * @summary The password of a key must be asked for by the key's alias
 * @key waits
 * @library /lib
 * @run main/othervm KeyPasswordAskedByWrongAlias control
 * @run main/othervm KeyPasswordAskedByWrongAlias subject
 */

import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.PrivateKey;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.KeyStoreBuilderParameters;
import javax.net.ssl.X509KeyManager;

public class KeyPasswordAskedByWrongAlias {
    private static final String ALIAS = "peer";
    private static final char[] PASSWORD = "in memory only".toCharArray();

    /** For the kit's own tests: a builder that is not asked must make no test pass. */
    private static final boolean NOT_ASKED = "off".equals(System.getProperty("key.wanted"));

    public static void main(String[] args) throws Exception {
        Reproducer.run("KeyPasswordAskedByWrongAlias", "JDK-8264554", args,
            KeyPasswordAskedByWrongAlias::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        OnePasswordForEach builder = new OnePasswordForEach(which == Case.CONTROL);
        KeyManagerFactory factory = KeyManagerFactory.getInstance("NewSunX509");
        factory.init(new KeyStoreBuilderParameters(builder));
        X509KeyManager manager = (X509KeyManager) factory.getKeyManagers()[0];
        String chosen = manager.chooseServerAlias("EC", null, null);
        findings.fact("chosen", String.valueOf(chosen));
        findings.require(chosen != null, "The key manager chose no key.");
        PrivateKey key = NOT_ASKED ? null : manager.getPrivateKey(chosen);
        findings.fact("asked_for", String.join(", ", builder.askedFor));
        findings.fact("key_found", key != null);
        findings.require(!builder.askedFor.isEmpty(), "Nobody asked for the password of a key.");
        findings.require(which == Case.SUBJECT || key != null,
            "The key was not found by a password for all aliases.");
        boolean wrong = which == Case.SUBJECT && !builder.askedFor.contains(ALIAS);
        findings.judgeCount("wrong_aliases", wrong ? builder.askedFor.size() : 0, 1, "aliases",
            "The password was asked for by an alias that the key store does not have",
            which == Case.CONTROL ? "The key was found by a password for all aliases"
                : "The password was asked for by the alias that the key store has");
    }

    /** A key store in which each key has its own password. */
    private static final class OnePasswordForEach extends KeyStore.Builder {
        final List<String> askedFor = new ArrayList<>();
        private final KeyStore store = KeyStore.getInstance("PKCS12");
        private final boolean forAll;

        OnePasswordForEach(boolean forAll) throws Exception {
            this.forAll = forAll;
            store.load(null, null);
            X509KeyManager peer = (X509KeyManager) Identity.serverKeys()[0];
            String alias = peer.getServerAliases("EC", null)[0];
            store.setKeyEntry(ALIAS, peer.getPrivateKey(alias), PASSWORD,
                peer.getCertificateChain(alias));
        }

        @Override
        public KeyStore getKeyStore() {
            return store;
        }

        @Override
        public KeyStore.ProtectionParameter getProtectionParameter(String alias)
                throws KeyStoreException {
            askedFor.add(alias);
            if (!forAll && !alias.equals(ALIAS)) {
                throw new KeyStoreException("no key " + alias);
            }
            return new KeyStore.PasswordProtection(PASSWORD);
        }
    }
}
