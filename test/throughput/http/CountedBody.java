// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** How long was a reply's body? It is read as it comes, and not kept. */
final class CountedBody implements BodySubscriber<Long> {
    private final CompletableFuture<Long> whole = new CompletableFuture<>();
    private long bytes;

    @Override
    public CompletionStage<Long> getBody() {
        return whole;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> part) {
        for (ByteBuffer each : part) {
            bytes += each.remaining();
        }
    }

    @Override
    public void onError(Throwable failure) {
        whole.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        whole.complete(bytes);
    }
}
