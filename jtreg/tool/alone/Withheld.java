// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** How much CPU did the machine withhold? The kit asks Linux; in this file it is not known. */
final class Withheld {
    long ms() {
        return 0;
    }

    void tell(Findings findings) { }

    @Override
    public String toString() {
        return "what CPU the machine withheld is not known";
    }
}
