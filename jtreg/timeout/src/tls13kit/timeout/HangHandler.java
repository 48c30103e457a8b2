// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.timeout;

import com.sun.javatest.regtest.TimeoutHandler;
import java.io.File;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What was a test doing when its time was up? jtreg calls this before it kills the test.
 *
 * <p>Takes the flight recording first, as it is lost in the kill and the dumps would be events in
 * it, then three thread dumps a second apart: what is in all three does not move. The files go
 * into the test's scratch folder. Run by the JDK that runs jtreg, with that JDK's {@code jcmd}; the
 * JDK under test needs none.
 *
 * <p>Usage: {@code jtreg -timeoutHandler:tls13kit.timeout.HangHandler -timeoutHandlerDir:CLASSES}
 */
public final class HangHandler extends TimeoutHandler {
    static final int DUMPS = 3;
    static final long BETWEEN_DUMPS_MS = 1_000;

    /** As jtreg calls it: its log of the action, the scratch folder, the JDK under test. */
    public HangHandler(PrintWriter log, File outputDir, File testJdk) {
        super(log, outputDir, testJdk.toPath());
    }

    @Override
    protected void runActions(Process process, long pid) throws InterruptedException {
        List<HungJvm> jvms = new ArrayList<>();
        Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .filter(HangHandler::isJava)
                .forEach(handle -> jvms.add(new HungJvm(handle.pid(), outputDir.toPath(), log)));
        if (jvms.isEmpty()) {
            log.println("No JVM is left of process " + pid + " to ask what it waits for.");
        }
        for (HungJvm jvm : jvms) {
            jvm.dumpRecording();
        }
        for (int n = 1; n <= DUMPS; n++) {
            if (n > 1) {
                Thread.sleep(BETWEEN_DUMPS_MS);
            }
            for (HungJvm jvm : jvms) {
                jvm.dumpThreads(n);
            }
        }
    }

    /** Only JVMs are asked: to others the question is a signal that ends them. */
    private static boolean isJava(ProcessHandle handle) {
        return handle.info().command()
                .map(command -> new File(command).getName())
                .filter(name -> name.equals("java") || name.equals("java.exe"))
                .isPresent();
    }
}
