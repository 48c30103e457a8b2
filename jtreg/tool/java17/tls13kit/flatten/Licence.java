// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import java.util.regex.Pattern;

/** Under which terms may a reproducer be used? In the words with which OpenJDK's tests begin. */
final class Licence {
    /** Of what the kit keeps: the same licence, by its name alone. */
    private static final Pattern BY_NAME = Pattern.compile("\\A(?:// SPDX-.*\n)+");

    /** The reproducers were published in that year. The text is of make/templates/gpl-header. */
    private static final String HEADER = """
        /*
         * Copyright (c) 2026, The TLS 1.3 regression kit contributors. All rights reserved.
         * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
         *
         * This code is free software; you can redistribute it and/or modify it
         * under the terms of the GNU General Public License version 2 only, as
         * published by the Free Software Foundation.
         *
         * This code is distributed in the hope that it will be useful, but WITHOUT
         * ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
         * FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
         * version 2 for more details (a copy is included in the LICENSE file that
         * accompanied this code).
         *
         * You should have received a copy of the GNU General Public License version
         * 2 along with this work; if not, write to the Free Software Foundation,
         * Inc., 51 Franklin St, Fifth Floor, Boston, MA 02110-1301 USA.
         *
         * Please contact Oracle, 500 Oracle Parkway, Redwood Shores, CA 94065 USA
         * or visit www.oracle.com if you need additional information or have any
         * questions.
         */
        """;

    private Licence() { }

    /** The source with the whole notice in place of the licence's name. */
    static String inFull(String source) {
        return BY_NAME.matcher(source).replaceFirst(HEADER);
    }
}
