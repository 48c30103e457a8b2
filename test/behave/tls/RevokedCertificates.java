// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.cert.CertPathValidator;
import java.security.cert.CertStore;
import java.security.cert.CertificateFactory;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.EnumSet;

/** Is a revoked certificate refused? Lists and OCSP responses, as they are, late, forged and cut. */
public final class RevokedCertificates implements Topic {
    private static final long HOUR_S = 3_600;
    private static final long SERIAL = 4711;
    private static final String[] REASONS = {"unspecified", "keyCompromise", "cACompromise",
        "affiliationChanged", "superseded", "cessationOfOperation", "certificateHold", "7", "removeFromCRL",
        "privilegeWithdrawn", "aACompromise"};

    /** What a list or a response has; it begins as a good one that revokes nothing. */
    private static final class Draft {
        final long nowS = System.currentTimeMillis() / 1000;
        long thisUpdateS = nowS - HOUR_S;
        long nextUpdateS = nowS + HOUR_S;
        String issuer = "root";
        boolean isForged;
        String algorithm = "SHA256withRSA";
        byte[] revoked = new byte[0];
        byte[] extensions = new byte[0];
        int status;
        byte[] certStatus = Der.element(Der.CONTEXT);
        long serial = SERIAL;
        byte[] certificates = new byte[0];
        boolean isByHash;

        PrivateKey key() throws GeneralSecurityException {
            return isForged ? TrustCheck.stranger().getPrivate() : TrustCheck.key();
        }
    }

    /** What a row changes of it. */
    private interface Change {
        void change(Draft draft) throws Exception;
    }

    @Override
    public String name() {
        return "revoked";
    }

    @Override
    public void declare(TopicRows rows) {
        lists(rows);
        responses(rows);
    }

    private static void list(TopicRows rows, String id, String does, Change change) {
        rows.row("revoked.list." + id, "a revocation list " + does, () -> {
            Draft draft = new Draft();
            change.change(draft);
            return check(list(draft), null);
        });
    }

    private static byte[] entry(long serial, byte[] extensions) {
        return Der.sequence(Der.integer(serial), Der.time(System.currentTimeMillis() / 1000 - HOUR_S),
            extensions.length == 0 ? extensions : Der.sequence(extensions));
    }

    private static byte[] reason(int code) {
        return Der.sequence(Der.oid("2.5.29.21"),
            Der.octets(Der.element(Der.ENUMERATED, new byte[] {(byte) code})));
    }

    private static void lists(TopicRows rows) {
        rows.row("revoked.list.none", "there is no revocation list", () -> check(null, null));
        list(rows, "empty", "revokes nothing", d -> { });
        list(rows, "revoked", "revokes the certificate", d -> d.revoked = entry(SERIAL, new byte[0]));
        list(rows, "other", "revokes another certificate", d -> d.revoked = entry(1, new byte[0]));
        list(rows, "two", "revokes another one and the certificate",
            d -> d.revoked = Der.join(entry(1, new byte[0]), entry(SERIAL, new byte[0])));
        for (int i = 0; i < REASONS.length; i++) {
            int code = i;
            list(rows, "reason." + REASONS[i], "revokes the certificate for " + REASONS[i],
                d -> d.revoked = entry(SERIAL, reason(code)));
        }
        list(rows, "expired", "is old, and revokes nothing", d -> d.nextUpdateS = d.nowS - 2 * 900);
        list(rows, "expired-revoked", "is old, and revokes the certificate", d -> {
            d.nextUpdateS = d.nowS - 2 * 900;
            d.revoked = entry(SERIAL, new byte[0]);
        });
        list(rows, "early", "is of tomorrow", d -> d.thisUpdateS = d.nowS + 24 * HOUR_S);
        list(rows, "forged", "is signed by another key", d -> d.isForged = true);
        list(rows, "other-issuer", "is of another authority", d -> d.issuer = "other");
        for (String algorithm : new String[] {"MD5withRSA", "SHA1withRSA", "SHA512withRSA"}) {
            list(rows, "algorithm." + algorithm, "is signed by " + algorithm, d -> d.algorithm = algorithm);
        }
        list(rows, "unknown-critical", "has an unknown critical extension", d -> d.extensions = Der.sequence(
            Der.oid("1.2.3.4"), Der.yes(), Der.octets(Der.nothing())));
        list(rows, "entry-critical", "has an entry with an unknown critical extension",
            d -> d.revoked = entry(SERIAL, Der.sequence(
                Der.oid("1.2.3.4"), Der.yes(), Der.octets(Der.nothing()))));
        list(rows, "users-only", "is about certificates of users", d -> d.extensions = scope(1));
        list(rows, "authorities-only", "is about certificates of authorities", d -> d.extensions = scope(2));
        list(rows, "indirect", "is indirect", d -> d.extensions = scope(4));
        list(rows, "delta", "is a delta", d -> d.extensions = Der.sequence(
            Der.oid("2.5.29.27"), Der.yes(), Der.octets(Der.integer(1))));
    }

