// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Map;
import java.util.Properties;

/**
 * How many requests does one client on one JDK get through? One sample: a JVM that warms up,
 * measures and writes {@code sample.json}.
 *
 * <pre>java -cp CLASSES[:HdrHistogram.jar] Load SAMPLE.properties</pre>
 *
 * Exit code 0: measured (perhaps with vetoes). 3: the sample is void, and its file says why. 4: bad
 * arguments or properties.
 */
public final class Load {
    private static final int MEASURED = 0;
    private static final int VOID = 3;
    static final int BAD_ARGUMENTS = 4;

    private Load() { }

    public static void main(String[] args) throws IOException {
        System.exit(run(args));
    }

    /** Runs a sample and returns the exit code; the load's threads may still be running then. */
    static int run(String... args) throws IOException {
        Properties properties;
        LoadPlan plan;
        try {
            properties = read(args);
            plan = new LoadPlan(properties);
        } catch (IOException | IllegalArgumentException e) {
            System.err.println("Load: " + e.getMessage());
            return BAD_ARGUMENTS;
        }
        Map<String, Object> sample = SampleReport.header(plan);
        int exitCode = VOID;
        try {
            sample = take(plan, properties);
            exitCode = MEASURED;
        } catch (VoidSample e) {
            sample.put("void", e.getMessage());
        } catch (Throwable e) {
            e.printStackTrace();
            sample.put("void", "the load broke with " + e);
        }
        Files.write(new File(plan.out, "sample.json").toPath(),
            (Json.text(sample) + "\n").getBytes(StandardCharsets.UTF_8));
        return exitCode;
    }

    private static Properties read(String... args) throws IOException {
        if (args.length != 1) {
            throw new IllegalArgumentException("give one argument: SAMPLE.properties");
        }
        Properties properties = new Properties();
        try (InputStream in = new FileInputStream(args[0])) {
            properties.load(in);
        }
        return properties;
    }

    private static Map<String, Object> take(LoadPlan plan, Properties properties)
            throws Exception {
        LoadSettings settings = new LoadSettings(properties);
        Crew crew = crew(plan, settings);
        Map<String, Object> sample;
        if (plan.costsOfHosts) {
            ServiceProbe probe = new ServiceProbe(plan, settings);
            probe.run();
            sample = new Sample(plan, crew).take();
            probe.run();
        } else {
            sample = new Sample(plan, crew).take();
        }
        RequestCounts.put(sample, crew, plan, settings);
        return sample;
    }

    /** The crew of the class named by {@code plan.client}, or threads that use that client. */
    private static Crew crew(LoadPlan plan, LoadSettings settings) throws VoidSample {
        try {
            Class<?> named = Class.forName(plan.client);
            if (Crew.class.isAssignableFrom(named)) {
                return (Crew) named.getDeclaredConstructor(LoadPlan.class).newInstance(plan);
            }
            LoadClient client = (LoadClient) named.getDeclaredConstructor().newInstance();
            prepare(plan, client, settings);
            return new ThreadCrew(plan, client);
        } catch (InvocationTargetException e) {
            throw new VoidSample("client " + plan.client + " cannot do this: "
                + e.getCause().getMessage());
        } catch (ReflectiveOperationException | LinkageError | ClassCastException e) {
            throw new VoidSample("client " + plan.client + " cannot be had: " + e);
        }
    }

    private static void prepare(LoadPlan plan, LoadClient client, LoadSettings settings)
            throws VoidSample {
        try {
            client.prepare(settings);
        } catch (Exception e) {
            throw new VoidSample("client " + plan.client + " cannot do this: " + e.getMessage());
        }
    }
}
