// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;

/** What does Netty report of a connection's handshake? */
final class NettyHandshakes extends ChannelInboundHandlerAdapter {
    private final ServiceCounters counters;
    private final SslHandler ssl;

    NettyHandshakes(ServiceCounters counters, SslHandler ssl) {
        this.counters = counters;
        this.ssl = ssl;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent) {
            if (((SslHandshakeCompletionEvent) event).isSuccess()) {
                counters.handshake(ssl.engine().getSession());
            } else {
                counters.peer.failures.increment();
            }
        }
        context.fireUserEventTriggered(event);
    }
}