    /** An issuingDistributionPoint with one flag (RFC 5280, section 5.2.5). */
    private static byte[] scope(int flag) {
        return Der.sequence(Der.oid("2.5.29.28"), Der.yes(), Der.octets(Der.sequence(
            Der.element(Der.CONTEXT | flag, new byte[] {(byte) 0xff}))));
    }

    private static byte[] list(Draft draft) throws GeneralSecurityException {
        byte[] identifier = CertificateDraft.identifier(draft.algorithm);
        byte[] body = Der.sequence(Der.integer(1), identifier, CertificateDraft.name(draft.issuer),
            Der.time(draft.thisUpdateS), Der.time(draft.nextUpdateS),
            draft.revoked.length == 0 ? draft.revoked : Der.sequence(draft.revoked),
            draft.extensions.length == 0 ? draft.extensions
                : Der.element(Der.EXPLICIT, Der.sequence(draft.extensions)));
        return Der.sequence(body, identifier,
            Der.bits(CertificateDraft.sign(draft.algorithm, draft.key(), body)));
    }

    private static void response(TopicRows rows, String id, String does, Change change) {
        rows.row("revoked.ocsp." + id, "an OCSP response " + does, () -> {
            Draft draft = new Draft();
            change.change(draft);
            return check(null, response(draft));
        });
    }

    private static byte[] since(Draft draft, byte[] reason) {
        return Der.element(Der.EXPLICIT | 1, Der.generalizedTime(draft.nowS - HOUR_S), reason);
    }

    private static void responses(TopicRows rows) {
        response(rows, "good", "says good", d -> { });
        response(rows, "revoked", "says revoked", d -> d.certStatus = since(d, new byte[0]));
        response(rows, "unknown", "says unknown", d -> d.certStatus = Der.element(Der.CONTEXT | 2));
        for (int code : new int[] {0, 1, 6, 8, 10}) {
            response(rows, "reason." + REASONS[code], "says revoked for " + REASONS[code],
                d -> d.certStatus = since(d, Der.element(Der.EXPLICIT,
                    Der.element(Der.ENUMERATED, new byte[] {(byte) code}))));
        }
        for (int status : new int[] {1, 2, 3, 4, 5, 6, 9}) {
            response(rows, "status." + status, "has the status " + status, d -> d.status = status);
        }
        response(rows, "expired", "is old", d -> d.nextUpdateS = d.nowS - 2 * HOUR_S);
        response(rows, "early", "is of tomorrow", d -> d.thisUpdateS = d.nowS + 24 * HOUR_S);
        response(rows, "other-serial", "is about another certificate", d -> d.serial = 1);
        response(rows, "forged", "is signed by another key", d -> d.isForged = true);
        response(rows, "by-hash", "names its responder by the hash of its key", d -> d.isByHash = true);
        response(rows, "other-responder", "names another responder", d -> d.issuer = "other");
        for (String algorithm : new String[] {"MD5withRSA", "SHA1withRSA", "SHA512withRSA"}) {
            response(rows, "algorithm." + algorithm, "is signed by " + algorithm,
                d -> d.algorithm = algorithm);
        }
        for (String purpose : new String[] {"1.3.6.1.5.5.7.3.9", "1.3.6.1.5.5.7.3.1", ""}) {
            response(rows, "delegated." + (purpose.isEmpty() ? "none" : purpose.endsWith("9") ? "ocsp"
                : "server"), "is signed by a delegate whose purpose is " + purpose, d -> {
                    d.isForged = true;
                    d.issuer = "delegate";
                    CertificateDraft delegate = new CertificateDraft(TrustCheck.stranger().getPublic())
                        .subject("delegate").keyUsage(0x80, 7);
                    if (!purpose.isEmpty()) {
                        delegate.extendedKeyUsage(purpose);
                    }
                    d.certificates = delegate.encode(TrustCheck.key());
                });
        }
        rows.row("revoked.ocsp.nothing", "an OCSP response is empty", () -> check(null, new byte[0]));
        rows.row("revoked.ocsp.cut", "an OCSP response is cut", () -> check(null,
            java.util.Arrays.copyOf(response(new Draft()), 100)));
    }

