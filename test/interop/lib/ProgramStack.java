// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * TLS by a separate program: OpenSSL's {@code s_server} and {@code s_client}, GnuTLS's
 * {@code gnutls-cli}. It sends what it reads from us, and prints what it receives, mixed with
 * messages about the connection; {@code -quiet} would disable the commands that we need.
 */
final class ProgramStack extends Stack {
    static final String OPENSSL = "openssl";
    static final String GNUTLS = "gnutls-cli";

    /** The first versions with what we need: a TLS 1.3 group that no JDK has; TLS 1.3 itself. */
    private static final Map<String, int[]> LEAST = new HashMap<>();
    /** What is wrong with a program, by its path; empty if nothing is. */
    private static final Map<String, String> UNFIT = new ConcurrentHashMap<>();
    private static final Pattern VERSION = Pattern.compile("^(?:OpenSSL|gnutls-cli) (\\d+)\\.(\\d+)");

    static {
        LEAST.put(OPENSSL, new int[] {3, 2});
        LEAST.put(GNUTLS, new int[] {3, 6});
    }

    /** A TLS 1.3 group that no JDK has: a server that gets a share of it must ask for another. */
    private static final String GROUP_OF_NO_JDK = "brainpoolP256r1tls13";

    private final Path identities;
    private final String key;
    private final String program;
    private final Path session;

    /** @throws Unsupported if the program is not there, does not run or is too old */
    ProgramStack(Row row, Path identities, String key) {
        super(null, true, true);
        this.identities = identities;
        this.key = key;
        session = identities.resolve("session-" + System.nanoTime() + ".pem");
        program = System.getProperty("interop.peer." + row.get(Row.PEER));
        if (program == null) {
            throw new Unsupported("no " + row.get(Row.PEER), null);
        }
        String unfit = UNFIT.computeIfAbsent(program, path -> unfit(path, row.get(Row.PEER)));
        if (!unfit.isEmpty()) {
            throw new Unsupported(unfit, null);
        }
    }

    /** Why the program at that path is not fit for use; empty if it is. */
    private static String unfit(String path, String name) {
        try (Running running =
                new Running(Arrays.asList(path, name.equals(OPENSSL) ? "version" : "--version"))) {
            String line = running.until(Pattern.compile("^.*\n")).group().trim();
            Matcher version = VERSION.matcher(line);
            if (!version.find()) {
                return "no " + name + ", but " + line;
            }
            int[] least = LEAST.get(name);
            int major = Integer.parseInt(version.group(1));
            int minor = Integer.parseInt(version.group(2));
            return major > least[0] || major == least[0] && minor >= least[1] ? ""
                : version.group() + " is too old: " + least[0] + "." + least[1] + " is needed";
        } catch (IOException | Unsupported e) {
            return name + " does not run: " + e.getMessage();
        }
    }

    @Override
    Tls connect(Row row, int port) throws IOException {
        List<String> command = row.has(Row.PEER, GNUTLS) ? gnutls(row, port) : new ArrayList<>();
        if (command.isEmpty()) {
            command.addAll(Arrays.asList(program, "s_client", "-connect", "127.0.0.1:" + port,
                "-verify_return_error", "-servername", nameAskedFor(row)));
            ofBoth(command, row, protocolsOfClient(row));
            if (row.has(Row.FEATURE, "resumed")) {
                boolean isSecond = session.toFile().exists();
                command.addAll(Arrays.asList(isSecond ? "-sess_in" : "-sess_out", session.toString()));
            }
        }
        return new ProgramTls(row, new Running(command), "HTTP/1.1 ",
            "closed\n|Peer has closed the GnuTLS connection\n");
    }

    @Override
    RowListener listen(Row row) throws IOException {
        List<String> command = new ArrayList<>(Arrays.asList(program, "s_server", "-accept",
            "127.0.0.1:0", "-naccept", Integer.toString(Conversation.connections(row))));
        ofBoth(command, row, protocolsOfServer());
        if (row.has(Row.FEATURE, "sni")) {
            command.addAll(Arrays.asList("-servername", Minter.HOST,
                "-cert2", Identities.certificate(identities, key).toString(),
                "-key2", Identities.key(identities, key).toString()));
        }
        if (row.has(Row.FEATURE, "client-cert")) {
            command.addAll(Arrays.asList("-Verify", "2", "-verify_return_error"));
        }
        Running running = new Running(command);
        int port;
        try {
            port = Integer.parseInt(running.until(Pattern.compile("ACCEPT .*:(\\d+)\n")).group(1));
        } catch (IOException e) {
            running.close();
            throw e;
        }
        return new RowListener() {
            @Override
            public int port() {
                return port;
            }

            @Override
            public Tls accept() {
                return new ProgramTls(row, running, "POST ", "CONNECTION CLOSED\n");
            }

            @Override
            public void close() {
                running.end();
            }
        };
    }

