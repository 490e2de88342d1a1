package dev.downbeat.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PackagesTest {
    private static final Path DIST = Path.of(System.getProperty("downbeat.dist", "target"));
    private static final int BLOCK = 512;
    private static final Pattern LAYER = Pattern.compile("sha256:([0-9a-f]{64})");

    /** Names and contents of a tar: enough of the format for what is written here, long names included. */
    private static Map<String, byte[]> entries(InputStream tar) throws IOException {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        String longName = "";
        for (byte[] head = tar.readNBytes(BLOCK); head.length == BLOCK && head[0] != 0; head = tar.readNBytes(BLOCK)) {
            int size = Integer.parseInt(text(head, 124, 12).strip(), 8);
            byte[] content = tar.readNBytes(size);
            tar.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
            if (head[156] == 'L') {
                longName = text(content, 0, content.length);
                continue;
            }
            entries.put(longName.isEmpty() ? text(head, 0, 100) : longName, content);
            longName = "";
        }
        return entries;
    }

    private static String text(byte[] bytes, int from, int most) {
        String text = new String(bytes, from, most, StandardCharsets.UTF_8);
        int end = text.indexOf('\0');
        return end < 0 ? text : text.substring(0, end);
    }

    private static Map<String, byte[]> image() throws IOException {
        try (InputStream in = Files.newInputStream(DIST.resolve("jib-image.tar"))) {
            return entries(in);
        }
    }

    /** The only JSON among the blobs that has this member. */
    private static String json(Map<String, byte[]> image, String member) {
        List<String> found = image.values().stream()
                .filter(content -> content.length > 0 && content[0] == '{')
                .map(content -> new String(content, StandardCharsets.UTF_8))
                .filter(text -> text.contains("\"" + member + "\":"))
                .toList();
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    @Test
    void the_image_runs_Downbeat_as_an_unprivileged_user() throws IOException {
        assertThat(json(image(), "Entrypoint"))
                .contains("\"Entrypoint\":[\"/opt/java/bin/java\"")
                .contains("\"-jar\",\"/opt/downbeat/downbeat.jar\"]")
                .contains("\"User\":\"65532\"");
    }

    @Test
    void the_most_stable_files_are_in_the_lowest_layer() throws IOException {
        Map<String, byte[]> image = image();
        String manifest = json(image, "layers");
        List<List<String>> layers = new ArrayList<>();
        for (MatchResult layer : LAYER.matcher(manifest.substring(manifest.indexOf("\"layers\"")))
                .results()
                .toList()) {
            layers.add(names(image, "blobs/sha256/" + layer.group(1)));
        }
        int runtime = indexOf("opt/java/lib/modules", layers);
        int libraries = indexOf("opt/downbeat/downbeat-sqs.jar", layers);
        int program = indexOf("opt/downbeat/downbeat.jar", layers);
        assertThat(runtime).isLessThan(libraries);
        assertThat(libraries).isLessThan(program);
        assertThat(program).isEqualTo(layers.size() - 1);
        assertThat(layers.get(runtime)).contains("opt/java/bin/java");
        assertThat(layers.get(libraries)).contains("opt/downbeat/downbeat-crt.jar");
        assertThat(layers.get(program)).noneMatch(name -> name.endsWith(".class"));
    }

    private static int indexOf(String file, List<List<String>> layers) {
        List<Integer> found = IntStream.range(0, layers.size())
                .filter(layer -> layers.get(layer).contains(file))
                .boxed()
                .toList();
        assertThat(found).as(file).hasSize(1);
        return found.get(0);
    }

    private static List<String> names(Map<String, byte[]> image, String layer) throws IOException {
        byte[] bytes = image.get(layer);
        assertThat(bytes).isNotNull();
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return entries(in).keySet().stream()
                    .map(name -> name.startsWith("/") ? name.substring(1) : name)
                    .toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "jdbc:demo"})
    void the_runtime_runs_Downbeat_without_another_Java(String target) throws Exception {
        List<String> words = new ArrayList<>(List.of(
                DIST.resolve("runtime/opt/java/bin/java").toString(),
                "-jar",
                DIST.resolve("downbeat/lib/downbeat.jar").toString(),
                "run",
                "-d",
                "1s",
                "-R",
                "50",
                "-q",
                "--json",
                "--accept-unsound"));
        if (!target.isEmpty()) {
            words.add(target);
        }
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().remove("JAVA_HOME");
        Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isIn(0, 99);
        assertThat(out).contains("\"adds_up\": true");
    }
}
