// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.net.Authenticator;
import java.net.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The topics of HTTP without java.net.http, compiled for Java 8. */
final class HttpTopics {
    private HttpTopics() { }

    static List<Topic> all() {
        List<Topic> topics = new ArrayList<>();
        topics.add(new SentFields());
        topics.add(new ServerHeads());
        topics.add(new ServerBodies());
        topics.add(new ServerHandlers());
        topics.add(new Lookups());
        topics.add(new Settings());
        topics.add(new ServerSettings());
        topics.add(new ReadTimeouts());
        topics.add(new Cookies(new UrlUser()));
        topics.add(new CookieHosts());
        topics.add(new CookiesKept());
        topics.add(new UrlCalls());
        topics.add(new HttpsSeen());
        topics.add(new SocksProxies());
        topics.add(new ServerCalls());
        topics.add(new Challenges(new UrlUser()));
        topics.add(new Proxied(new UrlUser(),
            address -> new UrlUser(new Proxy(Proxy.Type.HTTP, address))));
        topics.add(new AuthenticatorsAsked("url", (authenticator, proxy) -> {
            Authenticator.setDefault(authenticator);
            return new UrlUser(proxy);
        }));
        topics.add(new Caches());
        topics.add(new ProxyChoice());
        topics.addAll(of(new UrlUser()));
        return topics;
    }

    /** The topics that are the same for both clients. */
    static List<Topic> of(HttpUser user) {
        return Arrays.asList(
            new Requests(user),
            new Redirects(user),
            new Locations(user),
            new Expects(user),
            new Repeats(user),
            new Reuse(user),
            new Failed(user),
            new ReplyStatusLines(user),
            new ReplyFields(user),
            new ReplyLengths(user),
            new ReplyChunks(user),
            new ReplyLimits(user),
            new ReplyInterim(user),
            new ReplyHugeChunks(user),
            new HttpBystanders(user));
    }
}
