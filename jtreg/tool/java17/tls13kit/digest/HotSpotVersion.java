// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which JDK is a HotSpot of? Up to 8 it had a version of its own, which thread dumps and some
 * recorders give in place of the JDK's: 10 to 20 are of 6, 21 to 24 of 7, 25 is of 8. Since 7u45 and
 * in 8 the second number is the update.
 */
final class HotSpotVersion {
    private static final Pattern OWN = Pattern.compile("(\\d{1,4})\\.(\\d{1,9})-b\\d+.*");
    private static final Pattern FIRST_OF_6 = Pattern.compile("1\\.6\\.0\\b.*");
    private static final int FIRST_OF_7 = 21;
    private static final int LAST_OF_7 = 24;
    private static final int OF_8 = 25;
    /** Of 7u45: 24.45-b08. Before, 7u40 had 24.0-b56. */
    private static final int FIRST_UPDATE_OF_7 = 45;

    private HotSpotVersion() {}

    /** The JDK's version, or the text if it is that already; null for null. */
    static String ofJdk(String text) {
        Matcher own = OWN.matcher(text == null ? "" : text);
        if (!own.matches()) {
            return text != null && FIRST_OF_6.matcher(text).matches() ? "6" : text;
        }
        int major = Integer.parseInt(own.group(1));
        int update = Integer.parseInt(own.group(2));
        if (major == OF_8) {
            return update == 0 ? "8" : "8u" + update;
        }
        if (major == LAST_OF_7 && update >= FIRST_UPDATE_OF_7) {
            return "7u" + update;
        }
        return major > OF_8 ? text : major >= FIRST_OF_7 ? "7" : "6";
    }
}