    private static byte[] response(Draft draft) throws GeneralSecurityException {
        MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
        byte[] key = TrustCheck.publicKey().getEncoded();
        // The key without the header of its 2,048 bits (RFC 6960, section 4.1.1).
        byte[] keyHash = sha1.digest(java.util.Arrays.copyOfRange(key, 24, key.length));
        byte[] id = Der.sequence(Der.sequence(Der.oid("1.3.14.3.2.26"), Der.nothing()),
            Der.octets(sha1.digest(CertificateDraft.name("root"))), Der.octets(keyHash),
            Der.integer(draft.serial));
        byte[] body = Der.sequence(
            draft.isByHash ? Der.element(Der.EXPLICIT | 2, Der.octets(keyHash))
                : Der.element(Der.EXPLICIT | 1, CertificateDraft.name(draft.issuer)),
            Der.generalizedTime(draft.thisUpdateS),
            Der.sequence(Der.sequence(id, draft.certStatus, Der.generalizedTime(draft.thisUpdateS),
                Der.element(Der.EXPLICIT, Der.generalizedTime(draft.nextUpdateS)))));
        byte[] basic = Der.sequence(body, CertificateDraft.identifier(draft.algorithm),
            Der.bits(CertificateDraft.sign(draft.algorithm, draft.key(), body)),
            draft.certificates.length == 0 ? draft.certificates
                : Der.element(Der.EXPLICIT, Der.sequence(draft.certificates)));
        return Der.sequence(Der.element(Der.ENUMERATED, new byte[] {(byte) draft.status}),
            draft.status != 0 ? new byte[0] : Der.element(Der.EXPLICIT,
                Der.sequence(Der.oid("1.3.6.1.5.5.7.48.1.1"), Der.octets(basic))));
    }

    /** Validates the leaf below the root, with that list or that response. */
    private static String check(byte[] list, byte[] response) throws Exception {
        X509Certificate leaf = TrustCheck.leaf().sign(TrustCheck.key());
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        CertPathValidator validator = CertPathValidator.getInstance("PKIX");
        PKIXParameters parameters = new PKIXParameters(Collections.singleton(
            new TrustAnchor(TrustCheck.root().sign(TrustCheck.key()), null)));
        try {
            if (response == null) {
                X509CRL parsed = list == null ? null
                    : (X509CRL) factory.generateCRL(new ByteArrayInputStream(list));
                parameters.addCertStore(CertStore.getInstance("Collection",
                    new CollectionCertStoreParameters(parsed == null ? Collections.emptyList()
                        : Collections.singleton(parsed))));
            } else {
                PKIXRevocationChecker checker = (PKIXRevocationChecker) validator.getRevocationChecker();
                checker.setOcspResponses(Collections.singletonMap(leaf, response));
                checker.setOptions(EnumSet.of(PKIXRevocationChecker.Option.NO_FALLBACK));
                parameters.addCertPathChecker(checker);
            }
            validator.validate(factory.generateCertPath(Collections.singletonList(leaf)), parameters);
            return "valid";
        } catch (java.security.cert.CertPathValidatorException | java.security.cert.CRLException e) {
            return TrustCheck.refusal(e);
        }
    }
}
