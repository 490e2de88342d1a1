package dev.downbeat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.loopback.LoopbackOptions;
import dev.downbeat.loopback.LoopbackServer;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of the pages on files and shards are run in their order, as a reader would; only shorter, with fewer shards,
 * and within this process. Those of the manual are run as processes of their own.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DocsTest {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\\n(.*?)^```");
    private static final Pattern FILE =
            Pattern.compile("([\\w]+=)?[\\w*-]+\\.(downbeat|html|xml|json|yaml|sh|http|csv|txt|log|har)(,\\w+)?");

    /** Met, in doubt on a busy machine, missed: what a command may say of a service. The others are for what went wrong. */
    private static final List<Integer> ANSWERS = List.of(0, 98, 99);

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

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
        assertThat(folder.resolve("job.sh")).content().contains("aws batch");
    }

    /** The files are those of the page, but for the service and what has no room in it. */
    @Test
    void every_command_on_requests_works() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "requests.md"));
        Files.writeString(folder.resolve("shop.http"), block(page, "http"));
        Files.writeString(folder.resolve("skus.csv"), block(page, "csv"));
        Files.writeString(folder.resolve("targets.txt"), "GET http://localhost:8089/a\n");
        Files.writeString(
                folder.resolve("access.log"),
                "[10/Oct/2025:13:55:36 +0000] \"GET /a HTTP/1.1\"\n[10/Oct/2025:13:55:37 +0000] \"GET /b HTTP/1.1\"\n");
        Files.writeString(
                folder.resolve("session.har"),
                "{\"log\":{\"entries\":[{\"request\":{\"method\":\"GET\",\"url\":\"http://localhost:8089/a\"}}]}}");
        assertThat(run("requests.md")).isGreaterThan(7);
        assertThat(folder.resolve("shop.html")).content().contains("place order");
    }

    private static String block(String page, String language) {
        Matcher block = Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```").matcher(page);
        assertThat(block.find()).as(language).isTrue();
        return block.group(1);
    }

    /** How many there were. */
    private int run(String page) throws IOException {
        int commands = 0;
        Matcher block = BLOCK.matcher(Files.readString(Path.of("..", "docs", page)));
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            for (String name : List.of("shop.http", "targets.txt", "session.har")) {
                Path file = folder.resolve(name);
                if (Files.exists(file)) {
                    String there = server.uri().replaceFirst("/$", "");
                    Files.writeString(file, Files.readString(file).replace("http://localhost:8089", there));
                }
            }
            while (block.find()) {
                for (String line :
                        block.group(1).replaceAll("\\\\\\n\\s*", " ").lines().toList()) {
                    String command = line.replaceAll("\\s+#.*", "");
                    // What comes from a store is for ObjectStoreTest, and what is kept for LastRunsTest.
                    if (command.matches("(\\./)?downbeat (?!merge s3:|last|report --last).*")) {
                        each(words(command, server.uri()));
                        commands++;
                    }
                }
            }
        }
        return commands;
    }

    /** The words behind our own name, with shorter times, lower rates and a server that is there. */
    private List<String> words(String command, String uri) throws IOException {
        List<String> words = new ArrayList<>();
        for (String quoted : command.replaceAll("-d (30s|60s|5m)", "-d 300ms")
                .replaceAll("-R \\d+k?", "-R 200")
                .replace("--processes 4", "--processes 1")
                .replace("--shards 8", "--shards 2")
                .replace(":9464", ":0")
                .replace("downbeat merge", "downbeat merge --max-skew 1m") // this machine may be busy
                .replaceAll("http://[^ ]+", uri)
                .replaceAll("2026-[^ ]+Z", soon())
                .split(" +(?=(?:[^']*'[^']*')*[^']*$)", -1)) { // not within quotes
            String word = quoted.replace("'", "");
            words.addAll(FILE.matcher(word).matches() ? files(word) : List.of(word));
        }
        return words.subList(1, words.size());
    }

    private static String soon() {
        return Instant.now().plusSeconds(1).truncatedTo(ChronoUnit.MILLIS).toString();
    }

    private List<String> files(String word) throws IOException {
        if (word.contains("=")) {
            String name = word.substring(0, word.indexOf('=') + 1);
            return List.of(name + folder.resolve(word.substring(name.length())));
        }
        if (!word.contains("*")) {
            return List.of(folder.resolve(word).toString());
        }
        List<String> files = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, word)) {
            found.forEach(file -> files.add(file.toString()));
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
            shards.add(CompletableFuture.runAsync(() -> check(own)));
        }
        shards.forEach(CompletableFuture::join);
    }

    private static void check(List<String> words) {
        Shell shell = Shell.call(words.toArray(String[]::new));
        assertThat(ANSWERS).as(words + ": " + shell.err()).contains(shell.exitCode());
    }
}
