// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** Who watches the bytes of one relayed connection? Called before they are passed on. */
interface RelayTap {
    /** What {@link #up} and {@link #down} are to one pipe. */
    interface Direction {
        void saw(byte[] bytes, int count);
    }

    /** From the client; always by the same thread. */
    void up(byte[] bytes, int count);

    /** From the peer; always by the same thread. */
    void down(byte[] bytes, int count);
}
