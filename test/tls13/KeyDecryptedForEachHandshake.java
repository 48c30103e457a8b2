// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8322767: TLS full handshake is slow with PKCS12KeyStore and X509KeyManagerImpl
 *
 * What goes wrong: the key manager PKIX takes the server's key from its key store for each full
 * handshake. A PKCS12 store decrypts it each time, with thousands of rounds of PBKDF2, which cost
 * more than all the rest of the handshake.
 *
 * What it takes: a server with a PKCS12 key store and the key manager PKIX (NewSunX509).
 *
 * Control: the key manager SunX509, which takes all keys when it is made.
 *
 * Judged by a count of keys decrypted again.
 *
 * Without its precondition
 *     -Dkey.wanted=off: inconclusive: asked the key manager for 0 keys
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/KeyDecryptedForEachHandshake.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/KeyDecryptedForEachHandshake.java
 *     java -cp classes KeyDecryptedForEachHandshake [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 25.0.2+10-LTS, Eclipse Adoptium
 *     keys_decrypted_again = 4 keys (bound 4)
 *       key_manager: PKIX
 *       handshakes: 5
 *       keys_given: 5
 *     reproduced: The key was decrypted anew for each handshake (keys_decrypted_again 4, bound 4).
 * On a fixed build:
 *     none is known in November 2026; with the other key manager, as the control:
 *     # java: 25.0.2+10-LTS, Eclipse Adoptium
 *     keys_decrypted_again = 0 keys (bound 4)
 *       key_manager: SunX509
 *       handshakes: 5
 *       keys_given: 5
 *     not-reproduced: Handshakes after the first had the key that was there
 *         (keys_decrypted_again 0, bound 4).
 *
 * Evidence: outcome.json beside the scratch files has how many keys the manager gave, and how many
 * of them anew.
 */

/*
 * @test
 * @bug 8322767
 * @summary The key of a server must not be decrypted for each handshake
 * @key waits
 * @library /lib
 * @run main/othervm KeyDecryptedForEachHandshake control
 * @run main/othervm KeyDecryptedForEachHandshake subject
 */

import java.net.Socket;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509KeyManager;

public class KeyDecryptedForEachHandshake {
    private static final char[] PASSWORD = "in memory only".toCharArray();
    private static final int HANDSHAKES = 5;

    /** For the kit's own tests: a server that gets its key elsewhere must make no test pass. */
    private static final boolean NOT_ASKED = "off".equals(System.getProperty("key.wanted"));

    public static void main(String[] args) throws Exception {
        Reproducer.run("KeyDecryptedForEachHandshake", "JDK-8322767", args,
            KeyDecryptedForEachHandshake::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        KeyManagerFactory factory =
            KeyManagerFactory.getInstance(which == Case.SUBJECT ? "PKIX" : "SunX509");
        factory.init(store(), PASSWORD);
        Watched watched = new Watched((X509ExtendedKeyManager) factory.getKeyManagers()[0]);
        SSLContext server = SSLContext.getInstance("TLS");
        server.init(NOT_ASKED ? Identity.serverKeys() : new KeyManager[] {watched}, null, null);
        for (int i = 0; i < HANDSHAKES; i++) {
            // A new client each time, which has no session to resume.
            new EnginePair(Case.SUBJECT.clientContext(), server, "peer.example", 443).handshake();
        }
        findings.fact("key_manager", factory.getAlgorithm());
        findings.fact("handshakes", HANDSHAKES);
        findings.fact("keys_given", watched.given);
        findings.require(watched.given >= HANDSHAKES, "Handshakes asked the key manager for "
            + watched.given + " keys (bound " + HANDSHAKES + ").");
        findings.judgeCount("keys_decrypted_again", watched.keys.size() - 1, HANDSHAKES - 1,
            "keys", "The key was decrypted anew for each handshake",
            "Handshakes after the first had the key that was there");
    }

    private static KeyStore store() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        X509KeyManager peer = (X509KeyManager) Identity.serverKeys()[0];
        String alias = peer.getServerAliases("EC", null)[0];
        store.setKeyEntry("peer", peer.getPrivateKey(alias), PASSWORD,
            peer.getCertificateChain(alias));
        return store;
    }

    /** Which keys does a key manager give? A key that is decrypted anew is another object. */
    private static final class Watched extends X509ExtendedKeyManager {
        final Set<PrivateKey> keys = Collections.newSetFromMap(new IdentityHashMap<>());
        int given;
        private final X509ExtendedKeyManager manager;

        Watched(X509ExtendedKeyManager manager) {
            this.manager = manager;
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            PrivateKey key = manager.getPrivateKey(alias);
            keys.add(key);
            given++;
            return key;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return manager.getCertificateChain(alias);
        }

        @Override
        public String chooseEngineServerAlias(String type, Principal[] issuers, SSLEngine engine) {
            return manager.chooseEngineServerAlias(type, issuers, engine);
        }

        @Override
        public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
            return manager.chooseServerAlias(type, issuers, socket);
        }

        @Override
        public String[] getServerAliases(String type, Principal[] issuers) {
            return manager.getServerAliases(type, issuers);
        }

        @Override
        public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
            return null;
        }

        @Override
        public String[] getClientAliases(String type, Principal[] issuers) {
            return null;
        }
    }
}
