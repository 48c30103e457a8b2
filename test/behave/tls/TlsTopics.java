// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.Arrays;
import java.util.List;

/** The topics of TLS, certificates and key stores, compiled for Java 8. */
final class TlsTopics {
    private TlsTopics() { }

    static List<Topic> all() {
        return Arrays.asList(
            new CertificateNames(),
            new CertificatePaths(),
            new CertificateConstraints(),
            new CertificateAlgorithms(),
            new HelloVersions(),
            new HelloExtensions(),
            new HelloRecords(),
            new BrokenFlights(),
            new StoresRead(),
            new StoresWritten(),
            new ChainLimits(),
            new RecordLengths(),
            new SentNames(),
            new RemoteIdentity(),
            new DirectoryIdentity(),
            new RevokedCertificates(),
            new KeyLimits(),
            new OtherContexts(),
            new SessionsKept(),
            new SocketSettings(),
            new SessionsSeen(),
            new SessionsRefused(),
            new ParametersKept(),
            new EngineSteps(),
            new SocketReads(),
            new StoresOld(),
            new KeysChosen(),
            new OwnTrust(),
            new SuitesUsed(),
            new Datagrams(),
            new Policies(),
            new PathsBuilt(),
            new CertificatesShown(),
            new StoreEntries(),
            new Waiting(),
            new TlsBystanders(),
            new SocketOptions(),
            new RootsAgain(),
            new Alerts(),
            new Retained());
    }
}
