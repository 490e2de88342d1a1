package dev.downbeat.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PackagesTest {
    private static final Path DIST = Path.of(System.getProperty("downbeat.dist", "target"));
    private static final int BLOCK = 512;
    private static final Pattern LAYER = Pattern.compile("\"([0-9a-f]{64}\\.tar\\.gz)\"");

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

    private static String json(Map<String, byte[]> image, String name) {
        assertThat(image).containsKey(name);
        return new String(image.get(name), StandardCharsets.UTF_8);
    }

    @Test
    void the_image_starts_Downbeat_as_nobody_in_particular() throws IOException {
        Map<String, byte[]> image = image();
        String manifest = json(image, "manifest.json");
        String config = json(image, "config.json");
        assertThat(manifest).contains("\"config.json\"");
        assertThat(config)
                .contains("\"Entrypoint\":[\"/opt/java/bin/java\"")
                .contains("\"-jar\",\"/opt/downbeat/downbeat.jar\"]")
                .contains("\"User\":\"65532\"");
    }

    @Test
    void what_changes_least_is_in_the_lowest_layer() throws IOException {
        Map<String, byte[]> image = image();
        List<String> layers = LAYER.matcher(json(image, "manifest.json"))
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(layers).hasSize(3);
        assertThat(names(image, layers.get(0))).contains("opt/java/bin/java", "opt/java/lib/modules");
        assertThat(names(image, layers.get(1))).contains("opt/downbeat/downbeat-sqs.jar", "opt/downbeat/downbeat-crt.jar");
        assertThat(names(image, layers.get(2)))
                .contains("opt/downbeat/downbeat.jar")
                .noneMatch(name -> name.endsWith(".class"));
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

    @Test
    void the_runtime_runs_Downbeat_without_another_Java() throws Exception {
        Path java = DIST.resolve("runtime/opt/java/bin/java");
        Path jar = DIST.resolve("program/opt/downbeat/downbeat.jar");
        ProcessBuilder builder = new ProcessBuilder(
                java.toString(), "-jar", jar.toString(), "run", "-d", "1s", "-R", "50", "-q", "--json", "--accept-unsound");
        builder.environment().remove("JAVA_HOME");
        Process process =
                builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isIn(0, 99);
        assertThat(out).contains("\"adds_up\": true");
    }
}
