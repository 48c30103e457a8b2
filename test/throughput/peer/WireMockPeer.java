// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.core.Options.ChunkedEncodingPolicy;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import java.io.IOException;
import java.util.Map;
import javax.net.ssl.SSLContext;

/**
 * How does a full HTTP server answer? WireMock, the peer of the Azure SDK's own performance tests,
 * over HTTPS on 127.0.0.1. What only recording needs is switched off.
 *
 * <pre>java -cp CLASSES:wiremock-standalone.jar WireMockPeer [tickets=true] [keep_alive_s=0]
 * [warm_up_ms=4000] [threads=64]</pre>
 *
 * All others are as for {@link BarePeer}; {@code threads} is the size of Jetty's pool: a request
 * occupies one of its threads while it is answered.
 */
public final class WireMockPeer implements PeerProcess.Program {
    private static final int LONGEST_KEEP_ALIVE_S = 3600;
    private static final int LONGEST_WARM_UP_MS = 60_000;
    private static final int BACKLOG = 1024;
    private static final int ACCEPTORS = 1;

    // So long that this side closes no idle connection.
    private static final long IDLE_MS = 3_600_000;

    private WireMockCounts counts;

    public static void main(String[] args) throws IOException {
        PeerProcess.run(args, new WireMockPeer());
    }

    @Override
    public int start(Arguments arguments) throws Exception {
        boolean tickets = arguments.flag("tickets", true);
        int keepAliveS = (int) arguments.number("keep_alive_s", 0, LONGEST_KEEP_ALIVE_S);
        int threads = (int) arguments.number("threads", 64, 4096);
        long warmUpMs = arguments.number("warm_up_ms", 4000, LONGEST_WARM_UP_MS);
        arguments.end();
        EngineKeyUse keyUse = new EngineKeyUse();
        counts = new WireMockCounts(keyUse, tickets);
        SSLContext context = PeerContext.of(keyUse.watched(Identity.serverKeys()), tickets);
        WireMockServer server = new WireMockServer(options(threads)
            .httpServerFactory(new WireMockServerFactory(context, counts))
            .extensions(new WireMockBody(keepAliveS)));
        server.start();
        server.stubFor(any(urlPathEqualTo("/body")).willReturn(aResponse()));
        PeerWarmUp.run(server.httpsPort(), warmUpMs);
        return server.httpsPort();
    }

    @Override
    public Map<String, Long> counters() {
        return counts.values();
    }

    private static WireMockConfiguration options(int threads) {
        return WireMockConfiguration.options()
            .bindAddress("127.0.0.1")
            .httpDisabled(true)
            .dynamicHttpsPort()
            .containerThreads(threads)
            .jettyAcceptors(ACCEPTORS)
            .jettyAcceptQueueSize(BACKLOG)
            .jettyIdleTimeout(IDLE_MS)
            .disableRequestJournal()
            .stubRequestLoggingDisabled(true)
            .asynchronousResponseEnabled(false)
            .templatingEnabled(false)
            .extensionScanningEnabled(false)
            .gzipDisabled(true)
            .useChunkedTransferEncoding(ChunkedEncodingPolicy.NEVER);
    }
}
