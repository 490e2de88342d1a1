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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
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
        ZipOutputStream zip = RunFile.zip(out);
        RunFile.entry(ENTRY, JsonText.of(tree) + "\n", zip);
        RunFile.entry("summary.json", summary.toString(), zip);
        zip.finish();
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
                String text = entries.text(ENTRY, "not a sweep saved with sweep -o NAME.downbeat");
                return report(JsonTree.object(text));
            }
        });
    }

    private static SweepReport report(Map<String, Object> tree) throws IOException {
        JsonTree.checkSchema(tree, SCHEMA);
        return RecordTree.read(SweepReport.class, tree);
    }
}
