package dev.downbeat.report.file;

import dev.downbeat.json.JsonText;
import dev.downbeat.report.data.SweepReport;
import dev.downbeat.report.file.tree.JsonTree;
import dev.downbeat.report.file.tree.RecordTree;
import dev.downbeat.report.file.tree.UntrustedFile;
import dev.downbeat.report.render.Renderer;
import dev.downbeat.report.view.sweep.SweepView;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A search for the highest rate in one file, {@code NAME.downbeat}: a zip from which every report can be made again.
 * {@code sweep.json} is read back; {@code summary.json} is for other programs.
 */
public final class SweepFile {
    /** Incremented when a name is removed or changes its meaning, not when one is added. */
    public static final int SCHEMA = 1;

    private static final String ENTRY = "sweep.json";

    private SweepFile() {}

    /**
     * Writes the whole search; does not close {@code out}.
     *
     * @throws IOException if {@code out} fails
     */
    public static void write(SweepReport report, OutputStream out) throws IOException {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("schema", SCHEMA);
        tree.put("downbeat", report.version());
        tree.putAll(JsonTree.asObject(RecordTree.tree(report)));
        StringBuilder summary = new StringBuilder();
        Renderer.JSON.write(new SweepView(report), summary);
        ZipOutputStream zip = new ZipOutputStream(out, StandardCharsets.UTF_8);
        entry(ENTRY, JsonText.of(tree) + "\n", zip);
        entry("summary.json", summary.toString(), zip);
        zip.finish();
    }

    private static void entry(String name, String text, ZipOutputStream zip) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(text.getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
    }

    /** Whether the file contains a search. */
    public static boolean isOne(Path file) {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try (UntrustedFile.Entries entries = new UntrustedFile.Entries(file)) {
            return entries.has(ENTRY);
        } catch (IOException | RuntimeException other) {
            return false;
        }
    }

    /**
     * Reads a search.
     *
     * @throws IOException if the file is invalid, corrupt, or of a later schema; its message is one clear line
     */
    public static SweepReport read(Path file) throws IOException {
        return UntrustedFile.read(file.toString(), () -> {
            try (UntrustedFile.Entries entries = new UntrustedFile.Entries(file)) {
                String text = entries.text(ENTRY, "it is not a search saved with sweep -o NAME.downbeat");
                return report(JsonTree.object(text));
            }
        });
    }

    private static SweepReport report(Map<String, Object> tree) throws IOException {
        Object schema = tree.getOrDefault("schema", 0L);
        if (!(schema instanceof Long number) || number < 1) {
            throw new IOException("it does not name its schema");
        }
        if (number > SCHEMA) {
            throw new IOException("it has schema " + number + ", and this Downbeat knows schemas up to " + SCHEMA
                    + ": use the version that wrote it (" + tree.getOrDefault("downbeat", "unknown")
                    + ") or a later one");
        }
        return RecordTree.read(SweepReport.class, tree);
    }
}
