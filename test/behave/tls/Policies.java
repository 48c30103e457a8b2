// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.security.cert.CertPath;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXCertPathValidatorResult;
import java.security.cert.PKIXParameters;
import java.security.cert.PolicyNode;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.TreeSet;

/** Which policies does a chain have (RFC 5280, section 6.1), and is it refused for them? */
final class Policies implements Topic {
    private static final String POLICIES = "2.5.29.32";
    private static final String MAPPINGS = "2.5.29.33";
    private static final String CONSTRAINTS = "2.5.29.36";
    private static final String INHIBIT_ANY = "2.5.29.54";
    private static final String ANY = "2.5.29.32.0";
    private static final String A = "1.2.3.1";
    private static final String B = "1.2.3.2";
    private static final String C = "1.2.3.3";

    /** A chain of an authority of the root, another one below it, and a leaf. */
    private static final class Chain {
        final CertificateDraft first;
        final CertificateDraft second;
        final CertificateDraft leaf;
        final PKIXParameters parameters;

        Chain() throws Exception {
            first = TrustCheck.intermediate("first");
            second = TrustCheck.intermediate("second").issuer("first");
            leaf = TrustCheck.leaf().issuer("second");
            parameters = new PKIXParameters(Collections.singleton(
                new TrustAnchor(TrustCheck.root().sign(TrustCheck.key()), null)));
            parameters.setRevocationEnabled(false);
        }

        /** The same policies for all three. */
        Chain all(String... oids) {
            for (CertificateDraft draft : new CertificateDraft[] {first, second, leaf}) {
                policies(draft, oids);
            }
            return this;
        }

        Chain wanted(String... oids) {
            parameters.setInitialPolicies(new HashSet<>(Arrays.asList(oids)));
            return this;
        }

        Chain explicit() {
            parameters.setExplicitPolicyRequired(true);
            return this;
        }
    }

    /** What a row changes of a chain without policies. */
    private interface Change {
        void change(Chain chain) throws Exception;
    }

    @Override
    public String name() {
        return "policy";
    }

    @Override
    public void declare(TopicRows rows) {
        row(rows, "none", "none is named", chain -> { });
        row(rows, "none-required", "none is named, and one is required", Chain::explicit);
        row(rows, "same", "all name A", chain -> chain.all(A));
        row(rows, "same-required", "all name A, and one is required", chain -> chain.all(A).explicit());
        row(rows, "two", "all name A and B", chain -> chain.all(A, B));
        row(rows, "two-wanted", "all name A and B, and B is wanted", chain -> chain.all(A, B).wanted(B));
        row(rows, "other-wanted", "all name A, and B is wanted", chain -> chain.all(A).wanted(B));
        row(rows, "other-required", "all name A, and B is required",
            chain -> chain.all(A).wanted(B).explicit());
        row(rows, "any", "the authorities name any, the leaf A", chain -> policies(
            chain.all(ANY).leaf, A));
        row(rows, "any-leaf", "the authorities name A, the leaf any", chain -> policies(
            chain.all(A).leaf, ANY));
        row(rows, "any-wanted", "all name any, and A is wanted", chain -> chain.all(ANY).wanted(A));
        row(rows, "any-inhibited", "the authorities name any, the leaf A, and any is inhibited", chain -> {
            policies(chain.all(ANY).leaf, A);
            chain.parameters.setAnyPolicyInhibited(true);
            chain.explicit();
        });
        row(rows, "changes", "the authorities name A, the leaf B", chain -> policies(
            chain.all(A).leaf, B));
        row(rows, "changes-required", "the authorities name A, the leaf B, and one is required",
            chain -> policies(chain.all(A).explicit().leaf, B));
        row(rows, "gap", "the second authority names none, and one is required",
            chain -> chain.all(A).explicit().second.without(POLICIES));
        row(rows, "critical", "all name A, critically", chain -> {
            chain.all(A);
            chain.leaf.extension(POLICIES, true, encoded(A));
        });
        row(rows, "twice", "the leaf names A twice", chain -> policies(chain.all(A).leaf, A, A));
        row(rows, "empty", "the leaf has an empty list", chain -> policies(chain.all(A).leaf));
        row(rows, "qualified", "the leaf names A with the address of a statement",
            chain -> chain.all(A).leaf.extension(POLICIES, false, qualified()));
        row(rows, "qualified-refused", "a critical list has the address of a statement, and such are"
            + " refused", chain -> {
                chain.all(A).leaf.extension(POLICIES, true, qualified());
                chain.parameters.setPolicyQualifiersRejected(true);
            });
        mapped(rows);
        constrained(rows);
        for (int skip = 0; skip < 3; skip++) {
            int certificates = skip;
            row(rows, "inhibit-any." + skip, "the first authority inhibits any after " + skip
                + " certificates, the second names any, the leaf A", chain -> {
                    policies(chain.first, A);
                    policies(chain.second, ANY);
                    policies(chain.leaf, A);
                    chain.first.extension(INHIBIT_ANY, true, Der.integer(certificates));
                    chain.explicit();
                });
        }
        row(rows, "inhibit-any.minus", "an authority inhibits any after -1 certificates", chain ->
            chain.all(A).first.extension(INHIBIT_ANY, true, Der.integer(-1)));
    }

