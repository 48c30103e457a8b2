// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.ByteArrayOutputStream;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.Certificate;
import javax.crypto.spec.SecretKeySpec;

/** How does a JDK write key stores, and what does it take back? Its properties are the JVM's. */
public final class StoresWritten implements Topic {
    private static final String PREFIX = "keystore.pkcs12.";
    private static final String[][] SETTINGS = {
        {"default"}, {"legacy", "legacy", ""},
        {"cert-none", "certProtectionAlgorithm", "NONE"}, {"mac-none", "macAlgorithm", "NONE"},
        {"mac-sha1", "macAlgorithm", "HmacPBESHA1"}, {"mac-sha512", "macAlgorithm", "HmacPBESHA512"},
        {"mac-pbmac1", "macAlgorithm", "PBEWithHmacSHA256"}, {"mac-unknown", "macAlgorithm", "Unknown"},
        {"mac-count", "macIterationCount", "7"},
        {"key-3des", "keyProtectionAlgorithm", "PBEWithSHA1AndDESede"},
        {"key-aes128", "keyProtectionAlgorithm", "PBEWithHmacSHA256AndAES_128"},
        {"key-unknown", "keyProtectionAlgorithm", "Unknown"},
        {"cert-rc2", "certProtectionAlgorithm", "PBEWithSHA1AndRC2_40"},
        {"cert-count", "certPbeIterationCount", "7"}, {"key-count", "keyPbeIterationCount", "7"},
        {"key-count-large", "keyPbeIterationCount", "5000001"},
    };
    private static final String[] TYPES = {"PKCS12", "JKS"};

    @Override
    public String name() {
        return "stored";
    }

    @Override
    public boolean isAlone() {
        return true;
    }

    @Override
    public void declare(TopicRows rows) {
        for (String[] setting : SETTINGS) {
            String does = setting.length == 1 ? "" : " with " + PREFIX + setting[1] + "=" + setting[2];
            rows.row("stored.pkcs12." + setting[0], "a key is written as PKCS12" + does,
                () -> with(setting, () -> StoreDraft.shown(written("PKCS12", StoreDraft.PASSWORD))));
            if (setting.length == 1 || setting[0].endsWith("-none")) {
                rows.row("stored.pkcs12-without." + setting[0], "a key is written as PKCS12 without a"
                    + " password" + does,
                    () -> with(setting, () -> StoreDraft.shown(written("PKCS12", null))));
            }
        }
        for (String type : TYPES) {
            for (String as : TYPES) {
                rows.row("stored.back." + type + "." + as, "what was written as " + type
                    + " is loaded as " + as, () -> StoresRead.load(written(type, StoreDraft.PASSWORD), as,
                        StoreDraft.PASSWORD.toCharArray()));
            }
            rows.row("stored.wrong." + type, type + " is loaded with a wrong password", () -> {
                try {
                    return StoresRead.load(written(type, StoreDraft.PASSWORD), type, "wrong".toCharArray());
                } catch (java.io.IOException e) {
                    return e.getClass().getSimpleName();    // which padding is wrong is chance
                }
            });
            rows.row("stored.null." + type, type + " is loaded without a password", () ->
                StoresRead.load(written(type, StoreDraft.PASSWORD), type, null));
            rows.row("stored.secret." + type, "a secret key is put into " + type, () -> {
                KeyStore store = empty(type);
                store.setKeyEntry("s", new SecretKeySpec(new byte[16], "AES"),
                    StoreDraft.PASSWORD.toCharArray(), null);
                return store.getKey("s", StoreDraft.PASSWORD.toCharArray()).getAlgorithm();
            });
            rows.row("stored.wrong-chain." + type, "a key with a chain that is none is put into " + type,
                () -> {
                    Certificate[] chain = {RsaIdentity.certificate(), TrustCheck.root().sign(TrustCheck.key())};
                    KeyStore store = empty(type);
                    store.setKeyEntry("k", RsaIdentity.key(), StoreDraft.PASSWORD.toCharArray(), chain);
                    return "taken, " + store.getCertificateChain("k").length;
                });
            rows.row("stored.case." + type, "the names a and A are put into " + type, () -> {
                KeyStore store = empty(type);
                store.setCertificateEntry("a", RsaIdentity.certificate());
                store.setCertificateEntry("A", RsaIdentity.certificate());
                return store.size() + " entries";
            });
            rows.row("stored.own-password." + type, "a key has another password than its store, " + type,
                () -> {
                    KeyStore store = empty(type);
                    store.setKeyEntry("k", RsaIdentity.key(), "other-one".toCharArray(),
                        new Certificate[] {RsaIdentity.certificate()});
                    ByteArrayOutputStream out = new ByteArrayOutputStream();
                    store.store(out, StoreDraft.PASSWORD.toCharArray());
                    return StoresRead.load(out.toByteArray(), type, StoreDraft.PASSWORD.toCharArray());
                });
            rows.row("stored.trusted." + type, "a certificate alone is written and loaded as " + type, () -> {
                KeyStore store = empty(type);
                store.setCertificateEntry("root", RsaIdentity.certificate());
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                store.store(out, StoreDraft.PASSWORD.toCharArray());
                return StoresRead.load(out.toByteArray(), type, null);
            });
        }
        rows.row("stored.back.JCEKS.JCEKS", "what was written as JCEKS is loaded as JCEKS", () ->
            StoresRead.load(written("JCEKS", StoreDraft.PASSWORD), "JCEKS",
                StoreDraft.PASSWORD.toCharArray()));
        rows.row("stored.default-type", "the default type is asked for", KeyStore::getDefaultType);
        rows.row("stored.before-load", "a store that is not loaded is asked for its size",
            () -> "" + KeyStore.getInstance("PKCS12").size());
        rows.row("stored.load-null", "a store is loaded from nothing", () -> "" + empty("PKCS12").size());
    }

    private static String with(String[] setting, Observation observation) throws Exception {
        if (setting.length > 1) {
            System.setProperty(PREFIX + setting[1], setting[2]);
        }
        try {
            return observation.observe();
        } finally {
            if (setting.length > 1) {
                System.clearProperty(PREFIX + setting[1]);
            }
        }
    }

    private static KeyStore empty(String type) throws Exception {
        try {
            KeyStore store = KeyStore.getInstance(type);
            store.load(null, null);
            return store;
        } catch (KeyStoreException e) {
            throw new Absent(type);
        }
    }

    private static byte[] written(String type, String password) throws Exception {
        KeyStore store = empty(type);
        store.setKeyEntry("k", RsaIdentity.key(), StoreDraft.PASSWORD.toCharArray(),
            new Certificate[] {RsaIdentity.certificate()});
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        store.store(out, password == null ? null : password.toCharArray());
        return out.toByteArray();
    }
}
