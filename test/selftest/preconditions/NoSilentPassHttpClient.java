// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary A reproducer of httpclient/ whose preconditions are not met never passes
 * @key selftest
 * @requires jdk.version.major >= 11
 * @library /lib /httpclient
 * @build *
 * @run main/othervm NoSilentPassHttpClient
 */

public class NoSilentPassHttpClient {
    public static void main(String[] args) throws Exception {
        ChildJvm.checkAll(Preconditions.claims("httpclient"));
    }
}
