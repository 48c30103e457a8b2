// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.security.Key;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.TreeSet;
import javax.crypto.spec.PBEParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** What do key stores make of entries that are asked for, changed and taken out? */
final class StoreEntries implements Topic {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final String[] TYPES = {"JKS", "PKCS12"};

    /** Hashed once: its 10,000 times would be most of what these rows cost. */
    private static final KeyStore.ProtectionParameter CHEAP = new KeyStore.PasswordProtection(PASSWORD,
        "PBEWithSHA1AndDESede", new PBEParameterSpec(new byte[20], 1));

    /** What an application does to a store with a trusted certificate and a key. */
    private interface Act {
        Object on(KeyStore store) throws Exception;
    }

    @Override
    public String name() {
        return "entry";
    }

    @Override
    public void declare(TopicRows rows) {
        for (String type : TYPES) {
            reads(rows, type);
            writes(rows, type);
            row(rows, type, "unloaded", "a store that was not loaded", store ->
                KeyStore.getInstance(type).size());
            row(rows, type, "load-parameter", "a store is loaded by a parameter", store -> {
                store.load(() -> new KeyStore.PasswordProtection(PASSWORD));
                return "loaded, " + store.size();
            });
            row(rows, type, "load-parameter-null", "a store is loaded by no parameter", store -> {
                store.load(null);
                return "loaded, " + store.size();
            });
            row(rows, type, "store-parameter", "a store is written by a parameter", store -> {
                store.store(() -> new KeyStore.PasswordProtection(PASSWORD));
                return "written";
            });
        }
        // What is hashed 10,000 times would be most of what these rows cost.
        row(rows, "JKS", "back", "a store that was written and read", store -> {
            store.deleteEntry("key");
            ByteArrayOutputStream file = new ByteArrayOutputStream();
            store.store(file, PASSWORD);
            KeyStore back = KeyStore.getInstance("JKS");
            back.load(new ByteArrayInputStream(file.toByteArray()), PASSWORD);
            return aliases(back) + ", " + back.isCertificateEntry("trusted") + ", "
                + back.getCertificate("trusted").equals(root());
        });
        row(rows, "JKS", "key-without-password", "a key with no password", store -> {
            store.setKeyEntry("second", RowsIdentity.key(), null, chain());
            return aliases(store);
        });
    }

    private static void row(TopicRows rows, String type, String id, String does, Act act) {
        rows.row("entry." + type + "." + id, type + ": " + does, () -> {
            try {
                return String.valueOf(act.on(store(type)));
            } catch (IllegalArgumentException | NullPointerException
                    | UnsupportedOperationException e) {
                return "refused";
            }
        });
    }

    /** In memory, and no key of it is wrapped by the store itself. */
    private static KeyStore store(String type) throws Exception {
        KeyStore store = KeyStore.getInstance(type);
        store.load(null, null);
        store.setCertificateEntry("trusted", root());
        if (type.equals("PKCS12")) {
            store.setEntry("key", new KeyStore.PrivateKeyEntry(RowsIdentity.key(), chain()), CHEAP);
        } else {
            store.setKeyEntry("key", RowsIdentity.key(), PASSWORD, chain());
        }
        return store;
    }

    private static X509Certificate root() throws Exception {
        return TrustCheck.root().sign(TrustCheck.key());
    }

    private static Certificate[] chain() throws Exception {
        return new Certificate[] {TrustCheck.leaf().issuer("first").sign(TrustCheck.key()),
            TrustCheck.intermediate("first").sign(TrustCheck.key())};
    }

    private static String aliases(KeyStore store) throws Exception {
        return new TreeSet<>(Collections.list(store.aliases())).toString();
    }

    private static void reads(TopicRows rows, String type) {
        row(rows, type, "aliases", "its names", StoreEntries::aliases);
        row(rows, type, "kinds", "of which kinds are its entries?", store -> store.isKeyEntry("key") + ", "
            + store.isCertificateEntry("key") + ", " + store.isKeyEntry("trusted") + ", "
            + store.isCertificateEntry("trusted") + ", " + store.isKeyEntry("none"));
        row(rows, type, "classes", "of which classes are its entries?", store ->
            store.entryInstanceOf("key", KeyStore.PrivateKeyEntry.class) + ", "
            + store.entryInstanceOf("key", KeyStore.SecretKeyEntry.class) + ", "
            + store.entryInstanceOf("trusted", KeyStore.TrustedCertificateEntry.class) + ", "
            + store.entryInstanceOf("none", KeyStore.PrivateKeyEntry.class));
        row(rows, type, "case", "a name in capitals", store -> store.containsAlias("KEY") + ", "
            + (store.getCertificate("Trusted") != null));
        row(rows, type, "alias-of", "the names of certificates", store ->
            store.getCertificateAlias(root()) + ", " + store.getCertificateAlias(chain()[0]) + ", "
            + store.getCertificateAlias(chain()[1]) + ", "
            + store.getCertificateAlias(RowsIdentity.certificate()));
        row(rows, type, "certificate", "the certificates of its entries", store ->
            store.getCertificate("key").equals(chain()[0]) + ", "
            + store.getCertificate("trusted").equals(root()) + ", " + store.getCertificate("none"));
        row(rows, type, "chain", "the chains of its entries", store ->
            store.getCertificateChain("key").length + ", "
            + (store.getCertificateChain("trusted") == null ? "none"
                : store.getCertificateChain("trusted").length) + ", "
            + (store.getCertificateChain("none") == null));
        row(rows, type, "age", "since when has it its entries?", store -> {
            long age = System.currentTimeMillis() - store.getCreationDate("trusted").getTime();
            return (age >= 0 && age < 600_000 ? "now" : "another time") + ", " + store.getCreationDate("none");
        });
        row(rows, type, "entry-trusted", "the trusted one as an entry", store -> {
            KeyStore.Entry entry = store.getEntry("trusted", null);
            return entry.getClass().getSimpleName() + ", attributes " + entry.getAttributes().size();
        });
        row(rows, type, "entry-trusted-password", "the trusted one as an entry, with a password",
            store -> store.getEntry("trusted", CHEAP) != null);
        row(rows, type, "entry-key", "the key as an entry", store -> {
            KeyStore.PrivateKeyEntry entry = (KeyStore.PrivateKeyEntry)
                store.getEntry("key", new KeyStore.PasswordProtection(PASSWORD));
            return entry.getPrivateKey().getAlgorithm() + ", " + entry.getCertificateChain().length
                + ", attributes " + entry.getAttributes().size();
        });
        row(rows, type, "entry-key-none", "the key as an entry, without a password",
            store -> store.getEntry("key", null) != null);
        row(rows, type, "entry-none", "an entry that is not there", store -> store.getEntry("none", null));
        row(rows, type, "key-wrong", "the key with a wrong password",
            store -> key(store, "wrong".toCharArray()));
        row(rows, type, "key-null", "the key with no password", store -> key(store, null));
        row(rows, type, "key-of-trusted", "a key by the name of the trusted one",
            store -> store.getKey("trusted", PASSWORD));
    }

