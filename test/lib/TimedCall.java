// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** How long does a call take that may never return? It runs in a daemon thread of its own. */
final class TimedCall {
    /** What is timed. */
    interface Call {
        void run() throws Exception;
    }

    /** A thread that waits for bytes from a socket. */
    static final Sign.Place SOCKET_READ =
        thread -> isIn(thread.getStackTrace(), "SocketInputStream");

    /** A thread that waits until a socket takes bytes. */
    static final Sign.Place SOCKET_WRITE =
        thread -> isIn(thread.getStackTrace(), "SocketOutputStream");

    private static final long LOOK_EVERY_MS = 5;

    private final CountDownLatch over = new CountDownLatch(1);
    private final FutureTask<Long> task;
    private final Thread thread;
    private final long beginNanos = System.nanoTime();

    /** Starts at once, in a thread of this name, by which a recording shows which call it is. */
    TimedCall(String threadName, Call call) {
        task = new FutureTask<>(() -> {
            long begin = System.nanoTime();
            try {
                call.run();
            } finally {
                over.countDown();
            }
            return System.nanoTime() - begin;
        });
        thread = TlsPeer.daemon(threadName, task);
        thread.start();
    }

    /** @return whether the call began to wait for bytes from a socket within {@code timeoutMs} */
    boolean inSocketRead(long timeoutMs) throws InterruptedException {
        Patience patience = new Patience(timeoutMs);
        while (patience.left() && !over(LOOK_EVERY_MS)) {
            if (isIn(thread.getStackTrace(), "SocketInputStream")) {
                return true;
            }
        }
        return false;
    }

    private static boolean isIn(StackTraceElement[] stack, String stream) {
        // 8 and 11 wait in a native method of the stream, 13 and later in one beneath it.
        boolean inStream = false;
        for (StackTraceElement frame : stack) {
            String type = frame.getClassName();
            inStream |= type.startsWith("java.net.") && type.endsWith(stream);
        }
        return inStream && stack[0].isNativeMethod();
    }

    /** @return whether the call has returned, or thrown */
    boolean isOver() {
        return over.getCount() == 0;
    }

    /** @return whether the call has returned, or thrown, within {@code timeoutMs} from now */
    boolean over(long timeoutMs) throws InterruptedException {
        return over.await(timeoutMs, TimeUnit.MILLISECONDS);
    }

    /** How long the call took, or has taken so far, in ms; throws what the call threw. */
    long ms() throws Exception {
        if (!isOver()) {
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos);
        }
        try {
            return TimeUnit.NANOSECONDS.toMillis(task.get());
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception ? (Exception) e.getCause() : e;
        }
    }
}
