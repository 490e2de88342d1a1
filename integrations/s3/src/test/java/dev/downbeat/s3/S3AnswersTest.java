package dev.downbeat.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.downbeat.s3.S3Store.S3Place;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store answers instead of doing what it is asked, in the user's words. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class S3AnswersTest {
    private static final S3Place PLACE = S3Place.parse("s3://results/nightly/a.downbeat");
    private static final Map<String, String> SETTINGS = Map.of(
            "aws.region", "us-east-1",
            "aws.accessKeyId", "anybody",
            "aws.secretAccessKey", "hush-hush");

    @TempDir
    Path folder;

    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.start();
        SETTINGS.forEach(System::setProperty);
        System.setProperty(
                "aws.endpointUrlS3", "http://127.0.0.1:" + server.getAddress().getPort());
    }

    @AfterEach
    void stop() {
        server.stop(0);
        SETTINGS.keySet().forEach(System::clearProperty);
        System.clearProperty("aws.endpointUrlS3");
    }

    /** Answers as stores do: in XML, but without a body to HEAD. */
    private static void answer(HttpExchange exchange, int status, String code, String text) throws IOException {
        exchange.getRequestBody().readAllBytes();
        boolean isHead = exchange.getRequestMethod().equals("HEAD");
        byte[] body = ("<Error><Code>" + code + "</Code><Message>" + text + "</Message></Error>")
                .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/xml");
        exchange.sendResponseHeaders(status, isHead ? -1 : body.length);
        if (!isHead) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    @Test
    void another_status_is_said_with_the_code_and_text_of_the_store() throws IOException {
        server.createContext("/", exchange -> answer(exchange, 503, "SlowDown", "Please reduce your request rate."));
        try (S3Store store = S3Store.open()) {
            assertThatThrownBy(() -> store.check(PLACE)).hasMessage(PLACE + ": the store answers HTTP 503");
            assertThatThrownBy(() -> store.put(PLACE, new byte[1]))
                    .hasMessage(PLACE + ": the store answers HTTP 503 (SlowDown: Please reduce your request rate.)");
        }
    }

    @Test
    void a_bucket_of_another_region_is_said_with_the_region() throws IOException {
        server.createContext("/", exchange -> {
            exchange.getResponseHeaders().set("x-amz-bucket-region", "eu-west-1");
            answer(exchange, 301, "PermanentRedirect", "Moved");
        });
        try (S3Store store = S3Store.open()) {
            String words = PLACE + ": the bucket is in the region eu-west-1 (set AWS_REGION)";
            assertThatThrownBy(() -> store.check(PLACE)).hasMessage(words);
            assertThatThrownBy(() -> store.put(PLACE, new byte[1])).hasMessage(words);
        }
    }

    @Test
    void a_region_that_the_store_keeps_to_itself_is_advised() throws IOException {
        server.createContext("/", exchange -> answer(exchange, 301, "PermanentRedirect", "Moved"));
        try (S3Store store = S3Store.open()) {
            assertThatThrownBy(() -> store.check(PLACE))
                    .hasMessage(PLACE + ": the bucket is in another region (set AWS_REGION)");
        }
    }

    @Test
    void a_wrong_clock_is_not_called_a_lack_of_rights() throws IOException {
        server.createContext(
                "/", exchange -> answer(exchange, 403, "RequestTimeTooSkewed", "The difference is too large."));
        try (S3Store store = S3Store.open()) {
            assertThatThrownBy(() -> store.check(PLACE)).hasMessage(PLACE + ": this machine's clock is wrong");
        }
    }

    /** As S3 does where only reading and writing is allowed. */
    @Test
    void an_object_that_may_not_be_listed_is_missing_if_an_own_one_can_be_read() throws IOException {
        AtomicBoolean isReadable = new AtomicBoolean();
        server.createContext("/", exchange -> {
            boolean isOwn = exchange.getRequestURI().getPath().endsWith("/own");
            if (exchange.getRequestMethod().equals("PUT") || isOwn && isReadable.get()) {
                answer(exchange, 200, "Fine", "content");
            } else {
                answer(exchange, 403, "AccessDenied", "Access Denied");
            }
        });
        S3Place own = new S3Place("results", "meeting/own");
        S3Place missing = new S3Place("results", "meeting/missing");
        try (S3Store store = S3Store.open()) {
            String words = missing + ": access denied (AccessDenied)";
            assertThatThrownBy(() -> store.get(missing, 100)).hasMessage(words);
            store.put(own, new byte[1]);
            assertThatThrownBy(() -> store.get(missing, 100)).hasMessage(words);
            isReadable.set(true);
            assertThat(store.get(missing, 100)).isEmpty();
            isReadable.set(false);
            assertThatThrownBy(() -> store.get(own, 100)).hasMessage(own + ": access denied (AccessDenied)");
        }
    }

    @Test
    void credentials_that_have_expired_are_not_called_a_lack_of_rights() throws IOException {
        server.createContext("/", exchange -> answer(exchange, 400, "ExpiredToken", "The token has expired."));
        try (S3Store store = S3Store.open()) {
            assertThatThrownBy(() -> store.put(PLACE, new byte[1]))
                    .hasMessage(PLACE + ": the credentials have expired");
        }
    }

    @Test
    void a_download_that_is_cut_short_names_no_file_of_ours() throws IOException {
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 1_000);
            exchange.getResponseBody().write(new byte[100]);
            exchange.getResponseBody().flush();
            exchange.close();
        });
        Path file = folder.resolve("a");
        try (S3Store store = S3Store.open()) {
            assertThatThrownBy(() -> store.get(PLACE, file))
                    .hasMessage(PLACE + ": the download ended after 100 of 1,000 bytes");
            assertThatThrownBy(() -> store.get(PLACE, 2_000))
                    .hasMessage(PLACE + ": the download ended after 100 of 1,000 bytes");
        }
        assertThat(file).doesNotExist();
    }

    @Test
    void a_download_that_was_cut_short_once_is_repeated() throws IOException {
        int[] asked = {0};
        server.createContext("/", exchange -> {
            boolean isWhole = asked[0]++ > 0;
            exchange.sendResponseHeaders(200, 1_000);
            exchange.getResponseBody().write(new byte[isWhole ? 1_000 : 100]);
            exchange.getResponseBody().flush();
            exchange.close();
        });
        Path file = folder.resolve("a");
        try (S3Store store = S3Store.open()) {
            store.get(PLACE, file);
        }
        assertThat(Files.size(file)).isEqualTo(1_000);
    }

    @Test
    void a_download_that_cannot_be_saved_is_the_fault_of_this_machine() throws IOException {
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 10);
            exchange.getResponseBody().write(new byte[10]);
            exchange.close();
        });
        Path none = folder.resolve("none").resolve("a");
        try (S3Store store = S3Store.open()) {
            assertThatThrownBy(() -> store.get(PLACE, none))
                    .isInstanceOf(IOException.class)
                    .hasMessage(PLACE + ": it cannot be saved in " + none);
        }
    }

    @Test
    void a_store_that_is_not_there_is_said_in_few_words() throws IOException {
        server.stop(0);
        try (S3Store store = S3Store.open()) {
            assertThatThrownBy(() -> store.check(PLACE)).hasMessage(PLACE + ": connection refused");
        }
    }
}
