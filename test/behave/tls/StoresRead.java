// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.ByteArrayInputStream;
import java.security.Key;
import java.security.KeyStore;
import java.util.Collections;
import java.util.List;

/** Which PKCS12 files does a JDK read? As OpenSSL, old Windows and other tools write them. */
public final class StoresRead implements Topic {
    private static final String[] MACS = {"sha1", "sha224", "sha256", "sha384", "sha512", "md5", "none",
        "wrong", "pbmac1-sha1", "pbmac1-sha256", "pbmac1-sha384", "pbmac1-sha512"};
    private static final String[] PASSWORDS = {"right", "wrong", "empty", "null"};

    /** What a row changes of a good file. */
    private interface Change {
        void change(StoreDraft draft);
    }

    @Override
    public String name() {
        return "store";
    }

    @Override
    public void declare(TopicRows rows) {
        for (String mac : MACS) {
            for (String password : PASSWORDS) {
                rows.row("store.mac." + mac + "." + password, "a PKCS12 file with the MAC " + mac
                    + " is loaded with the " + password + " password", () -> {
                        StoreDraft draft = new StoreDraft();
                        draft.mac = mac;
                        return load(draft.encode(), "PKCS12", characters(password));
                    });
            }
        }
        for (String key : new String[] {"aes256", "aes128", "3des", "rc2", "rc2-128"}) {
            for (String certificate : new String[] {"aes256", "3des", "rc2", "none"}) {
                file(rows, "cipher." + key + "." + certificate, "with a key in " + key
                    + " and certificates in " + certificate, draft -> {
                        draft.keyCipher = key;
                        draft.certificateCipher = certificate;
                    });
            }
        }
        for (String mac : new String[] {"none", "sha256"}) {
            for (String password : PASSWORDS) {
                rows.row("store.open." + mac + "." + password, "a file of certificates alone, not encrypted,"
                    + " MAC " + mac + ", is loaded with the " + password + " password", () -> {
                        StoreDraft draft = new StoreDraft();
                        draft.hasKey = false;
                        draft.isTrusted = true;
                        draft.certificateCipher = "none";
                        draft.mac = mac;
                        return load(draft.encode(), "PKCS12", characters(password));
                    });
            }
        }
        for (String type : new String[] {"PKCS12", "JKS", "JCEKS"}) {
            for (String alias : new String[] {"key", "KEY", "other"}) {
                rows.row("store.asked." + type + "." + (alias.equals("KEY") ? "upper" : alias),
                    "a " + type + " store with 'key' is asked for '" + alias + "' by each method",
                    () -> asked(type, alias));
            }
        }
        numbers(rows);
        names(rows);
        shapes(rows);
    }

    private static void file(TopicRows rows, String id, String does, Change change) {
        rows.row("store." + id, "a PKCS12 file is loaded " + does, () -> {
            StoreDraft draft = new StoreDraft();
            change.change(draft);
            return load(draft.encode(), "PKCS12", draft.password.toCharArray());
        });
    }

    private static char[] characters(String password) {
        return password.equals("null") ? null : password.equals("empty") ? new char[0]
            : password.equals("wrong") ? "wrong".toCharArray() : StoreDraft.PASSWORD.toCharArray();
    }

    /** What is in a store, or why it is not read. */
    static String load(byte[] file, String type, char[] password) throws Exception {
        KeyStore store = KeyStore.getInstance(type);
        store.load(new ByteArrayInputStream(file), password);
        List<String> aliases = Collections.list(store.aliases());
        Collections.sort(aliases);
        StringBuilder text = new StringBuilder("loaded");
        for (String alias : aliases) {
            text.append(", ").append(alias).append(": ");
            if (store.isKeyEntry(alias)) {
                java.security.cert.Certificate[] chain = store.getCertificateChain(alias);
                text.append(key(store, alias, password)).append(" and ")
                    .append(chain == null ? 0 : chain.length);
            } else {
                text.append("certificate");
            }
        }
        return text.toString();
    }

    private static String key(KeyStore store, String alias, char[] password) {
        try {
            Key key = store.getKey(alias, password == null ? new char[0] : password);
            return key == null ? "no key" : key.getAlgorithm();
        } catch (Exception e) {
            return e.getClass().getSimpleName();    // which padding is wrong is chance
        }
    }

