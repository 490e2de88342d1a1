package dev.downbeat.cli.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.downbeat.cli.ShardResults;
import dev.downbeat.cli.Shell;
import dev.downbeat.cli.console.Interruption;
import dev.downbeat.cli.terminal.Signals;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.report.file.RunFile;
import dev.downbeat.s3.S3Proxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Results of processes that share no file system. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ObjectStoreTest {
    @TempDir
    static Path home;

    @TempDir
    Path folder;

    private static S3Proxy store;

    @BeforeAll
    static void start() throws IOException {
        store = S3Proxy.start(home);
        store.settings().forEach(System::setProperty);
    }

    @AfterAll
    static void stop() {
        store.settings().keySet().forEach(System::clearProperty);
        store.close();
    }

    @Test
    void a_run_is_saved_there() throws IOException {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            String object = "s3://results/nightly/run.downbeat";
            Shell shell =
                    Shell.call("run", server.uri(), "-R", "200", "-n", "50", "-q", "--accept-unsound", "-o", object);
            assertThat(shell.err()).isEmpty();
            assertThat(shell.exitCode()).isZero();
        }
        RunFile.read(store.bucket().resolve("nightly/run.downbeat"));
        assertThat(ObjectStore.staged("s3://results/nightly/run.downbeat")).doesNotExist();
    }

    @Test
    void shards_that_were_saved_there_are_merged_from_there() throws IOException {
        ShardResults results = new ShardResults(folder);
        Path job = Files.createDirectories(store.bucket().resolve("job"));
        for (int shard = 0; shard < 3; shard++) {
            Files.copy(results.shard(shard, 3), job.resolve("shard-" + shard + ".downbeat"));
        }
        Shell shell = Shell.call("merge", "s3://results/job/", "-o", "s3://results/all.downbeat");
        assertThat(shell.err()).isEmpty();
        assertThat(shell.exitCode()).isZero();
        assertThat(shell.out()).contains("3 processes, merged losslessly");
        assertThat(RunFile.read(store.bucket().resolve("all.downbeat"))
                        .result()
                        .ledger()
                        .planned())
                .isEqualTo(300);
    }

    @Test
    void an_unsuitable_format_is_refused_before_the_run() {
        Shell shell = Shell.call("run", "http://127.0.0.1:1/", "-d", "1m", "-o", "s3://elsewhere/a.downbeat");
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.firstErrorLine())
                .isEqualTo("downbeat run: -o s3://elsewhere/a.downbeat cannot be written: s3://elsewhere/a.downbeat:"
                        + " there is no bucket elsewhere");
        assertThat(Shell.call("run", "http://127.0.0.1:1/", "-o", "s3://Elsewhere/a.downbeat")
                        .firstErrorLine())
                .contains("s3://BUCKET/KEY", "'s3://Elsewhere/a.downbeat'");
        assertThat(Shell.call("merge", "s3://results/nothing/").firstErrorLine())
                .isEqualTo("downbeat merge: cannot read s3://results/nothing/: there is no object NAME.downbeat");
    }

    @Test
    void a_signal_ends_an_upload_that_hangs_and_the_file_is_named_whole() throws Exception {
        String longName = "s3://results/" + "x".repeat(80) + "/" + "y".repeat(80) + ".txt";
        OutputFile file = OutputFile.parse(longName);
        Files.createDirectories(file.path().resolveSibling("."));
        String endpoint = System.getProperty("aws.endpointUrlS3");
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            System.setProperty("aws.endpointUrlS3", "http://127.0.0.1:" + silent.getLocalPort());
            CompletableFuture<String> said = CompletableFuture.supplyAsync(() -> {
                try {
                    file.write(out -> out.append("a result"));
                    return "uploaded";
                } catch (IOException failed) {
                    return dev.downbeat.cli.measurement.option.Messages.of(failed);
                }
            });
            silent.setSoTimeout(60_000);
            silent.accept(); // by now it goes on
            new Interruption().received(Signals.TERMINATE);
            assertThat(said.get()).startsWith("the result is kept in " + file.path() + ":");
            assertThat(file.path()).hasContent("a result");
        } finally {
            System.setProperty("aws.endpointUrlS3", endpoint);
        }
    }

    /** It refuses from the end of the run on what it took before. */
    @Test
    void a_run_that_was_not_uploaded_is_kept_once() throws IOException {
        String endpoint = System.getProperty("aws.endpointUrlS3");
        HttpServer full = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
        full.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            boolean isResult = exchange.getRequestURI().getPath().endsWith(".downbeat");
            exchange.sendResponseHeaders(isResult ? 507 : 200, -1);
            exchange.close();
        });
        full.start();
        Path kept = ObjectStore.staged("s3://results/once/run.downbeat");
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            System.setProperty(
                    "aws.endpointUrlS3", "http://127.0.0.1:" + full.getAddress().getPort());
            String[] words = {"run", server.uri(), "-n", "5", "-q", "-o", "s3://results/once/run.downbeat"};
            Shell shell = Shell.call(words);
            assertThat(shell.exitCode()).isEqualTo(1);
            assertThat(shell.err())
                    .contains("the result is kept in " + kept + ": s3://results/once/run.downbeat: the store answers")
                    .doesNotContain(".part");
        } finally {
            full.stop(0);
            System.setProperty("aws.endpointUrlS3", endpoint);
        }
        assertThat(kept.resolveSibling(".")).isDirectoryNotContaining("glob:**.part");
        RunFile.read(kept);
        Files.delete(kept);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {"s3://results//tmp/a.downbeat", "s3://results/../../a.downbeat", "s3://results/b/./a.downbeat"})
    void no_name_leads_to_a_file_elsewhere(String object) {
        String problem = object + ": its name cannot be that of a file here";
        assertThat(Shell.call("run", "http://127.0.0.1:1/", "-o", object).firstErrorLine())
                .contains(problem);
        assertThat(Shell.call("merge", object).firstErrorLine()).isEqualTo("downbeat merge: cannot read " + problem);
    }

    @Test
    void a_failed_upload_is_kept_and_named() throws IOException {
        OutputFile file = OutputFile.parse("s3://elsewhere/a.downbeat");
        Files.createDirectories(file.path().resolveSibling("."));
        Path kept = ObjectStore.staged("s3://elsewhere/a.downbeat");
        assertThatThrownBy(() -> file.write(RunFile.read(new ShardResults(folder).shard(0, 1))))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "the result is kept in " + kept + ": s3://elsewhere/a.downbeat: there is no bucket elsewhere");
        RunFile.read(kept);
        Files.delete(kept);
    }
}
