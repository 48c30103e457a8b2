// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** What watches the bytes of one relayed connection? Called before they are passed on. */
interface RelayTap {
    /** Either {@link #up} or {@link #down}, as a pipe knows it. */
    interface Direction {
        void saw(byte[] bytes, int count);
    }

    /** Bytes from the client; always called by the same thread. */
    void up(byte[] bytes, int count);

    /** Bytes from the peer; always called by the same thread. */
    void down(byte[] bytes, int count);
}
