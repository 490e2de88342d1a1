package dev.downbeat.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.s3.S3Store.S3Place;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class S3StoreTest {
    @TempDir
    static Path home;

    @TempDir
    Path folder;

    private static S3Proxy server;

    @BeforeAll
    static void start() throws IOException {
        server = S3Proxy.start(home);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void settings() {
        server.settings().forEach(System::setProperty);
    }

    @AfterEach
    void noSettings() {
        server.settings().keySet().forEach(System::clearProperty);
    }

    @Test
    void uploaded_results_can_be_found_and_downloaded() throws IOException {
        Path file = Files.writeString(folder.resolve("a"), "a result");
        try (S3Store store = S3Store.open()) {
            S3Place place = S3Place.parse("s3://results/nightly/7/shard-0.downbeat");
            store.check(place);
            store.put(place, file);
            store.put(S3Place.parse("s3://results/nightly/8/shard-0.downbeat"), file);
            assertThat(store.list(S3Place.parse("s3://results/nightly/7/"))).containsExactly(place);
            Path back = folder.resolve("back");
            Files.writeString(back, "something older");
            store.get(place, back);
            assertThat(back).hasContent("a result");
        }
        assertThat(server.bucket().resolve("nightly/7/shard-0.downbeat")).hasContent("a result");
    }

    @Test
    void a_small_object_is_written_and_read_up_to_a_limit() throws IOException {
        S3Place place = S3Place.parse("s3://results/notes/state-0");
        try (S3Store store = S3Store.open()) {
            assertThat(store.get(place, 10)).isEmpty();
            store.put(place, new byte[] {1, 2, 3});
            assertThat(store.get(place, 10))
                    .hasValueSatisfying(all -> assertThat(all).containsExactly(1, 2, 3));
            assertThat(store.get(place, 2))
                    .hasValueSatisfying(all -> assertThat(all).containsExactly(1, 2));
        }
    }

    @Test
    void more_objects_than_one_answer_holds_are_all_found() throws IOException {
        Path many = Files.createDirectories(server.bucket().resolve("many"));
        for (int i = 0; i < 1_100; i++) {
            Files.createFile(many.resolve("shard-" + i + ".downbeat"));
        }
        try (S3Store store = S3Store.open()) {
            assertThat(store.list(S3Place.parse("s3://results/many/"))).hasSize(1_100);
        }
    }

    @Test
    void missing_files_are_one_line() throws IOException {
        try (S3Store store = S3Store.open()) {
            assertThatThrownBy(() -> store.check(S3Place.parse("s3://elsewhere/a")))
                    .isInstanceOf(IOException.class)
                    .hasMessage("s3://elsewhere/a: there is no bucket elsewhere");
            assertThatThrownBy(() -> store.get(S3Place.parse("s3://results/nothing"), folder.resolve("b")))
                    .isInstanceOf(IOException.class)
                    .hasMessage("s3://results/nothing: there is no such object");
        }
    }

    @Test
    void a_wrong_key_is_refused_by_the_store_and_not_displayed() throws IOException {
        System.setProperty("aws.secretAccessKey", "wrong-hush");
        Path file = Files.writeString(folder.resolve("a"), "a result");
        try (S3Store store = S3Store.open()) {
            assertThatThrownBy(() -> store.put(S3Place.parse("s3://results/a"), file))
                    .isInstanceOf(IOException.class)
                    .hasMessage("s3://results/a: access denied (SignatureDoesNotMatch)");
        }
    }

    @Test
    void what_may_not_be_written_is_found_before_and_what_was_written_to_find_out_is_gone() throws IOException {
        S3Place place = S3Place.parse("s3://results/probed/a.downbeat");
        try (S3Store store = S3Store.open()) {
            store.check(place);
            assertThat(store.list(S3Place.parse("s3://results/probed/"))).isEmpty();
        }
        System.setProperty("aws.secretAccessKey", "wrong-hush");
        try (S3Store store = S3Store.open()) {
            assertThatThrownBy(() -> store.check(place))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("s3://results/probed/a.downbeat: access denied"); // the proxy may hang up
        }
    }

    @Test
    void a_store_that_accepts_and_never_answers_times_out() throws IOException {
        Path file = Files.writeString(folder.resolve("a"), "a result");
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            System.setProperty("aws.endpointUrlS3", "http://127.0.0.1:" + silent.getLocalPort());
            try (S3Store store = S3Store.open(Duration.ofMillis(500))) {
                assertThatThrownBy(() -> store.put(S3Place.parse("s3://results/a"), file))
                        .isInstanceOf(IOException.class)
                        .hasMessageStartingWith("s3://results/a: ");
                assertThatThrownBy(() -> store.check(S3Place.parse("s3://results/a")))
                        .isInstanceOf(IOException.class)
                        .hasMessageStartingWith("s3://results/a: ");
            }
        }
    }

    @Test
    void a_store_that_hangs_up_is_one_line_for_every_operation() throws IOException {
        Path file = Files.writeString(folder.resolve("a"), "a result");
        S3Place place = S3Place.parse("s3://results/a");
        try (ServerSocket rude = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                S3Store store = openAt(rude)) {
            Thread hangsUp = new Thread(() -> hangUp(rude));
            hangsUp.setDaemon(true);
            hangsUp.start();
            List<ThrowingCallable> operations = List.of(
                    () -> store.check(place),
                    () -> store.put(place, file),
                    () -> store.put(place, new byte[] {1}),
                    () -> store.get(place, 10),
                    () -> store.get(place, folder.resolve("b")),
                    () -> store.list(place));
            assertThat(operations)
                    .isNotEmpty()
                    .allSatisfy(operation -> assertThatThrownBy(operation)
                            .isInstanceOf(IOException.class)
                            .hasMessageStartingWith("s3://results/a: ")
                            .hasMessageNotContaining("Exception"));
        }
    }

    private static S3Store openAt(ServerSocket server) throws IOException {
        System.setProperty("aws.endpointUrlS3", "http://127.0.0.1:" + server.getLocalPort());
        return S3Store.open();
    }

    private static void hangUp(ServerSocket server) {
        try {
            while (true) {
                try (Socket caller = server.accept()) {
                    caller.getInputStream().read();
                }
            }
        } catch (IOException closed) {
            // the test is over
        }
    }

    @Test
    void missing_settings_are_named() throws IOException {
        System.clearProperty("aws.region");
        assertThatThrownBy(S3Store::open).isInstanceOf(IOException.class).hasMessageContaining("region");
        System.setProperty("aws.region", "eu-west-1");
        System.clearProperty("aws.secretAccessKey");
        try (S3Store store = S3Store.open()) {
            assertThatThrownBy(() -> store.check(S3Place.parse("s3://results/a")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("credentials");
        }
    }

    @Test
    void an_invalid_place_is_refused() {
        assertThat(S3Place.parse("s3://my.bucket/a/b")).hasToString("s3://my.bucket/a/b");
        assertThat(S3Place.parse("s3://bucket").key()).isEmpty();
        assertThatThrownBy(() -> S3Place.parse("s3://Bucket/a"))
                .hasMessageContaining("in lower case, but was 's3://Bucket/a'");
        assertThatThrownBy(() -> S3Place.parse("s3://b/a"))
                .hasMessage("the name of a bucket must have 3 to 63 characters, but was 'b'");
        assertThatThrownBy(() -> S3Place.parse("s3://" + "b".repeat(64) + "/a"))
                .hasMessageStartingWith("the name of a bucket must have 3 to 63 characters, but was 'b");
    }
}