    private void ofBoth(List<String> command, Row row, List<String> protocols) {
        boolean isTls13 = row.has(Row.PROTOCOL, "TLSv1.3");
        command.add(isTls13 ? "-tls1_3" : "-tls1_2");
        if (!row.has(Row.SUITE, Row.ANY)) {
            command.addAll(Arrays.asList(isTls13 ? "-ciphersuites" : "-cipher", row.get(Row.SUITE)));
        }
        String group = row.get(Row.GROUP);
        if (row.has(Row.FEATURE, "hrr")) {
            command.addAll(Arrays.asList("-groups",
                row.jdkIsServer() ? GROUP_OF_NO_JDK + ":" + group : group));
        } else if (!group.equals(Row.ANY)) {
            command.addAll(Arrays.asList("-groups", group));
        }
        command.addAll(Arrays.asList("-CAfile",
            Identities.certificate(identities, Identities.AUTHORITY).toString()));
        if (!key.isEmpty()) {
            command.addAll(Arrays.asList("-cert", Identities.certificate(identities, key).toString(),
                "-key", Identities.key(identities, key).toString()));
        }
        if (row.has(Row.FEATURE, "alpn")) {
            command.addAll(Arrays.asList("-alpn", String.join(",", protocols)));
        }
    }

    private List<String> gnutls(Row row, int port) {
        String priority = "NORMAL:-VERS-ALL:+VERS-"
            + row.get(Row.PROTOCOL).replace("TLSv", "TLS");
        if (!row.has(Row.SUITE, Row.ANY)) {
            priority += ":-CIPHER-ALL:+" + cipherOfGnuTls(row.get(Row.SUITE)) + ofTls12(row);
        }
        List<String> command = new ArrayList<>(Arrays.asList(program, "127.0.0.1", "-p",
            Integer.toString(port), "--priority", priority, "--sni-hostname", nameAskedFor(row),
            "--verify-hostname", "localhost", "--x509cafile",
            Identities.certificate(identities, Identities.AUTHORITY).toString()));
        if (!key.isEmpty()) {
            command.addAll(Arrays.asList("--x509certfile",
                Identities.certificate(identities, key).toString(),
                "--x509keyfile", Identities.key(identities, key).toString()));
        }
        if (row.has(Row.FEATURE, "alpn")) {
            protocolsOfClient(row).forEach(name -> command.add("--alpn=" + name));
        }
        return command;
    }

    /** Key exchange and MAC of a suite; empty for TLS 1.3, whose suites have neither. */
    private static String ofTls12(Row row) {
        String suite = row.get(Row.SUITE);
        if (row.has(Row.PROTOCOL, "TLSv1.3")) {
            return "";
        }
        return ":-KX-ALL:+" + suite.substring("TLS_".length(), suite.indexOf("_WITH_")).replace('_', '-')
            + ":-MAC-ALL:+" + (suite.contains("_CBC_") ? suite.endsWith("SHA384") ? "SHA384" : "SHA1"
                : "AEAD");
    }

    private static String cipherOfGnuTls(String suite) {
        return suite.contains("CHACHA20") ? "CHACHA20-POLY1305"
            : suite.contains("AES_256_GCM") ? "AES-256-GCM"
            : suite.contains("AES_128_GCM") ? "AES-128-GCM"
            : suite.contains("AES_256_CBC") ? "AES-256-CBC" : "AES-128-CBC";
    }

    private static String nameAskedFor(Row row) {
        return row.has(Row.FEATURE, "sni") ? Minter.HOST : "localhost";
    }

    /** A running program and what it prints. */
    private static final class Running implements Closeable {
        private static final int LONGEST_WORD = 100_000;
        private static final int ENDS_WITHIN_MS = 1_000;
        /** What {@link Process} adds to a signal's number to make an exit value. */
        private static final int KILLED = 128;

        private final Process process;
        private final InputStream in;
        private final StringBuilder said = new StringBuilder();
        private volatile boolean isEnded;

        Running(List<String> command) throws IOException {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            // What this machine forbids its programs is nothing that the JDK can be asked about.
            builder.environment().put("OPENSSL_CONF", "/dev/null");
            builder.environment().put("GNUTLS_SYSTEM_PRIORITY_FILE", "/dev/null");
            process = builder.start();
            in = new BufferedInputStream(process.getInputStream(), 1 << 16);
        }

        OutputStream out() {
            return new FilterOutputStream(process.getOutputStream()) {
                @Override
                public void write(byte[] from, int offset, int length) throws IOException {
                    try {
                        out.write(from, offset, length);
                    } catch (IOException e) {
                        checkKilled();
                        throw e;
                    }
                }

                @Override
                public void flush() throws IOException {
                    try {
                        out.flush();
                    } catch (IOException e) {
                        checkKilled();
                        throw e;
                    }
                }
            };
        }

