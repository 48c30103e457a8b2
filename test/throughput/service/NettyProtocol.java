// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import java.util.List;

/**
 * Is a connection HTTP/2 or HTTP/1.1? Its first bytes tell, with TLS and without: HTTP/2 begins
 * with the preface {@code PRI * HTTP/2.0} (RFC 9113, 3.4), and no method begins like that.
 */
final class NettyProtocol extends ByteToMessageDecoder {
    private static final int MOST_BODY_BYTES = 4 << 20;
    private static final byte[] PREFACE = {'P', 'R', 'I'};

    private final PeerCounters counters;

    NettyProtocol(PeerCounters counters) {
        this.counters = counters;
    }

    /** Replaces this handler; the bytes received so far go to those that take its place. */
    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (in.readableBytes() < PREFACE.length) {
            return;
        }
        boolean isHttp2 = true;
        for (int i = 0; i < PREFACE.length; i++) {
            isHttp2 &= in.getByte(in.readerIndex() + i) == PREFACE[i];
        }
        ChannelPipeline pipeline = context.pipeline();
        if (isHttp2) {
            pipeline.addLast(Http2FrameCodecBuilder.forServer().build(),
                new Http2MultiplexHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel stream) {
                        stream.pipeline().addLast(new Http2StreamFrameToHttpObjectCodec(true));
                        echo(stream.pipeline());
                    }
                }));
        } else {
            pipeline.addLast(new HttpServerCodec());
            echo(pipeline);
        }
        pipeline.remove(this);
    }

    private void echo(ChannelPipeline pipeline) {
        pipeline.addLast(new HttpObjectAggregator(MOST_BODY_BYTES), new NettyEcho(counters));
    }
}