    private static String asked(String type, String alias) throws Exception {
        KeyStore store = KeyStore.getInstance(type);
        store.load(null, null);
        char[] password = characters("right");
        java.security.cert.Certificate certificate = TrustCheck.leaf().sign(TrustCheck.key());
        store.setKeyEntry("key", RowsIdentity.key(), password, new java.security.cert.Certificate[] {
            certificate, TrustCheck.root().sign(TrustCheck.key())});
        java.security.cert.Certificate[] chain = store.getCertificateChain(alias);
        String seen = "contains " + store.containsAlias(alias)
            + ", key entry " + store.isKeyEntry(alias)
            + ", key " + (store.getKey(alias, password) != null)
            + ", chain " + (chain == null ? 0 : chain.length)
            + ", certificate " + certificate.equals(store.getCertificate(alias))
            + ", date " + (store.getCreationDate(alias) != null)
            + ", entry " + store.entryInstanceOf(alias, KeyStore.PrivateKeyEntry.class);
        store.deleteEntry(alias);
        return seen + ", after its removal " + store.size();
    }

    private static void numbers(TopicRows rows) {
        for (long count : new long[] {-1, 0, 1, 2048, 5_000_001, 2_147_483_647, 4_294_967_297L}) {
            file(rows, "iterations." + count, "whose cipher has " + count + " iterations",
                draft -> draft.iterations = count);
            file(rows, "mac-iterations." + count, "whose MAC has " + count + " iterations",
                draft -> draft.macIterations = count);
            file(rows, "pbmac1-iterations." + count, "whose PBMAC1 has " + count + " iterations",
                draft -> {
                    draft.mac = "pbmac1-sha256";
                    draft.macIterations = count;
                });
        }
        for (int bytes : new int[] {0, 1, 8, 20, 64, 1024, 1025, 4096}) {
            file(rows, "mac-salt." + bytes, "whose MAC has a salt of " + bytes + " bytes",
                draft -> draft.macSaltBytes = bytes);
            if (bytes > 0) {
                file(rows, "salt." + bytes, "whose cipher has a salt of " + bytes + " bytes",
                    draft -> draft.saltBytes = bytes);
            }
        }
        for (long version : new long[] {0, 2, 3, 4}) {
            file(rows, "version." + version, "of version " + version, draft -> draft.version = version);
        }
    }

    private static void names(TopicRows rows) {
        String[][] names = {{"upper", "KEY"}, {"none", ""}, {"blank", "my key"}, {"umlaut", "schl\u00fcssel"},
            {"star", "*"}};
        for (String[] name : names) {
            file(rows, "alias." + name[0], "whose key has this name: " + name[0], draft -> {
                draft.keyAlias = name[1];
                draft.certificateAliases = new String[] {name[1]};
            });
        }
        String[][] lists = {{"twice", "a", "a"}, {"case", "a", "A"}, {"nameless", "", ""},
            {"thrice", "a", "b", "a"}};
        for (String[] list : lists) {
            for (boolean trusted : new boolean[] {true, false}) {
                file(rows, "certificates." + list[0] + (trusted ? ".trusted" : ".plain"), "of certificates "
                    + (trusted ? "marked as trusted" : "without that mark") + ", names: " + list[0], draft -> {
                        draft.hasKey = false;
                        draft.isTrusted = trusted;
                        draft.certificateAliases = java.util.Arrays.copyOfRange(list, 1, list.length);
                    });
            }
        }
        file(rows, "key.no-certificate", "whose key has no certificate",
            draft -> draft.certificateAliases = new String[0]);
        file(rows, "key.no-local-id", "whose key has no local id", draft -> draft.hasLocalId = false);
        file(rows, "key.other-name", "whose key and certificate have different names",
            draft -> draft.certificateAliases = new String[] {"other"});
        file(rows, "key.two-certificates", "whose key has two certificates",
            draft -> draft.certificateAliases = new String[] {"key", "key"});
        file(rows, "password.empty", "whose password is empty", draft -> draft.password = "");
        file(rows, "password.long", "whose password has 200 characters",
            draft -> draft.password = new String(new char[200]).replace('\0', 'p'));
    }

    private static void shapes(TopicRows rows) {
        file(rows, "tail", "with bytes after its end", draft -> draft.tail = new byte[5]);
        rows.row("store.cut", "half a PKCS12 file is loaded", () -> {
            byte[] file = new StoreDraft().encode();
            return load(java.util.Arrays.copyOf(file, file.length / 2), "PKCS12", characters("right"));
        });
        rows.row("store.nothing", "an empty file is loaded",
            () -> load(new byte[0], "PKCS12", characters("right")));
        rows.row("store.text", "a text is loaded as a PKCS12 file",
            () -> load("-----BEGIN CERTIFICATE-----".getBytes(), "PKCS12", characters("right")));
        for (String type : new String[] {"JKS", "JCEKS", "DKS", "pkcs12", "jks", "PEM", "CaseExactJKS"}) {
            rows.row("store.as." + type, "a PKCS12 file is loaded as " + type, () -> {
                try {
                    return load(new StoreDraft().encode(), type, characters("right"));
                } catch (java.security.KeyStoreException e) {
                    throw new Absent(type);
                }
            });
        }
    }
}