    /** The second authority says that its A is the first one's B. */
    private static void mapped(TopicRows rows) {
        row(rows, "mapped", "an authority maps A to B, the leaf names B", chain -> map(chain, A, B, B));
        row(rows, "mapped-wanted", "an authority maps A to B, the leaf names B, and A is wanted",
            chain -> map(chain, A, B, B).wanted(A).explicit());
        row(rows, "mapped-old", "an authority maps A to B, the leaf names A, and one is required",
            chain -> map(chain, A, B, A).explicit());
        row(rows, "mapped-two", "an authority maps A to B and A to C, the leaf names C", chain -> {
            map(chain, A, B, C);
            chain.second.extension(MAPPINGS, false, Der.sequence(pair(A, B), pair(A, C)));
        });
        row(rows, "mapped-inhibited", "an authority maps A to B, the leaf names B, mapping is inhibited, and"
            + " one is required", chain -> {
                map(chain, A, B, B).explicit();
                chain.parameters.setPolicyMappingInhibited(true);
            });
        row(rows, "mapped-any", "an authority maps any to B", chain -> map(chain, ANY, B, B));
        row(rows, "mapped-to-any", "an authority maps A to any", chain -> map(chain, A, ANY, A));
        row(rows, "mapped-of-any", "an authority names any and maps A to B, the leaf names B", chain -> {
            map(chain, A, B, B).explicit();
            policies(chain.first, ANY);
            policies(chain.second, ANY);
        });
        row(rows, "mapped-leaf", "a leaf maps A to B", chain ->
            chain.all(A).leaf.extension(MAPPINGS, false, Der.sequence(pair(A, B))));
        row(rows, "mapped-none", "an authority maps nothing", chain ->
            chain.all(A).second.extension(MAPPINGS, false, Der.sequence()));
    }

    private static void constrained(TopicRows rows) {
        for (int skip = 0; skip < 3; skip++) {
            int certificates = skip;
            row(rows, "require." + skip, "the first authority requires one after " + skip
                + " certificates, and none is named", chain -> chain.first.extension(CONSTRAINTS, true,
                    Der.sequence(Der.element(Der.CONTEXT, new byte[] {(byte) certificates}))));
            row(rows, "inhibit-mapping." + skip, "the first authority inhibits mapping after " + skip
                + " certificates, the second maps A to B, the leaf names B", chain ->
                    map(chain, A, B, B).explicit().first.extension(CONSTRAINTS, true,
                        Der.sequence(Der.element(Der.CONTEXT | 1, new byte[] {(byte) certificates}))));
        }
        row(rows, "constraints-empty", "an authority's constraints are empty",
            chain -> chain.all(A).first.extension(CONSTRAINTS, true, Der.sequence()));
        row(rows, "constraints-unknown", "an authority's constraints have an unknown member", chain ->
            chain.all(A).first.extension(CONSTRAINTS, true,
                Der.sequence(Der.element(Der.CONTEXT | 5, new byte[] {0}))));
    }

    private static Chain map(Chain chain, String from, String to, String leaf) {
        chain.all(A);
        chain.second.extension(MAPPINGS, false, Der.sequence(pair(from, to)));
        policies(chain.leaf, leaf);
        return chain;
    }

    private static byte[] pair(String from, String to) {
        return Der.sequence(Der.oid(from), Der.oid(to));
    }

    private static void policies(CertificateDraft draft, String... oids) {
        draft.extension(POLICIES, false, encoded(oids));
    }

    private static byte[] encoded(String... oids) {
        byte[][] all = new byte[oids.length][];
        for (int i = 0; i < oids.length; i++) {
            all[i] = Der.sequence(Der.oid(oids[i]));
        }
        return Der.sequence(all);
    }

    /** A with id-qt-cps (RFC 5280, section 4.2.1.4). */
    private static byte[] qualified() {
        return Der.sequence(Der.sequence(Der.oid(A), Der.sequence(Der.sequence(
            Der.oid("1.3.6.1.5.5.7.2.1"), Der.text(Der.IA5, "http://a.example/cps")))));
    }

    private static void row(TopicRows rows, String id, String does, Change change) {
        rows.row("policy." + id, "a chain of two authorities and a leaf: " + does, () -> {
            Chain chain = new Chain();
            change.change(chain);
            try {
                X509Certificate[] signed = {chain.leaf.sign(TrustCheck.key()),
                    chain.second.sign(TrustCheck.key()), chain.first.sign(TrustCheck.key())};
                CertPath path = CertificateFactory.getInstance("X.509")
                    .generateCertPath(Arrays.asList(signed));
                PKIXCertPathValidatorResult valid = (PKIXCertPathValidatorResult)
                    CertPathValidator.getInstance("PKIX").validate(path, chain.parameters);
                return "valid, " + tree(valid.getPolicyTree());
            } catch (java.security.GeneralSecurityException e) {
                return TrustCheck.refusal(e);
            }
        });
    }

    /** {@code any(A(A(B)))}: each node by its policy. */
    private static String tree(PolicyNode node) {
        if (node == null) {
            return "no policies";
        }
        TreeSet<String> children = new TreeSet<>();
        for (Iterator<? extends PolicyNode> i = node.getChildren(); i.hasNext();) {
            children.add(tree(i.next()));
        }
        return shown(node.getValidPolicy()) + (node.getPolicyQualifiers().isEmpty() ? "" : " qualified")
            + (children.isEmpty() ? "" : "(" + String.join(" ", children) + ")");
    }

    private static String shown(String oid) {
        return oid.equals(ANY) ? "any" : oid.equals(A) ? "A" : oid.equals(B) ? "B" : "C";
    }
}
