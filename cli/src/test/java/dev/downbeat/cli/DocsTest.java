package dev.downbeat.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.CertificateKey;
import dev.downbeat.loopback.options.LoopbackOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The commands of the pages are run in their order, as a reader would; only shorter, with fewer shards, and within this process.
 * The manual's first also run as processes (ManualTest).
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DocsTest {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\\n(.*?)^```");
    private static final Pattern FILE = Pattern.compile(
            "(@|\\w+=)?(results/)?[\\w*-]+\\.(downbeat|html|xml|json|yaml|sh|http|csv|txt|log|har|hlog|jtl)(,\\w+)?");

    /**
     * What comes from a store is for ObjectStoreTest, what is kept for LastRunsTest, what is committed for HistoryCommandTest; a
     * search takes at least 3 s a step (SweepCommandTest).
     */
    private static final Pattern HERE =
            Pattern.compile("(\\./)?downbeat (?!merge s3:|last|report --last|serve|history --git|sweep).*");

    /** Met, in doubt on a busy machine, missed: what a command may say of a service. The others are for what went wrong. */
    private static final List<Integer> ANSWERS = List.of(0, 98, 99);

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    /** A colon in a description that had no quotes was the end of the action: no server could have read it. */
    @ParameterizedTest
    @CsvSource({"action.yml,1", "templates/downbeat.yml,2"})
    void what_build_servers_read_is_YAML(String file, int documents) throws IOException {
        ObjectMapper yaml = new ObjectMapper(new YAMLFactory());
        try (MappingIterator<JsonNode> read = yaml.readerFor(JsonNode.class)
                .readValues(Path.of("..").resolve(file).toFile())) {
            assertThat(read.readAll()).hasSize(documents).allMatch(JsonNode::isObject);
        }
    }

    @Test
    void every_command_on_files_works() throws IOException {
        assertThat(run("files.md")).isGreaterThan(5);
        assertThat(folder.resolve("b.downbeat")).isNotEmptyFile();
        assertThat(folder.resolve("a.xml")).isNotEmptyFile();
        assertThat(folder.resolve("both.html")).isNotEmptyFile();
    }

    @Test
    void every_command_on_shards_works() throws IOException {
        assertThat(run("shards.md")).isGreaterThan(6);
        assertThat(folder.resolve("all.html")).isNotEmptyFile();
        assertThat(folder.resolve("job.yaml")).content().contains("Indexed");
    }

    /** The files are those of the page, but for the service and what has no room in it. */
    @Test
    void every_command_on_requests_works() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "requests.md"));
        Files.writeString(folder.resolve("shop.http"), block(page, "http"));
        Files.writeString(folder.resolve("skus.csv"), block(page, "csv"));
        Files.writeString(
                folder.resolve("access.log"),
                "[10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\"\n[10/Oct/2025:13:55:37 +0000] \"GET /b HTTP/1.1\"\n");
        Files.writeString(
                folder.resolve("session.har"),
                "{\"log\":{\"entries\":[{\"request\":{\"method\":\"GET\",\"url\":\"http://localhost:8089/a\"}}]}}");
        assertThat(run("requests.md")).isGreaterThan(7);
        assertThat(folder.resolve("shop.html")).content().contains("place order");
    }

    @Test
    void every_command_on_history_works() throws IOException {
        Files.createDirectory(folder.resolve("results"));
        assertThat(run("history.md")).isGreaterThan(2);
        assertThat(folder.resolve("history.html")).isNotEmptyFile();
    }

    @Test
    void every_command_on_results_of_other_tools_works() throws IOException {
        StringBuilder table = new StringBuilder("timeStamp,elapsed,label,success,threadName\n");
        for (int i = 0; i < 300; i++) {
            table.append(1_700_000_000_000L + i * 10L).append(",5,list,true,u 1-1\n");
        }
        Files.writeString(folder.resolve("results.jtl"), table);
        assertThat(run("audit.md")).isPositive();
    }

    @Test
    void every_command_on_pages_works() throws IOException {
        for (String name : List.of("a", "b", "c")) {
            check(List.of(
                    "run",
                    "-d",
                    "300ms",
                    "-q",
                    "-o",
                    folder.resolve(name + ".downbeat").toString()));
        }
        assertThat(run("report.md")).isGreaterThan(2);
        assertThat(folder.resolve("over.html")).isNotEmptyFile();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"manual.md, 11", "http2.md, 4", "simulate.md, 4", "engine.md, 1"})
    void every_command_of_a_page_works(String page, int many) throws IOException {
        assertThat(run(page)).isEqualTo(many);
    }

    /** Those of the case studies, on services of their own; the embedded queue is for PositionCommandTest. */
    @Test
    void every_command_of_the_stories_works() throws IOException {
        LoopbackOptions unix = LoopbackOptions.of(draft -> draft.unixSocket = Optional.of(folder.resolve("app.sock")));
        try (LoopbackServer server = LoopbackServer.start(unix)) {
            assertThat(run("stories.md")).isEqualTo(12);
            assertThat(server.stats().requestsAnswered()).isPositive();
        }
    }

    /** Also those that take too long here, or need a machine elsewhere. */
    @Test
    void every_command_of_every_page_is_understood() throws IOException {
        int commands = 0;
        try (DirectoryStream<Path> pages = Files.newDirectoryStream(Path.of("..", "docs"), "*.md")) {
            for (Path page : pages) {
                for (String command : commands(page)) {
                    String[] words = split(command.replaceFirst(" +[&|>].*$", "")
                                    .replace(
                                            "$!",
                                            Long.toString(
                                                    ProcessHandle.current().pid())))
                            .skip(1)
                            .toArray(String[]::new);
                    assertThatCode(() -> DownbeatMain.commandLine(new DownbeatMain(), words)
                                    .parseArgs(words))
                            .as(page + ": " + command)
                            .doesNotThrowAnyException();
                    commands++;
                }
            }
        }
        assertThat(commands).isGreaterThan(80);
    }

    /** The lines of a page's blocks that begin with our own name. */
    private static List<String> commands(Path page) throws IOException {
        List<String> commands = new ArrayList<>();
        Matcher block = BLOCK.matcher(Files.readString(page));
        while (block.find()) {
            block.group(1)
                    .replaceAll("\\\\\\n\\s*", " ")
                    .lines()
                    .map(line -> line.replaceAll("\\s+#.*", ""))
                    .filter(line -> line.matches("(\\./)?downbeat .*"))
                    .forEach(commands::add);
        }
        return commands;
    }

    private static String block(String page, String language) {
        Matcher block = Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```").matcher(page);
        assertThat(block.find()).as(language).isTrue();
        return block.group(1);
    }

    /** How many there were. */
    private int run(String page) throws IOException {
        int commands = 0;
        LoopbackOptions encrypted = LoopbackOptions.of(draft -> {
            draft.certificateKey = CertificateKey.EC;
            draft.tls = true;
        });
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults());
                LoopbackServer secret = LoopbackServer.start(encrypted);
                FakeQueue queue = FakeQueue.start()) {
            for (String name : List.of("shop.http", "session.har")) {
                Path file = folder.resolve(name);
                if (Files.exists(file)) {
                    String there = server.uri().replaceFirst("/$", "");
                    Files.writeString(file, Files.readString(file).replace("http://localhost:8089", there));
                }
            }
            for (String command : commands(Path.of("..", "docs", page))) {
                if (HERE.matcher(command).matches()) {
                    each(words(command.replaceAll("http://[^ ,]+", server.uri())
                            .replace("tls:localhost:8443", "tls:127.0.0.1:" + secret.port())
                            .replace("/tmp/app.sock", folder.resolve("app.sock").toString())
                            .replace("sqs:demo", "sqs:orders --data x --endpoint http://127.0.0.1:" + queue.port())
                            .replaceAll("https://localhost[^ ]+(?! -k)( |$)", secret.uri() + " -k ")
                            .replaceAll("https://localhost[^ ]+", secret.uri())));
                    commands++;
                }
            }
        }
        return commands;
    }

    /** The words behind our own name, with shorter times and lower rates. */
    private List<String> words(String command) throws IOException {
        List<String> words = new ArrayList<>();
        split(command.replaceAll("-d \\d+[sm](?=.* --vary)", "-d 1s")
                        .replaceAll("-d \\d+[sm](?!.* --vary)", "-d 300ms")
                        .replaceAll("-R \\d+k?(/s)?", "-R 200")
                        .replaceAll("--stage \\d+s", "--stage 300ms")
                        .replace("1s..16s", "20ms..80ms") // idle times
                        .replace("--runs 20", "--runs 2 -n 40")
                        .replace("-n 8000", "-n 200")
                        .replace("--sessions 20/s", "--sessions 100/s") // else some runs have none
                        .replace("--processes 4", "--processes 1")
                        .replace("--shards 8", "--shards 2")
                        .replace("file:/shared", "file:" + folder)
                        .replaceAll("simulate(?!.* -d ).*", "$0 -n 2000")
                        .replace(":9464", ":0")
                        .replaceAll("history results\\S+", "$0 --accept-unsound") // its run may be left out as unsound
                        .replace("downbeat merge", "downbeat merge --max-skew 1m") // this machine may be busy
                        .replaceAll("2026-[^ ]+Z", soon()))
                .forEach(word -> words.addAll(FILE.matcher(word).matches() ? files(word) : List.of(word)));
        return words.subList(1, words.size());
    }

    /** At spaces that are not within quotes. */
    private static Stream<String> split(String command) {
        return Stream.of(command.replace('"', '\'').split(" +(?=(?:[^']*'[^']*')*[^']*$)", -1))
                .map(word -> word.replace("'", ""));
    }

    private static String soon() {
        return Instant.now().plusSeconds(1).truncatedTo(ChronoUnit.MILLIS).toString();
    }

    private List<String> files(String word) {
        String sign = word.replaceFirst("^(@|\\w+=)?.*", "$1");
        Path file = folder.resolve(word.substring(sign.length()));
        String name = file.getFileName().toString();
        if (!name.contains("*")) {
            return List.of(sign + file);
        }
        List<String> files = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(file.getParent(), name)) {
            found.forEach(each -> files.add(each.toString()));
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
        return files;
    }

    /** What the page says of one shard is done by each, at the same time. */
    private static void each(List<String> words) {
        if (!words.contains("0/8")) {
            check(words);
            return;
        }
        List<CompletableFuture<Void>> shards = new ArrayList<>();
        for (int shard = 0; shard < 2; shard++) {
            String name = "shard-" + shard;
            String place = shard + "/2";
            List<String> own = words.stream()
                    .map(word -> word.replace("0/8", place).replace("shard-0", name))
                    .toList();
            // The common pool of two processors has one thread, and each shard waits for the other.
            shards.add(CompletableFuture.runAsync(() -> check(own), task -> new Thread(task).start()));
        }
        shards.forEach(CompletableFuture::join);
    }

    private static void check(List<String> words) {
        Shell shell = Shell.call(words.toArray(String[]::new));
        if (words.get(0).equals("stop")) { // the shards have ended by now
            assertThat(shell.firstErrorLine()).contains("no shard of this plan is at");
            return;
        }
        assertThat(ANSWERS).as(words + ": " + shell.err()).contains(shell.exitCode());
    }
}
