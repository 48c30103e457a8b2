// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8309667: TLS handshake fails because of ConcurrentModificationException in
 * PKCS12KeyStore.engineGetEntry
 *
 * What goes wrong: a PKCS12 key store that is asked for an entry adds the entry's name to the
 * entry's own set of attributes, if it is not there yet, and copies that set. If two threads ask at
 * once, one changes what the other copies. A server asks in its first handshakes: if two are at the
 * same point, the key manager of one reports that there is no key. 21.0.4 then ends the handshake
 * (No available authentication scheme); 8u504, 11.0.24 and 17.0.9 ask once more and get it.
 *
 * What it takes: a PKCS12 key store, a key manager that fetches its keys on demand (NewSunX509,
 * PKIX), and two threads that are the first to ask, at the same moment. By chance that is rare.
 * Here the entry has attributes of the test's own, eight of which have the hash code of the name.
 * So the set sorts them as the name is added, and calls their compareTo: there the first thread
 * waits until the second copies. The copy calls their hashCode: there the second waits until the
 * first has ended.
 *
 * Control: the second asks after the first has ended.
 *
 * With other hash codes (-Dattributes.collide=off) the set compares nothing, the threads do not
 * meet, and the subject is inconclusive.
 *
 * Judged by a count of keys that the key manager did not find.
 *
 * Without its precondition
 *     -Dattributes.collide=off: inconclusive: did not sort the attributes
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/KeyNotFoundWhileAnotherAsks.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/KeyNotFoundWhileAnotherAsks.java
 *     java -cp classes KeyNotFoundWhileAnotherAsks [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 21.0.4+7-LTS, Eclipse Adoptium
 *     keys_not_found = 1 keys (bound 1)
 *       store_gave_first: what was asked for
 *       store_gave_second: java.util.ConcurrentModificationException
 *       manager_gave_first: what was asked for
 *       manager_gave_second: nothing
 *       changed_when_asked: true
 *       changer_frames: PKCS12KeyStore.getAttributes < PKCS12KeyStore.engineGetEntry <
 *           KeyStoreDelegator.engineGetEntry < KeyStore.getEntry <
 *           X509KeyManagerImpl.getEntry < X509KeyManagerImpl.getPrivateKey
 *       copier_frames: KeyStore$PrivateKeyEntry.<init> < PKCS12KeyStore.engineGetEntry <
 *           KeyStoreDelegator.engineGetEntry < KeyStore.getEntry <
 *           X509KeyManagerImpl.getEntry < X509KeyManagerImpl.getPrivateKey
 *     reproduced: A key was not found, as another thread changed the attributes of its
 *         entry (keys_not_found 1, bound 1).
 * On a fixed build:
 *     # java: 21.0.8+9-LTS, Eclipse Adoptium
 *     keys_not_found = 0 keys (bound 1)
 *       store_gave_first: what was asked for
 *       store_gave_second: what was asked for
 *       manager_gave_first: what was asked for
 *       manager_gave_second: what was asked for
 *       changed_when_asked: false
 *       changer_frames:
 *       copier_frames: KeyStore$PrivateKeyEntry.<init> < PKCS12KeyStore.engineGetEntry <
 *           KeyStoreDelegator.engineGetEntry < KeyStore.getEntry <
 *           X509KeyManagerImpl.getEntry < X509KeyManagerImpl.getPrivateKey
 *     not-reproduced: Each thread got the key (keys_not_found 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has the frames of the two threads.
 */

/*
 * @test
 * @bug 8309667
 * @summary Two threads that ask at once must both get the key of a PKCS12 key store
 * @key waits
 * @library /lib
 * @run main/othervm KeyNotFoundWhileAnotherAsks control
 * @run main/othervm KeyNotFoundWhileAnotherAsks subject
 */

import java.security.KeyStore;
import java.security.PKCS12Attribute;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import javax.crypto.spec.PBEParameterSpec;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.KeyStoreBuilderParameters;
import javax.net.ssl.X509KeyManager;

public class KeyNotFoundWhileAnotherAsks {
    private static final String ALIAS = "peer";

    // One round of encryption: the 50,000 of 11.0.10 would be most of what this test costs.
    private static final KeyStore.ProtectionParameter PROTECTION =
        new KeyStore.PasswordProtection("in memory only".toCharArray(), "PBEWithSHA1AndDESede",
            new PBEParameterSpec(new byte[8], 1));

    private static final int LOOK_EVERY_MS = 10;

    public static void main(String[] args) throws Exception {
        Reproducer.run("KeyNotFoundWhileAnotherAsks", "JDK-8309667", args,
            KeyNotFoundWhileAnotherAsks::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        X509KeyManager peer = (X509KeyManager) Identity.serverKeys()[0];
        Meeting inStore = new Meeting();
        KeyStore store = store(peer, inStore);
        inStore.ask(which, () -> store.getEntry(ALIAS, PROTECTION));
        findings.fact("store_gave_first", inStore.first.ending);
        findings.fact("store_gave_second", inStore.second.ending);

        Meeting inManager = new Meeting();
        X509KeyManager manager = manager(store(peer, inManager));
        String chosen = manager.chooseServerAlias("EC", null, null);
        findings.require(chosen != null, "The key manager chose no key.");
        inManager.ask(which, () -> manager.getPrivateKey(chosen));
        findings.fact("manager_gave_first", inManager.first.ending);
        findings.fact("manager_gave_second", inManager.second.ending);
        findings.fact("changed_when_asked", inManager.changes);
        findings.fact("changer_frames", inManager.changerFrames);
        findings.fact("copier_frames", inManager.copierFrames);
        findings.require(inManager.areOver() && inStore.areOver(), "The threads did not end.");
        findings.require(inManager.metIfEver(), "The first thread gave up waiting for the second.");
        findings.require(inManager.compared, "The set did not sort the attributes.");
        findings.require(!inManager.copierFrames.isEmpty(), "Nobody copied the attributes.");
        findings.judgeCount("keys_not_found", inManager.gaveNothing(), 1, "keys",
            "A key was not found, as another thread changed the attributes of its entry",
            "Each thread got the key");
    }

    private static KeyStore store(X509KeyManager peer, Meeting meeting) throws Exception {
        String alias = peer.getServerAliases("EC", null)[0];
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setEntry(ALIAS, new KeyStore.PrivateKeyEntry(peer.getPrivateKey(alias),
            peer.getCertificateChain(alias), Attribute.some(meeting)), PROTECTION);
        return store;
    }

    private static X509KeyManager manager(KeyStore store) throws Exception {
        KeyManagerFactory factory = KeyManagerFactory.getInstance("NewSunX509");
        factory.init(new KeyStoreBuilderParameters(
            KeyStore.Builder.newInstance(store, PROTECTION)));
        return (X509KeyManager) factory.getKeyManagers()[0];
    }

    /** A thread that asks. */
    private static final class Asker {
        static final String NOTHING = "nothing";
        static final String SOMETHING = "what was asked for";

        volatile String ending = "no end";
        private final TimedCall call;

        Asker(String name, Callable<Object> asks) {
            call = new TimedCall(name, () -> {
                try {
                    ending = asks.call() == null ? NOTHING : SOMETHING;
                } catch (Exception e) {
                    ending = e.toString();
                }
            });
        }

        boolean isOver() {
            return call.isOver();
        }
    }

    /** Two threads that ask; in the subject each waits once for the other. */
    private static final class Meeting {
        private static final String FIRST = "first-to-ask";
        private static final String SECOND = "second-to-ask";

        /** The first is about to change the set. */
        volatile boolean changes;
        volatile boolean compared;
        volatile String changerFrames = "";
        volatile String copierFrames = "";
        private volatile boolean secondCopies;
        private volatile boolean secondCopiesMeanwhile;
        private volatile boolean arranged;
        private volatile Asker first;
        private volatile Asker second;

        /** Lets both ask. */
        void ask(Case which, Callable<Object> asks) {
            arranged = which == Case.SUBJECT;
            first = new Asker(FIRST, asks);
            await(() -> first.isOver() || changes);
            second = new Asker(SECOND, asks);
            await(this::areOver);
        }

        boolean areOver() {
            return first.isOver() && second.isOver();
        }

        /** Either the first changed nothing, or the second copied meanwhile. */
        boolean metIfEver() {
            return changes == secondCopiesMeanwhile;
        }

        /** To how many of the threads. */
        long gaveNothing() {
            return Stream.of(first, second)
                .filter(asker -> asker.ending.equals(Asker.NOTHING)).count();
        }

        /** Called when a thread adds to the set, or copies it. */
        void compares(boolean last) {
            compared = true;
            if (arranged && last && isThread(FIRST) && !changes
                    && copierFrames.isEmpty()) {
                changerFrames = frames();
                changes = true;
                await(() -> secondCopies);
                secondCopiesMeanwhile = secondCopies;
            }
        }

        /** Called when a thread copies the set. */
        void copies() {
            if (copierFrames.isEmpty() && (isThread(FIRST) || isThread(SECOND))) {
                copierFrames = frames();
            }
            if (arranged && isThread(SECOND) && !secondCopies) {
                secondCopies = true;
                await(first::isOver);
            }
        }

        private static boolean isThread(String name) {
            return Thread.currentThread().getName().equals(name);
        }

        private static String frames() {
            return Stacks.frames(Thread.currentThread().getStackTrace());
        }

        private static void await(BooleanSupplier over) {
            try {
                Patience patience = new Patience(Client.PATIENCE_MS);
                while (!over.getAsBoolean() && patience.left()) {
                    Thread.sleep(LOOK_EVERY_MS);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Notes when a set asks for its hash code, or compares it with others. */
    private static final class Attribute
            implements KeyStore.Entry.Attribute, Comparable<Attribute> {
        /** For the kit's own tests: attributes that the set need not sort. */
        private static final boolean COLLIDE =
            !"off".equals(System.getProperty("attributes.collide"));

        // The entry's name, as friendlyName of PKCS #9.
        private static final int HASH_OF_NAME =
            new PKCS12Attribute("1.2.840.113549.1.9.20", ALIAS).hashCode();

        // HashMap sorts a bin that has more than 8, in a table of 64 or more.
        private static final int FALL_TOGETHER = 8;
        private static final int IN_ALL = 48;

        private final int number;
        private final Meeting meeting;

        private Attribute(int number, Meeting meeting) {
            this.number = number;
            this.meeting = meeting;
        }

        static Set<KeyStore.Entry.Attribute> some(Meeting meeting) {
            Set<KeyStore.Entry.Attribute> attributes = new HashSet<>();
            for (int i = 1; i <= IN_ALL; i++) {
                attributes.add(new Attribute(i, meeting));
            }
            return attributes;
        }

        @Override
        public int hashCode() {
            meeting.copies();
            return COLLIDE && number <= FALL_TOGETHER ? HASH_OF_NAME : HASH_OF_NAME ^ number;
        }

        @Override
        public int compareTo(Attribute other) {
            meeting.compares(number == FALL_TOGETHER);
            return Integer.compare(number, other.number);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Attribute && ((Attribute) other).number == number;
        }

        @Override
        public String getName() {
            return "1.3." + number;
        }

        @Override
        public String getValue() {
            return String.valueOf(number);
        }
    }
}
