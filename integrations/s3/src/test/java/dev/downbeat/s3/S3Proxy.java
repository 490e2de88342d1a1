package dev.downbeat.s3;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A real server that speaks like S3 and checks signatures, in a process of its own, with a folder as its store. It has one
 * bucket. Its jar is named by the system property {@code s3proxy}.
 */
public final class S3Proxy implements AutoCloseable {
    private static final Pattern PORT = Pattern.compile("Started .*ServerConnector.*\\{127\\.0\\.0\\.1:(\\d+)}");

    private final Process process;
    private final String endpoint;
    private final Path bucket;

    private S3Proxy(Process process, String endpoint, Path bucket) {
        this.process = process;
        this.endpoint = endpoint;
        this.bucket = bucket;
    }

    /** Starts one that keeps its objects in this folder; it ends with this JVM at the latest. */
    public static S3Proxy start(Path home) throws IOException {
        Path bucket = Files.createDirectories(home.resolve("store/results"));
        Path settings = Files.writeString(home.resolve("s3proxy.conf"), """
                s3proxy.endpoint=http://127.0.0.1:0
                s3proxy.authorization=aws-v2-or-v4
                s3proxy.identity=somebody
                s3proxy.credential=hush-hush
                jclouds.provider=filesystem
                jclouds.filesystem.basedir=%s
                """.formatted(home.resolve("store")));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UnlockDiagnosticVMOptions",
                        "-XX:-BytecodeVerificationRemote",
                        "-jar",
                        System.getProperty("s3proxy"),
                        "--properties",
                        settings.toString())
                .redirectErrorStream(true)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        BufferedReader log = process.inputReader(StandardCharsets.UTF_8);
        String port = port(log);
        Thread reader = new Thread(() -> drain(log), "s3proxy-log");
        reader.setDaemon(true);
        reader.start();
        return new S3Proxy(process, "http://127.0.0.1:" + port, bucket);
    }

    /** A full pipe would stop the server. */
    private static void drain(BufferedReader log) {
        try {
            log.transferTo(Writer.nullWriter());
        } catch (IOException ended) {
            // with the server
        }
    }

    private static String port(BufferedReader log) throws IOException {
        StringBuilder said = new StringBuilder();
        for (String line = log.readLine(); line != null; line = log.readLine()) {
            Matcher started = PORT.matcher(line);
            if (started.find()) {
                return started.group(1);
            }
            said.append(line).append('\n');
        }
        throw new IOException("S3Proxy did not start: " + said);
    }

    /** The system properties with which the SDK finds it, and is let in. */
    public Map<String, String> settings() {
        return Map.of(
                "aws.endpointUrlS3", endpoint,
                "aws.region", "eu-west-1",
                "aws.accessKeyId", "somebody",
                "aws.secretAccessKey", "hush-hush");
    }

    /** The folder with the objects of {@code s3://results}. */
    public Path bucket() {
        return bucket;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
