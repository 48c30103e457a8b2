// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;

/**
 * What does Netty on the JDK under test cost? It echoes request bodies over HTTP/1.1 and HTTP/2,
 * with the given TLS: the JDK's or BoringSSL.
 *
 * <pre>java -cp CLASSES:JARS NettyService [tls=none|jsse|boringssl] [key=ec|rsa]
 * [tickets=true]</pre>
 */
public final class NettyService implements PeerProcess.Program {
    private static final int BACKLOG = 16_384;

    private final ServiceCounters counters = new ServiceCounters();

    public static void main(String[] args) throws IOException {
        PeerProcess.run(args, new NettyService());
    }

    @Override
    public int start(Arguments arguments) throws Exception {
        ServiceSettings settings = new ServiceSettings(arguments, ServiceTls.JSSE, ServiceTls.BORINGSSL);
        arguments.end();
        counters.costs.collects(settings.collects);
        SslContext context = settings.tls == ServiceTls.NONE ? null : context(settings);
        Channel channel = new ServerBootstrap()
            .group(new NioEventLoopGroup(1), new NioEventLoopGroup())
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .childHandler(new ChannelInitializer<SocketChannel>() {
                @Override
                protected void initChannel(SocketChannel connection) {
                    counters.peer.connections.increment();
                    if (context != null) {
                        SslHandler ssl = context.newHandler(connection.alloc());
                        connection.pipeline().addLast(ssl, new NettyHandshakes(counters, ssl));
                    }
                    connection.pipeline().addLast(new NettyProtocol(counters.peer));
                }
            })
            .bind("127.0.0.1", 0).sync().channel();
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    @Override
    public Map<String, Long> counters() {
        return counters.values();
    }

    private SslContext context(ServiceSettings settings) throws Exception {
        boolean isJsse = settings.tls == ServiceTls.JSSE;
        SslContextBuilder builder =
            SslContextBuilder.forServer(settings.watched(counters.keysChosen))
                .sslProvider(isJsse ? SslProvider.JDK : SslProvider.OPENSSL)
                .protocols("TLSv1.3", "TLSv1.2")
                .applicationProtocolConfig(new ApplicationProtocolConfig(Protocol.ALPN,
                    SelectorFailureBehavior.NO_ADVERTISE, SelectedListenerFailureBehavior.ACCEPT,
                    ApplicationProtocolNames.HTTP_2, ApplicationProtocolNames.HTTP_1_1));
        if (!settings.tickets) {
            builder.sessionTimeout(PeerContext.NO_TICKETS_S);
        }
        return builder.build();
    }
}
