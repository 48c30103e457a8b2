// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** How many bytes and handshakes has a relay seen, on all its connections? */
final class RelayCounters implements Supplier<RelayTap> {
    private final LongAdder up = new LongAdder();
    private final LongAdder down = new LongAdder();
    private final LongAdder full = new LongAdder();
    private final LongAdder resumed = new LongAdder();
    private final LongAdder modern = new LongAdder();
    private final LongAdder old = new LongAdder();

    @Override
    public RelayTap get() {
        return new Tap();
    }

    /**
     * By name. A TLS 1.2 ServerHello counts only as a protocol: by itself, it does not say whether
     * the session was resumed.
     */
    Map<String, Long> values() {
        Map<String, Long> values = new TreeMap<>();
        values.put("bytes.up", up.sum());
        values.put("bytes.down", down.sum());
        values.put("handshakes.full", full.sum());
        values.put("handshakes.resumed", resumed.sum());
        values.put("protocol.TLSv1.3", modern.sum());
        values.put("protocol.TLSv1.2", old.sum());
        return values;
    }

    private void saw(ServerHello hello) {
        if (hello.isTls13()) {
            modern.increment();
            (hello.isResumed() ? resumed : full).increment();
        } else {
            old.increment();
        }
    }

    private final class Tap implements RelayTap {
        private ServerHelloReader hello = new ServerHelloReader();

        @Override
        public void up(byte[] bytes, int count) {
            up.add(count);
        }

        @Override
        public void down(byte[] bytes, int count) {
            down.add(count);
            if (hello != null && hello.takes(bytes, count)) {
                if (hello.found() != null) {
                    saw(hello.found());
                }
                hello = null;
            }
        }
    }
}
