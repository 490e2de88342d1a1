package dev.downbeat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.downbeat.testing.NotShown;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --aws-sigv4} without keys in the environment: what the SDK's chain finds. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AwsKeysTest {
    @TempDir
    private Path folder;

    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    private final Map<String, @Nullable String> before = new HashMap<>();

    AwsKeysTest() throws IOException {}

    @BeforeEach
    void start() {
        if (System.getenv("AWS_ACCESS_KEY_ID") != null) {
            throw NotShown.because("the environment has keys", "AwsKeysTest: unset AWS_ACCESS_KEY_ID");
        }
        server.createContext("/", exchange -> {
            seen.add(exchange.getRequestHeaders().getFirst("Authorization") + " "
                    + exchange.getRequestHeaders().getFirst("X-Amz-Security-Token"));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        set("aws.disableEc2Metadata", "true");
        set("aws.configFile", folder.resolve("config").toString());
        set("aws.sharedCredentialsFile", folder.resolve("credentials").toString());
    }

    @AfterEach
    void stop() {
        server.stop(0);
        before.forEach((name, value) -> {
            if (value == null) {
                System.clearProperty(name);
            } else {
                System.setProperty(name, value);
            }
        });
    }

    private void set(String name, String value) {
        before.putIfAbsent(name, System.getProperty(name));
        System.setProperty(name, value);
    }

    private Shell signed(String command) {
        return Shell.call(
                command,
                "http://127.0.0.1:" + server.getAddress().getPort() + "/",
                "--aws-sigv4",
                "eu-west-1:execute-api",
                "-n",
                "4",
                "-q",
                "--accept-unsound");
    }

    @Test
    void a_profile_signs_with_what_its_process_gives() throws IOException {
        Path given = folder.resolve("keys.json");
        Files.writeString(
                given,
                "{\"Version\": 1, \"AccessKeyId\": \"KEYOFPROCESS\", \"SecretAccessKey\": \"hush\", \"SessionToken\": \"tok\","
                        + " \"Expiration\": \""
                        + Instant.now().plus(Duration.ofHours(1)) + "\"}");
        Files.writeString(folder.resolve("config"), "[default]\ncredential_process = cat " + given + "\n");
        for (String command : List.of("run", "position")) {
            seen.clear();
            Shell shell = signed(command);
            assertThat(shell.exitCode()).as(shell.err()).isZero();
            assertThat(seen)
                    .hasSizeGreaterThanOrEqualTo(4)
                    .allMatch(line -> line.contains(" Credential=KEYOFPROCESS/") && line.endsWith(" tok"));
        }
    }

    @Test
    void a_chain_without_keys_says_why() throws IOException {
        Shell none = signed("run");
        assertThat(none.exitCode()).isEqualTo(2);
        assertThat(none.firstErrorLine()).contains("--aws-sigv4: no credentials found: none are set");
        Files.writeString(folder.resolve("config"), "[default]\ncredential_process = echo nothing of use\n");
        Shell bad = signed("run");
        assertThat(bad.firstErrorLine()).contains("--aws-sigv4: no credentials found: profile default: ");
        assertThat(seen).isEmpty();
    }
}
