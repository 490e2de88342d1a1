package dev.downbeat.report.file.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.json.JsonText;
import dev.downbeat.report.Samples;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.RunReport.ReportFormat;
import dev.downbeat.report.file.CsvReport;
import dev.downbeat.report.file.HistogramLogFile;
import dev.downbeat.report.file.RunFile;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.view.RunView;
import dev.downbeat.testing.Replications;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A saved run that somebody changed and packed again, its checksums right: it is refused in one line or shown. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@SuppressWarnings("NullAway.Init") // set before all tests
class RepackedRunTest {
    private static final List<ReportFormat> FORMATS = List.of(
            RunView.on(Renderer.TEXT),
            RunView.on(Renderer.JSON),
            RunView.on(Renderer.HTML),
            new HistogramLogFile(),
            new CsvReport());

    private static byte[] run;

    @TempDir
    static Path folder;

    @BeforeAll
    static void save() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RunFile.write(Samples.of("censored"), out);
        run = out.toByteArray();
    }

    private interface Writing {
        void to(OutputStream out) throws IOException;
    }

    /** The file with one entry changed, and a checksum that is right. */
    private static byte[] with(byte[] zip, String name, String text) throws IOException {
        return with(zip, name, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static byte[] with(byte[] zip, String name, Writing other) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ZipOutputStream changed = new ZipOutputStream(bytes);
        changed.setLevel(Deflater.BEST_SPEED);
        ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(zip));
        for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
            changed.putNextEntry(new ZipEntry(entry.getName()));
            if (entry.getName().equals(name)) {
                other.to(changed);
            } else {
                changed.write(in.readAllBytes());
            }
            changed.closeEntry();
        }
        changed.finish();
        return bytes.toByteArray();
    }

    private static String entry(byte[] zip, String name) throws IOException {
        ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(zip));
        for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
            if (entry.getName().equals(name)) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
        throw new IOException(name);
    }

    /** The tree with one of its values replaced; {@code at} counts down over all of them. */
    private static Object replaced(Object tree, int[] at, Object by) {
        if (at[0]-- == 0) {
            return by;
        }
        if (tree instanceof Map<?, ?> map) {
            Map<Object, Object> members = new LinkedHashMap<>();
            map.forEach((name, value) -> members.put(name, replaced(value, at, by)));
            return members;
        }
        if (tree instanceof List<?> list) {
            List<Object> elements = new ArrayList<>();
            list.forEach(value -> elements.add(replaced(value, at, by)));
            return elements;
        }
        return tree;
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"plan.json", "result.json", "environment.json", "intervals.jsonl"})
    void a_value_of_another_type_or_size_with_the_right_checksum_is_refused_or_shown(String name) throws IOException {
        List<String> lines = entry(run, name).lines().toList();
        List<Object> values = List.of(
                "text",
                "\u001b[2J",
                -1L,
                0L,
                Long.MAX_VALUE,
                1.5e300,
                List.of(),
                List.of(7L, "x"),
                Map.of(),
                Map.of("a", 1L),
                true);
        int refused = 0;
        int shown = 0;
        for (int seed = 0; seed < Replications.of(1_000); seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<String> changed = new ArrayList<>(lines);
            int line = random.nextInt(lines.size());
            Object tree = JsonTree.parse(lines.get(line));
            int[] count = {Integer.MAX_VALUE};
            Object unused = replaced(tree, count, "");
            int[] at = {random.nextInt(Integer.MAX_VALUE - count[0])};
            changed.set(line, JsonText.of(replaced(tree, at, values.get(random.nextInt(values.size())))));
            Path file = folder.resolve("run.downbeat");
            Files.write(file, with(run, name, String.join("\n", changed) + "\n"));
            @Nullable RunReport report = null;
            try {
                report = RunFile.read(file);
            } catch (IOException corrupt) {
                assertThat(corrupt.getMessage())
                        .as("seed %d", seed)
                        .doesNotContainPattern("\\p{Cntrl}|Exception|class ");
                refused++;
            }
            if (report != null) {
                shown++;
                for (ReportFormat format : FORMATS) {
                    assertThat(Samples.text(format, report))
                            .as("seed %d: %s", seed, changed.get(line))
                            .doesNotContain("\u001b");
                }
            }
        }
        System.out.printf("%s: %d values changed, %d refused, %d shown%n", name, refused + shown, refused, shown);
        assertThat(refused).as("refused").isPositive();
        assertThat(shown).as("shown").isPositive();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {" ", "[", "{},", "[[],[],[[]]],", "{\"a\":", "\"a\","})
    void files_that_would_unpack_beyond_memory_are_refused_first(String piece) throws IOException {
        boolean inAll = Replications.areWhole() || piece.equals("["); // one reader and one limit for all of them
        for (String name : inAll ? List.of("plan.json", "result.json", "intervals.jsonl") : List.of("result.json")) {
            // half a gigabyte takes seconds to pack; a small file may unpack to 32 MiB
            int large = Replications.areWhole() ? 500_000_000 : 35_000_000;
            int small = inAll ? 30_000_000 : 3_000_000; // one of full size is enough: it takes seconds to read
            for (int unpacked : name.equals("result.json") ? List.of(small, large) : List.of(large)) {
                byte[] bomb = with(run, name, out -> {
                    byte[] pieces = piece.repeat(100_000).getBytes(StandardCharsets.UTF_8);
                    out.write('[');
                    for (int i = 0; i < unpacked / pieces.length; i++) {
                        out.write(pieces);
                    }
                });
                assertThat(bomb.length).isLessThan(3_000_000);
                Path file = Files.write(folder.resolve("run.downbeat"), bomb);
                assertThatThrownBy(() -> RunFile.read(file), "%s of %d bytes", name, unpacked)
                        .isInstanceOf(IOException.class)
                        .message()
                        .contains(unpacked == large ? "unpacks to more than " : "")
                        .isNotBlank()
                        .doesNotContainPattern("\\p{Cntrl}")
                        .hasSizeLessThan(1_000);
            }
        }
    }

    @Test
    void a_ledger_that_is_not_what_was_counted_is_refused() throws IOException {
        String result = entry(run, "result.json");
        String changed = result.replaceFirst("\"answered\":(\\d)", "\"answered\":1$1");
        assertThat(changed).isNotEqualTo(result);
        Path file = Files.write(folder.resolve("a.downbeat"), with(run, "result.json", changed));
        assertThatThrownBy(() -> RunFile.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("its ledger");
    }
}
