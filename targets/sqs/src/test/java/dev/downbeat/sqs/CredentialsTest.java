package dev.downbeat.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.downbeat.run.RunResult;
import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.sqs.options.SqsProxy;
import dev.downbeat.sqs.options.SqsTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Credentials and endpoints are found where the SDK finds them: each source has a stand-in on this machine. The service is
 * behind a proxy, since a server on this machine would be asked with any credentials.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CredentialsTest {
    private static String until() {
        return Instant.now().plus(Duration.ofHours(1)).toString();
    }

    @TempDir
    @SuppressWarnings("NullAway.Init") // by JUnit
    Path folder;

    private final Map<String, @Nullable String> before = new HashMap<>();
    private final FakeSqs service = FakeSqs.start();
    private final HttpServer source = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);

    CredentialsTest() throws IOException {}

    @BeforeEach
    void start() {
        source.createContext("/", CredentialsTest::give);
        source.start();
    }

    @AfterEach
    void stop() {
        source.stop(0);
        service.close();
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

    private String uri() {
        return "http://127.0.0.1:" + source.getAddress().getPort();
    }

    /** STS, the metadata service of a machine and the endpoint of a container, in one. */
    private static void give(HttpExchange exchange) throws IOException {
        String asked = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String path = exchange.getRequestURI().getPath();
        String answer = asked.contains("Action=AssumeRole")
                ? sts(asked)
                : path.equals("/latest/api/token")
                        ? "token"
                        : path.endsWith("/security-credentials/")
                                ? "machine"
                                : json(path.startsWith("/latest") ? "KEYOFMACHINE" : "KEYOFCONTAINER");
        byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", asked.isEmpty() ? "application/json" : "text/xml");
        exchange.getResponseHeaders().set("x-aws-ec2-metadata-token-ttl-seconds", "600");
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static String json(String key) {
        return "{\"Code\":\"Success\",\"Type\":\"AWS-HMAC\",\"AccessKeyId\":\"" + key
                + "\",\"SecretAccessKey\":\"hush\",\"Token\":\"token\",\"LastUpdated\":\"2026-01-01T00:00:00Z\","
                + "\"Expiration\":\"" + until() + "\"}";
    }

    private static String sts(String asked) {
        String action = asked.contains("WebIdentity") ? "AssumeRoleWithWebIdentity" : "AssumeRole";
        String key = asked.contains("WebIdentity") ? "KEYOFWEB" : "KEYOFROLE";
        return "<" + action + "Response xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><" + action
                + "Result><Credentials><AccessKeyId>" + key
                + "</AccessKeyId><SecretAccessKey>hush</SecretAccessKey><SessionToken>token</SessionToken><Expiration>"
                + until() + "</Expiration></Credentials></" + action + "Result></" + action + "Response>";
    }

    private String keyThatWasUsed() throws IOException {
        RunResult result = Runs.of(
                "http://queue.example/000000000000/orders",
                draft -> {
                    draft.transport = SqsTransport.DOWNBEAT;
                    draft.region = Optional.of("eu-west-1");
                    draft.proxy = SqsProxy.of(service.uri());
                },
                Runs.plan(50, Duration.ofMillis(100)));
        assertThat(result.recording().failures()).isEmpty();
        return service.lastKey();
    }

    private void config(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("config"), text);
        set("aws.configFile", file.toString());
        set("aws.profile", "work");
    }

    @Test
    void of_a_profile() throws IOException {
        config("""
                [profile work]
                aws_access_key_id = KEYOFPROFILE
                aws_secret_access_key = hush
                """);
        assertThat(keyThatWasUsed()).isEqualTo("KEYOFPROFILE");
    }

    @Test
    void of_a_role_that_a_profile_assumes() throws IOException {
        config("""
                [profile work]
                role_arn = arn:aws:iam::123456789012:role/r
                source_profile = base
                region = eu-west-1
                [profile base]
                aws_access_key_id = KEYOFBASE
                aws_secret_access_key = hush
                """);
        set("aws.endpointUrlSts", uri());
        assertThat(keyThatWasUsed()).isEqualTo("KEYOFROLE");
    }

    @Test
    void of_a_web_identity() throws IOException {
        set(
                "aws.webIdentityTokenFile",
                Files.writeString(folder.resolve("token"), "a.b.c").toString());
        set("aws.roleArn", "arn:aws:iam::123456789012:role/r");
        set("aws.region", "eu-west-1");
        set("aws.endpointUrlSts", uri());
        assertThat(keyThatWasUsed()).isEqualTo("KEYOFWEB");
    }

    @Test
    void of_a_container() throws IOException {
        set("aws.containerCredentialsFullUri", uri() + "/v2/credentials");
        assertThat(keyThatWasUsed()).isEqualTo("KEYOFCONTAINER");
    }

    @Test
    void of_a_machine() throws IOException {
        set("aws.disableEc2Metadata", "false");
        set("aws.ec2MetadataServiceEndpoint", uri());
        assertThat(keyThatWasUsed()).isEqualTo("KEYOFMACHINE");
    }

    @Test
    void of_single_sign_on_which_is_on_the_class_path() throws IOException {
        config("""
                [profile work]
                sso_start_url = https://sso.example/start
                sso_region = eu-west-1
                sso_account_id = 123456789012
                sso_role_name = r
                """);
        assertThatThrownBy(this::keyThatWasUsed)
                .hasMessageContaining("no credentials found")
                .rootCause()
                .hasMessageNotContaining("class path");
    }

    private String whyThereAreNone() {
        try {
            return keyThatWasUsed();
        } catch (IOException refused) {
            return String.valueOf(refused.getMessage()).replaceAll(".*no credentials found: ", "");
        }
    }

    @Test
    void each_cause_has_its_own_reason() throws IOException {
        set("aws.disableEc2Metadata", "true");
        config("[profile other]\nregion = eu-west-1\n");
        assertThat(whyThereAreNone()).isEqualTo("there is no profile work in ~/.aws/config and ~/.aws/credentials");
        config("[profile work]\ncredential_process = exit 3\n");
        assertThat(whyThereAreNone()).startsWith("profile work: ").contains("3").contains("exit");
        config("""
                [profile work]
                sso_start_url = https://sso.example/start
                sso_region = eu-west-1
                sso_account_id = 123456789012
                sso_role_name = r
                """);
        assertThat(whyThereAreNone()).startsWith("profile work: ").containsIgnoringCase("sso");
        System.clearProperty("aws.profile");
        config("");
        System.clearProperty("aws.profile");
        assertThat(whyThereAreNone()).startsWith("none are set: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
        set("aws.disableEc2Metadata", "false");
        set("aws.ec2MetadataServiceEndpoint", "http://127.0.0.1:9");
        assertThat(whyThereAreNone())
                .startsWith("none are set, and the instance metadata service returned none (")
                .contains("refused");
        set("aws.accessKeyId", "half");
        assertThat(whyThereAreNone()).isEqualTo("AWS_ACCESS_KEY_ID is set, AWS_SECRET_ACCESS_KEY is not");
    }

    @Test
    void an_endpoint_of_environment_or_profile_is_a_server_on_this_machine() throws IOException {
        set("aws.endpointUrlSqs", service.uri().toString());
        assertThat(new SqsTarget("orders", SqsOptions.of(draft -> {})).describe())
                .startsWith("SQS SEND orders at 127.0.0.1:");
        System.clearProperty("aws.endpointUrlSqs");
        config("[profile work]\nendpoint_url = " + URI.create(uri()) + "\n");
        assertThat(new SqsTarget("orders", SqsOptions.of(draft -> {})).describe())
                .startsWith(
                        "SQS SEND orders at 127.0.0.1:" + source.getAddress().getPort());
    }
}
