// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.othervm;

import org.testng.ITestNGListener;
import org.testng.ITestResult;
import org.testng.TestListenerAdapter;
import org.testng.TestNG;

/** What does jtreg's {@code testng/othervm} do within the JVM of a test? */
public final class RunTestNg {
    private RunTestNg() {
    }

    /**
     * Runs all tests of a class; a skipped test is not a failure.
     *
     * @param args the class
     * @throws AssertionError if a test failed, or a configuration method, which it then names
     */
    public static void main(String[] args) throws ClassNotFoundException {
        TestNG testNg = new TestNG(false);
        testNg.setVerbose(0);
        testNg.setTestClasses(new Class<?>[] {Class.forName(args[0])});
        TestListenerAdapter results = new TestListenerAdapter();
        testNg.addListener((ITestNGListener) results);
        testNg.run();
        for (ITestResult around : results.getConfigurationFailures()) {
            throw new AssertionError(
                around.getName() + " failed: " + around.getThrowable(), around.getThrowable());
        }
        if (testNg.hasFailure()) {
            throw new AssertionError("some rows failed");
        }
    }
}
