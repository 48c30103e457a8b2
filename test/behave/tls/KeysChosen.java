// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.util.Locale;
import java.util.TreeSet;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.KeyStoreBuilderParameters;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.security.auth.x500.X500Principal;

/**
 * Which of its keys does a key manager choose, and which does it list, by the age, usage, issuer and
 * names of their certificates? Of two keys one is odd.
 */
final class KeysChosen implements Topic {
    private static final char[] PASSWORD = "in memory only".toCharArray();
    private static final String[] ALGORITHMS = {"SunX509", "NewSunX509"};
    private static final String SERVER = "1.3.6.1.5.5.7.3.1";
    private static final String CLIENT = "1.3.6.1.5.5.7.3.2";

    /** A certificate of the odd key. */
    private interface Change {
        void change(CertificateDraft draft) throws Exception;
    }

    @Override
    public String name() {
        return "keys";
    }

    @Override
    public void declare(TopicRows rows) {
        odd(rows, "sound", "is like the other", draft -> { });
        odd(rows, "expired", "has expired", draft -> draft.valid(-2, -1));
        odd(rows, "not-yet", "is not valid yet", draft -> draft.valid(1, 2));
        odd(rows, "for-clients", "is for clients alone", draft -> draft.extendedKeyUsage(CLIENT));
        odd(rows, "for-servers", "is for servers alone", draft -> draft.extendedKeyUsage(SERVER));
        odd(rows, "encipher", "may encipher keys alone", draft -> draft.keyUsage(0x20, 5));
        odd(rows, "no-usage", "has no key usage", draft -> draft.without("2.5.29.15"));
        odd(rows, "authority", "is an authority's", draft -> draft.authority(-1));
        odd(rows, "md5", "is signed with MD5", draft -> draft.algorithm("MD5withRSA"));
        odd(rows, "sha1", "is signed with SHA-1", draft -> draft.algorithm("SHA1withRSA"));
        odd(rows, "other-host", "is of another host",
            draft -> draft.names(CertificateDraft.dns("other.example")));
        odd(rows, "other-issuer", "is of another issuer", draft -> draft.issuer("elsewhere"));
    }

    private static void odd(TopicRows rows, String id, String does, Change change) {
        for (String algorithm : ALGORITHMS) {
            rows.row("keys." + algorithm.toLowerCase(Locale.ROOT) + "." + id, algorithm
                + ": of two keys the odd one " + does, () -> {
                    CertificateDraft odd = draft();
                    change.change(odd);
                    return choices(algorithm, "a", odd) + " | " + choices(algorithm, "b", odd);
                });
        }
    }

    private static CertificateDraft draft() throws GeneralSecurityException {
        return TrustCheck.leaf().extendedKeyUsage(SERVER, CLIENT);
    }

    private static KeyStore store(String oddAlias, CertificateDraft odd) throws Exception {
        KeyStore store = Identity.emptyStore();
        for (String alias : new String[] {"a", "b"}) {
            store.setKeyEntry(alias, RowsIdentity.key(), PASSWORD,
                chain(alias.equals(oddAlias) ? odd : draft()));
        }
        return store;
    }

    private static Certificate[] chain(CertificateDraft draft) throws Exception {
        return new Certificate[] {draft.sign(TrustCheck.key())};
    }

    /** What is chosen, if the odd key has that alias: a manager has an order of its own. */
    private static String choices(String algorithm, String oddAlias, CertificateDraft odd)
            throws Exception {
        KeyStore store = store(oddAlias, odd);
        KeyManagerFactory factory = KeyManagerFactory.getInstance(algorithm);
        if (algorithm.equals("NewSunX509")) {
            factory.init(new KeyStoreBuilderParameters(KeyStore.Builder.newInstance(
                store, new KeyStore.PasswordProtection(PASSWORD))));
        } else {
            factory.init(store, PASSWORD);
        }
        X509ExtendedKeyManager manager = (X509ExtendedKeyManager) factory.getKeyManagers()[0];
        NamedEngine engine = new NamedEngine("www.example.com", "HTTPS", "TLSv1.2");
        String[] types = {"EC", "RSA"};
        Principal[] root = {new X500Principal("CN=root")};
        return "server " + names(oddAlias, manager.chooseEngineServerAlias("RSA", null, engine))
            + ", client " + names(oddAlias, manager.chooseEngineClientAlias(types, null, engine))
            + ", of root " + names(oddAlias, manager.chooseEngineClientAlias(types, root, engine))
            + ", servers " + names(oddAlias, manager.getServerAliases("RSA", null))
            + ", clients of root " + names(oddAlias, manager.getClientAliases("RSA", root));
    }

    /** {@code odd+sound}; NewSunX509 puts numbers before a store's own names: {@code 1.0.a}. */
    private static String names(String oddAlias, String... aliases) {
        TreeSet<String> sorted = new TreeSet<>();
        for (String alias : aliases == null ? new String[0] : aliases) {
            if (alias != null) {
                sorted.add(alias.endsWith(oddAlias) ? "odd" : "sound");
            }
        }
        return sorted.isEmpty() ? "none" : String.join("+", sorted);
    }
}