        /**
         * A byte of its output, or -1 at the end; may take as long as any read. Throws Unsupported
         * if the program was killed, even in the middle of a reply.
         */
        int read() throws IOException {
            int next = in.read();
            if (next < 0) {
                checkKilled();
            }
            return next;
        }

        /** What it has printed, except data. */
        String said() {
            return said.toString();
        }

        /** Reads up to a match. Throws EOFException, with the program's errors, if none comes. */
        Matcher until(Pattern pattern) throws IOException {
            StringBuilder line = new StringBuilder();
            for (int next = read(); next >= 0; next = read()) {
                line.append((char) next);
                said.append((char) next);
                Matcher matcher = pattern.matcher(line);
                if (matcher.find()) {
                    return matcher;
                }
                if (next == '\n') {
                    line.setLength(0);
                }
                if (said.length() > LONGEST_WORD) {
                    throw new IOException("the program does not stop talking");
                }
            }
            throw new EOFException(complaint());
        }

        /** Throws Unsupported if it was killed, which says nothing about the JDK under test. */
        private void checkKilled() {
            try {
                if (process.waitFor(ENDS_WITHIN_MS, TimeUnit.MILLISECONDS)
                        && process.exitValue() > KILLED && !isEnded) {
                    throw new Unsupported(
                        "a peer was killed by signal " + (process.exitValue() - KILLED), null);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** The lines that are about an error; if there are none, the last line. */
        private String complaint() {
            List<String> lines = Arrays.asList(said.toString().trim().split("\n"));
            List<String> errors = new ArrayList<>();
            for (String line : lines) {
                if (Pattern.compile("(?i)error|alert|fail|unable|cannot").matcher(line).find()) {
                    errors.add(line.trim());
                }
            }
            return errors.isEmpty() ? lines.get(lines.size() - 1) : String.join("; ", errors);
        }

        /** Waits for it to end with its last connection; kills it if it does not end soon. */
        void end() {
            try {
                if (!process.waitFor(ENDS_WITHIN_MS, TimeUnit.MILLISECONDS)) {
                    close();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                close();
            }
        }

        @Override
        public void close() {
            isEnded = true;
            process.destroyForcibly();
        }
    }

    /** A connection of such a program; each message begins with a known word. */
    private static final class ProgramTls implements Tls {
        private static final Pattern TOLD = Pattern.compile("ALPN protocols selected: (\\S+)\n"
            + "|subject=(CN=\\S+)\n|in TLS extension: \"(\\S+)\"\n");
        private static final String[] OF_TOLD = {"alpn", "client", "sni"};

        private final Row row;
        private final Running running;
        private final String first;
        private final Pattern start;

        /**
         * @param first what each message to us begins with
         * @param end pattern of what is printed when the connection ends
         */
        ProgramTls(Row row, Running running, String first, String end) {
            this.row = row;
            this.running = running;
            this.first = first;
            start = Pattern.compile("\\Q" + first + "\\E|" + end);
        }

        /** Reads one message. */
        @Override
        public InputStream in() {
            return new InputStream() {
                private int given;
                private boolean isData;

                @Override
                public int read() throws IOException {
                    if (!isData) {
                        if (!running.until(start).group().equals(first)) {
                            return -1;
                        }
                        isData = true;
                    }
                    return given < first.length() ? first.charAt(given++) : running.read();
                }
            };
        }

        @Override
        public OutputStream out() {
            return running.out();
        }

        /** The program makes its handshake by itself; the other side begins a KeyUpdate. */
        @Override
        public void handshake() {
            // nothing to do
        }

        /** It has only the row's protocol and suite; its output has the rest. */
        @Override
        public Map<String, String> facts(long begunMs) {
            Map<String, String> facts = new LinkedHashMap<>();
            facts.put(Row.PROTOCOL, row.get(Row.PROTOCOL));
            if (!row.has(Row.SUITE, Row.ANY)) {
                facts.put(Row.SUITE, row.get(Row.SUITE));
            }
            Matcher told = TOLD.matcher(running.said());
            while (told.find()) {
                for (int i = 0; i < OF_TOLD.length; i++) {
                    if (told.group(i + 1) != null) {
                        facts.put(OF_TOLD[i], told.group(i + 1));
                    }
                }
            }
            return facts;
        }

        @Override
        public long createdMs() {
            return 0;
        }

        @Override
        public void closeOutput() throws IOException {
            try {
                if (row.has(Row.PEER, GNUTLS)) {
                    out().close();
                } else if (row.jdkIsServer()) {
                    out().write("Q\n".getBytes(StandardCharsets.US_ASCII));
                    out().flush();
                }
            } catch (IOException e) {
                // it ends by itself when the other side has closed
            }
        }

        /** Ends a client only: a server may have a second connection to serve. */
        @Override
        public void close() {
            if (row.jdkIsServer()) {
                running.close();
            }
        }
    }
}
