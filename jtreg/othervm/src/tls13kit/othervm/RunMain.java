// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.othervm;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What does jtreg's {@code main/othervm} do within the JVM of a test? It runs the class's main
 * method and reports how it ended. An uncaught exception in any thread fails the test, a
 * {@code jtreg.SkippedException} skips it, and remaining threads do not keep the JVM alive.
 */
public final class RunMain {
    private static final String SKIPPED = "jtreg.SkippedException";
    private static final int EXIT_FAILED = 1;

    private RunMain() {
    }

    /**
     * Runs a test.
     *
     * @param args the file for the status, written atomically and in jtreg's words; the class; its
     *     arguments
     */
    public static void main(String[] args) throws IOException {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> note(thrown, e));
        try {
            Method main = Class.forName(args[1]).getMethod("main", String[].class);
            main.setAccessible(true); // its class need not be public
            main.invoke(null, (Object) Arrays.copyOfRange(args, 2, args.length));
        } catch (InvocationTargetException e) {
            note(thrown, e.getCause());
        } catch (ReflectiveOperationException | LinkageError e) {
            note(thrown, e);
        }
        Throwable first = thrown.get();
        write(new File(args[0]).toPath(), first == null ? "Passed. Execution successful"
            : isSkipped(first) ? "Passed. Skipped: " + first.getMessage()
            : "Failed. Execution failed: main threw " + first);
        System.exit(first == null || isSkipped(first) ? 0 : EXIT_FAILED);
    }

    private static void note(AtomicReference<Throwable> thrown, Throwable e) {
        e.printStackTrace();
        thrown.compareAndSet(null, e);
    }

    private static boolean isSkipped(Throwable thrown) {
        for (Class<?> type = thrown.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(SKIPPED)) {
                return true;
            }
        }
        return false;
    }

    private static void write(Path file, String status) throws IOException {
        Path partial = file.resolveSibling(file.getFileName() + ".part");
        Files.write(partial, status.getBytes(StandardCharsets.UTF_8));
        Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