    /** Not why: which padding is wrong is chance. */
    private static String key(KeyStore store, char[] password) throws Exception {
        try {
            return store.getKey("key", password).getAlgorithm();
        } catch (java.security.UnrecoverableKeyException e) {
            return e.getClass().getSimpleName();
        }
    }

    private static void writes(TopicRows rows, String type) {
        row(rows, type, "deleted", "entries are taken out", store -> {
            store.deleteEntry("KEY");
            store.deleteEntry("none");
            return aliases(store) + ", " + store.getKey("key", PASSWORD);
        });
        row(rows, type, "certificate-over-key", "a certificate takes the key's name", store -> {
            store.setCertificateEntry("key", root());
            return aliases(store) + ", " + store.isKeyEntry("key");
        });
        row(rows, type, "certificate-again", "another certificate takes the name of the trusted one",
            store -> {
                store.setCertificateEntry("trusted", RowsIdentity.certificate());
                return store.size() + ", " + store.getCertificate("trusted").equals(root());
            });
        row(rows, type, "wrapped", "a key that is wrapped already, and one that is not", store -> {
            String seen;
            try {
                store.setKeyEntry("odd", new byte[] {1, 2, 3}, chain());
                seen = "taken";
            } catch (java.security.KeyStoreException e) {
                seen = "refused";
            }
            return seen + ", " + aliases(store);
        });
        row(rows, type, "wrapped-key", "a key that is wrapped already", store -> {
            byte[] wrapped = Der.sequence(Der.sequence(Der.oid("1.2.840.113549.1.12.1.3"),
                Der.sequence(Der.octets(new byte[20]), Der.integer(1))), Der.octets(new byte[16]));
            store.setKeyEntry("wrapped", wrapped, chain());
            return aliases(store) + ", " + store.isKeyEntry("wrapped") + ", "
                + store.getCertificateChain("wrapped").length;
        });
        row(rows, type, "secret", "a secret key", store -> {
            store.setEntry("secret", new KeyStore.SecretKeyEntry(new SecretKeySpec(new byte[16], "AES")),
                CHEAP);
            Key key = store.getKey("secret", PASSWORD);
            return aliases(store) + ", " + key.getAlgorithm() + ", "
                + store.entryInstanceOf("secret", KeyStore.SecretKeyEntry.class) + ", "
                + store.getCertificate("secret");
        });
        row(rows, type, "trusted-entry", "a trusted certificate as an entry", store -> {
            store.setEntry("second", new KeyStore.TrustedCertificateEntry(root()), null);
            return aliases(store) + ", " + store.isCertificateEntry("second");
        });
        row(rows, type, "trusted-entry-password", "a trusted certificate as an entry, with a password",
            store -> {
                store.setEntry("second", new KeyStore.TrustedCertificateEntry(root()), CHEAP);
                return aliases(store);
            });
        row(rows, type, "key-without-chain", "a key without a certificate", store -> {
            store.setEntry("second", new KeyStore.PrivateKeyEntry(RowsIdentity.key(), new Certificate[0]),
                CHEAP);
            return aliases(store);
        });
        row(rows, type, "key-of-other", "a key of another kind than its certificate's", store -> {
            PrivateKey other = RowsIdentity.key();
            store.setEntry("second", new KeyStore.PrivateKeyEntry(other,
                new Certificate[] {Identity.certificate()}), CHEAP);
            return aliases(store);
        });
        row(rows, type, "null-name", "a certificate without a name", store -> {
            store.setCertificateEntry(null, root());
            return store.size();
        });
        row(rows, type, "null-certificate", "no certificate", store -> {
            store.setCertificateEntry("second", null);
            return store.size();
        });
    }
}
