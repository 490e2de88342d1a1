package dev.downbeat.report.file;

import dev.downbeat.report.file.tree.JsonTree;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Reads the command line from a JSON report. */
public final class SavedCommand {
    private SavedCommand() {}

    /**
     * Reads the command line that made a report.
     *
     * @param text text of the report
     * @return one word each, starting with Downbeat's name
     * @throws IOException if it is not a report of Downbeat; its message is one clear line
     */
    public static List<String> of(String text) throws IOException {
        Map<String, Object> report = JsonTree.object(text);
        if (!(report.get("schema") instanceof Long)
                || !(report.get("command") instanceof List<?> words)
                || !words.stream().allMatch(String.class::isInstance)) {
            throw new IOException("it is not a result saved with -o NAME.json");
        }
        return words.stream().map(String::valueOf).toList();
    }

    /**
     * Reads the measurement of a report, by command; empty if it was not saved.
     *
     * @param text text of the report
     * @throws IOException if it is not JSON
     */
    public static Map<String, Object> measurement(String text) throws IOException {
        return JsonTree.asObject(JsonTree.object(text).getOrDefault("measurement", Map.of()));
    }
}
