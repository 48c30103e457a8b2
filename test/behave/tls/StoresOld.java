// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Arrays;

/** Are the stores before PKCS12 read as they were written, and is a changed one refused? */
final class StoresOld implements Topic {
    private static final int WITHIN_MS = 15_000;
    private static final char[] PASSWORD = StoreDraft.PASSWORD.toCharArray();

    @Override
    public String name() {
        return "store-old";
    }

    @Override
    public void declare(TopicRows rows) {
        for (String type : new String[] {"JKS", "JCEKS", "CaseExactJKS", "PKCS12"}) {
            for (String password : new String[] {"right", "wrong", "null", "empty"}) {
                rows.row("store-old." + type + "." + password, "a file of type " + type
                    + " is loaded with the " + password + " password", () -> StoresRead.load(
                        written(type), type, characters(password))).within(WITHIN_MS);
            }
            for (String part : new String[] {"first", "middle", "last"}) {
                rows.row("store-old." + type + ".changed-" + part, "a file of type " + type
                    + ", of which the " + part + " byte is changed, is loaded with its password",
                    () -> {
                        byte[] file = written(type);
                        file[part.equals("first") ? 0 : part.equals("last") ? file.length - 1
                            : file.length / 2] ^= 1;
                        return refused(file, type);
                    }).within(WITHIN_MS);
            }
            rows.row("store-old." + type + ".cut", "a file of type " + type + " lacks its last byte",
                () -> {
                    byte[] file = written(type);
                    return refused(Arrays.copyOf(file, file.length - 1), type);
                }).within(WITHIN_MS);
            rows.row("store-old." + type + ".capitals", "a store of type " + type
                + " has the entries a and A", () -> capitals(type)).within(WITHIN_MS);
        }
    }

    private static char[] characters(String password) {
        return password.equals("null") ? null : password.equals("empty") ? new char[0]
            : password.equals("wrong") ? "wrong".toCharArray() : PASSWORD;
    }

    /** Where a parser stumbles is chance, as keys are wrapped with other salts each time. */
    private static String refused(byte[] file, String type) throws Exception {
        KeyStore store = KeyStore.getInstance(type);
        try {
            store.load(new ByteArrayInputStream(file), PASSWORD);
        } catch (java.io.IOException | java.security.GeneralSecurityException e) {
            return "refused";
        }
        return "loaded, " + store.size() + " entries";
    }

    private static byte[] written(String type) throws Exception {
        KeyStore store = store(type);
        store.setCertificateEntry("trusted", TrustCheck.root().sign(TrustCheck.key()));
        store.setKeyEntry("key", RowsIdentity.key(), PASSWORD,
            new Certificate[] {RowsIdentity.certificate()});
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        store.store(file, PASSWORD);
        return file.toByteArray();
    }

    private static KeyStore store(String type) throws Exception {
        KeyStore store;
        try {
            store = KeyStore.getInstance(type);
        } catch (java.security.KeyStoreException e) {
            throw new Absent(type);
        }
        store.load(null, null);
        return store;
    }

    private static String capitals(String type) throws Exception {
        KeyStore store = store(type);
        Certificate certificate = RowsIdentity.certificate();
        store.setCertificateEntry("a", certificate);
        store.setCertificateEntry("A", certificate);
        return store.size() + " entries, A is there: " + store.containsAlias("A");
    }
}
