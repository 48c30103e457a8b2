// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;

/** Sends back the request's body, in one piece. */
final class NettyEcho extends SimpleChannelInboundHandler<FullHttpRequest> {
    private final PeerCounters counters;

    NettyEcho(PeerCounters counters) {
        this.counters = counters;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        counters.requests.increment();
        counters.bytesIn.add(request.content().readableBytes());
        FullHttpResponse reply = new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.OK, request.content().retain());
        reply.headers().setInt(
            HttpHeaderNames.CONTENT_LENGTH, request.content().readableBytes());
        boolean keep = HttpUtil.isKeepAlive(request);
        HttpUtil.setKeepAlive(reply, keep);
        if (keep) {
            context.writeAndFlush(reply);
        } else {
            context.writeAndFlush(reply).addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
