// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;

/** The topics of java.net.http, compiled for Java 11. */
final class HttpClientTopics {
    private HttpClientTopics() { }

    private static HttpUser through(InetSocketAddress proxy) {
        return new NetUser() {
            @Override
            HttpClient.Builder builder() throws GeneralSecurityException {
                return super.builder().proxy(ProxySelector.of(proxy));
            }
        };
    }

    static List<Topic> all() {
        List<Topic> topics = new ArrayList<>();
        topics.add(new ClientSentFields());
        topics.add(new OddFrames());
        topics.add(new OddFrameFields());
        topics.add(new SentFrames());
        topics.add(new Delays());
        topics.add(new ClientSettings());
        topics.add(new WebSockets());
        topics.add(new Cookies(new NetUser() {
            @Override
            HttpClient.Builder builder() throws GeneralSecurityException {
                return super.builder().cookieHandler(PortCookies.shared());
            }
        }));
        topics.add(new Challenges(new NetUser() {
            @Override
            HttpClient.Builder builder() throws GeneralSecurityException {
                return super.builder().authenticator(Challenges.password());
            }
        }));
        topics.add(new Proxied(new NetUser(), HttpClientTopics::through));
        topics.add(new AuthenticatorsAsked("net", (authenticator, proxy) -> new NetUser() {
            @Override
            HttpClient.Builder builder() throws GeneralSecurityException {
                HttpClient.Builder builder = super.builder().authenticator(authenticator);
                return proxy.address() == null ? builder
                    : builder.proxy(ProxySelector.of((InetSocketAddress) proxy.address()));
            }
        }));
        topics.add(new ClientBodies());
        topics.add(new Cancels());
        topics.add(new BodyGrowth());
        topics.add(new ConnectionWindow());
        topics.add(new Held());
        topics.addAll(HttpTopics.of(new NetUser()));
        return topics;
    }
}
